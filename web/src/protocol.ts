// Made from src/foretell/server/wire/protocol.py by `python -m foretell.server.wire.generate`. Do not edit.

export const PROTOCOL_VERSION = 1;

/** A card's code: `R5`, `ZB`, `NG`, `DRAGON`. */
export type Card = string;

/** A card as it lies in the trick: `R5`, `JUGGLER:R`, `SHAPESHIFTER:Z`. */
export type Face = string;

/** An action: `bid 2`, `play R5`, `trump none`, `pass G3`, `change +1`. */
export type Action = string;

/** Comes to a table: with a seat's token, or without one as a spectator.  Said again after every reconnection. */
export interface Hello {
  type: "hello";
  version: number;
  table: string;
  token?: string | null;
  name?: string | null;
  language?: string;
  id?: number;
}

/** Asks for the list of public tables, and for every change of it. */
export interface WatchLobby {
  type: "watch_lobby";
  version: number;
  id?: number;
}

/** Is the line alive? */
export interface Ping {
  type: "ping";
  id?: number;
}

/** Answers the `decision` that the View names; an answer to another decision is refused as stale. */
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

/** Be right back: a bot plays meanwhile.  The host may say so of a `seat` whose player does not answer. */
export interface Away {
  type: "away";
  seat?: number | null;
  id?: number;
}

/** Takes the seat back at once.  So does acting, or hello. */
export interface Back {
  type: "back";
  id?: number;
}

/** Gives the seat up: open again before the start; played by a bot, and free to be taken, in a game. */
export interface Leave {
  type: "leave";
  id?: number;
}

export interface Ready {
  type: "ready";
  is_ready?: boolean;
  id?: number;
}

/** The own word for the fair deals, before the start. */
export interface SayWord {
  type: "word";
  word: string;
  id?: number;
}

/** A player's move to an open seat, before the start. */
export interface Sit {
  type: "sit";
  seat: number;
  id?: number;
}

/** A spectator sits down: an open seat before the start, a bot's in a running game.  Answered by `seated`. */
export interface TakeSeat {
  type: "take_seat";
  name: string;
  seat?: number | null;
  word?: string;
  id?: number;
}

/** The host's: open seats are filled with bots of `level`; without it, all seats must be taken. */
export interface Start {
  type: "start";
  level?: string | null;
  id?: number;
}

/** The host's: a bot for an open seat, or another level for a bot's. */
export interface Fill {
  type: "fill";
  seat: number;
  level: string;
  id?: number;
}

/** The host's, before the start: takes the bot from a seat. */
export interface Empty {
  type: "empty";
  seat: number;
  id?: number;
}

/** The host's, before the start: a player has to go; the token of that seat is void. */
export interface Remove {
  type: "remove";
  seat: number;
  id?: number;
}

/** The host's: nobody hears this seat's chat and emotes; without a seat, those of all spectators. */
export interface Mute {
  type: "mute";
  seat?: number | null;
  is_muted?: boolean;
  id?: number;
}

/** The host's: someone else is host now. */
export interface PassHost {
  type: "pass_host";
  seat: number;
  id?: number;
}

/** The host's, before the start: other rules, another clock.  `bots` is ignored; no one loses a seat. */
export interface ChangeOptions {
  type: "options";
  options: Partial<TableOptions>;
  id?: number;
}

/** What a table is made with.  The rules decide how many may sit down; two bots and one person are a game. */
export interface TableOptions {
  rules: Rules;
  seats: number;
  bots: string[];
  is_public: boolean;
  clock_s: number | null;
  coach: boolean;
  bot_pause_ms: number;
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

/** After a game: the same people again.  The next game begins when every person at the table has said so. */
export interface Rematch {
  type: "rematch";
  id?: number;
}

/** Odds for the decision that is awaited of this seat. */
export interface AskCoach {
  type: "ask_coach";
  decision: string;
  id?: number;
}

/** POST /api/tables: answered by `Seated`. */
export interface NewTable {
  name: string;
  options?: Partial<TableOptions>;
  word?: string;
}

/** POST /api/tables/{table}/seats: an open seat, or a bot's in a running game; answered by `Seated`. */
export interface Join {
  name: string;
  seat?: number | null;
  word?: string;
}

/** POST /api/mine: the tokens a browser holds. */
export interface Mine {
  tokens: string[];
}

/** The answer to hello: all there is to know now. */
export interface Welcome {
  type: "welcome";
  id: number;
  version: number;
  seat: number | null;
  table: Table;
  snapshot: Snapshot | null;
  chat: ChatLine[];
}

/** Everything about a table but its cards. */
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
}

/** A place at the table and who is there. */
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
  may_be_taken: boolean;
}

