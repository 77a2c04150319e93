import { mount } from 'svelte'
import './app.css'
import App from './App.svelte'
import { watchSettings } from './state/settings.svelte'

watchSettings()
mount(App, { target: document.getElementById('app')! })
