/** When to ask a server again that could not be reached. */

const FIRST_WAIT = 1_000
const LONGEST_WAIT = 15_000

/**
 * Calls `again` once: after a while, or at once when the network is back or the page is visible again. It waits longer
 * after more failures. The function that it returns calls it off.
 */
export function retryLater(again: () => void, failures: number): () => void {
  // after a restart everyone asks again at the same time: spread them a little
  const timer = setTimeout(now, Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** failures) * (0.8 + Math.random() * 0.4))
  const seen = () => document.visibilityState === 'visible' && now()
  addEventListener('online', now)
  document.addEventListener('visibilitychange', seen)
  function stop() {
    clearTimeout(timer)
    removeEventListener('online', now)
    document.removeEventListener('visibilitychange', seen)
  }
  function now() {
    stop()
    again()
  }
  return stop
}
