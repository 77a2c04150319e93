// Translated from Python by `python -m foretell.server.wire.generate` (src/foretell/scorepad/page). Do not edit.
// @ts-nocheck - mypy has checked the types in Python; the types here are for the files that import this one.
import { ForetellError, NotAGame, NotAllowed, RecursionError, RulesClash, Term, UnicodeError, Unreadable, abs, accumulate, all, any, as_json, assign, bool, casefold, contains, count, enumerate, equal, format, get, get_args, index, int, is_invisible, is_unsafe, isinstance, items, join, len, list, map, max, min, modulo, msgspec, next, or, pairwise, range, repeated, replace, set, slice, sorted, split, str, sum, truth, tuple, type, unicodedata, zip } from './python'

export const Colour = { BLUE: "B", RED: "R", GREEN: "G", YELLOW: "Y" } as const

export const Kind = { NUMBER: "NUMBER", WIZARD: "WIZARD", JESTER: "JESTER", DRAGON: "DRAGON", FAIRY: "FAIRY", BOMB: "BOMB", WEREWOLF: "WEREWOLF", JUGGLER: "JUGGLER", CLOUD: "CLOUD", SHAPESHIFTER: "SHAPESHIFTER" } as const

/** One more or one fewer, as long as the bid stays between none and all the cards dealt. */
export class ChangeByOne {
  constructor(public readonly rule: string = "X8") {}
  answers(bid: number, hand_size: number): readonly number[] {
    return tuple(list([1, -1]).flatMap((change) => (((0 <= (bid + change)) && ((bid + change) <= hand_size))) ? [change] : []))
  }
}

/** A special card: everything that the rules say about it. */
export class Special {
  constructor(public readonly kind: string, public readonly rule: string, public readonly companions: readonly string[] = [], public readonly is_nobodys: boolean = false, public readonly after_round: any | null = null) {}
}

export const BY_KIND = { "DRAGON": new Special("DRAGON", "X3", ["FAIRY"], false, null), "FAIRY": new Special("FAIRY", "X4", ["DRAGON"], false, null), "BOMB": new Special("BOMB", "X5", [], true, null), "WEREWOLF": new Special("WEREWOLF", "X6", [], false, null), "JUGGLER": new Special("JUGGLER", "X7", [], false, null), "CLOUD": new Special("CLOUD", "X8", [], false, new ChangeByOne("X8")), "SHAPESHIFTER": new Special("SHAPESHIFTER", "X2", [], false, null) }

/** The special cards with these names. */
export function named_specials(names: readonly string[]): readonly Special[] {
  return tuple(list(names).flatMap((name) => [BY_KIND[name]!]))
}

export const SPECIALS = ["DRAGON", "FAIRY", "BOMB", "WEREWOLF", "JUGGLER", "CLOUD", "SHAPESHIFTER"]

/** D3: there is one trick for each card of a hand.  X5: one of them may belong to nobody. */
export function trick_sums(specials: readonly string[], hand_size: number): readonly number[] {
  let may_be_nobodys
  may_be_nobodys = any(list(named_specials(specials)).flatMap((one) => [one.is_nobodys]))
  return (truth(may_be_nobodys) ? [hand_size, (hand_size - 1)] : [hand_size])
}

/** X8: the seats that may have to change their bid, if a special card in play asks for it: all that won a trick. */
export function change_takers(specials: readonly string[], won: readonly number[]): readonly number[] {
  let may_change
  may_change = any(list(named_specials(specials)).flatMap((one) => [one.after_round]))
  return tuple(list(enumerate(won)).flatMap(([seat, tricks]) => ((truth(tricks) && truth(may_change))) ? [seat] : []))
}

/** X8: how such a seat may change this bid. */
export function open_changes(specials: readonly string[], bid: number, hand_size: number): readonly number[] {
  let steps
  steps = list(named_specials(specials)).flatMap((one) => ((one.after_round !== null)) ? [one.after_round] : [])
  return (truth(steps) ? steps[0]!.answers(bid, hand_size) : [])
}

/** S1: a bid met is worth 20 and 10 a trick.  S2: a bid missed costs 10 for each trick over or under. */
export function points(bid: number, won: number): number {
  return (equal(bid, won) ? (20 + (10 * won)) : (-10 * abs((bid - won))))
}

/** S4: the seats with the most points share the victory. */
export function winners(totals: readonly number[]): readonly number[] {
  return tuple(list(enumerate(totals)).flatMap(([seat, total]) => (equal(total, max(totals))) ? [seat] : []))
}

/** B1: any number of tricks, from none to all. */
export class AnyBid {
  open_bids(hand_size: number, earlier: readonly number[], bidders: number): readonly number[] {
    return tuple(range((hand_size + 1)))
  }
}

/** V1: the last bidder may not make the bids add up to the cards dealt to each, even if the Bomb is in play. */
export class PlusMinusOne {
  open_bids(hand_size: number, earlier: readonly number[], bidders: number): readonly number[] {
    let barred, is_last
    is_last = equal(len(earlier), (bidders - 1))
    barred = (truth(is_last) ? (hand_size - sum(earlier)) : null)
    return tuple(list(range((hand_size + 1))).flatMap((bid) => (!equal(bid, barred)) ? [bid] : []))
  }
}

function _without_bid(bids: readonly (number | null)[]): readonly number[] {
  return tuple(list(enumerate(bids)).flatMap(([seat, bid]) => ((bid === null)) ? [seat] : []))
}

