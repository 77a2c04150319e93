import { mount } from 'svelte'
import './app.css'
import App from './App.svelte'
import { firstLanguage, speak } from './language.svelte'
import { savesData } from './save-data'
import { offline } from './state/offline.svelte'
import { watchSettings } from './state/settings.svelte'

function show(): void {
  watchSettings()
  const target = document.getElementById('app')!
  target.replaceChildren() // what index.html shows until now
  mount(App, { target })
  whenIdle(loadAhead)
}

/** Later, when the browser has nothing to do; in Safari, which does not tell, after a while. */
const whenIdle = (task: () => void) => ('requestIdleCallback' in window ? requestIdleCallback(task, { timeout: 10_000 }) : setTimeout(task, 3000))

/** The score pad is for tables with real cards, where there may be no network when it is opened. */
function loadAhead(): void {
  void offline.start()
  if (!savesData()) void import('./pad/entrance').then(({ loaded }) => loaded()).catch(() => undefined) // it is loaded when it is opened
}

// Until the texts are there, the page stays as index.html has drawn it: without words. (An `await` here instead would
// split the script in two.)
void speak(firstLanguage())
  .catch(() => speak('en'))
  .then(show)
