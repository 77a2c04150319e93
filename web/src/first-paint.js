// Runs in index.html before the first paint: the theme and the size of the text that this browser has stored.
// state/settings.svelte.ts takes over when the page's script has arrived.
;(() => {
  let stored
  try {
    stored = JSON.parse(localStorage.getItem('foretell.settings'))
  } catch {
    // a private window may have no storage, and its content may be damaged
  }
  const { theme, text, motion } = stored ?? {}
  const root = document.documentElement
  const isLight = theme === 'light' || (theme !== 'dark' && matchMedia('(prefers-color-scheme: light)').matches)
  root.dataset.theme = isLight ? 'light' : 'dark'
  if (isLight) document.querySelector('meta[name=theme-color]').content = '#cfdae6'
  if (text) root.dataset.text = text
  if (motion === 'none') root.dataset.still = ''
})()