/** B2: said aloud in turn, from the dealer's left, the dealer last. */
export class OpenBids {
  bidders(bids: readonly (number | null)[], first: number): readonly number[] {
    let made
    made = (len(bids) - count(bids, null))
    return ((made < len(bids)) ? [modulo((first + made), len(bids))] : [])
  }
  are_shown(all_made: boolean, all_played: boolean): boolean {
    return true
  }
}

/** V2: written down by all at once, shown when everyone has bid. */
export class HiddenBids {
  bidders(bids: readonly (number | null)[], first: number): readonly number[] {
    return _without_bid(bids)
  }
  are_shown(all_made: boolean, all_played: boolean): boolean {
    return all_made
  }
}

/** V3: written down by all at once, shown after the round's last trick. */
export class SecretBids {
  bidders(bids: readonly (number | null)[], first: number): readonly number[] {
    return _without_bid(bids)
  }
  are_shown(all_made: boolean, all_played: boolean): boolean {
    return all_played
  }
}

/** D3: every round, from one card (or one draw) to the last. */
export class AllRounds {
  numbers(last: number): readonly number[] {
    return tuple(range(1, (last + 1)))
  }
}

/** D6: a shorter game of the rounds agreed on, rising; each keeps its own number. */
export class ChosenRounds {
  constructor(public readonly chosen: readonly number[]) {}
  numbers(last: number): readonly number[] {
    if ((this.chosen.at(-1)! > last)) {
      throw new RulesClash("round_beyond_last", "D6", { number: this.chosen.at(-1)!, last: last })
    }
    return tuple(this.chosen)
  }
}

/** The rounds that a table has chosen; None means all of them. */
export function chosen_rounds(chosen: readonly number[] | null): any {
  let are_whole
  if ((chosen === null)) {
    return new AllRounds()
  }
  are_whole = all(list(chosen).flatMap((number) => [(type(number) === int)]))
  if ((!truth(chosen) || !truth(are_whole) || (chosen[0]! < 1) || !truth(_rises(chosen)))) {
    throw new RulesClash("rounds_not_rising", "D6", { rounds: join(", ", map(str, chosen)) })
  }
  return new ChosenRounds(tuple(chosen))
}

function _rises(numbers: readonly number[]): boolean {
  return all(list(pairwise(numbers)).flatMap(([low, high]) => [(low < high)]))
}

export const COMPANIONS = [["DRAGON", "FAIRY"]]

export const HEADS = [3, 4, 5, 6]

/** D1: a game has three to six players. */
export function refuse_head_count(players: number): void {
  let fewest, most
  if (!contains(HEADS, players)) {
    ;[fewest, most] = [HEADS[0]!, HEADS.at(-1)!]
    throw new RulesClash("head_count", "D1", { players: players, fewest: fewest, most: most })
  }
}

/** C1, C4: 60 cards and the special cards agreed on, shuffled together and dealt again each round (D4). */
export class CommonDeck {
  constructor(public readonly specials: readonly string[] = []) {}
  seats(players: number, peoples: readonly string[] | null): readonly string[] | null {
    refuse_head_count(players)
    if ((peoples !== null)) {
      throw new RulesClash("peoples_without_unicolor", "V6", {  })
    }
    return null
  }
  /** D3: until the 60 cards are dealt out; special cards add no round. */
  last_round(players: number): number {
    return Math.floor(60 / players)
  }
  hand_size(number: number): number {
    return number
  }
}

/** C4: any subset of the seven that leaves no pair of companions apart; returned in the order of C4. */
export function chosen_specials(chosen: readonly string[]): readonly string[] {
  let one, other, there, unknown
  unknown = list(chosen).flatMap((name) => (!contains(SPECIALS, name)) ? [name] : [])
  if (truth(unknown)) {
    throw new RulesClash("not_a_special", "C4", { name: str(unknown[0]!), allowed: join(", ", SPECIALS) })
  }
  if ((len(set(chosen)) < len(chosen))) {
    throw new RulesClash("special_twice", "C4", { names: join(", ", chosen) })
  }
  for (const pair of list(COMPANIONS)) {
    there = list(pair).flatMap((kind) => (contains(chosen, kind)) ? [kind] : [])
    if (equal(len(there), 1)) {
      ;[one, other] = pair
      throw new RulesClash("companions_apart", "C4", { one: Term(`web.card.${one}`), one_rule: BY_KIND[one]!.rule, other: Term(`web.card.${other}`), other_rule: BY_KIND[other]!.rule, alone: Term(`web.card.${there[0]!}`) })
    }
  }
  return tuple(list(SPECIALS).flatMap((kind) => (contains(chosen, kind)) ? [kind] : []))
}

const _ROUNDS = 12

const _DRAWN_BEFORE = 3

/** Fifteen cards each: thirteen numbers, a Wizard and a Jester of one people (C3). */
export class OwnPeoples {
  seats(players: number, peoples: readonly string[] | null): readonly string[] {
    let chosen
    refuse_head_count(players)
    if ((players > len(Colour))) {
      throw new RulesClash("unicolor_head_count", "V6", { players: players })
    }
    chosen = ((peoples === null) ? slice(tuple(Colour), 0, players) : tuple(peoples))
    if ((!equal(len(chosen), players) || !equal(len(set(chosen)), players))) {
      throw new RulesClash("peoples_not_apart", "V6", { peoples: join(" ", chosen), players: players })
    }
    return chosen
  }
  last_round(players: number): number {
    return _ROUNDS
  }
  hand_size(number: number): number {
    return (number + _DRAWN_BEFORE)
  }
}

