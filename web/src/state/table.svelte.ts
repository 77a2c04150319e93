/** A table as this browser knows it: what the server last said, shown at a pace that the eye can follow. */
import { Connection, Lost, PROTOCOL_VERSION } from '../net/connection.svelte'
import { sentence } from '../net/api'
import { transportOf } from '../net/transport'
import { Witness, type WordMessage } from '../fair/witness'
import type { ChatLine, Coach, Emoted, FromClient, FromServer, Seat, Snapshot, Table, TrickView, View } from '../protocol'
import { join, say } from '../i18n'
import { currentLanguage } from '../language.svelte'
import { sound } from '../sound'
import { announced, newHostLine } from './announced'
import { Announcements } from './announcements.svelte'
import { caughtUp, logLine, logLines, type LogLine } from './event-log'
import { browserKey } from './browser-key'
import { beat, ownName, pace } from './settings.svelte'
import { SnapshotQueue, type TimedSnapshot } from './snapshot-queue.svelte'
import type { Gone } from './gone'
import { dropGuest } from './guests'
import { dropSeat, keepSeat, seatAt, type KeptSeat } from './seat-keys'

type Sent<T extends FromClient = FromClient> = T extends FromClient ? Omit<T, 'id'> : never

/** Milliseconds. */
const EMOTE_FOR = 3500
const NOTICE_FOR = 5000
const RULE_FOR = 8000 // there is time to read it and to open the rule
const MOST_LINES = 200
const MOST_HEARD = 6
/** Refusals of what came a moment too late. The table or the view that follows says it all. */
const LATE = new Set(['stale', 'old_commit', 'word_too_late'])

export class TableState {
  readonly key: string
  table = $state.raw<Table | null>(null)
  /** When this page learned that a seat had lost its connection. */
  lostSince = $state.raw<Readonly<Record<number, number>>>({})
  seat = $state.raw<number | null>(null)
  /** The seat that this player gets with the next deal. */
  nextSeat = $state.raw<number | null>(null)
  /** The number of this player's request for a seat, while the host has not answered it. */
  request = $state.raw<number | null>(null)
  /** What is shown now; newer snapshots may be waiting. */
  snapshot = $state.raw<Snapshot | null>(null)
  /** When `snapshot` came, for its clocks. */
  since = $state.raw(0)
  /** The last trick that was completed in this game, perhaps in the round before. */
  lastTrick = $state.raw<TrickView | null>(null)
  chat = $state.raw<ChatLine[]>([])
  unread = $state(0)
  log = $state.raw<LogLine[]>([])
  /** The last events and chat lines, for screen readers; what came together stays together, in the language of that moment. */
  heard = $state.raw<{ id: number; language: string; lines: string[] }[]>([])
  emotes = $state<Record<number, Emoted['emote']>>({})
  coach = $state.raw<Coach | null>(null)
  /** One line that says why something did not happen. See `say`. */
  notice = $state.raw<{ text: string; rule: string | null } | null>(null)
  /** Why this page cannot show the table any more: there is none, or the player was removed from it. */
  gone = $state.raw<Gone | null>(null)
  isActing = $state(false)
  /** The player's word for the deals of the next game. */
  word = $state.raw<string | null>(null)

  /** What happened, in a line on the table. */
  readonly announcements = new Announcements()
  readonly connection: Connection
  #toldCount = 0
  readonly #underWay = new Set<string>()
  #wanted: number | null = null // the seat of the request
  readonly guest: KeptSeat | null // somebody else at this device
  /** Another seat of this device is shown. */
  isSilent: boolean
  readonly #queue: SnapshotQueue
  readonly #witness = new Witness()
  #lastWord = '' // the last hash or word that was sent

