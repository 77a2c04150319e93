import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ToWorker } from '../src/device/messages'
import { SharedSeats } from '../src/state/shared-seats.svelte'
import type { TableState } from '../src/state/table.svelte'

vi.hoisted(() => {
  globalThis.matchMedia = (() => ({ matches: false, addEventListener: () => undefined })) as unknown as typeof matchMedia
  globalThis.addEventListener ??= () => undefined
  globalThis.removeEventListener ??= () => undefined
})

const CODE = '~ABCDE'
const ADA = { table: '~table', code: CODE, seat: 0, token: 'of Ada', name: 'Ada', at: 0 }
const BOB = { ...ADA, seat: 1, token: 'of Bob', name: 'Bob' }
const CY = { ...ADA, seat: 2, token: 'of Cy', name: 'Cy' }

const tokenOf: Record<number, string> = { 0: ADA.token, 1: BOB.token, 2: CY.token }
let worker: FakeWorker

/** The worker with the tables, which the test answers by hand. */
class FakeWorker {
  onmessage: (event: { data: object }) => void = () => undefined
  /** Which line carries whose token. */
  lines = new Map<string, { connection: number; id: number }>()
  constructor() {
    worker = this
  }
  postMessage(message: ToWorker) {
    if (message.type === 'start') this.onmessage({ data: { type: 'ready', keys: {} } })
    if (message.type !== 'message') return
    const said = JSON.parse(message.text) as { type: string; id: number; token: string }
    if (said.type === 'hello') this.lines.set(said.token, { connection: message.connection, id: said.id })
  }
  terminate() {}
  tell(seat: number, message: object) {
    const line = this.lines.get(tokenOf[seat]!)!
    this.onmessage({ data: { type: 'message', connection: line.connection, text: JSON.stringify({ id: line.id, ...message }) } })
  }
}

const table = { next_commit: null, draw: null, games_played: 0, id: '~table', code: CODE, phase: 'playing', game: 'g1', host: 0, rematch: [], requests: [], seats: [0, 1, 2].map((seat) => ({ seat, name: ['Ada', 'Bob', 'Cy'][seat], is_ready: true })), options: { rules: {} } }
const view = (seat: number, awaited: number[], phase = 'play') => ({ seat, phase, awaited, decision: awaited.includes(seat) ? 'd' : null, names: ['Ada', 'Bob', 'Cy'], peoples: null, now: { number: 1, dealer: 0, hand_size: 1, turned_up: 'G1', trump: 'G', named_by: null, bids: [0, 0, 0], has_bid: [true, true, true], bids_are_shown: true, tricks: [], trick: null, hand: ['R1'], foreseen: null, points: null }, numbers: [1] })
const snapshot = (seat: number, awaited: number[], game = 'g1', phase = 'play') => ({ type: 'snapshot', game, number: 1, clocks: [], events: [], view: view(seat, awaited, phase) })
const welcome = (seat: number, awaited: number[]) => ({ type: 'welcome', table, seat, next_seat: null, chat: [], request: null, snapshot: snapshot(seat, awaited) })
const refused = { type: 'refused', error: { code: 'bad_token', values: {}, terms: [], rule: null, sentence: 'gone' } }

describe('seats that share a device', () => {
  let kept: Record<string, string>
  let seats: SharedSeats
  /** Opens the table as a reload does: with the keys that the browser has kept. */
  const reload = (...guests: object[]) => {
    kept['foretell.seats'] = JSON.stringify([ADA])
    kept['foretell.guests'] = JSON.stringify(guests)
    seats = new SharedSeats(CODE)
  }
  const who = (seat: TableState | null) => (seat === null ? null : seat === seats.main ? 'Ada' : seat.guest!.name)
  const shown = () => who(seats.shown)
  const curtain = () => who(seats.curtainFor)

  beforeEach(async () => {
    vi.useFakeTimers()
    kept = {}
    vi.stubGlobal('localStorage', { getItem: (key: string) => kept[key] ?? null, setItem: (key: string, text: string) => void (kept[key] = text), removeItem: (key: string) => void delete kept[key] })
    vi.stubGlobal('Worker', FakeWorker)
    vi.stubGlobal('navigator', {})
    vi.stubGlobal('document', { baseURI: 'http://here/', documentElement: {}, visibilityState: 'visible', addEventListener: vi.fn(), removeEventListener: vi.fn(), querySelector: () => null })
  })
  afterEach(() => {
    seats.close()
    vi.runAllTimers()
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  const open = (...guests: object[]) => {
    reload(...guests)
    vi.advanceTimersByTime(10)
  }

  it('have a curtain from the first View on, before the table has answered for the others', () => {
    open(BOB)
    worker.tell(0, welcome(0, [0]))
    expect(curtain()).toBe('Ada')
    worker.tell(1, welcome(1, [0]))
    expect(curtain()).toBe('Ada')
  })

  it('name whose turn it is before the table has answered for them', () => {
    open(BOB, CY)
    worker.tell(0, welcome(0, [2]))
    expect(curtain()).toBe('Cy')
  })

  it('show what the player who lifted the curtain may see, until another is asked', () => {
    open(BOB)
    worker.tell(0, welcome(0, [1]))
    worker.tell(1, welcome(1, [1]))
    expect(curtain()).toBe('Bob')
    seats.see(seats.guests[0]!)
    expect([curtain(), shown()]).toEqual([null, 'Bob'])
    worker.tell(0, snapshot(0, [2]))
    worker.tell(1, snapshot(1, [2]))
    expect([curtain(), shown()]).toEqual([null, 'Bob'])
    worker.tell(0, snapshot(0, [0]))
    expect(curtain()).toBe('Ada')
  })

  it.each([[0, 1], [1, 0]])('have a curtain in the next game, when seat %i hears of it first', (first, second) => {
    open(BOB)
    worker.tell(0, welcome(0, [1]))
    worker.tell(1, welcome(1, [1]))
    seats.see(seats.guests[0]!)
    for (const seat of [0, 1]) worker.tell(seat, snapshot(seat, [], 'g1', 'over'))
    expect([curtain(), shown()]).toEqual([null, 'Ada']) // whom the others follow
    worker.tell(first, snapshot(first, [1], 'g2'))
    // Either the curtain, or still the end of the game before.
    expect(curtain() ?? seats.shown.view?.phase).toBe(first === 0 ? 'Bob' : 'over')
    worker.tell(second, snapshot(second, [1], 'g2'))
    expect(curtain()).toBe('Bob')
  })

  it('need no curtain when the others are known to be gone', () => {
    open(BOB)
    worker.tell(0, welcome(0, [0]))
    worker.tell(1, refused)
    expect([curtain(), shown()]).toEqual([null, 'Ada'])
  })

  it('have a curtain when the player with the device has left', () => {
    open(BOB)
    worker.tell(0, welcome(0, [1]))
    worker.tell(1, welcome(1, [1]))
    seats.see(seats.guests[0]!)
    worker.tell(1, { type: 'table', table, seat: null, next_seat: null })
    expect(shown()).toBe('Bob')
    worker.tell(0, snapshot(0, [0]))
    expect(curtain()).toBe('Ada')
  })
})