/** One way to decide: the value that records write, the rule that defines it, and the object that plays by it. */
export class Choice {
  constructor(public readonly value: any, public readonly rule: string, public readonly answer: any = null) {}
  /** Its name in the catalogue; a switch is `on` or `off`. */
  get name(): string {
    if (truth(isinstance(this.value, bool))) {
      return (truth(this.value) ? "on" : "off")
    }
    return this.value
  }
}

/**
 * One question a table answers.  The first choice is the default.
 *
 * `one`: one of the choices.  `switch`: on or off.  `subset`: any of the choices.  `numbers`: a rising list.
 */
export class Decision {
  constructor(public readonly key: string, public readonly form: "one" | "switch" | "subset" | "numbers", public readonly choices: readonly Choice[] = []) {}
  answer(value: any): any {
    return next(list(this.choices).flatMap((choice) => (equal(choice.value, value)) ? [choice.answer] : []))
  }
}

/** What unicolor decides: the deck, and how tricks are taken. */
export class UnicolorAnswer {
  constructor(public readonly deck: any) {}
}

/** V6: the deck of unicolor, which has no special cards. */
export function own_peoples(_specials: unknown): OwnPeoples {
  return new OwnPeoples()
}

export const DECISIONS = [new Decision("bids", "one", [new Choice("open", "B2", new OpenBids()), new Choice("hidden", "V2", new HiddenBids()), new Choice("secret", "V3", new SecretBids())]), new Decision("plus_minus_one", "switch", [new Choice(false, "B1", new AnyBid()), new Choice(true, "V1", new PlusMinusOne())]), new Decision("foresight", "one", [new Choice("none", "B1", null), new Choice("first_round", "V4", null), new Choice("every_round", "V5", null)]), new Decision("unicolor", "switch", [new Choice(false, "C1", new UnicolorAnswer((...given: any[]) => new (CommonDeck as any)(...given))), new Choice(true, "V6", new UnicolorAnswer(own_peoples))]), new Decision("specials", "subset", [new Choice("DRAGON", "X3", null), new Choice("FAIRY", "X4", null), new Choice("BOMB", "X5", null), new Choice("WEREWOLF", "X6", null), new Choice("JUGGLER", "X7", null), new Choice("CLOUD", "X8", null), new Choice("SHAPESHIFTER", "X2", null)]), new Decision("wizards_on_trump", "one", [new Choice("free", "P4", null), new Choice("barred", "F1", null)]), new Decision("rounds", "numbers", [])]

/** The decision with this key. */
export function decision(key: string): Decision {
  return next(list(DECISIONS).flatMap((one) => (equal(one.key, key)) ? [one] : []))
}

/** A decision and one choice in it.  For the special cards, "any" stands for at least one of them. */
export class Setting {
  constructor(public readonly key: string, public readonly value: any) {}
  get rule(): string {
    if (equal(this.key, "specials")) {
      return "C4"
    }
    return next(list(decision(this.key).choices).flatMap((choice) => (equal(choice.value, this.value)) ? [choice.rule] : []))
  }
  /** Its name in the catalogue. */
  get term(): any {
    return Term(`rules.${this.key}.${new Choice(this.value, this.rule).name}`)
  }
  holds(rules: unknown): boolean {
    let chosen
    chosen = rules[this.key]
    return (equal(this.key, "specials") ? bool(chosen) : bool(equal(chosen, this.value)))
  }
}

/** Two settings that do not go together, and the rule that says so. */
export class Clash {
  constructor(public readonly one: Setting, public readonly other: Setting, public readonly rule: string) {}
}

export const CLASHES = [new Clash(new Setting("plus_minus_one", true), new Setting("bids", "hidden"), "V7"), new Clash(new Setting("plus_minus_one", true), new Setting("bids", "secret"), "V7"), new Clash(new Setting("specials", "any"), new Setting("foresight", "first_round"), "V7"), new Clash(new Setting("specials", "any"), new Setting("foresight", "every_round"), "V7"), new Clash(new Setting("unicolor", true), new Setting("foresight", "first_round"), "V7"), new Clash(new Setting("unicolor", true), new Setting("foresight", "every_round"), "V7"), new Clash(new Setting("specials", "any"), new Setting("unicolor", true), "V7"), new Clash(new Setting("wizards_on_trump", "barred"), new Setting("specials", "any"), "F2")]

export const Rulebook = ["pt-PT", "es", "hu", "pt-BR", "fr"]

