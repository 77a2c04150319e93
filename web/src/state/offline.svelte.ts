/**
 * The page without a network: registers the service worker (web/service-worker.js), keeps the engine, and knows when a new
 * version waits. Browsers allow all this only over HTTPS and on this device itself, not over plain http in a home network.
 */
import { router } from '../router.svelte'
import { device } from '../net/device.svelte'
import { store, stored } from '../storage'

const SAID = 'foretell.plain-http'
const LOOK_EVERY = 3_600_000
const QUIET_AFTER = 700

class Offline {
  /** A new version is complete, and waits. */
  isUpdateReady = $state(false)
  /** This visit is the one in which the page says that it cannot be kept. */
  readonly isPlainHttp = !isSecureContext && stored(SAID) !== true
  #registration: ServiceWorkerRegistration | null = null

  /** Called when the page is shown and idle. */
  async start(): Promise<void> {
    if (this.isPlainHttp) store(SAID, true)
    if (!('serviceWorker' in navigator) || import.meta.env.DEV) return
    try {
      this.#watch(await navigator.serviceWorker.register('service-worker.js', { updateViaCache: 'none' }))
    } catch {
      return // blocked, or not there: the page works with a network
    }
    device.keepAhead()
  }

  /** Takes the new version: the page starts again. */
  readonly update = () => {
    if (!this.#registration?.waiting) return location.reload() // another tab has asked for it
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
    this.#registration.waiting.postMessage('use now')
  }

  #watch(registration: ServiceWorkerRegistration): void {
    this.#registration = registration
    const look = () => (this.isUpdateReady = registration.waiting !== null && navigator.serviceWorker.controller !== null)
    if (registration.waiting) this.#beginWith(registration.waiting)
    registration.addEventListener('updatefound', () => registration.installing?.addEventListener('statechange', look))
    navigator.serviceWorker.addEventListener('controllerchange', look) // on a first visit the new version may be ready before the old one
    look()
    let last = Date.now()
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'hidden' || Date.now() - last < LOOK_EVERY) return
      last = Date.now()
      void registration.update().catch(() => undefined)
    })
  }

  /** A visit begins with the new version, if no other page is open and this one has not been touched yet. */
  #beginWith(waiting: ServiceWorker): void {
    let isTouched = false
    const touch = () => (isTouched = true)
    for (const event of ['pointerdown', 'keydown', 'hashchange']) addEventListener(event, touch, { once: true })
    const isFree = () => !isTouched && router.route.name !== 'table'
    navigator.serviceWorker.addEventListener('controllerchange', () => isFree() && location.reload(), { once: true })
    // Not at once: the older worker must have finished with the files of this page.
    setTimeout(() => isFree() && waiting.postMessage('use if alone'), QUIET_AFTER)
  }
}

export const offline = new Offline()
