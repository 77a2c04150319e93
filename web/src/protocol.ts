// Generated from src/foretell/server/wire/protocol.py by `python -m foretell.server.wire.generate`. Do not edit.

export const PROTOCOL_VERSION = 1;

/** A card's code: `R5`, `ZB`, `NG`, `DRAGON`. */
export type Card = string;

/** A card as it lies in the trick: `R5`, `JUGGLER:R`, `SHAPESHIFTER:Z`. */
export type Face = string;

/** An action: `bid 2`, `play R5`, `trump none`, `pass G3`, `change +1`. */
export type Action = string;

/** Connects to a table, with a seat's token or as a spectator without one.  Sent again after every reconnection. */
export interface Hello {
  type: "hello";
  version: number;
  table: string;
  token?: string | null;
  name?: string | null;
  language?: string;
  key?: string | null;
  id?: number;
}

/** Asks for the list of public tables, now and after every change. */
export interface WatchLobby {
  type: "watch_lobby";
  version: number;
  id?: number;
}

/** Asks whether the connection still works. */
export interface Ping {
  type: "ping";
  id?: number;
}

/** Makes the `decision` that the View names.  An answer to any other decision is refused as stale. */
export interface Act {
  type: "act";
  decision: string;
  action: string;
  id?: number;
}

export interface Chat {
  type: "chat";
  text: string;
  id?: number;
}

export interface ShowEmote {
  type: "emote";
  emote: "hello" | "hurry" | "laugh" | "oops" | "thanks" | "thinking" | "well_played" | "wow";
  id?: number;
}

/**
 * Be right back: a bot plays for the sender.  The host may send it for another `seat` whose player does not act.
 *
 * At a table without a clock every player may, once that seat has kept the table waiting for two minutes.
 */
export interface Away {
  type: "away";
  seat?: number | null;
  id?: number;
}

/** The sender is no longer away, and plays again.  An act or a hello has the same effect. */
export interface Back {
  type: "back";
  id?: number;
}

/**
 * Gives up the seat.  Before a game the seat is open again.  In a game a bot plays, and anyone may take it.
 *
 * Someone who waits for a seat, or for the host's answer, no longer wants it.
 */
export interface Leave {
  type: "leave";
  id?: number;
}

export interface Ready {
  type: "ready";
  is_ready?: boolean;
  id?: number;
}

/** Before a game: sets the sender's word for the fair deals, openly.  `word_hash` proves more (docs/fair.md). */
export interface SayWord {
  type: "word";
  word: string;
  id?: number;
}

/** Before a game: fixes the sender's word without showing it.  `commit` is the `next_commit` that the sender saw. */
export interface SealWord {
  type: "word_hash";
  commit: string;
  hash: string;
  id?: number;
}

/** While the table has a `draw`: shows the word that fits the sender's hash. */
export interface RevealWord {
  type: "reveal";
  word: string;
  id?: number;
}

/** Before a game: moves the sender to an open seat. */
export interface Sit {
  type: "sit";
  seat: number;
  id?: number;
}

/**
 * A spectator takes a seat: an open one, a bot's, or one whose player has left.  Answered by `seated`.
 *
 * In a running game the seat is the spectator's with the next deal.  If the host has to agree, the answer is
 * `requested`, and `seated` or `declined` follows later.
 */
export interface TakeSeat {
  type: "take_seat";
  name: string;
  seat?: number | null;
  word?: string;
  id?: number;
}

/** From the host: starts a game.  Bots of `level` fill the open seats; without a level, no seat may be open. */
export interface Start {
  type: "start";
  level?: string | null;
  id?: number;
}

/** From the host: puts a bot into an open seat, or changes the level of a bot. */
export interface Fill {
  type: "fill";
  seat: number;
  level: string;
  id?: number;
}

/** From the host, before a game: removes the bot from a seat. */
export interface Empty {
  type: "empty";
  seat: number;
  id?: number;
}

/**
 * From the host: removes a player, whose token is no longer valid.  In a game, a bot takes the seat.
 *
 * If somebody is about to get the seat with the next deal, it removes that person.
 */
export interface Remove {
  type: "remove";
  seat: number;
  id?: number;
}

/** From the host: people of this name, whom the host has removed, may come back. */
export interface AllowBack {
  type: "allow_back";
  name: string;
  id?: number;
}

/** From the host: whether someone who asked may sit down. */
export interface AnswerRequest {
  type: "answer_request";
  request: number;
  is_admitted: boolean;
  id?: number;
}

