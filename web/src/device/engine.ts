/** The engine: Python for browsers and our package, as files (engine_build.py), and how a worker starts it. */

interface EngineFile {
  name: string
  path: string
  bytes: number
  into?: string // a net: loaded on demand, to this place
  compressed?: number
  is_first?: boolean
}

/** A net of the bots: where it is, and where Python looks for it. */
export interface NetFile {
  path: string
  into: string
  bytes: number
  compressed: number // what the network carries
  /** Most levels play with it. */
  isFirst: boolean
}

/** All that a worker needs to start Python; it can be sent to another worker. */
export interface Engine {
  folder: string
  paths: Record<string, string>
  python: WebAssembly.Module
  archives: Record<string, ArrayBuffer>
  /** They are loaded when they are first needed. */
  nets: Record<string, NetFile>
}

/** The part of Pyodide's interface that is used here. */
export interface Python {
  unpackArchive(archive: ArrayBuffer, format: string, options?: { extractDir: string }): void
  runPython(code: string): unknown
  FS: { writeFile(path: string, content: Uint8Array): void }
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  pyimport(module: string): any
}

const LOADERS = ['pyodide.mjs', 'pyodide.asm.mjs'] // imported by Pyodide itself
const PYTHON = 'pyodide.asm.wasm'
const LIBRARY = 'python_stdlib.zip'
export const PACKAGES = '/app' // where our package is

/** Loads all files, in parallel, and compiles Python while the others come. */
export async function loadedEngine(folder: string, onProgress: (loaded: number) => void): Promise<Engine> {
  const { files } = (await answered(folder + 'engine.json', { cache: 'no-cache' }).then((answer) => answer.json())) as { files: EngineFile[] }
  const wanted = files.filter(({ name, into }) => into === undefined && !LOADERS.includes(name))
  const total = wanted.reduce((sum, { bytes }) => sum + bytes, 0)
  let loaded = 0
  const counted = async ({ path, name }: EngineFile) => {
    const answer = await answered(folder + path)
    const counting = answer.body!.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          loaded += chunk.length
          onProgress(Math.min(1, loaded / total))
          controller.enqueue(chunk)
        },
      }),
    )
    const whole = new Response(counting, { headers: { 'Content-Type': name === PYTHON ? 'application/wasm' : 'application/zip' } })
    return name === PYTHON ? WebAssembly.compileStreaming(whole) : whole.arrayBuffer()
  }
  const contents = await Promise.all(wanted.map(counted))
  const byName = Object.fromEntries(wanted.map(({ name }, place) => [name, contents[place]!]))
  const { [PYTHON]: python, ...archives } = byName
  const paths = Object.fromEntries(files.map(({ name, path }) => [name, path]))
  const nets = Object.fromEntries(files.flatMap((file) => (file.into === undefined ? [] : [[file.name, netFile(file, file.into)]])))
  return { folder, paths, python: python as WebAssembly.Module, archives: archives as Record<string, ArrayBuffer>, nets }
}

const netFile = ({ path, bytes, compressed, is_first }: EngineFile, into: string): NetFile => ({ path, into, bytes, compressed: compressed ?? bytes, isFirst: is_first === true })

async function answered(address: string, how?: RequestInit): Promise<Response> {
  const answer = await fetch(address, how)
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`)
  return answer
}

/** Starts Python with our package. Pyodide asks for its files by fixed names; it gets those that are loaded. */
export async function startedPython({ folder, paths, python, archives }: Engine): Promise<Python> {
  const home = folder + paths[PYTHON]!.slice(0, -PYTHON.length)
  const fetched = self.fetch
  self.fetch = (asked, how) => {
    const name = String(asked instanceof Request ? asked.url : asked).split('/').at(-1)
    if (name === PYTHON) return Promise.resolve(new Response())
    if (name === LIBRARY) return Promise.resolve(new Response(archives[LIBRARY]!))
    return fetched(asked, how)
  }
  const streamed = WebAssembly.instantiateStreaming
  WebAssembly.instantiateStreaming = async (_source, imports) => ({ module: python, instance: await WebAssembly.instantiate(python, imports) })
  try {
    const { loadPyodide } = (await import(/* @vite-ignore */ folder + paths['pyodide.mjs'])) as { loadPyodide: (options: object) => Promise<Python> }
    const loaded = await loadPyodide({ indexURL: home, stdLibURL: home + LIBRARY, lockFileContents: NO_PACKAGES, packageBaseUrl: home })
    loaded.unpackArchive(archives['msgspec.whl']!, 'wheel')
    loaded.unpackArchive(archives['foretell.zip']!, 'zip', { extractDir: PACKAGES })
    loaded.runPython(`import sys; sys.path.insert(0, "${PACKAGES}")`)
    return loaded
  } finally {
    self.fetch = fetched
    WebAssembly.instantiateStreaming = streamed
  }
}

/** Pyodide's list of packages that could be downloaded: none. It checks that the list is for its own version. */
const NO_PACKAGES = JSON.stringify({ info: { abi_version: '2026_0', arch: 'wasm32', platform: 'emscripten' }, packages: {} })
