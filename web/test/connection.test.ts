import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Connection } from '../src/net/connection.svelte'
import { server } from '../src/net/server'
import type { FromServer } from '../src/protocol'

/** A socket that the test answers by hand. */
class FakeSocket {
  static readonly OPEN = 1
  static all: FakeSocket[] = []
  readyState = 0
  isFrozen = false // the process there hangs, and answers nothing
  sent: { type: string; id: number }[] = []
  onopen: () => void = () => undefined
  onmessage: (event: { data: string }) => void = () => undefined
  onclose: (event: { code: number }) => void = () => undefined
  constructor() {
    FakeSocket.all.push(this)
  }
  send(text: string) {
    const message = JSON.parse(text) as { type: string; id: number }
    this.sent.push(message)
    if (message.type === 'ping' && !this.isFrozen) void this.answer({ type: 'pong', id: message.id })
  }
  close() {
    this.readyState = 3
  }
  open() {
    this.readyState = 1
    this.onopen()
  }
  lose(code: number) {
    this.readyState = 3
    this.onclose({ code })
  }
  get hellos() {
    return this.sent.filter((one) => one.type === 'hello')
  }
  async answer(message: object) {
    this.onmessage({ data: JSON.stringify(message) })
    await Promise.resolve()
    await Promise.resolve()
  }
  refuse(code: string, values = {}) {
    const error = { code, values, terms: [], rule: null, sentence: `no: ${code}` }
    return this.answer({ type: 'refused', id: this.hellos.at(-1)?.id, error })
  }
  welcome() {
    return this.answer({ type: 'welcome', id: this.hellos.at(-1)?.id })
  }
}