/** From the host: refuses the chat and emotes of this seat, or of all spectators if there is no seat. */
export interface Mute {
  type: "mute";
  seat?: number | null;
  is_muted?: boolean;
  id?: number;
}

/** From the host: makes another player the host. */
export interface PassHost {
  type: "pass_host";
  seat: number;
  id?: number;
}

/** From the host, before a game: changes the settings of the table.  `bots` is ignored; nobody loses a seat. */
export interface ChangeOptions {
  type: "options";
  options: Partial<TableOptions>;
  id?: number;
}

/** The settings of a table.  The rules decide how many players it may have; one person and two bots are enough. */
export interface TableOptions {
  rules: Rules;
  seats: number;
  bots: string[];
  is_public: boolean;
  clock_s: number | null;
  coach: boolean;
  bot_pause_ms: number;
  approval: boolean;
}

/** What a table has agreed on, in the words of the game record.  Refuses choices that do not go together. */
export interface Rules {
  rulebook: "es" | "fr" | "hu" | "pt-BR" | "pt-PT";
  bids: "hidden" | "open" | "secret";
  plus_minus_one: boolean;
  foresight: "every_round" | "first_round" | "none";
  unicolor: boolean;
  specials: string[];
  wizards_on_trump: "barred" | "free";
  rounds: number[] | null;
}

/** After a game: asks for another.  It begins when every player who is connected has asked for it. */
export interface Rematch {
  type: "rematch";
  id?: number;
}

/** Asks the coach about the decision that this seat has to make. */
export interface AskCoach {
  type: "ask_coach";
  decision: string;
  id?: number;
}

/** POST /api/tables: creates a table.  Answered by `Seated`. */
export interface NewTable {
  name: string;
  options?: Partial<TableOptions>;
  word?: string;
  key?: string | null;
}

/**
 * POST /api/tables/{table}/seats: takes a seat, as `TakeSeat` does.  Answered by `Seated`.
 *
 * A second request with the same `key` gets the same seat and the same token.
 */
export interface Join {
  name: string;
  seat?: number | null;
  word?: string;
  key?: string | null;
}

/** POST /api/mine: asks for the games of these tokens, which the browser has stored. */
export interface Mine {
  tokens: string[];
}

/** The answer to hello: the table, the game and the chat as they are now. */
export interface Welcome {
  type: "welcome";
  id: number;
  version: number;
  seat: number | null;
  table: Table;
  snapshot: Snapshot | null;
  chat: ChatLine[];
  next_seat: number | null;
  request: number | null;
}

/** Everything about a table except its cards. */
export interface Table {
  id: string;
  code: string;
  phase: "gathering" | "over" | "playing";
  options: TableOptions;
  host: number | null;
  seats: Seat[];
  spectators: number;
  are_spectators_muted: boolean;
  game: string | null;
  fair: FairProof | null;
  next_commit: string | null;
  replay: string | null;
  games_played: number;
  rematch: number[];
  draw: Draw | null;
  requests: SeatRequest[];
  removed: string[];
}

/** A seat at the table, and the person or bot who has it. */
export interface Seat {
  seat: number;
  kind: "bot" | "open" | "person";
  name: string | null;
  level: string | null;
  is_connected: boolean;
  is_away: boolean;
  is_ready: boolean;
  is_muted: boolean;
  is_played_by_bot: boolean;
  grace_ms: number | null;
  patience_ms: number | null;
  may_be_taken: boolean;
  has_word: boolean;
  next_name: string | null;
}

/**
 * Proof of fair deals: the commit from the start, the words after the deal, the secret after the last round.
 *
 * `hashes` are those by which players fixed their words: None for a seat without one, and none at all if no seat had
 * one.  If a seat's word is its hash, the player did not reveal the word in time.
 */
export interface FairProof {
  commit: string;
  words: string[] | null;
  secret: string | null;
  hashes: (string | null)[];
}

/**
 * The words of a game that is about to begin.  Nothing here changes any more, except who is `missing`.
 *
 * `words` are those that were sent openly.  For a seat with a hash the text is empty until the game begins.
 */
export interface Draw {
  commit: string;
  hashes: (string | null)[];
  words: string[];
  missing: number[];
}

/** Someone who wants to sit down and waits for the host's answer. */
export interface SeatRequest {
  request: number;
  name: string;
  seat: number | null;
}

