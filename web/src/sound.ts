/** Short, soft sounds, synthesised here. Off unless the settings turn them on. */
import { settings } from './state/settings.svelte'

export type Sound = 'card' | 'trick' | 'turn' | 'round'

let context: AudioContext | null = null

/** Browsers allow sound only after a gesture, and some only if it is started from within one. */
function wake(): void {
  if (!settings.sounds) return
  context ??= new AudioContext()
  if (context.state !== 'running') void context.resume()
}
addEventListener('pointerup', wake)
addEventListener('keydown', wake)

/** For each tone: frequency in hertz, start and length in seconds, volume. */
const SCORES: Record<Sound, readonly (readonly [number, number, number, number])[]> = {
  card: [[210, 0, 0.06, 0.12]],
  trick: [[330, 0, 0.12, 0.08], [440, 0.07, 0.16, 0.08]],
  turn: [[523, 0, 0.3, 0.07], [784, 0.09, 0.4, 0.05]],
  round: [[392, 0, 0.35, 0.07], [494, 0.11, 0.35, 0.07], [587, 0.22, 0.6, 0.08]],
}

export function sound(name: Sound): void {
  if (!settings.sounds || context?.state !== 'running') return
  const start = context.currentTime + 0.01
  for (const [frequency, delay, length, volume] of SCORES[name]) {
    const tone = context.createOscillator()
    const gain = context.createGain()
    tone.type = name === 'card' ? 'triangle' : 'sine'
    tone.frequency.setValueAtTime(frequency, start + delay)
    gain.gain.setValueAtTime(0, start + delay)
    gain.gain.linearRampToValueAtTime(volume, start + delay + 0.012)
    gain.gain.exponentialRampToValueAtTime(0.0001, start + delay + length)
    tone.connect(gain).connect(context.destination)
    tone.start(start + delay)
    tone.stop(start + delay + length + 0.05)
  }
}