/** What a table has agreed on, in the words of the game record.  Refuses choices that do not go together. */
export class Rules {
  static readonly shape = { tag: null, fields: [["rulebook", { values: ["es", "fr", "hu", "pt-BR", "pt-PT"] }, false], ["bids", { values: ["hidden", "open", "secret"] }, false], ["plus_minus_one", "bool", false], ["foresight", { values: ["every_round", "first_round", "none"] }, false], ["unicolor", "bool", false], ["specials", { each: "str" }, false], ["wizards_on_trump", { values: ["barred", "free"] }, false], ["rounds", { any: [{ each: "int" }, "none"] }, false]], isClosed: false, omitsDefaults: false } as const
  static readonly __struct_fields__ = ["rulebook", "bids", "plus_minus_one", "foresight", "unicolor", "specials", "wizards_on_trump", "rounds"]
  constructor(public readonly rulebook: "pt-PT" | "es" | "hu" | "pt-BR" | "fr" = "pt-PT", public readonly bids: "open" | "hidden" | "secret" = "open", public readonly plus_minus_one: boolean = false, public readonly foresight: "none" | "first_round" | "every_round" = "none", public readonly unicolor: boolean = false, public readonly specials: readonly string[] = [], public readonly wizards_on_trump: "free" | "barred" = "free", public readonly rounds: readonly number[] | null = null) { this.__post_init__() }
  __post_init__(): void {
    let allowed
    if (!contains(get_args(Rulebook), this.rulebook)) {
      allowed = join(", ", get_args(Rulebook))
      throw new RulesClash("unknown_rulebook", null, { rulebook: str(this.rulebook), allowed: allowed })
    }
    for (const one of list(DECISIONS)) {
      this._refuse_unknown(one)
    }
    assign(this, "specials", tuple(map(str, chosen_specials(this.specials))))
    if ((this.rounds !== null)) {
      assign(this, "rounds", tuple(this.rounds))
    }
    chosen_rounds(this.rounds)
    for (const clash of list(CLASHES)) {
      if ((truth(clash.one.holds(this)) && truth(clash.other.holds(this)))) {
        throw new RulesClash("clash", clash.rule, { one: clash.one.term, one_rule: clash.one.rule, other: clash.other.term, other_rule: clash.other.rule })
      }
    }
  }
  /** Refuses a value that is not a choice.  A switch is True or False: 1 is refused, although it equals True. */
  _refuse_unknown(one: Decision): void {
    let allowed, value
    value = this[one.key]
    if ((contains(["one", "switch"], one.form) && !truth(any(list(one.choices).flatMap((choice) => [((type(value) === type(choice.value)) && equal(value, choice.value))]))))) {
      allowed = join(", ", list(one.choices).flatMap((choice) => [choice.name]))
      throw new RulesClash("unknown_choice", "V7", { key: one.key, value: str(value), allowed: allowed })
    }
  }
  get deck(): any {
    let made
    made = decision("unicolor").answer(this.unicolor).deck(chosen_specials(this.specials))
    return made
  }
  get bidding(): any {
    return this._answer("plus_minus_one")
  }
  get disclosure(): any {
    return this._answer("bids")
  }
  _answer(key: string): any {
    return decision(key).answer(this[key])
  }
  /** Refuses a number of players these rules have no game for; returns each seat's people in unicolor. */
  seats(players: number, peoples: readonly string[] | null = null): readonly string[] | null {
    this.round_numbers(players)
    return this.deck.seats(players, peoples)
  }
  /** Whether these rules have a game for this many players (D1, D6, V6). */
  has_game_for(players: number): boolean {
    try {
      this.seats(players)
    } catch (error) {
      if (!(error instanceof RulesClash)) throw error
      return false
    }
    return true
  }
  /** The numbers of the rounds to be played (D3, D6). */
  round_numbers(players: number): readonly number[] {
    let played
    this.deck.seats(players, null)
    played = chosen_rounds(this.rounds)
    return played.numbers(this.deck.last_round(players))
  }
}

/** One book: the rules that a table starts from, and the ids of the variants that the book offers. */
export class Preset {
  constructor(public readonly rules: Rules, public readonly variants: readonly string[] = [], public readonly offers_specials: boolean = false) {}
}

export const PRESETS = { "pt-PT": new Preset(new Rules("pt-PT", "open", false, "none", false, [], "free", null), [], false), "es": new Preset(new Rules("es", "open", false, "none", false, [], "free", null), ["V1"], false), "hu": new Preset(new Rules("hu", "open", false, "none", false, [], "free", null), ["V1", "V2", "V3", "V5", "V6"], false), "pt-BR": new Preset(new Rules("pt-BR", "open", false, "none", false, [], "free", null), ["V1", "V2", "V3", "V4", "V6"], true), "fr": new Preset(new Rules("fr", "open", false, "none", false, [], "barred", null), ["V1", "V2", "V3", "V5"], false) }

/** B1: the tricks that a seat bids in the current round. */
export class Bid {
  static readonly shape = { tag: ["entry", "bid"], fields: [["seat", "int", true], ["tricks", "int", true]], isClosed: true, omitsDefaults: false } as const
  static readonly __struct_fields__ = ["seat", "tricks"]
  constructor(public readonly seat: number, public readonly tricks: number) {}
}

/** K5: the tricks that a seat has won in the current round. */
export class Tricks {
  static readonly shape = { tag: ["entry", "tricks"], fields: [["seat", "int", true], ["tricks", "int", true]], isClosed: true, omitsDefaults: false } as const
  static readonly __struct_fields__ = ["seat", "tricks"]
  constructor(public readonly seat: number, public readonly tricks: number) {}
}

/** X8: the seat that won the trick with the Cloud, and the change of its bid; None and 0 if nobody won it. */
export class Cloud {
  static readonly shape = { tag: ["entry", "cloud"], fields: [["seat", { any: ["int", "none"] }, false], ["change", "int", false]], isClosed: true, omitsDefaults: true } as const
  static readonly __struct_fields__ = ["seat", "change"]
  constructor(public readonly seat: number | null = null, public readonly change: number = 0) {}
}

