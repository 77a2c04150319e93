/** A table as this browser knows it: what the server last said, shown at a pace that the eye can follow. */
import { Connection, Lost, PROTOCOL_VERSION } from '../net/connection.svelte'
import { sentence } from '../net/api'
import type { Act, ChatLine, Coach, FromClient, FromServer, Seat, Snapshot, Table, View } from '../protocol'
import type { Emote } from '../table/announcements/emotes'
import { say } from '../i18n'
import { sound } from '../sound'
import { caughtUp, logLines, type LogLine } from './event-log'
import { moments } from './bridge'
import { ownName, pace } from './settings.svelte'
import { dropSeat, keepSeat, seatAt } from './seat-keys'

/** A snapshot, and when it came: clocks run from then, however long it waits to be shown. */
type Heard = Snapshot & { at: number }
type Sent<T extends FromClient = FromClient> = T extends FromClient ? Omit<T, 'id'> : never

/** The trick rests for a beat before it is taken: long enough to see who won. */
const REST = 1100
/** The end of a round waits to be read, unless someone is quicker. */
const ROUND_REST = 9000
const MOST_WAITING = 8
const EMOTE_FOR = 3500
const MOST_LINES = 200
const MOST_HEARD = 6

export class TableState {
  readonly key: string
  table = $state.raw<Table | null>(null)
  seat = $state.raw<number | null>(null)
  /** What is shown; it may lag a beat behind what is known. */
  snapshot = $state.raw<Snapshot | null>(null)
  /** When `snapshot` came, for its clocks. */
  since = $state.raw(0)
  chat = $state.raw<ChatLine[]>([])
  unread = $state(0)
  log = $state.raw<LogLine[]>([])
  /** The last of what happened and of what the others said, for who hears the page: what came together stays together. */
  heard = $state.raw<{ id: number; lines: string[] }[]>([])
  emotes = $state<Record<number, Emote>>({})
  coach = $state.raw<Coach | null>(null)
  /** One line that says why something did not happen. */
  notice = $state.raw<{ text: string; at: number } | null>(null)
  /** Refused for good: no such table, or removed from it. */
  gone = $state.raw<string | null>(null)
  isUnseated = $state(false) // gone for this browser alone
  isActing = $state(false)
  /** The trick that was just completed still lies in the middle. */
  isResting = $state(false)

  readonly connection: Connection
  #told = 0
  readonly #underWay = new Set<string>()
  #waiting: Heard[] = []
  #resting: ReturnType<typeof setTimeout> | undefined
  #readUntil: number | undefined // while a round's end is shown

  constructor(key: string) {
    this.key = key
    this.connection = new Connection(
      () => {
        const token = seatAt(this.table?.id ?? key)?.token ?? null
        return { type: 'hello', version: PROTOCOL_VERSION, table: key, token, name: token ? null : ownName() }
      },
      (message) => this.#hear(message),
    )
  }

  get view(): View | null {
    return this.snapshot?.view ?? null
  }

  /** The own place at the table; undefined for who looks on. */
  get own(): Seat | undefined {
    return this.table?.seats.find((one) => one.seat === this.seat)
  }

  get isHost(): boolean {
    return this.seat !== null && this.seat === this.table?.host
  }

  close(): void {
    this.#stopResting()
    this.connection.close()
  }

