// node python_314.mjs ROOT PACKAGES WHEEL TESTS: runs pytest on the Python of the page's engine, with its whole library.
// PACKAGES is a folder with pytest; WHEEL is msgspec's wheel for this Python; TESTS is a list of files, as JSON.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [root, packages, wheel, tests] = process.argv.slice(2)
const pyodide = join(root, 'web/node_modules/pyodide/')
const { loadPyodide } = await import(pathToFileURL(join(pyodide, 'pyodide.mjs')).href)
const python = await loadPyodide({
  indexURL: pyodide,
  env: { HOME: '/home/pyodide', PYTHONDONTWRITEBYTECODE: '1', PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1', FORETELL_KERNEL: 'python' },
})
for (const [place, folder] of [['/project', root], ['/packages', packages]]) {
  python.FS.mkdirTree(place)
  python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, place)
}
python.FS.mkdirTree('/wheel')
python.unpackArchive(new Uint8Array(readFileSync(wheel)), 'zip', { extractDir: '/wheel' })
python.globals.set('tests', tests)
try {
  process.exitCode = python.runPython(`
import json, os, sys
sys.path += ['/project/src', '/wheel', '/packages']
os.chdir('/project')
import pytest
print('Python', sys.version.split()[0])
int(pytest.main(['-q', '--noconftest', '-p', 'no:cacheprovider', *json.loads(tests)]))
`)
} catch (error) {
  console.error(String(error?.message ?? error).slice(-4000)) // Node would print the whole line of a minified file
  process.exitCode = 1
}