/** A whole round as it should have been written: an earlier one or the current one. */
export class Correction {
  static readonly shape = { tag: ["entry", "correction"], fields: [["round", "int", true], ["bids", { each: { any: ["int", "none"] } }, true], ["won", { each: { any: ["int", "none"] } }, true], ["cloud", { any: [{ struct: () => Cloud }, "none"] }, false]], isClosed: true, omitsDefaults: true } as const
  static readonly __struct_fields__ = ["round", "bids", "won", "cloud"]
  constructor(public readonly round: number, public readonly bids: readonly (number | null)[], public readonly won: readonly (number | null)[], public readonly cloud: Cloud | null = null) {}
}

export const Awaits = { BIDS: "bids", TRICKS: "tricks", CLOUD: "cloud", NOTHING: "nothing" } as const

/** What is written down about a round; None where nothing is written yet. */
export class PadRound {
  constructor(public readonly rules: Rules, public readonly names: readonly string[], public readonly number: number, public readonly dealer: number, public readonly bids: readonly (number | null)[], public readonly won: readonly (number | null)[], public readonly cloud: Cloud | null = null) {}
  /** The cards dealt to each player, which is also the number of tricks. */
  get hand_size(): number {
    return this.rules.deck.hand_size(this.number)
  }
  /** B2: the seats from the dealer's left to the dealer. */
  get order(): readonly number[] {
    let seats
    seats = len(this.names)
    return tuple(list(range(seats)).flatMap((place) => [modulo(((this.dealer + 1) + place), seats)]))
  }
  get awaits(): string {
    if (contains(this.bids, null)) {
      return Awaits.BIDS
    }
    if (contains(this.won, null)) {
      return Awaits.TRICKS
    }
    return (((this.cloud === null) && truth(this.cloud_takers)) ? Awaits.CLOUD : Awaits.NOTHING)
  }
  get is_scored(): boolean {
    return (this.awaits === Awaits.NOTHING)
  }
  get is_blank(): boolean {
    return !truth(any(list([...list(this.bids), ...list(this.won)]).flatMap((told) => [(told !== null)])))
  }
  /** The seats that may bid now: with open bids the next one, otherwise all that have not bid. */
  get bidders(): readonly number[] {
    let seats
    seats = this.rules.disclosure.bidders(this.bids, this.order[0]!)
    return tuple(list(this.order).flatMap((seat) => (contains(seats, seat)) ? [seat] : []))
  }
  /** The seats that have not bid yet, in the order of bidding. */
  get silent(): readonly number[] {
    return tuple(list(this.order).flatMap((seat) => ((this.bids[seat]! === null)) ? [seat] : []))
  }
  /**
   * The seats whose tricks may be written now.
   *
   * Bids come first, except secret ones (V3): they are shown after the last trick, so tricks may come before them.
   */
  get counters(): readonly number[] {
    if ((contains(this.bids, null) && truth(this.are_bids_first))) {
      return []
    }
    return tuple(list(this.order).flatMap((seat) => ((this.won[seat]! === null)) ? [seat] : []))
  }
  /** Whether the table knows the bids before it plays. */
  get are_bids_first(): boolean {
    return this.rules.disclosure.are_shown(true, false)
  }
  /** By how many the bids so far exceed the number of tricks; negative if they are fewer. */
  get over(): number {
    return (sum(list(this.bids).flatMap((bid) => ((bid !== null)) ? [bid] : [])) - this.hand_size)
  }
  /** X5: whether a trick is missing from the sum, once all tricks are written. */
  get was_bombed(): boolean {
    return (!contains(this.won, null) && (sum(list(this.won).flatMap((won) => [or(won, 0)])) < this.hand_size))
  }
  /** X8: who may have won the trick with the Cloud. */
  get cloud_takers(): readonly number[] {
    return change_takers(this.rules.specials, tuple(list(this.won).flatMap((won) => [or(won, 0)])))
  }
  /** The bids that count: those made, with the Cloud's change. */
  get final_bids(): readonly (number | null)[] {
    if ((this.cloud === null)) {
      return this.bids
    }
    return tuple(list(enumerate(this.bids)).flatMap(([seat, bid]) => [(((bid !== null) && equal(seat, this.cloud.seat)) ? (bid + this.cloud.change) : bid)]))
  }
  /** S1, S2: the points of each seat; None until the round is complete. */
  get points(): readonly (number | null)[] {
    if (!truth(this.is_scored)) {
      return repeated([null], len(this.names))
    }
    return tuple(list(zip(this.final_bids, this.won)).flatMap(([bid, won]) => [points(or(bid, 0), or(won, 0))]))
  }
  /** B1, V1: the bids open to the next bidder. */
  open_bids(): readonly number[] {
    let made
    made = list(this.bids).flatMap((bid) => ((bid !== null)) ? [bid] : [])
    return this.rules.bidding.open_bids(this.hand_size, made, len(this.names))
  }
  /** D3, X5: the numbers of tricks that this seat can have, given those of the others. */
  open_tricks(seat: number): readonly number[] {
    let left, others, sums
    others = list(enumerate(this.won)).flatMap(([one, won]) => ((!equal(one, seat) && (won !== null))) ? [won] : [])
    sums = trick_sums(this.rules.specials, this.hand_size)
    if (equal(len(others), (len(this.names) - 1))) {
      return tuple(sorted(list(sums).flatMap((total) => (((left = (total - sum(others))) >= 0)) ? [left] : [])))
    }
    return tuple(range(((max(sums) - sum(others)) + 1)))
  }
  /** X8: how the bid of this seat may change. */
  open_changes(seat: number): readonly number[] {
    return open_changes(this.rules.specials, or(this.bids[seat]!, 0), this.hand_size)
  }
  with_bid(seat: number, tricks: number): PadRound {
    if ((this.bids[seat]! !== null)) {
      throw new NotAllowed("pad_told", null, { name: this.names[seat]!, told: this.bids[seat]! })
    }
    if (!contains(this.bidders, seat)) {
      throw new NotAllowed("pad_not_their_bid", "B2", { name: this.names[seat]!, awaited: this.names[this.bidders[0]!]! })
    }
    if (!contains(this.open_bids(), tricks)) {
      if (!((0 <= tricks) && (tricks <= this.hand_size))) {
        throw new NotAllowed("bid_range", "B1", { bid: tricks, most: this.hand_size })
      }
      throw new NotAllowed("bid_adds_up", "V1", { bid: tricks, tricks: this.hand_size })
    }
    return replace(this, { bids: _with(this.bids, seat, tricks) })
  }
  with_tricks(seat: number, tricks: number): PadRound {
    if ((this.won[seat]! !== null)) {
      throw new NotAllowed("pad_told", null, { name: this.names[seat]!, told: this.won[seat]! })
    }
    if (!contains(this.counters, seat)) {
      throw new NotAllowed("pad_bids_first", "B1", { awaited: this.listed(this.bidders) })
    }
    if (!contains(this.open_tricks(seat), tricks)) {
      throw this._does_not_add_up(seat, tricks)
    }
    return replace(this, { won: _with(this.won, seat, tricks) })
  }
  with_cloud(cloud: Cloud): PadRound {
    if ((this.awaits !== Awaits.CLOUD)) {
      throw new NotAllowed("pad_no_cloud", "X8", {  })
    }
    if ((cloud.seat === null)) {
      if (truth(cloud.change)) {
        throw new NotAllowed("pad_change_of_nobody", "X8", {  })
      }
      return replace(this, { cloud: cloud })
    }
    if (!contains(this.cloud_takers, cloud.seat)) {
      throw new NotAllowed("pad_cloud_without_trick", "X8", { name: this.names[cloud.seat]!, allowed: this.listed(this.cloud_takers) })
    }
    if (!contains(this.open_changes(cloud.seat), cloud.change)) {
      throw new NotAllowed("change_range", "X8", { bid: this.bids[cloud.seat]!, change: `${format(cloud.change, "+d")}`, most: this.hand_size })
    }
    return replace(this, { cloud: cloud })
  }
  listed(seats: readonly number[]): string {
    return join(", ", list(seats).flatMap((seat) => [this.names[seat]!]))
  }
  /** An error that states the sum, because the mistake may be in the number of another player. */
  _does_not_add_up(seat: number, tricks: number): NotAllowed {
    let allowed, code, rule, written
    allowed = this.open_tricks(seat)
    if ((!((0 <= tricks) && (tricks <= this.hand_size)) || !truth(allowed))) {
      ;[code, rule] = ["pad_tricks_range", "D3"]
    } else {
      if ((len(trick_sums(this.rules.specials, this.hand_size)) > 1)) {
        ;[code, rule] = ["pad_tricks_with_bomb", "X5"]
      } else {
        ;[code, rule] = ["pad_tricks_add_up", "D3"]
      }
    }
    written = sum(list(this.won).flatMap((won) => ((won !== null)) ? [won] : []))
    return new NotAllowed(code, rule, { name: this.names[seat]!, tricks: tricks, total: (written + tricks), most: this.hand_size })
  }
}

