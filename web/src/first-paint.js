// Runs in index.html before the first paint: the theme, the size of the text and the language that this browser has stored.
// state/settings.svelte.ts and language.svelte.ts take over when the page's script has arrived.
;(() => {
  let stored
  const name = 'foretell.settings'
  try {
    stored = JSON.parse(history.state?.kept?.[name] ?? localStorage.getItem(name)) // see storage.ts
  } catch {
    // a private window may have no storage, and its content may be damaged
  }
  const { theme, text, motion, language } = stored ?? {}
  const root = document.documentElement
  const isLight = theme === 'light' || (theme !== 'dark' && matchMedia('(prefers-color-scheme: light)').matches)
  root.dataset.theme = isLight ? 'light' : 'dark'
  if (isLight) document.querySelector('meta[name=theme-color]').content = '#cfdae6'
  if (text) root.dataset.text = text
  if (motion === 'none') root.dataset.still = ''

  // The language chosen before, else the first of the browser's languages that there is, else English. Its file is asked
  // for at once, together with the script that needs it.
  const files = __LANGUAGE_FILES__
  const tags = Object.keys(files)
  const offered = (tag) => tags.find((one) => one.toLowerCase() === tag.toLowerCase())
  const wanted = [language || [], navigator.languages || []].flat().map((tag) => offered(tag) || offered(tag.split('-')[0]))
  const chosen = wanted.find(Boolean) || 'en'
  root.dataset.language = chosen
  root.lang = chosen === 'pt' ? 'pt-PT' : chosen
  if (files[chosen]) {
    const early = document.createElement('link')
    early.rel = 'modulepreload'
    early.href = files[chosen]
    document.head.append(early)
  }
})()
