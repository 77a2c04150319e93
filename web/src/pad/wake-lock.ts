/**
 * Keeps the screen on while a pad is open, where the browser can: over HTTPS, or on this machine. The browser lets go when
 * the page is hidden, so it is asked again when the page is back.
 */
export function keepScreenOn(): () => void {
  let held: WakeLockSentinel | null = null
  let isWanted = true

  async function ask() {
    if (!isWanted || document.visibilityState !== 'visible' || (held && !held.released)) return
    try {
      const got = await navigator.wakeLock?.request('screen')
      if (isWanted) held = got ?? null
      else void got?.release()
    } catch {
      // the battery is low, or the page was hidden meanwhile
    }
  }
  document.addEventListener('visibilitychange', ask)
  void ask()
  return () => {
    isWanted = false
    document.removeEventListener('visibilitychange', ask)
    void held?.release()
  }
}