  /** `isUnhurried`: the end of a round stays until the player goes on. `guest`: the seat of somebody who shares this device. */
  constructor(key: string, isUnhurried = false, guest: KeptSeat | null = null) {
    this.key = key
    this.guest = guest
    this.isSilent = guest !== null
    this.#queue = new SnapshotQueue({ show: (snapshot) => this.#show(snapshot), pace, beat, seat: () => this.seat, isUnhurried })
    this.connection = new Connection(
      transportOf(key),
      () => {
        const token = (guest ?? seatAt(this.table?.id ?? key))?.token ?? null
        return { type: 'hello', version: PROTOCOL_VERSION, table: key, token, name: token ? null : ownName(), language: currentLanguage().language, key: guest ? null : browserKey() }
      },
      (message) => this.#hear(message),
    )
  }

  get view(): View | null {
    return this.snapshot?.view ?? null
  }

  /** The player's own seat; undefined for a spectator. */
  get own(): Seat | undefined {
    return this.table?.seats.find((one) => one.seat === this.seat)
  }

  /** Whether the trick that was just completed still lies in the middle. */
  get isResting(): boolean {
    return this.#queue.isResting
  }

  /** Whether the last trick is moving to the player who took it. */
  get isSweeping(): boolean {
    return this.#queue.isSweeping
  }

  /** Whether this player could take a seat: a spectator who does not wait for one. */
  get mayAskForSeat(): boolean {
    return this.seat === null && this.nextSeat === null && this.request === null
  }

  /** Sits down: at once, with the next deal, or when the host says yes. */
  async takeSeat(seat: number | null = null): Promise<boolean> {
    this.#wanted = seat
    return this.send({ type: 'take_seat', name: ownName(), seat })
  }

  /** No longer waits for a seat, and stays as a spectator. */
  async stopWaiting(): Promise<void> {
    if ((await this.send({ type: 'leave' })) && this.table) dropSeat(this.table.id)
    this.request = null
  }

  get isHost(): boolean {
    return this.seat !== null && this.seat === this.table?.host
  }

  close(): void {
    this.#queue.clear()
    this.announcements.clear()
    this.connection.close()
  }