/**
 * The game as this seat may see it, after `events`.  `number` is how many actions of the game were accepted.
 *
 * After an action that ends a round, but not the game, two snapshots of the same number follow: first the scored
 * round, in which nobody has to decide anything (`view.phase` is "deal"), then the next deal.
 */
export interface Snapshot {
  type: "snapshot";
  game: string;
  number: number;
  view: View;
  events: (RoundDealt | Exchanged | TrumpSettled | BidMade | BidsShown | Played | TrickEnded | CardsPassed | BidChanged | RoundScored | GameOver)[];
  clocks: Clock[];
}

/** A game as one seat may know it; `seat` is None for a spectator. */
export interface View {
  rules: Rules;
  seat: number | null;
  names: string[];
  peoples: ("B" | "R" | "G" | "Y")[] | null;
  numbers: number[];
  sheet: ScoredRound[];
  totals: number[];
  now: RoundView | null;
  phase: string;
  awaited: number[];
  decision: string | null;
  legal: Action[];
  winners: number[];
}

/** A line of the score sheet: bids after the Cloud's change, tricks, points, running totals (S3). */
export interface ScoredRound {
  number: number;
  dealer: number;
  bids: number[];
  won: number[];
  points: number[];
  totals: number[];
}

/** The round being played, or the last one. */
export interface RoundView {
  number: number;
  dealer: number;
  hand_size: number;
  hand: Card[] | null;
  hand_sizes: number[];
  foreseen: (Card[] | null)[] | null;
  turned_up: Card | null;
  werewolf: number | null;
  naming: number | null;
  trump: "B" | "R" | "G" | "Y" | null;
  named_by: number | null;
  bids: (number | null)[];
  has_bid: boolean[];
  bids_are_shown: boolean;
  tricks: TrickView[];
  trick: TrickView | null;
  winning: number | null;
  demanded: "B" | "R" | "G" | "Y" | null;
  won: number[];
  needs: (number | null)[];
  passes: PassSeen[];
  has_passed: boolean[] | null;
  cloud: number | null;
  change: number | null;
  points: number[] | null;
  standing: (number | null)[];
}

/** A trick.  A complete one has a `next_leader`, and a `winner` unless it was bombed (X5). */
export interface TrickView {
  leader: number;
  faces: Face[];
  winner?: number | null;
  next_leader?: number | null;
}

/** X7: what this seat gave to its left and got from its right after the trick at this place. */
export interface PassSeen {
  trick: number;
  gave: Card;
  received: Card | null;
}

export interface RoundDealt {
  event: "round_dealt";
  number: number;
  dealer: number;
  hand_size: number;
  turned_up: Card | null;
}

/** X6: the seat exchanged the Werewolf for the turned-up card. */
export interface Exchanged {
  event: "exchanged";
  seat: number;
  card: Card;
}

export interface TrumpSettled {
  event: "trump_settled";
  colour: "B" | "R" | "G" | "Y" | null;
  named_by: number | null;
  rule: string;
}

/** `bid` is None as long as the others may not see it (V2, V3). */
export interface BidMade {
  event: "bid_made";
  seat: number;
  bid: number | null;
}

export interface BidsShown {
  event: "bids_shown";
  bids: number[];
}

export interface Played {
  event: "played";
  seat: number;
  face: Face;
}

/** `winner` is None when the Bomb leaves the trick to no one (X5). */
export interface TrickEnded {
  event: "trick_ended";
  winner: number | null;
  next_leader: number;
}

/** X7: every seat has passed one card to its left. */
export interface CardsPassed {
  event: "cards_passed";
}

/** X8: the seat that took the Cloud has changed its bid. */
export interface BidChanged {
  event: "bid_changed";
  seat: number;
  change: number;
}

export interface RoundScored {
  event: "round_scored";
  bids: number[];
  won: number[];
  points: number[];
  totals: number[];
}

export interface GameOver {
  event: "game_over";
  winners: number[];
}

/**
 * A seat that has to decide, and the milliseconds left for the decision; None if it has no time limit.
 *
 * `patience_ms` is how long it takes until any player may let a bot play for this seat (`away`).  It is None at a
 * table with a clock, and if a bot acts already.
 */
export interface Clock {
  seat: number;
  left_ms: number | null;
  patience_ms: number | null;
}

export interface ChatLine {
  seat: number | null;
  name: string;
  text: string;
  at: number;
}

