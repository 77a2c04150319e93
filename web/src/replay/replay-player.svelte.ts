/** A game that is watched again: which step is shown, as whom, and what comes next. It loads rounds as they are needed. */
import { Unreachable } from '../net/api'
import { retryLater } from '../net/retry'
import type { Frame, Replay, ReviewedChoice, View } from '../protocol'
import { Asking } from '../review/review-request.svelte'
import { sound } from '../sound'
import { TRICK_REST } from '../state/snapshot-queue.svelte'
import { mistakeAfter, mistakeAt, mistakesOf, openView, stepBefore, trickAfter, trickBefore, type Position } from './positions'
import type { Source } from './sources'

/** Milliseconds for which a step is shown while the replay plays. */
const STEP_REST = 900
const DEAL_REST = 1500
const SWEEP_REST = 350
const ROUND_REST = 4500
const MOST_KEPT = 12 // rounds
export const SPEEDS = [0.5, 1, 2, 4] as const

export class ReplayPlayer {
  replay = $state.raw<Replay | null>(null)
  step = $state(0)
  seat = $state(0)
  isOpen = $state(true)
  isPlaying = $state(false)
  speed = $state<(typeof SPEEDS)[number]>(1)
  /** Why the round is not there; the server is asked again by itself if it could not be reached. */
  error = $state.raw<Error | null>(null)
  /** The trick that was completed has been taken away. */
  isSwept = $state(false)
  /** The coach is asked for the next mistake, and has not finished the review yet. */
  isSeeking = $state(false)
  /** Why the coach has not found it. */
  seekProblem = $state('')

  readonly review: Asking
  readonly source: Source
  #rounds = new Map<string, Promise<Replay>>()
  #asked = 0
  #failures = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #callOff: () => void = () => undefined
  #wanted: Position

  constructor(source: Source, position: Position) {
    this.source = source
    this.review = new Asking(source.review)
    this.#wanted = position
    this.goTo(position)
  }

  readonly frames = $derived<readonly Frame[]>(this.replay?.frames ?? [])
  readonly frame = $derived<Frame | null>(this.frames[this.step] ?? null)
  readonly view = $derived.by<View | null>(() => (this.frame === null ? null : this.isOpen ? openView(this.frame) : this.frame.view))
  readonly numbers = $derived<readonly number[]>(this.frame?.view.numbers ?? [])
  readonly place = $derived(this.replay ? this.numbers.indexOf(this.replay.round) : 0)
  readonly isLastStep = $derived(this.frames.length > 0 && this.step === this.frames.length - 1)
  readonly isLastRound = $derived(this.place === this.numbers.length - 1)
  readonly hasTrickEnded = $derived(this.frame?.events.some((event) => event.event === 'trick_ended') === true)
  /** The trick that was just completed still lies in the middle. */
  readonly isResting = $derived(this.hasTrickEnded && !this.isSwept)
  readonly choices = $derived.by<readonly ReviewedChoice[]>(() => this.review.state?.review?.choices ?? [])
  readonly mistake = $derived(this.replay && mistakeAt(this.choices, this.frames, this.replay.round, this.step))