function _with(row: readonly (number | null)[], seat: number, value: number): readonly (number | null)[] {
  return [...list(slice(row, 0, seat)), value, ...list(slice(row, (seat + 1)))]
}

export const LONGEST_NAME = 40

/** One round as a line of the score sheet; None where nothing is known yet. */
export class PadLine {
  constructor(public readonly number: number, public readonly dealer: number, public readonly bids: readonly (number | null)[], public readonly won: readonly (number | null)[], public readonly points: readonly (number | null)[], public readonly totals: readonly (number | null)[]) {}
}

/** The table, the rounds so far with the current one last (it may be blank), and the entries that made them. */
export class Pad {
  constructor(public readonly names: readonly string[], public readonly rules: Rules, public readonly first_dealer: number, public readonly numbers: readonly number[], public readonly rounds: readonly PadRound[], public readonly entries: readonly any[] = []) {}
  /** The current round; None when the game is over. */
  get now(): PadRound | null {
    return (truth(this.is_over) ? null : this.rounds.at(-1)!)
  }
  get is_over(): boolean {
    return (equal(len(this.rounds), len(this.numbers)) && truth(this.rounds.at(-1)!.is_scored))
  }
  /** The rounds that have not begun, each with its dealer (D2). */
  get coming(): readonly PadRound[] {
    return tuple(list(range(len(this.rounds), len(this.numbers))).flatMap((place) => [_blank(this, place)]))
  }
  /** S3: each seat's points so far. */
  get totals(): readonly number[] {
    let scored
    scored = list(this.rounds).flatMap((one) => [list(one.points).flatMap((more) => [or(more, 0)])])
    return tuple(map(sum, zip(...list(scored))))
  }
  /** The seats with the most points so far. */
  get leaders(): readonly number[] {
    return winners(this.totals)
  }
  /** S4: the seats that have won; none until the last round is complete. */
  get winners(): readonly number[] {
    return (truth(this.is_over) ? this.leaders : [])
  }
  /** The score sheet: every round that is not blank, with running totals as far as they are known. */
  get lines(): readonly PadLine[] {
    let nothing, rows, totals, written
    written = list(this.rounds).flatMap((one) => (!truth(one.is_blank)) ? [one] : [])
    rows = list(written).flatMap((one) => [list(one.points).flatMap((more) => [or(more, 0)])])
    totals = accumulate(rows, ((before, more) => list(zip(before, more)).flatMap(([a, b]) => [(a + b)])))
    nothing = repeated([null], len(this.names))
    return tuple(list(zip(written, totals)).flatMap(([one, total]) => [new PadLine(one.number, one.dealer, one.final_bids, one.won, one.points, (truth(one.is_scored) ? tuple(total) : nothing))]))
  }
  /** The round with this number; refuses one that has not begun. */
  round(number: number): PadRound {
    let begun
    for (const one of list(this.rounds)) {
      if (equal(one.number, number)) {
        return one
      }
    }
    begun = join(", ", list(this.rounds).flatMap((one) => [str(one.number)]))
    throw new NotAllowed("pad_no_round", "D3", { number: number, begun: begun })
  }
}