/** Fair deals: the commit from the start, the words once the cards are dealt, the secret after the last round. */
export interface FairProof {
  commit: string;
  words: string[] | null;
  secret: string | null;
}

/**
 * The game as this socket may know it, after `events`.  `number` counts the accepted actions of the game.
 *
 * An action that ends a round, but not the game, is told in two snapshots of the same number: first the scored round,
 * in which nobody is asked anything (`view.phase` is "deal"), and right after it the next deal.
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

/** A decision that is awaited, and the milliseconds left for it; None where the table has no clock. */
export interface Clock {
  seat: number;
  left_ms: number | null;
}

export interface ChatLine {
  seat: number | null;
  name: string;
  text: string;
  at: number;
}

/** Someone came, went, sat down, is away, is back; the game began or ended. */
export interface TableChanged {
  type: "table";
  table: Table;
  seat: number | null;
}

/** Accepted, and stored.  What followed from it (`snapshot`, `table`, `said`) has been sent before. */
export interface Done {
  type: "done";
  id: number;
}

/** Not accepted; nothing has changed.  `id` is None where the message could not be read. */
export interface Refusal {
  type: "refused";
  id: number | null;
  error: Error;
}

/**
 * What went wrong: `code` and `values` for the catalogue (`error.<code>`), `sentence` already said.
 *
 * `terms` names those of the values that are keys of the catalogue themselves (`colour.R`).
 */
export interface Error {
  code: string;
  sentence: string;
  rule: string | null;
  values: Record<string, number | string>;
  terms: string[];
}

/** A seat and the only key to it; also the answer of the HTTP API to a new table and to joining one. */
export interface Seated {
  type: "seated";
  table: string;
  code: string;
  seat: number;
  token: string;
  link: string;
  id: number | null;
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

/** The answer to `ask_coach`; `is_available` is false where the table or the server has no coach. */
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

/** The public tables, whole, at first and after every change. */
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

/** This socket's seat is gone: the host removed the player, or another person has taken the seat. */
export interface Removed {
  type: "removed";
  reason: "removed" | "taken";
}

export interface MyGames {
  games: MyGame[];
}

/** A seat that one of the tokens opens; `token` is the place of that token in the question. */
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

/** GET /api/form: what a new table may choose from. */
export interface TableForm {
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

/** One way to decide; its name is in the catalogue under `rules.<key>.<name>`. */
export interface RuleChoice {
  value: string | boolean;
  name: string;
  rule: string;
}

/** Two settings that do not go together; "any" of the specials stands for at least one. */
export interface RuleClash {
  one: RuleSetting;
  other: RuleSetting;
  rule: string;
}

export interface RuleSetting {
  key: string;
  value: string | boolean;
}

/** Two of a subset's choices that go in together or not at all. */
export interface RuleTogether {
  one: RuleSetting;
  other: RuleSetting;
  rule: string;
}

/** A setting that only so many can play with. */
export interface RuleSeats {
  setting: RuleSetting;
  seats: number[];
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

/** GET /api/games/{game}/replay/{round}: a round of a finished game, all hands open at its first frame. */
export interface Replay {
  game: string;
  round: number;
  hands: string[][];
  frames: Frame[];
}

/** One step of a replay: who did what, what followed, and how the game looked after it. */
export interface Frame {
  seat: number | null;
  action: string | null;
  events: (RoundDealt | Exchanged | TrumpSettled | BidMade | BidsShown | Played | TrickEnded | CardsPassed | BidChanged | RoundScored | GameOver)[];
  view: View;
}

/** POST /api/games/{game}/review: the review, or how far it is; ask again until it is there. */
export interface GameReview {
  game: string;
  done: number;
  total: number;
  ahead: number;
  review: Review | null;
}

/** A finished game gone through by the coach, in so many worlds for each choice. */
export interface Review {
  worlds: number;
  seats: SeatReview[];
  choices: ReviewedChoice[];
}

/** A seat's game: points = cards - mistakes + fortune; luck is against the table's average (docs/coach.md). */
export interface SeatReview {
  seat: number;
  points: number;
  cards: number;
  mistakes: number;
  fortune: number;
  luck: number;
  by_bids: number;
  by_plays: number;
  choices: number;
  worst: Mistake[];
}

/** One of the choices that cost most, with all that the seat knew when it chose. */
export interface Mistake {
  choice: ReviewedChoice;
  view: View;
}

/**
 * A choice of a finished game, and what the coach thinks of it: points expected of it and of the best one.
 *
 * `cost` is how far it was behind; 0 where that may be chance.
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
}

/** GET /api/health, /api/ready. */
export interface Health {
  status: "failing" | "ok" | "stopping";
  version: string;
}

/** The body of every HTTP answer that is not a success. */
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
  | Sit
  | TakeSeat
  | Start
  | Fill
  | Empty
  | Remove
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