  get position(): Position {
    return { round: this.replay?.round ?? this.#wanted.round, step: this.step, seat: this.seat, isOpen: this.isOpen, decision: null }
  }

  /** Shows a position, in any round. A step beyond the end of the round is its last one. */
  goTo(position: Position): void {
    this.pause()
    this.isOpen = position.isOpen
    void this.#show(position)
  }

  async #show(position: Position): Promise<void> {
    const asked = ++this.#asked
    this.#wanted = position
    this.#callOff()
    try {
      const replay = await this.#round(position.round, position.seat)
      if (asked !== this.#asked) return
      this.replay = replay
      this.seat = position.seat
      const decided = position.decision === null ? null : stepBefore(replay.frames, position.seat, position.decision)
      this.#moveTo(decided ?? Math.min(position.step, replay.frames.length - 1))
      this.error = null
      this.#failures = 0
    } catch (problem) {
      if (asked !== this.#asked) return
      this.pause()
      this.error = problem instanceof Error ? problem : new Error(String(problem))
      if (problem instanceof Unreachable) this.#callOff = retryLater(this.again, this.#failures++)
    }
  }

  /** Asks the server now instead of later. */
  readonly again = () => void this.#show(this.#wanted)

  /** Each round is loaded once for each seat; the last ones are kept. */
  #round(number: number | null, seat: number): Promise<Replay> {
    const key = `${number ?? ''}/${seat}`
    let found = this.#rounds.get(key)
    if (!found) {
      found = this.source.round(number, seat)
      found.catch(() => this.#rounds.delete(key))
      this.#rounds.set(key, found)
      for (const old of [...this.#rounds.keys()].slice(0, -MOST_KEPT)) this.#rounds.delete(old)
    }
    return found
  }

  #moveTo(step: number): void {
    const isNext = step === this.step + 1
    this.step = step
    this.isSwept = false
    this.seekProblem = ''
    clearTimeout(this.#timer)
    if (isNext) this.#sound()
    // As at the table: the last trick is seen for a moment, then the result of the round.
    if (!this.isPlaying && this.isLastStep && this.hasTrickEnded) this.#timer = setTimeout(() => (this.isSwept = true), TRICK_REST)
    if (this.isPlaying) this.#playOn()
    if (this.step > this.frames.length - 8 && !this.isLastRound) void this.#round(this.numbers[this.place + 1]!, this.seat).catch(() => undefined)
  }

  #sound(): void {
    const events = new Set(this.frame?.events.map((event) => event.event))
    if (events.has('round_scored')) sound('round')
    else if (events.has('trick_ended')) sound('trick')
    else if (events.has('played')) sound('card')
  }

  // Moving

  forward(): void {
    if (!this.isLastStep) this.#moveTo(this.step + 1)
    else this.nextRound()
  }

  back(): void {
    this.pause()
    if (this.step > 0) this.#moveTo(this.step - 1)
    else if (this.place > 0) this.#toRound(this.place - 1, Infinity)
  }

  nextTrick(): void {
    this.pause()
    if (this.isLastStep) this.nextRound()
    else this.#moveTo(trickAfter(this.frames, this.step))
  }

  previousTrick(): void {
    this.pause()
    if (this.step === 0) this.back()
    else this.#moveTo(trickBefore(this.frames, this.step))
  }

  nextRound(): void {
    if (!this.isLastRound) this.#toRound(this.place + 1, 0)
    else this.pause()
  }

  previousRound(): void {
    this.pause()
    this.#toRound(this.step > 0 ? this.place : this.place - 1, 0)
  }

  #toRound(place: number, step: number): void {
    const round = this.numbers[place]
    if (round !== undefined) void this.#show({ ...this.position, round, step })
  }

  toStep(step: number): void {
    this.pause()
    this.#moveTo(Math.max(0, Math.min(step, this.frames.length - 1)))
  }

  toRound(round: number): void {
    this.pause()
    this.#toRound(this.numbers.indexOf(round), 0)
  }

  /** Another seat comes to the bottom. */
  sitAt(seat: number): void {
    this.pause()
    void this.#show({ ...this.position, seat })
  }

  // Mistakes

  /** The moment before a choice, seen by the seat that made it. */
  toChoice({ round, seat, decision }: ReviewedChoice): void {
    this.goTo({ ...this.position, round, seat, decision })
  }

  readonly nextMistake = $derived(
    this.replay && mistakeAfter(mistakesOf(this.choices, this.seat), this.frames, this.numbers, { round: this.replay.round, step: this.step }),
  )

  /** Goes to the next mistake of the seat at the bottom. If there is no review yet, the coach is asked for one first. */
  seekMistake(): void {
    this.pause()
    if (this.review.state?.review) {
      // Whoever waited for the review has not been told yet that the choice that comes next is one.
      const isHere = this.isSeeking && this.mistake?.seat === this.seat
      this.isSeeking = false
      if (!isHere && this.nextMistake) this.toChoice(this.nextMistake)
    } else {
      this.isSeeking = true
      this.seekProblem = ''
      this.review.start()
    }
  }

  /** The coach has stopped without a review. */
  stopSeeking(problem: string): void {
    this.isSeeking = false
    this.seekProblem = problem
  }

  // Playing

  play(): void {
    if (this.isLastStep && this.isLastRound) return
    this.isPlaying = true
    if (this.hasTrickEnded) this.forward()
    else this.#playOn()
  }

  pause(): void {
    this.isPlaying = false
    clearTimeout(this.#timer)
  }

  toggle(): void {
    if (this.isPlaying) this.pause()
    else this.play()
  }

  changeSpeed(): void {
    this.speed = SPEEDS[(SPEEDS.indexOf(this.speed) + 1) % SPEEDS.length]!
  }

  #playOn(): void {
    clearTimeout(this.#timer)
    if (this.hasTrickEnded) this.#later(TRICK_REST, () => this.#sweep())
    else this.#later(this.step === 0 ? DEAL_REST : STEP_REST, () => this.forward())
  }

  #sweep(): void {
    this.isSwept = true
    if (this.isLastStep && this.isLastRound) this.pause()
    else this.#later(this.isLastStep ? ROUND_REST : SWEEP_REST, () => this.forward())
  }

  #later(wait: number, then: () => void): void {
    this.#timer = setTimeout(() => this.isPlaying && then(), wait / this.speed)
  }

  close(): void {
    this.pause()
    this.#asked++
    this.#callOff()
    this.review.stop()
  }
}