/** A blank pad; refuses a number of players that the rules do not allow, and names that are the same. */
export function new_pad(names: readonly string[], rules: Rules | null = null, first_dealer: number = 0): Pad {
  let called, pad
  rules = or(rules, new Rules())
  called = tuple(map(_name, names))
  rules.seats(len(called))
  for (const [seat, name] of list(enumerate(called))) {
    if (contains(list(slice(called, 0, seat)).flatMap((other) => [casefold(other)]), casefold(name))) {
      throw new RulesClash("pad_name_twice", null, { name: name })
    }
  }
  if (!((0 <= first_dealer) && (first_dealer < len(called)))) {
    throw new RulesClash("no_such_seat", "D2", { seat: first_dealer, most: (len(called) - 1) })
  }
  pad = new Pad(called, rules, first_dealer, rules.round_numbers(len(called)), [])
  return replace(pad, { rounds: [_blank(pad, 0)] })
}

/** The pad with one more entry. */
export function enter(pad: Pad, entry: any): Pad {
  let rounds
  if (truth(isinstance(entry, Correction))) {
    rounds = _corrected(pad, entry)
  } else {
    if ((pad.now === null)) {
      throw new NotAllowed("game_over", null, {  })
    } else {
      rounds = [...list(slice(pad.rounds, 0, -1)), _entered(pad.now, entry)]
    }
  }
  pad = replace(pad, { rounds: rounds, entries: [...list(pad.entries), entry] })
  if ((truth(rounds.at(-1)!.is_scored) && !truth(pad.is_over))) {
    pad = replace(pad, { rounds: [...list(rounds), _blank(pad, len(rounds))] })
  }
  return pad
}

/** The pad with a corrected round; what is not given stays as it was. */
export function correct(pad: Pad, number: number, bids: readonly (number | null)[] | null = null, won: readonly (number | null)[] | null = null, cloud: Cloud | null = null): Pad {
  let entry, old
  old = pad.round(number)
  entry = new Correction(number, tuple(((bids === null) ? old.bids : bids)), tuple(((won === null) ? old.won : won)), cloud)
  if (((cloud === null) && (rewritten(pad, entry).awaits === Awaits.CLOUD))) {
    entry = msgspec.structs.replace(entry, { cloud: old.cloud })
  }
  return enter(pad, entry)
}

/** The pad without its last entry: a bid, tricks, the Cloud or a correction. */
export function undo(pad: Pad): Pad {
  let before
  if (!truth(pad.entries)) {
    throw new NotAllowed("pad_nothing_to_undo", null, {  })
  }
  before = new_pad(pad.names, pad.rules, pad.first_dealer)
  for (const entry of list(slice(pad.entries, 0, -1))) {
    before = enter(before, entry)
  }
  return before
}

/** What the pad needs next, as an error whose sentence says it; None when the game is over. */
export function missing(pad: Pad): NotAllowed | null {
  let now, seats
  now = pad.now
  if ((now === null)) {
    return null
  }
  seats = get({ [Awaits.BIDS]: now.silent, [Awaits.TRICKS]: now.counters }, now.awaits, [])
  return new NotAllowed(`pad_misses_${now.awaits}`, null, { number: now.number, awaited: now.listed(seats) })
}

/** A blank round.  D2, D6: the deal moves one seat to the left after each round that is played. */
function _blank(pad: Pad, place: number): PadRound {
  let dealer, nothing, seats
  seats = len(pad.names)
  nothing = repeated([null], seats)
  dealer = modulo((pad.first_dealer + place), seats)
  return new PadRound(pad.rules, pad.names, pad.numbers[place]!, dealer, nothing, nothing)
}

function _entered(now: PadRound, entry: Bid | Tricks | Cloud): PadRound {
  if (((entry.seat !== null) && !((0 <= entry.seat) && (entry.seat < len(now.names))))) {
    throw new NotAllowed("no_such_seat", "D1", { seat: entry.seat, most: (len(now.names) - 1) })
  }
  if (entry instanceof Bid) {
    const seat = entry.seat
    const tricks = entry.tricks
    return now.with_bid(seat, tricks)
  }
  if (entry instanceof Tricks) {
    const seat = entry.seat
    const tricks = entry.tricks
    return now.with_tricks(seat, tricks)
  }
  if (entry instanceof Cloud) {
    return now.with_cloud(entry)
  }
}

