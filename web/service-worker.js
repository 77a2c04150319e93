// Keeps the page, and the engine with which it needs no server, for use without a network.
//
// The build puts the files of one version of the site into SITE, each with its hash (engine_build.py). A version has a
// cache of its own. It is used only when it is complete, and every file is compared with its hash before it is used for the
// first time. So files of two versions are never mixed, and what is damaged or missing is fetched again.
//
// A new version waits until no page of the older one is open, or until a page asks for it.

const SITE = __SITE__ // { version, files: { path: [hash, part] } }; the parts: page, engine, nets
const SCOPE = self.registration.scope
const OURS = `foretell ${SCOPE} `
const NAME = OURS + SITE.version
const PAGE = 'index.html'
const AT_ONCE = 4 // a server at home is not to be flooded

const addressOf = (path) => new URL(path === PAGE ? './' : path, SCOPE).href
const isIn = (part) => (path) => SITE.files[path][1] === part
const isNet = (path) => path.endsWith('.bin')
const coming = new Map()
const damaged = new Set() // files that came wrong: what the browser has kept of them by itself is of no use
const whole = new Set() // files that were compared with their hash since this worker started

addEventListener('install', (event) => event.waitUntil(install()))
addEventListener('activate', (event) => event.waitUntil(activate()))
addEventListener('message', (event) => {
  if (event.data === 'use now') void skipWaiting()
  if (event.data === 'use if alone') event.waitUntil(useIfAlone())
  if (event.data === 'keep engine') event.waitUntil(fill(isIn('engine')))
  // After the engine: with that alone most bots can play.
  if (event.data === 'keep nets') event.waitUntil(fill(isIn('engine')).then(() => fill(isIn('nets'))))
})
addEventListener('fetch', (event) => {
  const path = pathOf(event.request)
  if (path === null) return
  event.respondWith(answer(path, event))
  if (path === PAGE) event.waitUntil(fill(isIn('page')).catch(() => undefined)) // what has gone missing meanwhile
})

async function install() {
  await fill(isIn('page'))
  // Whoever could play without a network before can do so afterwards.
  const older = await olderCaches()
  for (const part of ['engine', 'nets']) if ((await Promise.all(older.map(has(part)))).some(Boolean)) await fill(isIn(part))
}

async function activate() {
  // The last version stays, because a page of it may still be open, and load a part of it later.
  for (const name of (await olderNames()).slice(0, -1)) await caches.delete(name)
  await clients.claim()
}

async function useIfAlone() {
  if ((await clients.matchAll({ type: 'window', includeUncontrolled: true })).length <= 1) await skipWaiting()
}

const olderNames = async () => (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== NAME)
const olderCaches = async () => Promise.all((await olderNames()).map((name) => caches.open(name)))
const SIGN = { engine: /\.wasm$/, nets: /\/belief\.[^/]*$/ } // a file by which one sees that this part was kept
const has = (part) => async (cache) => (await cache.keys()).some(({ url }) => SIGN[part].test(url))

/** The file that a request is for; null if it is none of ours. */
function pathOf({ method, url }) {
  const address = url.split(/[?#]/, 1)[0]
  if (method !== 'GET' || !address.startsWith(SCOPE)) return null
  const path = decodeURI(address.slice(SCOPE.length)) || PAGE
  return path in SITE.files || path.startsWith('assets/') ? path : null
}

async function answer(path, event) {
  const { request } = event
  const cache = await caches.open(NAME)
  // A part of the version before, for a page of that version.
  if (!(path in SITE.files)) return (await caches.match(request.url)) ?? fetch(request)
  const kept = await cache.match(addressOf(path))
  if (kept && (whole.has(path) || (await isWhole(path, kept.clone())))) return kept
  // Without its page this version cannot be had any more. Then nothing of it is used beside what the network has.
  if (path !== PAGE && !(await cache.match(addressOf(PAGE)))) return fetch(request)
  if (isNet(path)) return streamed(path, cache, event)
  const { file, isRight } = await fetched(path)
  if (await isRight) await cache.put(addressOf(path), file.clone()).catch(() => undefined) // no room
  else await cache.delete(addressOf(path))
  return file
}

/** A net as it comes: whoever loads it sees that it does. Its end fails if it is not of this version. */
async function streamed(path, cache, event) {
  const { file, isRight } = await fetched(path)
  if (!file.ok) return file
  const copy = file.clone()
  event.waitUntil(isRight.then((is) => is && cache.put(addressOf(path), copy)).catch(() => undefined)) // no room
  const check = new TransformStream({
    async flush() {
      if (!(await isRight)) throw new Error(`${path} is not of this version`)
    },
  })
  return new Response(file.body.pipeThrough(check), { headers: { 'Content-Type': 'application/octet-stream' } })
}

/** Completes a part of this version. Throws if that is impossible now. */
async function fill(isWanted) {
  const cache = await caches.open(NAME)
  const kept = new Set((await cache.keys()).map(({ url }) => url))
  const missing = Object.keys(SITE.files).filter((path) => isWanted(path) && !kept.has(addressOf(path)))
  const older = await olderCaches()
  const next = async () => {
    for (let path = missing.pop(); path !== undefined; path = missing.pop()) {
      await cache.put(addressOf(path), (await fromOlder(path, older)) ?? (await fetchedWhole(path)))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, next))
}

async function fromOlder(path, older) {
  for (const cache of older) {
    const kept = await cache.match(addressOf(path))
    if (kept && (await isWhole(path, kept.clone()))) return kept
  }
  return null
}

/** From the network; a file that is asked for while it comes is not fetched twice. A net is here when it begins to come. */
async function fetched(path) {
  if (!coming.has(path)) {
    const begun = loaded(path)
    const checked = begun.then((file) => isWhole(path, file.clone())).catch(() => false)
    const isRight = checked.then((is) => {
      coming.delete(path)
      if (!is) damaged.add(path)
      return is
    })
    coming.set(path, { begun, isRight })
  }
  const { begun, isRight } = coming.get(path)
  return { file: (await begun).clone(), isRight }
}

async function fetchedWhole(path) {
  for (let tries = isNet(path) ? 2 : 1; tries > 0; tries--) {
    const { file, isRight } = await fetched(path)
    if (await isRight) return file
  }
  throw new Error(`${path} is not of this version`)
}

/** What the browser has kept by itself is enough where the name has a hash. */
async function loaded(path) {
  const isHashed = /[.-][\w-]{8,}[./]/.test(path)
  const found = await fetch(addressOf(path), { cache: damaged.delete(path) ? 'reload' : isHashed ? 'default' : 'no-cache' })
  if (!isHashed || isNet(path) || (await isWhole(path, found.clone()))) return found
  return fetch(addressOf(path), { cache: 'reload' })
}

async function isWhole(path, response) {
  if (!response.ok) return false
  const digest = await crypto.subtle.digest('SHA-256', await response.arrayBuffer().catch(() => new ArrayBuffer(0)))
  const hash = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
  if (hash === SITE.files[path][0]) whole.add(path)
  return hash === SITE.files[path][0]
}