/** The table has changed: someone came, left, took a seat, is away or back, or a game began or ended. */
export interface TableChanged {
  type: "table";
  table: Table;
  seat: number | null;
  next_seat: number | null;
}

/** The message was accepted and stored.  Its results (`snapshot`, `table`, `said`) were sent before this answer. */
export interface Done {
  type: "done";
  id: number;
}

/** The message was refused, and nothing has changed.  `id` is None if the message could not be read. */
export interface Refusal {
  type: "refused";
  id: number | null;
  error: Error;
}

/**
 * What went wrong: `code` and `values` for the catalogue (`error.<code>`), and `sentence`, the finished text.
 *
 * `terms` names the values that are themselves keys of the catalogue (`colour.R`).
 */
export interface Error {
  code: string;
  sentence: string;
  rule: string | null;
  values: Record<string, number | string>;
  terms: string[];
}

/**
 * A seat and its token, the only key to it.  The HTTP API answers this too, to a new table and to joining one.
 *
 * It has no `id` if the host has let the receiver in.
 */
export interface Seated {
  type: "seated";
  table: string;
  code: string;
  seat: number;
  token: string;
  link: string;
  id: number | null;
  from_next_deal: boolean;
}

/** The answer to `take_seat` if the host has to agree.  The receiver watches until the host answers. */
export interface Requested {
  type: "requested";
  id: number;
  request: number;
}

/** The host does not want the receiver to sit down. */
export interface Declined {
  type: "declined";
}

export interface Said {
  type: "said";
  line: ChatLine;
}

export interface Emoted {
  type: "emoted";
  seat: number;
  emote: "hello" | "hurry" | "laugh" | "oops" | "thanks" | "thinking" | "well_played" | "wow";
}

/** The answer to `ask_coach`; `is_available` is false if the table or the server has no coach. */
export interface Coach {
  type: "coach";
  id: number;
  decision: string;
  is_available: boolean;
  advice: Advice[];
  best: string | null;
}

/** What the coach says about one legal action. */
export interface Advice {
  action: string;
  points: number | null;
  chance: number | null;
}

/** The complete list of public tables, first as the answer to `watch_lobby` and then after every change. */
export interface Lobby {
  type: "lobby";
  tables: LobbyTable[];
  id: number | null;
}

/** A public table in the list. */
export interface LobbyTable {
  id: string;
  code: string;
  phase: "gathering" | "over" | "playing";
  host: string | null;
  rules: Rules;
  seats: number;
  people: string[];
  bots: number;
  open_seats: number;
  spectators: number;
  clock_s: number | null;
}

export interface Pong {
  type: "pong";
  id: number;
}

/** The receiver has lost the seat: the host removed the player, or another person took the seat. */
export interface Removed {
  type: "removed";
  reason: "removed" | "taken";
}

export interface MyGames {
  games: MyGame[];
}

/** A seat to which one of the tokens belongs.  `token` is the index of that token in the request. */
export interface MyGame {
  token: number;
  table: string;
  code: string;
  seat: number;
  name: string;
  phase: "gathering" | "over" | "playing";
  names: string[];
  is_my_turn: boolean;
  changed: number;
  game: string | null;
}

export interface LobbyList {
  tables: LobbyTable[];
}

/** GET /api/form: the choices for a new table. */
export interface TableForm {
  featured: FeaturedOffer[];
  rulebooks: RulebookOffer[];
  decisions: RuleDecision[];
  clashes: RuleClash[];
  together: RuleTogether[];
  seats: RuleSeats[];
  last_rounds: Record<string, number>;
  levels: string[];
  emotes: ("hello" | "hurry" | "laugh" | "oops" | "thanks" | "thinking" | "well_played" | "wow")[];
  has_coach: boolean;
  version: number;
}

/** A game that people choose by its picture, which shows these cards.  Its name is `web.featured.<name>`. */
export interface FeaturedOffer {
  name: string;
  rules: Rules;
  faces: string[];
}

export interface RulebookOffer {
  rules: Rules;
  variants: string[];
  offers_specials: boolean;
}

export interface RuleDecision {
  key: string;
  form: "numbers" | "one" | "subset" | "switch";
  choices: RuleChoice[];
}

/** One choice for a decision.  The catalogue has its text under `rules.<key>.<name>`. */
export interface RuleChoice {
  value: string | boolean;
  name: string;
  rule: string;
}

/** Two settings that cannot be combined.  The value "any" of the special cards means at least one of them. */
export interface RuleClash {
  one: RuleSetting;
  other: RuleSetting;
  rule: string;
}