/** The corrected round, written again entry by entry, so that a correction obeys the same rules as an entry. */
export function rewritten(pad: Pad, entry: Correction): PadRound {
  let bid, new_, seats, won
  seats = len(pad.names)
  if ((!equal(len(entry.bids), seats) || !equal(len(entry.won), seats))) {
    throw new NotAllowed("pad_row_length", "D1", { count: seats })
  }
  new_ = _blank(pad, index(pad.rounds, pad.round(entry.round)))
  for (const seat of list(new_.order)) {
    if (((bid = entry.bids[seat]!) !== null)) {
      new_ = _entered(new_, new Bid(seat, bid))
    }
  }
  for (const seat of list(new_.order)) {
    if (((won = entry.won[seat]!) !== null)) {
      new_ = _entered(new_, new Tricks(seat, won))
    }
  }
  if (((entry.cloud !== null) && (!equal(entry.cloud, new Cloud()) || truth(new_.cloud_takers)))) {
    new_ = _entered(new_, entry.cloud)
  }
  return new_
}

function _corrected(pad: Pad, entry: Correction): readonly PadRound[] {
  let new_, old
  ;[old, new_] = [pad.round(entry.round), rewritten(pad, entry)]
  if ((truth(old.is_scored) && !truth(new_.is_scored))) {
    throw new NotAllowed("pad_correction_incomplete", null, { number: old.number })
  }
  return tuple(list(pad.rounds).flatMap((one) => [((one === old) ? new_ : one)]))
}

/** A name on one line, without spaces around it; refuses one that is empty, too long or unprintable. */
function _name(text: string): string {
  let name
  name = join(" ", split(unicodedata.normalize("NFC", text)))
  if (truth(any(map(is_unsafe, name)))) {
    throw new RulesClash("pad_name_unprintable", null, {  })
  }
  if (truth(is_invisible(name))) {
    throw new RulesClash("pad_name_empty", null, {  })
  }
  if ((len(name) > LONGEST_NAME)) {
    throw new RulesClash("pad_name_long", null, { name: slice(name, 0, LONGEST_NAME), most: LONGEST_NAME })
  }
  return name
}

export const FORMAT = "foretell-pad/1"

class _Written {
  static readonly shape = { tag: null, fields: [["format", "str", true], ["names", { each: "str" }, true], ["rules", "object", true], ["first_dealer", "int", true], ["entries", { each: { any: [{ struct: () => Bid }, { struct: () => Tricks }, { struct: () => Cloud }, { struct: () => Correction }] } }, true]], isClosed: true, omitsDefaults: false } as const
  static readonly __struct_fields__ = ["format", "names", "rules", "first_dealer", "entries"]
  constructor(public readonly format: string, public readonly names: readonly string[], public readonly rules: Record<string, any>, public readonly first_dealer: number, public readonly entries: readonly any[]) {}
}

/** Just the format, which is checked first. */
class _Form {
  static readonly shape = { tag: null, fields: [["format", "str", true]], isClosed: false, omitsDefaults: false } as const
  static readonly __struct_fields__ = ["format"]
  constructor(public readonly format: string) {}
}

/** The pad as text, one entry on each line; ends with a line break. */
export function to_json(pad: Pad): string {
  let entries, head, last, parts
  head = { ["format"]: FORMAT, ["names"]: pad.names, ["rules"]: pad.rules, ["first_dealer"]: pad.first_dealer }
  parts = list(items(head)).flatMap(([key, value]) => [`"${key}": ${as_json(value)}`])
  entries = join(",\n  ", list(pad.entries).flatMap((entry) => [as_json(entry)]))
  last = (truth(entries) ? `"entries": [\n  ${entries}\n]` : "\"entries\": []")
  return (("{" + join(",\n", [...list(parts), last])) + "}\n")
}

/** The pad in a text that `to_json` wrote.  Every entry is checked by the rules again; an error names the entry. */
export function from_json(text: string): Pad {
  let pad, rules, unknown, written
  written = _read(text)
  try {
    rules = msgspec.convert(written.rules, Rules)
  } catch (error) {
    if (!(error instanceof msgspec.ValidationError)) throw error
    throw new Unreadable("not_a_pad", null, { why: str(error) })
  }
  unknown = list(sorted(written.rules)).flatMap((key) => (!contains(Rules.__struct_fields__, key)) ? [key] : [])
  if (truth(unknown)) {
    throw new Unreadable("pad_unknown_rules", null, { keys: join(", ", unknown) })
  }
  pad = new_pad(written.names, rules, written.first_dealer)
  for (const [place, entry] of list(enumerate(written.entries, 1))) {
    try {
      pad = enter(pad, entry)
    } catch (error) {
      if (!(error instanceof ForetellError)) throw error
      throw new NotAGame("pad_entry", error.rule, { entry: place, why: str(error) })
    }
  }
  return pad
}

function _read(text: string): _Written {
  let found
  try {
    found = msgspec.json.decode(text, _Form).format
    if (!equal(found, FORMAT)) {
      throw new Unreadable("pad_version", null, { found: found, known: FORMAT })
    }
    return msgspec.json.decode(text, _Written)
  } catch (error) {
    if (!(error instanceof msgspec.MsgspecError || error instanceof UnicodeError || error instanceof RecursionError)) throw error
    throw new Unreadable("not_a_pad", null, { why: str(error) })
  }
}
