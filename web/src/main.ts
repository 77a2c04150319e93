import { mount } from 'svelte'
import './app.css'
import App from './App.svelte'
import { watchSettings } from './state/settings.svelte'

watchSettings()
const target = document.getElementById('app')!
target.replaceChildren() // what index.html shows until now
mount(App, { target })
