// node run.mjs ENGINE PACKAGE SCRIPT: runs a Python script as the page would, on the engine in the folder ENGINE.
// PACKAGE is the folder with the package `foretell`, for the files that are loaded on demand.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [engine, packageFolder, script] = process.argv.slice(2)
const { files, lock } = JSON.parse(readFileSync(join(engine, 'engine.json'), 'utf8'))
const pathOf = (name) => join(engine, files.find((one) => one.name === name).path)
const bytes = (path) => new Uint8Array(readFileSync(path))

try {
  const { loadPyodide } = await import(pathToFileURL(pathOf('pyodide.mjs')).href)
  const python = await loadPyodide({
    indexURL: join(pathOf('pyodide.mjs'), '..', '/'),
    stdLibURL: pathOf('python_stdlib.zip'),
    lockFileContents: lock,
    env: { HOME: '/home/pyodide', PYTHONDONTWRITEBYTECODE: '1' },
  })
  python.unpackArchive(bytes(pathOf('msgspec.whl')), 'wheel')
  python.FS.mkdirTree('/app')
  python.unpackArchive(bytes(pathOf('foretell.zip')), 'zip', { extractDir: '/app' })
  for (const { into } of files) if (into) python.FS.writeFile(`/app/${into}`, bytes(join(packageFolder, into)))
  python.runPython(`import sys; sys.path.insert(0, '/app')\n${readFileSync(script, 'utf8')}`)
} catch (error) {
  console.error(String(error?.message ?? error).slice(-4000)) // Node would print the whole line of a minified file
  process.exitCode = 1
}
