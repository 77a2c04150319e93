import { mount } from 'svelte'
import './app.css'
import App from './App.svelte'
import { firstLanguage, speak } from './language.svelte'
import { watchSettings } from './state/settings.svelte'

function show(): void {
  watchSettings()
  const target = document.getElementById('app')!
  target.replaceChildren() // what index.html shows until now
  mount(App, { target })
}

// Until the texts are there, the page stays as index.html has drawn it: without words. (An `await` here instead would
// split the script in two.)
void speak(firstLanguage())
  .catch(() => speak('en'))
  .then(show)