describe('a connection', () => {
  let heard: FromServer['type'][]
  let connection: Connection
  const last = () => FakeSocket.all.at(-1) as FakeSocket

  beforeEach(() => {
    vi.useFakeTimers()
    FakeSocket.all = []
    heard = []
    vi.stubGlobal('WebSocket', FakeSocket)
    vi.stubGlobal('location', { protocol: 'http:', host: 'here' })
    vi.stubGlobal('document', { visibilityState: 'visible', addEventListener: vi.fn(), removeEventListener: vi.fn() })
    vi.stubGlobal('addEventListener', vi.fn())
    vi.stubGlobal('removeEventListener', vi.fn())
    connection = new Connection(
      server,
      () => ({ type: 'hello', version: 1, table: 'ABC', token: null, name: null }),
      (message) => heard.push(message.type),
    )
    last().open()
  })
  afterEach(() => {
    connection.close()
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it('says hello again if the server failed, with growing pauses, and says why', async () => {
    for (const [failures, wait] of [300, 600, 1200, 2400, 4800, 8000, 8000].entries()) {
      await last().refuse('server_failed')
      expect(connection.state).toBe('connecting')
      expect(connection.trouble).toContain('The server has a problem at the moment; nothing is lost.')
      await vi.advanceTimersByTimeAsync(wait * 0.7 - 1)
      expect(last().hellos).toHaveLength(failures + 1)
      await vi.advanceTimersByTimeAsync(wait * 0.6 + 2)
      expect(last().hellos).toHaveLength(failures + 2)
    }
    await last().welcome()
    expect([connection.state, connection.trouble]).toEqual(['open', null])
    expect(FakeSocket.all).toHaveLength(1)
    expect(heard.filter((type) => type !== 'pong')).toEqual(['welcome']) // nobody is shown a refusal that is over
  })

  it('waits as long as the server asks', async () => {
    await last().refuse('too_many_hellos', { seconds: 40 })
    await vi.advanceTimersByTimeAsync(39_000)
    expect(last().hellos).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(26_000)
    expect(last().hellos).toHaveLength(2)
  })

  it('resolves what waits for it only when it is welcome', async () => {
    await last().welcome()
    let isBack = false
    last().lose(1006)
    void connection.reconnected().then(() => (isBack = true))
    await vi.advanceTimersByTimeAsync(1000)
    last().open()
    await last().refuse('server_failed')
    expect([connection.state, isBack]).toEqual(['lost', false])
    await vi.advanceTimersByTimeAsync(1000)
    await last().welcome()
    expect([connection.state, isBack]).toEqual(['open', true])
  })

  it('leaves a refusal that is final to the table', async () => {
    await last().refuse('no_table')
    expect(heard).toEqual(['refused'])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(last().hellos).toHaveLength(1)
  })

  it('does not say hello on a socket that is gone', async () => {
    const first = last()
    await first.refuse('server_failed')
    first.lose(1006)
    await vi.advanceTimersByTimeAsync(4_000)
    expect(first.hellos).toHaveLength(1)
    expect(FakeSocket.all).toHaveLength(2)
  })

  it('comes back after a restart at any moment of the next second', () => {
    const waits = [0, 0.5, 0.999].map((random) => {
      vi.spyOn(Math, 'random').mockReturnValue(random)
      const timers = vi.spyOn(globalThis, 'setTimeout')
      const other = new Connection(server, () => ({ type: 'watch_lobby', version: 1 }), () => undefined)
      last().open()
      timers.mockClear()
      last().lose(1012)
      other.close()
      return timers.mock.calls.at(-1)?.[1]
    })
    vi.restoreAllMocks()
    expect(waits).toEqual([0, 500, 999])
  })

  it('tries again if a socket does not open', async () => {
    await last().welcome()
    last().lose(1006)
    await vi.advanceTimersByTimeAsync(400)
    expect(FakeSocket.all).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(4_900) // the process hangs, or the network swallows everything
    expect(FakeSocket.all).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(FakeSocket.all).toHaveLength(3)
    last().open()
    await last().welcome()
    await vi.advanceTimersByTimeAsync(10_000)
    expect([connection.state, FakeSocket.all.length]).toEqual(['open', 3])
  })

  it('gives a socket more time to open after each that did not', async () => {
    await last().welcome()
    vi.spyOn(Math, 'random').mockReturnValue(0.5) // so that the pauses before are known
    last().lose(1006)
    for (const [slow, seconds] of [5, 10, 20, 20].entries()) {
      const before = FakeSocket.all.length
      await vi.advanceTimersByTimeAsync(300 * 2 ** slow)
      expect(FakeSocket.all).toHaveLength(before + 1)
      await vi.advanceTimersByTimeAsync(1000 * seconds - 1)
      expect(last().readyState).toBe(0)
      await vi.advanceTimersByTimeAsync(1)
      expect(last().readyState).toBe(3)
    }
    vi.restoreAllMocks()
    await vi.advanceTimersByTimeAsync(8_000)
    last().open()
    await last().welcome()
    last().lose(1006)
    await vi.advanceTimersByTimeAsync(5_400) // a line that has worked is tried as quickly as at first
    expect(last().readyState).toBe(3)
  })

  it('drops a line on which neither an act nor a ping is answered', async () => {
    await last().welcome()
    last().isFrozen = true
    const sent = connection.send({ type: 'act', decision: '1:bid', action: 'bid 1' })
    const failed = expect(sent).rejects.toThrow()
    await vi.advanceTimersByTimeAsync(8_900)
    expect(connection.state).toBe('open')
    await vi.advanceTimersByTimeAsync(200)
    expect(connection.state).toBe('lost')
    await failed
  })

  it('keeps a line on which only the table is slow', async () => {
    await last().welcome()
    const sent = connection.send({ type: 'act', decision: '1:bid', action: 'bid 1' })
    await vi.advanceTimersByTimeAsync(12_000)
    expect(last().sent.filter((one) => one.type === 'ping')).toHaveLength(1)
    await last().answer({ type: 'done', id: last().sent.find((one) => one.type === 'act')?.id })
    expect([connection.state, (await sent).type]).toEqual(['open', 'done'])
    expect(FakeSocket.all).toHaveLength(1)
  })

  it.each([
    [1012, 'the server restarts', 1],
    [1006, 'connection is lost', 0.39],
    [1013, 'requests come from your network', 4.8],
    [4003, 'requests come from your network', 4.8],
  ])('reconnects after close code %i and tells why', async (code, why, seconds) => {
    last().lose(code)
    expect(connection.trouble).toContain(why)
    if (seconds > 1) {
      await vi.advanceTimersByTimeAsync(3000)
      expect(FakeSocket.all).toHaveLength(1)
    }
    await vi.advanceTimersByTimeAsync(1000 * seconds)
    expect(FakeSocket.all).toHaveLength(2)
  })
})