  /** Sends, and says what was refused; true when it was accepted. */
  async send(message: Sent): Promise<boolean> {
    const asked = JSON.stringify(message)
    if (this.#underWay.has(asked)) return false // a second tap asks for nothing more
    this.#underWay.add(asked)
    try {
      const answer = await this.connection.send(message)
      if (answer.type === 'refused') return false // said in #hear
      return true
    } catch (error) {
      if (!(error instanceof Lost)) throw error
      this.say(say('web.net.not_sent'))
      return false
    } finally {
      this.#underWay.delete(asked)
    }
  }

  /**
   * Answers what the View asks; anything else is answered by the server with the rule that stands in the way.
   *
   * What was on its way when the line broke may have arrived or not: it is sent once more if it is still asked.
   */
  async act(action: string): Promise<void> {
    const asked = this.#latest()?.view.decision ?? ''
    if (!this.#latest() || this.isActing) return
    const message: Omit<Act, 'id'> = { type: 'act', decision: asked, action }
    this.isActing = true
    try {
      while (this.connection.state === 'open') {
        try {
          const answer = await this.connection.send(message)
          if (answer.type !== 'refused') this.coach = null
          return
        } catch (error) {
          if (!(error instanceof Lost)) throw error
          await this.connection.mended()
          if (this.#latest()?.view.decision !== asked) return
        }
      }
      this.say(say('web.net.not_sent'))
    } finally {
      this.isActing = false
    }
  }

  say(text: string): void {
    this.notice = { text, at: Date.now() }
  }

  #latest(): Snapshot | null {
    return this.#waiting.at(-1) ?? this.snapshot
  }

  #hear(message: FromServer): void {
    switch (message.type) {
      case 'welcome':
        this.table = message.table
        this.seat = message.seat
        this.chat = message.chat
        this.#waiting = []
        this.#stopResting()
        if (message.snapshot) {
          const isSame = this.snapshot?.game === message.snapshot.game
          this.log = caughtUp(isSame ? this.log : [], message.snapshot.view)
          this.#show({ ...message.snapshot, at: performance.now() })
        } else this.snapshot = null
        break
      case 'snapshot': {
        const at = performance.now()
        this.#waiting.push(...moments(this.#latest(), message).map((moment) => ({ ...moment, at })))
        if (this.#readUntil !== undefined) this.#restRound()
        this.#next()
        break
      }
      case 'table':
        if (this.table?.game !== message.table.game) this.log = []
        if (this.#areRulesNew(message.table) && !this.isHost) this.say(say('web.table.rules_changed'))
        this.table = message.table
        this.seat = message.seat
        break
      case 'said':
        this.chat = [...this.chat, message.line].slice(-MOST_LINES)
        if (message.line.seat !== this.seat || this.seat === null) {
          this.unread++
          this.tell(say('web.heard.said', { name: message.line.name, text: message.line.text }))
        }
        break
      case 'emoted':
        this.#showEmote(message.seat, message.emote)
        break
      case 'coach':
        this.coach = message
        break
      case 'seated': {
        const { table, code, seat, token } = message
        keepSeat({ table, code, seat, token, name: '', at: Date.now() })
        break
      }
      case 'refused':
        this.#refused(message.error)
        break
      case 'removed':
        if (this.table) dropSeat(this.table.id)
        this.isUnseated = true
        this.gone = say(message.reason === 'removed' ? 'web.table.removed' : 'web.table.taken')
        this.connection.close()
        break
    }
  }

  #areRulesNew({ options }: Table): boolean {
    return this.table !== null && JSON.stringify(options.rules) !== JSON.stringify(this.table.options.rules)
  }

  #refused(error: Parameters<typeof sentence>[0]): void {
    if (error.code === 'no_table' || error.code === 'other_version') {
      this.gone = sentence(error)
      this.connection.close()
    } else if (error.code === 'bad_token') {
      // the seat was given up elsewhere: come again as a spectator
      if (this.table) dropSeat(this.table.id)
      const kept = seatAt(this.key)
      if (kept) dropSeat(kept.table)
      this.isUnseated = true
      this.gone = sentence(error)
      this.connection.close()
    } else if (error.code === 'unreadable_message' && !this.table) {
      // too short or too long to be anyone's code
      this.gone = say('web.error.no_table', { table: this.key.slice(0, 32) })
      this.connection.close()
    } else if (error.code !== 'stale') this.say(sentence(error))
  }

  /** To who hears the page, and to no one else. */
  tell(...lines: string[]): void {
    if (lines.length > 0) this.heard = [...this.heard, { id: ++this.#told, lines }].slice(-MOST_HEARD)
  }

  #showEmote(seat: number, emote: Emote): void {
    this.emotes[seat] = emote
    const name = this.table?.seats[seat]?.name
    if (name && seat !== this.seat) this.tell(say('web.heard.said', { name, text: say(`web.emote.${emote}`) }))
    setTimeout(() => {
      if (this.emotes[seat] === emote) delete this.emotes[seat]
    }, EMOTE_FOR)
  }

  /** On to what comes after the round that was just scored. */
  goOn(): void {
    this.#stopResting()
    this.#next()
  }

  #stopResting(): void {
    clearTimeout(this.#resting)
    this.#resting = undefined
    this.#readUntil = undefined
    this.isResting = false
  }

  /** Shows the next snapshot, unless a trick is resting; what has piled up is shown at once. */
  #next(): void {
    if (this.#resting !== undefined && this.#waiting.length < MOST_WAITING) return
    const next = this.#waiting.shift()
    if (!next) return
    this.#stopResting()
    this.#show(next)
    if (pace() > 0 && next.events.some((event) => event.event === 'trick_ended')) {
      this.isResting = true
      this.#rest(REST * pace(), () => {
        this.isResting = false
        if (next.view.phase === 'scored') this.#restRound()
        else this.#next()
      })
    } else if (next.view.phase === 'scored') this.#restRound()
    else this.#next()
  }

  /** Until it has been read; less long where the reader's own clock is running already. */
  #restRound(): void {
    const now = performance.now()
    this.#readUntil ??= now + ROUND_REST
    const left = this.#waiting.at(-1)?.clocks.find((clock) => clock.seat === this.seat)?.left_ms
    if (left != null) this.#readUntil = Math.min(this.#readUntil, now + left / 5)
    clearTimeout(this.#resting)
    this.#rest(this.#readUntil - now, () => this.#next())
  }

  #rest(ms: number, then: () => void): void {
    this.#resting = setTimeout(() => {
      this.#resting = undefined
      then()
    }, ms)
  }

  #show(snapshot: Heard): void {
    const before = this.snapshot?.view
    this.snapshot = snapshot
    this.since = snapshot.at
    const { view, events } = snapshot
    const lines = logLines(snapshot)
    this.log = [...this.log, ...lines].slice(-MOST_LINES)
    this.tell(...lines.map((line) => line.text))
    if (view.decision && before?.decision !== view.decision) sound('turn')
    else if (events.some((event) => event.event === 'round_scored')) sound('round')
    else if (events.some((event) => event.event === 'trick_ended')) sound('trick')
    else if (events.some((event) => event.event === 'played')) sound('card')
    if (before?.decision !== view.decision) this.coach = null
  }
}
