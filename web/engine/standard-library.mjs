// node standard-library.mjs PYODIDE OUT ZIP...: writes to OUT the part of Pyodide's standard library that the zip files import.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [pyodide, out, ...others] = process.argv.slice(2)
const bytes = (path) => new Uint8Array(readFileSync(path))

const { loadPyodide } = await import(pathToFileURL(join(pyodide, 'pyodide.mjs')).href)
const python = await loadPyodide({ indexURL: pyodide })
python.runPython(readFileSync(new URL('standard_library.py', import.meta.url), 'utf8'))
const pruned = python.globals.get('pruned')
const [whole, ...zips] = [join(pyodide, 'python_stdlib.zip'), ...others].map((path) => python.toPy(bytes(path)).tobytes())
writeFileSync(out, pruned(whole, python.toPy(zips)).toJs())