  /** Sends a message, and shows the refusal if there is one. True when it was accepted. */
  async send(message: Sent): Promise<boolean> {
    const asked = JSON.stringify(message)
    if (this.#underWay.has(asked)) return false // a second tap means the same
    this.#underWay.add(asked)
    try {
      const answer = await this.connection.send(message)
      return answer.type !== 'refused' // #hear shows why
    } catch (error) {
      if (!(error instanceof Lost)) throw error
      this.say(say('web.net.not_sent'))
      return false
    } finally {
      this.#underWay.delete(asked)
    }
  }

  /**
   * Answers the decision that the View names. What is not allowed is sent too: the server answers with the rule.
   *
   * If the connection breaks meanwhile, the action may have arrived or not: it is sent again if it is still asked for.
   * True when it was accepted.
   */
  async act(action: string): Promise<boolean> {
    const asked = this.#latest()?.view.decision ?? ''
    if (!this.#latest() || this.isActing) return false
    this.isActing = true
    try {
      while (this.connection.state === 'open') {
        try {
          const answer = await this.connection.send({ type: 'act', decision: asked, action })
          if (answer.type === 'refused') return false
          this.coach = null
          if (this.notice?.rule) this.notice = null // what was refused before is settled
          return true
        } catch (error) {
          if (!(error instanceof Lost)) throw error
          await this.connection.reconnected()
          if (this.#latest()?.view.decision !== asked) return true
        }
      }
      this.say(say('web.net.not_sent'))
      return false
    } finally {
      this.isActing = false
    }
  }

  /** Shows one line, which goes away by itself; `rule` is the one that it names. */
  say(text: string, rule: string | null = null): void {
    const shown = { text, rule }
    this.notice = shown
    setTimeout(() => this.notice === shown && (this.notice = null), rule === null ? NOTICE_FOR : RULE_FOR)
  }

  #latest(): Snapshot | null {
    return this.#queue.newest ?? this.snapshot
  }

  #hear(message: FromServer): void {
    switch (message.type) {
      case 'welcome':
        this.#setTable(message.table)
        this.seat = message.seat
        this.nextSeat = message.next_seat
        this.chat = message.chat
        // After a restart the server has forgotten the request.
        if (this.request !== null && message.request === null && this.seat === null && this.nextSeat === null) void this.takeSeat(this.#wanted)
        this.request = message.request
        this.#queue.clear()
        this.#lastWord = '' // it may not have arrived
        this.#takePart(message.table)
        if (message.snapshot) {
          this.#witness.see(message.snapshot)
          const isSame = this.snapshot?.game === message.snapshot.game
          this.log = caughtUp(isSame ? this.log : [], message.snapshot.view)
          this.#show({ ...message.snapshot, at: performance.now() })
        } else this.snapshot = null
        break
      case 'snapshot':
        this.#witness.see(message)
        this.#queue.add({ ...message, at: performance.now() })
        break
      case 'table':
        if (this.table?.game !== message.table.game) this.log = []
        if (this.#areRulesNew(message.table) && !this.isHost) this.say(say('web.table.rules_changed'))
        if (this.table?.game !== message.table.game) this.#tellMissingWords(message.table)
        if (this.nextSeat !== null && message.seat === this.nextSeat) this.say(say('web.seats.yours'))
        else this.#sayWhoIsNext(message.table)
        this.#announceHost(message.table, message.seat)
        this.#setTable(message.table)
        this.seat = message.seat
        this.nextSeat = message.next_seat
        this.#takePart(message.table)
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
        this.request = null
        break
      }
      case 'requested':
        this.request = message.request
        break
      case 'declined':
        this.request = null
        this.say(say('web.seats.declined'))
        break
      case 'refused':
        this.#refused(message.error)
        break
      case 'removed':
        this.dropSeat()
        if (message.reason === 'removed') this.#leave('removed', () => say('web.table.removed'))
        else this.#leave('unseated', () => say('web.table.taken'))
        break
    }
  }

  #setTable(table: Table): void {
    this.table = table
    const lost = table.seats.filter((one) => one.grace_ms != null).map(({ seat }) => [seat, this.lostSince[seat] ?? performance.now()])
    this.lostSince = Object.fromEntries(lost) as Record<number, number>
  }

  /** Sends the hash of the player's word before a game, and the word once all hashes are fixed. */
  #takePart(table: Table): void {
    if (this.guest) return this.#goAlong(table)
    this.#sendWord(this.#witness.reply(table, this.seat))
    this.word = this.#witness.word
  }

