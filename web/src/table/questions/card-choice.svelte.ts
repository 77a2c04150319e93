/**
 * What a player is about to do with a card of the hand: lifted by a first tap, chosen before the player's turn, waiting
 * for a declaration, or on its way to the server. `view.legal` says what may be put down.
 *
 * A card can be lifted before the player's turn. It stays lifted when the turn comes, and still needs its second tap. If the
 * second tap comes before the turn, the card is chosen: it is played when the turn comes.
 */
import { tick } from 'svelte'
import { actionsByCard, putDownText, readAction, type Action } from '../../actions'
import { cardName } from '../../cards/names'
import { say } from '../../i18n'
import { pace, settings } from '../../state/settings.svelte'
import type { TableState } from '../../state/table.svelte'
import { statusLine } from '../announcements/status-line'

/** How long a card chosen before the turn, or the only card, waits before it is played by itself. */
const CHOSEN_WAITS = 350
const ONLY_WAITS = 700

export class CardChoice {
  lifted = $state<string | null>(null)
  chosen = $state<string | null>(null) // before the player's turn
  declaring = $state<string | null>(null) // needs a declaration
  sending = $state<string | null>(null) // put down, and the server has not answered yet
  /** The answer that was sent, until the next question or a refusal. */
  sent = $state<string | null>(null)
  #sentFor: string | null = null // the decision that it answers
  #phase: string | null = null // in which a card was lifted or chosen

  readonly #game: TableState
  readonly #showDeclarations: () => void
  readonly #view = $derived.by(() => this.#game.view!)
  readonly #legal = $derived.by(() => (this.#game.isResting ? [] : this.#view.legal.map(readAction)))
  readonly #byCard = $derived(actionsByCard(this.#legal))
  readonly playable: ReadonlySet<string> = $derived(new Set(this.#byCard.keys()))
  /** Whether something is asked of this player now. */
  readonly isAsked = $derived.by(() => this.#view.decision !== null && !this.#game.isResting)

  /** To be called while a component is set up: the effects end with that component. */
  constructor(game: TableState, showDeclarations: () => void) {
    this.#game = game
    this.#showDeclarations = showDeclarations
    $effect(() => this.#forgetWhatIsGone())
    $effect(() => this.#playChosen())
    $effect(() => this.#playOnly())
  }

  /** What may be done now. */
  get legal(): readonly Action[] {
    return this.#legal
  }

  /** The ways to play the card that needs a declaration. */
  get declarations(): readonly Action[] {
    return this.declaring === null ? [] : (this.#byCard.get(this.declaring) ?? [])
  }

  tap(card: string): void {
    const { phase, seat, decision } = this.#view
    if (seat === null || (this.sending && decision !== null)) return
    if (!this.isAsked) {
      if (phase === 'play' || this.#game.isResting) this.#tapBeforeTurn(card)
      else this.#game.say(statusLine(this.#view))
      return
    }
    if (this.playable.size === 0) return
    if (!this.playable.has(card)) return this.#askWhyNot(card)
    if (this.declaring === card) this.cancel()
    else if (settings.taps === 'one' || this.lifted === card) void this.put(card)
    else this.#lift(card)
  }

  /** Puts everything back into the hand: nothing is lifted, chosen or asked about any more. */
  cancel(): void {
    this.lifted = null
    this.chosen = null
    this.declaring = null
  }

  #lift(card: string): void {
    this.cancel()
    this.lifted = card
    this.#game.tell(say('web.hand.lifted', { card: cardName(card) }))
  }

  #tapBeforeTurn(card: string): void {
    if (this.chosen === card) return this.cancel()
    if (settings.taps === 'two' && this.lifted !== card) return this.#lift(card)
    this.cancel()
    this.chosen = card
    this.#game.tell(say('web.hand.chosen', { card: cardName(card) }))
  }

  /** Puts a card down, or asks first what it is to be declared as. */
  async put(card: string): Promise<void> {
    const actions = this.#byCard.get(card)
    if (!actions) return this.#askWhyNot(card)
    if (actions.length === 1) return this.send(actions[0]!.text, card)
    this.lifted = card
    this.declaring = card
    await tick()
    this.#showDeclarations()
  }

  /** Sends an action. The card stays raised until the server answers: a slow connection must not look like a missed tap. */
  async send(action: string, card: string | null = this.declaring): Promise<void> {
    if (this.#game.isActing || this.sent !== null) return
    this.declaring = null
    this.lifted = null
    this.sending = card
    this.sent = action
    this.#sentFor = this.#view.decision
    const isAccepted = await this.#game.act(action)
    this.sending = null
    if (!isAccepted) this.sent = null
  }

  /** The server knows why a card may not be played: it is asked, and its refusal is shown. */
  #askWhyNot(card: string): void {
    void this.#game.act(putDownText(this.#view.phase === 'pass' ? 'pass' : 'play', card))
  }

  #forgetWhatIsGone(): void {
    const { now, decision, phase } = this.#view
    const hand = new Set(now?.hand ?? [])
    if (decision !== this.#sentFor) this.sent = null
    if (phase !== this.#phase) this.cancel() // a card lifted to be played must not be passed by its second tap
    this.#phase = phase
    if (this.lifted && (!hand.has(this.lifted) || (this.isAsked && !this.playable.has(this.lifted)))) this.lifted = null
    if (this.chosen && !hand.has(this.chosen)) this.chosen = null
    if (this.declaring && !this.playable.has(this.declaring)) this.declaring = null
  }

  /** A card chosen before the player's turn is played when the turn comes. */
  #playChosen() {
    // not before the last card has been answered: this one would be lost
    if (!this.chosen || !this.isAsked || this.#game.isActing || this.#view.phase !== 'play') return
    const card = this.chosen
    const timer = setTimeout(() => {
      this.chosen = null
      void this.put(card)
    }, CHOSEN_WAITS * pace())
    return () => clearTimeout(timer)
  }

  /** The only card that may be played is played by itself, where the settings say so. */
  #playOnly() {
    const [only] = this.#legal
    if (!settings.playsOnlyCard || this.#legal.length !== 1 || only?.kind !== 'play' || this.#game.isActing || this.chosen) return
    const timer = setTimeout(() => void this.send(only.text, only.card), ONLY_WAITS * pace())
    return () => clearTimeout(timer)
  }
}