export interface RuleSetting {
  key: string;
  value: string | boolean;
}

/** Two choices of a subset that must be chosen together or not at all. */
export interface RuleTogether {
  one: RuleSetting;
  other: RuleSetting;
  rule: string;
}

/** A setting that works only with these numbers of players, or whose games have other rounds than usual. */
export interface RuleSeats {
  setting: RuleSetting;
  seats: number[];
  last_rounds: Record<string, number>;
  rule: string;
}

/** GET /api/games/{game}: a game, running or finished. */
export interface GameSummary {
  game: string;
  table: string;
  names: string[];
  bots: (string | null)[];
  rules: Rules;
  is_finished: boolean;
  winners: number[];
  totals: number[];
  rounds: number[];
  fair: FairProof;
  started: number;
  finished: number | null;
  record: string | null;
  replay: string | null;
}

/**
 * GET /api/games/{game}/replay/{round}, POST /api/replay: a round of a finished game, with everyone's hand.
 *
 * The first frame is the deal, the last one the round with its points.
 */
export interface Replay {
  game: string;
  round: number;
  hands: string[][];
  frames: Frame[];
}

/**
 * One step of a replay: the action of a seat, the events that followed, and the view after them.
 *
 * `hands` and `bids` are those of all seats at this moment, also where the view does not show them.
 */
export interface Frame {
  seat: number | null;
  action: string | null;
  decision: string | null;
  events: (RoundDealt | Exchanged | TrumpSettled | BidMade | BidsShown | Played | TrickEnded | CardsPassed | BidChanged | RoundScored | GameOver)[];
  view: View;
  hands: string[][];
  bids: (number | null)[];
}

/**
 * POST /api/games/{game}/review, POST /api/review: the review, or its progress.
 *
 * Ask again until `review` is there.
 */
export interface GameReview {
  game: string;
  done: number;
  total: number;
  ahead: number;
  review: Review | null;
}

/** The coach's review of a finished game.  For each choice it looked at `worlds` ways to deal the hidden cards. */
export interface Review {
  worlds: number;
  seats: SeatReview[];
  choices: ReviewedChoice[];
}

/**
 * The review of one seat: points = cards - mistakes + fortune.  `luck` is relative to the table (docs/coach.md).
 *
 * Each error is one standard error.
 */
export interface SeatReview {
  seat: number;
  points: number;
  cards: number;
  cards_error: number;
  mistakes: number;
  mistakes_error: number;
  fortune: number;
  luck: number;
  luck_error: number;
  by_bids: number;
  by_plays: number;
  choices: number;
  worst: Mistake[];
}

/** One of the choices that cost the most points, and what the player could see at that moment. */
export interface Mistake {
  choice: ReviewedChoice;
  view: View;
}

/**
 * A choice in a finished game, with the points that the coach expected from it and from the best choice.
 *
 * `cost` is the difference between the two, or 0 if the difference may be chance; `cost_error` is the standard error
 * of that difference.
 */
export interface ReviewedChoice {
  round: number;
  decision: string;
  seat: number;
  action: string;
  best: string;
  points: number;
  best_points: number;
  cost: number;
  cost_error: number;
}

/** GET /api/health, /api/ready. */
export interface Health {
  status: "failing" | "ok" | "stopping";
  version: string;
  has_engine: boolean;
}

/** The body of every HTTP response that is not a success. */
export interface Failure {
  error: Error;
}

export type FromClient =
  | Hello
  | WatchLobby
  | Ping
  | Act
  | Chat
  | ShowEmote
  | Away
  | Back
  | Leave
  | Ready
  | SayWord
  | SealWord
  | RevealWord
  | Sit
  | TakeSeat
  | Start
  | Fill
  | Empty
  | Remove
  | AllowBack
  | AnswerRequest
  | Mute
  | PassHost
  | ChangeOptions
  | Rematch
  | AskCoach;

export type FromServer =
  | Welcome
  | Snapshot
  | TableChanged
  | Done
  | Refusal
  | Seated
  | Requested
  | Declined
  | Said
  | Emoted
  | Coach
  | Lobby
  | Pong
  | Removed;

export type GameEvent =
  | BidChanged
  | BidMade
  | BidsShown
  | CardsPassed
  | Exchanged
  | GameOver
  | Played
  | RoundDealt
  | RoundScored
  | TrickEnded
  | TrumpSettled;