  /** People who share this device do not press "ready" or "play again": the player who made the table answers for them. */
  #goAlong({ phase, rematch }: Table): void {
    if (phase === 'gathering' && this.own && !this.own.is_ready) void this.send({ type: 'ready', is_ready: true })
    if (phase === 'over' && this.seat !== null && rematch.length > 0 && !rematch.includes(this.seat)) void this.send({ type: 'rematch' })
  }

  /** The player types a word for the deals of the next game. */
  chooseWord(typed: string): void {
    this.#sendWord(this.#witness.choose(typed))
    this.word = this.#witness.word
  }

  #sendWord(message: WordMessage | null): void {
    const text = JSON.stringify(message)
    if (!message || text === this.#lastWord) return
    this.#lastWord = text
    // If the connection breaks, the next welcome says whether it has to be sent again.
    this.connection.send(message).then((answer) => answer.type === 'done' && this.#witness.accepted(message), () => undefined)
  }

  /** A game has begun without the words of some players: everyone is told. */
  #tellMissingWords({ fair, seats }: Table): void {
    const missing = seats.filter(({ seat }) => fair?.hashes[seat] && fair.hashes[seat] === fair.words?.[seat])
    if (missing.length === 0) return
    const text = say('fair.missing', { names: join(missing.map(({ name }) => name ?? '')), count: missing.length })
    this.say(text)
    this.tell(text)
    this.log = [...this.log, logLine(text)]
  }

  /** Says it when somebody else is about to take over a seat. */
  #sayWhoIsNext({ seats }: Table): void {
    const before = this.table
    const next = seats.find((one) => one.next_name && before && !before.seats[one.seat]?.next_name)
    if (!next || this.nextSeat === next.seat || this.seat === null) return
    const text = say('web.seats.next', { name: next.next_name ?? '', seat: next.name ?? '' })
    this.say(text)
    this.tell(text)
  }

  /** Announces that this player has become the host. */
  #announceHost(table: Table, seat: number | null): void {
    const line = newHostLine(this.table, table, seat)
    if (line === null) return
    this.announcements.add(line)
    this.tell(line)
  }

  #areRulesNew({ options }: Table): boolean {
    return this.table !== null && JSON.stringify(options.rules) !== JSON.stringify(this.table.options.rules)
  }

  #refused(error: Parameters<typeof sentence>[0]): void {
    if (error.code === 'no_table') this.#leave('unknown', () => sentence(error))
    else if (error.code === 'other_version') this.#leave('version', () => sentence(error))
    else if (error.code === 'removed_by_host' && !this.table) this.#leave('removed', () => sentence(error))
    else if (error.code === 'bad_token') {
      // the seat was given up elsewhere: the player can come back as a spectator
      this.dropSeat()
      this.#leave('unseated', () => sentence(error))
    } else if (error.code === 'unreadable_message' && !this.table) {
      // too short or too long to be the code of a table
      this.#leave('unknown', () => say('web.error.no_table', { table: this.key.slice(0, 32) }))
    } else if (!this.table) this.#leave('refused', () => sentence(error))
    else if (!LATE.has(error.code)) this.say(sentence(error), error.rule)
  }

  /** The key to the seat is of no use any more. */
  dropSeat(): void {
    if (this.guest) return dropGuest(this.guest.token)
    for (const id of [this.table?.id, seatAt(this.key)?.table]) if (id) dropSeat(id)
  }

  /** There is nothing more to hear from this table. */
  #leave(why: Gone['why'], said: () => string): void {
    this.gone = { why, get text() { return said() } }
    this.connection.close()
  }

  /** Says something to screen readers only. */
  tell(...lines: string[]): void {
    const { language } = currentLanguage()
    if (lines.length > 0) this.heard = [...this.heard, { id: ++this.#toldCount, language, lines }].slice(-MOST_HEARD)
  }

  #showEmote(seat: number, emote: Emoted['emote']): void {
    this.emotes[seat] = emote
    const name = this.table?.seats[seat]?.name
    if (name && seat !== this.seat) this.tell(say('web.heard.said', { name, text: say(`web.emote.${emote}`) }))
    setTimeout(() => {
      if (this.emotes[seat] === emote) delete this.emotes[seat]
    }, EMOTE_FOR)
  }

  /** Leaves the end of the round for what comes after it. */
  goOn(): void {
    this.#queue.goOn()
  }

  #show(snapshot: TimedSnapshot): void {
    const before = this.snapshot?.view
    if (this.snapshot?.game !== snapshot.game) this.lastTrick = null
    this.lastTrick = snapshot.view.now?.tricks.at(-1) ?? this.lastTrick
    this.snapshot = snapshot
    this.since = snapshot.at
    const { view, events } = snapshot
    const lines = logLines(snapshot)
    this.log = [...this.log, ...lines].slice(-MOST_LINES)
    this.tell(...lines.map((line) => line.text))
    if (events.some((event) => event.event === 'round_dealt')) this.announcements.clear() // of the round before
    this.announcements.add(...announced(snapshot))
    if (before?.decision !== view.decision) this.coach = null
    if (this.isSilent) return
    if (view.decision && before?.decision !== view.decision) sound('turn')
    else if (events.some((event) => event.event === 'round_scored')) sound('round')
    else if (events.some((event) => event.event === 'trick_ended')) sound('trick')
    else if (events.some((event) => event.event === 'played')) sound('card')
  }
}
