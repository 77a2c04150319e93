"""Every message between a server and its clients, in both directions, and every body of the HTTP API.

A WebSocket (`/ws`) carries JSON texts.  Each message is one object, and its `type` says which message it is.  The first
message is `hello` (to a table) or `watch_lobby` (for the list of public tables).  Every message from a client is
answered once, with the client's `id`: by `done`, by `refused`, or by what was asked for (`welcome`, `seated`, `coach`,
`lobby`, `pong`).  To reconnect, a client sends hello again.

`docs/protocol.md` explains the protocol.  The page's TypeScript types and the OpenAPI description are generated from
this module (`python -m foretell.server.wire.generate`), and a test fails when they are stale.
"""

from collections.abc import Callable
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from foretell.deals import MOST_WORD
from foretell.engine.codec import decoded, encoded
from foretell.engine.events import Event
from foretell.engine.view import View
from foretell.rules import Rules
from foretell.server.wire.user_text import MOST_CHAT, MOST_NAME

__all__ = [
    "VERSION",
    "Act",
    "Advice",
    "AllowBack",
    "AnswerRequest",
    "AskCoach",
    "AtTable",
    "Away",
    "Back",
    "ChangeOptions",
    "Chat",
    "ChatLine",
    "ChatText",
    "ClientKey",
    "ClientMessage",
    "Clock",
    "Coach",
    "Declined",
    "Done",
    "Draw",
    "Emote",
    "Emoted",
    "Empty",
    "Error",
    "Failure",
    "FairProof",
    "FeaturedOffer",
    "Fill",
    "Frame",
    "FromClient",
    "FromServer",
    "GameReview",
    "GameSummary",
    "Health",
    "Hello",
    "Join",
    "Leave",
    "Level",
    "Lobby",
    "LobbyList",
    "LobbyTable",
    "MessageId",
    "Mine",
    "Mistake",
    "Mute",
    "MyGame",
    "MyGames",
    "Name",
    "NewTable",
    "PassHost",
    "Ping",
    "Pong",
    "Ready",
    "Refusal",
    "Rematch",
    "Remove",
    "Removed",
    "Replay",
    "Requested",
    "RevealWord",
    "Review",
    "ReviewedChoice",
    "RuleChoice",
    "RuleClash",
    "RuleDecision",
    "RuleSeats",
    "RuleSetting",
    "RuleTogether",
    "RulebookOffer",
    "Said",
    "SayWord",
    "SealWord",
    "Seat",
    "SeatNumber",
    "SeatRequest",
    "SeatReview",
    "Seated",
    "ServerMessage",
    "ShowEmote",
    "Sit",
    "Snapshot",
    "Start",
    "Table",
    "TableChanged",
    "TableForm",
    "TableKey",
    "TableOptions",
    "TakeSeat",
    "Token",
    "WatchLobby",
    "Welcome",
    "Word",
    "id_in",
    "read_client",
    "read_server",
    "write",
]

VERSION = 1
"""Goes up when an old page could no longer play.  New fields do not change it: readers ignore unknown fields."""

Name = Annotated[str, Meta(min_length=1, max_length=MOST_NAME)]
Word = Annotated[str, Meta(max_length=MOST_WORD, description="The player's word for fair deals")]
Sha256 = Annotated[
    str,
    Meta(
        min_length=64, max_length=64, pattern="^[0-9a-f]{64}$", description="SHA-256, in hex digits"
    ),
]
ChatText = Annotated[str, Meta(min_length=1, max_length=MOST_CHAT)]
Token = Annotated[str, Meta(min_length=16, max_length=64, description="The key to a seat")]
ClientKey = Annotated[
    str,
    Meta(
        min_length=16,
        max_length=64,
        description="A random secret of one browser or program: at each table it has one seat at most",
    ),
]
TableKey = Annotated[str, Meta(min_length=4, max_length=32, description="A table's id or code")]
SeatNumber = Annotated[int, Meta(ge=0, le=5)]
Level = Annotated[str, Meta(min_length=1, max_length=24, description="A bot's level, by name")]
Emote = Literal["hello", "thanks", "well_played", "oops", "thinking", "hurry", "wow", "laugh"]
MessageId = Annotated[int, Meta(ge=0, le=2**53 - 1)]


# Values that messages in both directions contain


class TableOptions(Struct, frozen=True, kw_only=True):
    """The settings of a table.  The rules decide how many players it may have; one person and two bots are enough."""

    rules: Rules = Rules()
    seats: Annotated[int, Meta(ge=3, le=6)] = 4
    bots: Annotated[
        tuple[Level, ...], Meta(max_length=5)
    ] = ()  # their levels; they get the last seats
    is_public: bool = False
    clock_s: Annotated[int, Meta(ge=1, le=3600)] | None = (
        None  # seconds for each decision; None: no limit
    )
    coach: bool = True  # whether players may ask the coach during the game
    bot_pause_ms: Annotated[int, Meta(ge=0, le=5000)] = 700  # before a bot acts
    approval: bool = False  # whether the host has to let in everyone who wants to sit down


class Error(Struct, frozen=True, kw_only=True):
    """What went wrong: `code` and `values` for the catalogue (`error.<code>`), and `sentence`, the finished text.

    `terms` names the values that are themselves keys of the catalogue (`colour.R`).
    """

    code: str
    sentence: str
    rule: str | None = None
    values: dict[str, int | float | str] = {}
    terms: tuple[str, ...] = ()


class Seat(Struct, frozen=True, kw_only=True):
    """A seat at the table, and the person or bot who has it."""

    seat: int
    kind: Literal["open", "person", "bot"]
    name: str | None = None
    level: str | None = None  # of the bot; for a person, of the bot who had the seat before
    is_connected: bool = False
    is_away: bool = False  # the player said so, or ran out of time
    is_ready: bool = False
    is_muted: bool = False
    is_played_by_bot: bool = False  # a bot acts for this person until they are back
    grace_ms: int | None = None  # a bot acts so long after a lost connection
    patience_ms: int | None = (
        None  # between games: any player may send `away` for this one after that
    )
    may_be_taken: bool = False  # a new player may take this seat
    has_word: bool = False  # has sent a word, or the hash of one, for the next game
    next_name: str | None = None  # of the person who gets this seat with the next deal


class SeatRequest(Struct, frozen=True, kw_only=True):
    """Someone who wants to sit down and waits for the host's answer."""

    request: int
    name: str
    seat: int | None = None  # None: any


class FairProof(Struct, frozen=True, kw_only=True):
    """Proof of fair deals: the commit from the start, the words after the deal, the secret after the last round.

    `hashes` are those by which players fixed their words: None for a seat without one, and none at all if no seat had
    one.  If a seat's word is its hash, the player did not reveal the word in time.
    """

    commit: str
    words: tuple[str, ...] | None = None
    secret: str | None = None
    hashes: tuple[str | None, ...] = ()


class Draw(Struct, frozen=True, kw_only=True):
    """The words of a game that is about to begin.  Nothing here changes any more, except who is `missing`.

    `words` are those that were sent openly.  For a seat with a hash the text is empty until the game begins.
    """

    commit: str
    hashes: tuple[str | None, ...]
    words: tuple[str, ...]
    missing: tuple[int, ...]  # seats that have not revealed their words yet


class Table(Struct, frozen=True, kw_only=True):
    """Everything about a table except its cards."""

    id: str
    code: str  # short, to be read aloud
    phase: Literal["gathering", "playing", "over"]
    options: TableOptions
    host: int | None
    seats: tuple[Seat, ...]
    spectators: int
    are_spectators_muted: bool
    game: str | None  # the id of the current or last game
    fair: FairProof | None  # of that game
    next_commit: str | None = None  # the commit of the next game, while no game is played
    replay: str | None = None  # the address of the finished game's replay
    games_played: int = 0
    rematch: tuple[int, ...] = ()  # seats that want another game
    draw: Draw | None = None  # while players reveal their words for a game that is about to begin
    requests: tuple[SeatRequest, ...] = ()  # who asks the host for a seat
    removed: tuple[str, ...] = ()  # the names of those whom the host has removed


class Clock(Struct, frozen=True):
    """A seat that has to decide, and the milliseconds left for the decision; None if it has no time limit.

    `patience_ms` is how long it takes until any player may let a bot play for this seat (`away`).  It is None at a
    table with a clock, and if a bot acts already.
    """

    seat: int
    left_ms: int | None
    patience_ms: int | None = None


class ChatLine(Struct, frozen=True, kw_only=True):
    seat: int | None  # None: a spectator
    name: str
    text: str
    at: float  # seconds since 1970


class Advice(Struct, frozen=True, kw_only=True):
    """What the coach says about one legal action."""

    action: str
    points: float | None = None  # expected for the round
    chance: float | None = None  # to make the bid exactly


class LobbyTable(Struct, frozen=True, kw_only=True):
    """A public table in the list."""

    id: str
    code: str
    phase: Literal["gathering", "playing", "over"]
    host: str | None
    rules: Rules
    seats: int
    people: tuple[str, ...]
    bots: int
    open_seats: int
    spectators: int
    clock_s: int | None


# From the client


class Numbered(Struct, kw_only=True):
    """The part of a message that is needed to refuse it: the answer has the same `id`."""

    id: MessageId = 0


class ClientMessage(Numbered, tag_field="type", kw_only=True):
    """A message from a client.  `type` says which one."""


class Hello(ClientMessage, tag="hello"):
    """Connects to a table, with a seat's token or as a spectator without one.  Sent again after every reconnection."""

    version: int
    table: TableKey
    token: Token | None = None
    name: Name | None = None  # a spectator's, for the chat
    language: Annotated[str, Meta(max_length=8)] = "en"  # of the sentences in errors
    key: ClientKey | None = None  # for `take_seat`


class WatchLobby(ClientMessage, tag="watch_lobby"):
    """Asks for the list of public tables, now and after every change."""

    version: int


class Act(ClientMessage, tag="act"):
    """Makes the `decision` that the View names.  An answer to any other decision is refused as stale."""

    decision: Annotated[str, Meta(max_length=32)]
    action: Annotated[str, Meta(max_length=32)]


class Chat(ClientMessage, tag="chat"):
    text: ChatText


class ShowEmote(ClientMessage, tag="emote"):
    emote: Emote


class Away(ClientMessage, tag="away"):
    """Be right back: a bot plays for the sender.  The host may send it for another `seat` whose player does not act.

    At a table without a clock every player may, once that seat has kept the table waiting for two minutes.
    """

    seat: SeatNumber | None = None


class Back(ClientMessage, tag="back"):
    """The sender is no longer away, and plays again.  An act or a hello has the same effect."""


class Leave(ClientMessage, tag="leave"):
    """Gives up the seat.  Before a game the seat is open again.  In a game a bot plays, and anyone may take it.

    Someone who waits for a seat, or for the host's answer, no longer wants it.
    """


class Ready(ClientMessage, tag="ready"):
    is_ready: bool = True


class SayWord(ClientMessage, tag="word"):
    """Before a game: sets the sender's word for the fair deals, openly.  `word_hash` proves more (docs/fair.md)."""

    word: Word


class SealWord(ClientMessage, tag="word_hash"):
    """Before a game: fixes the sender's word without showing it.  `commit` is the `next_commit` that the sender saw."""

    commit: Sha256
    hash: Sha256


class RevealWord(ClientMessage, tag="reveal"):
    """While the table has a `draw`: shows the word that fits the sender's hash."""

    word: Word


class Sit(ClientMessage, tag="sit"):
    """Before a game: moves the sender to an open seat."""

    seat: SeatNumber


class TakeSeat(ClientMessage, tag="take_seat"):
    """A spectator takes a seat: an open one, a bot's, or one whose player has left.  Answered by `seated`.

    In a running game the seat is the spectator's with the next deal.  If the host has to agree, the answer is
    `requested`, and `seated` or `declined` follows later.
    """

    name: Name
    seat: SeatNumber | None = None  # None: any
    word: Word = ""


class Start(ClientMessage, tag="start"):
    """From the host: starts a game.  Bots of `level` fill the open seats; without a level, no seat may be open."""

    level: Level | None = None


class Fill(ClientMessage, tag="fill"):
    """From the host: puts a bot into an open seat, or changes the level of a bot."""

    seat: SeatNumber
    level: Level


class Empty(ClientMessage, tag="empty"):
    """From the host, before a game: removes the bot from a seat."""

    seat: SeatNumber


class Remove(ClientMessage, tag="remove"):
    """From the host: removes a player, whose token is no longer valid.  In a game, a bot takes the seat.

    If somebody is about to get the seat with the next deal, it removes that person.
    """

    seat: SeatNumber


class AllowBack(ClientMessage, tag="allow_back"):
    """From the host: people of this name, whom the host has removed, may come back."""

    name: Name


class AnswerRequest(ClientMessage, tag="answer_request"):
    """From the host: whether someone who asked may sit down."""

    request: MessageId
    is_admitted: bool


class Mute(ClientMessage, tag="mute"):
    """From the host: refuses the chat and emotes of this seat, or of all spectators if there is no seat."""

    seat: SeatNumber | None = None
    is_muted: bool = True


class PassHost(ClientMessage, tag="pass_host"):
    """From the host: makes another player the host."""

    seat: SeatNumber


class ChangeOptions(ClientMessage, tag="options"):
    """From the host, before a game: changes the settings of the table.  `bots` is ignored; nobody loses a seat."""

    options: TableOptions


class Rematch(ClientMessage, tag="rematch"):
    """After a game: asks for another.  It begins when every player who is connected has asked for it."""


class AskCoach(ClientMessage, tag="ask_coach"):
    """Asks the coach about the decision that this seat has to make."""

    decision: Annotated[str, Meta(max_length=32)]


class Ping(ClientMessage, tag="ping"):
    """Asks whether the connection still works."""


AtTable = (
    Act
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
    | AskCoach
)
"""The messages that go to the inbox of a table."""

FromClient = Hello | WatchLobby | Ping | AtTable


# From the server


class ServerMessage(Struct, tag_field="type", kw_only=True):
    """A message from the server.  `type` says which one."""


class Snapshot(ServerMessage, tag="snapshot"):
    """The game as this seat may see it, after `events`.  `number` is how many actions of the game were accepted.

    After an action that ends a round, but not the game, two snapshots of the same number follow: first the scored
    round, in which nobody has to decide anything (`view.phase` is "deal"), then the next deal.
    """

    game: str
    number: int
    view: View
    events: tuple[Event, ...] = ()
    clocks: tuple[Clock, ...] = ()


class TableChanged(ServerMessage, tag="table"):
    """The table has changed: someone came, left, took a seat, is away or back, or a game began or ended."""

    table: Table
    seat: int | None  # the seat of the client that receives this
    next_seat: int | None = None  # the seat that this client gets with the next deal


class Welcome(ServerMessage, tag="welcome"):
    """The answer to hello: the table, the game and the chat as they are now."""

    id: int
    version: int
    seat: int | None
    table: Table
    snapshot: Snapshot | None
    chat: tuple[ChatLine, ...]
    next_seat: int | None = None  # the seat that this client gets with the next deal
    request: int | None = None  # of this client, if it waits for the host's answer


class Done(ServerMessage, tag="done"):
    """The message was accepted and stored.  Its results (`snapshot`, `table`, `said`) were sent before this answer."""

    id: int


class Refusal(ServerMessage, tag="refused"):
    """The message was refused, and nothing has changed.  `id` is None if the message could not be read."""

    id: int | None
    error: Error


class Seated(ServerMessage, tag="seated"):
    """A seat and its token, the only key to it.  The HTTP API answers this too, to a new table and to joining one.

    It has no `id` if the host has let the receiver in.
    """

    table: str
    code: str
    seat: int
    token: str
    link: str  # a path on this server, to send to friends
    id: int | None = None
    from_next_deal: bool = False  # until then a bot plays, and the receiver watches


class Requested(ServerMessage, tag="requested"):
    """The answer to `take_seat` if the host has to agree.  The receiver watches until the host answers."""

    id: int
    request: int


class Declined(ServerMessage, tag="declined"):
    """The host does not want the receiver to sit down."""


class Said(ServerMessage, tag="said"):
    line: ChatLine


class Emoted(ServerMessage, tag="emoted"):
    seat: int
    emote: Emote


class Coach(ServerMessage, tag="coach"):
    """The answer to `ask_coach`; `is_available` is false if the table or the server has no coach."""

    id: int
    decision: str
    is_available: bool
    advice: tuple[Advice, ...] = ()
    best: str | None = None


class Lobby(ServerMessage, tag="lobby"):
    """The complete list of public tables, first as the answer to `watch_lobby` and then after every change."""

    tables: tuple[LobbyTable, ...]
    id: int | None = None


class Pong(ServerMessage, tag="pong"):
    id: int


class Removed(ServerMessage, tag="removed"):
    """The receiver has lost the seat: the host removed the player, or another person took the seat."""

    reason: Literal["removed", "taken"]


FromServer = (
    Welcome
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
    | Removed
)


# HTTP bodies


class NewTable(Struct, frozen=True, kw_only=True):
    """POST /api/tables: creates a table.  Answered by `Seated`."""

    name: Name
    options: TableOptions = TableOptions()
    word: Word = ""
    key: ClientKey | None = None


class Join(Struct, frozen=True, kw_only=True):
    """POST /api/tables/{table}/seats: takes a seat, as `TakeSeat` does.  Answered by `Seated`.

    A second request with the same `key` gets the same seat and the same token.
    """

    name: Name
    seat: SeatNumber | None = None
    word: Word = ""
    key: ClientKey | None = None


class Mine(Struct, frozen=True, kw_only=True):
    """POST /api/mine: asks for the games of these tokens, which the browser has stored."""

    tokens: Annotated[tuple[Token, ...], Meta(max_length=100)]


class MyGame(Struct, frozen=True, kw_only=True):
    """A seat to which one of the tokens belongs.  `token` is the index of that token in the request."""

    token: int
    table: str
    code: str
    seat: int
    name: str
    phase: Literal["gathering", "playing", "over"]
    names: tuple[str, ...]
    is_my_turn: bool
    changed: float  # seconds since 1970
    game: str | None = None


class MyGames(Struct, frozen=True, kw_only=True):
    games: tuple[MyGame, ...]


class LobbyList(Struct, frozen=True, kw_only=True):
    tables: tuple[LobbyTable, ...]


class RuleChoice(Struct, frozen=True, kw_only=True):
    """One choice for a decision.  The catalogue has its text under `rules.<key>.<name>`."""

    value: str | bool
    name: str
    rule: str


class RuleSetting(Struct, frozen=True, kw_only=True):
    key: str
    value: str | bool


class RuleDecision(Struct, frozen=True, kw_only=True):
    key: str
    form: Literal["one", "switch", "subset", "numbers"]
    choices: tuple[RuleChoice, ...]


class RuleClash(Struct, frozen=True, kw_only=True):
    """Two settings that cannot be combined.  The value "any" of the special cards means at least one of them."""

    one: RuleSetting
    other: RuleSetting
    rule: str


class RuleTogether(Struct, frozen=True, kw_only=True):
    """Two choices of a subset that must be chosen together or not at all."""

    one: RuleSetting
    other: RuleSetting
    rule: str


class RuleSeats(Struct, frozen=True, kw_only=True):
    """A setting that works only with these numbers of players, or whose games have other rounds than usual."""

    setting: RuleSetting
    seats: tuple[int, ...]
    last_rounds: dict[str, int]  # the last round, by number of players
    rule: str


class RulebookOffer(Struct, frozen=True, kw_only=True):
    rules: Rules
    variants: tuple[str, ...]
    offers_specials: bool


class FeaturedOffer(Struct, frozen=True, kw_only=True):
    """A game that people choose by its picture, which shows these cards.  Its name is `web.featured.<name>`."""

    name: str
    rules: Rules
    faces: tuple[str, ...]


class TableForm(Struct, frozen=True, kw_only=True):
    """GET /api/form: the choices for a new table."""

    featured: tuple[FeaturedOffer, ...]
    rulebooks: tuple[RulebookOffer, ...]
    decisions: tuple[RuleDecision, ...]
    clashes: tuple[RuleClash, ...]
    together: tuple[RuleTogether, ...]
    seats: tuple[RuleSeats, ...]
    last_rounds: dict[str, int]  # the last round, by number of players
    levels: tuple[str, ...]  # of bots, the weakest first
    emotes: tuple[Emote, ...]
    has_coach: bool
    version: int


class GameSummary(Struct, frozen=True, kw_only=True):
    """GET /api/games/{game}: a game, running or finished."""

    game: str
    table: str  # always empty, for older clients: links to a game are shared, and a table's id opens the table
    names: tuple[str, ...]
    bots: tuple[str | None, ...]
    rules: Rules
    is_finished: bool
    winners: tuple[int, ...]
    totals: tuple[int, ...]
    rounds: tuple[int, ...]  # numbers of the rounds that can be replayed
    fair: FairProof
    started: float
    finished: float | None
    record: str | None  # the address of the record; None until the game is finished
    replay: str | None


class Frame(Struct, frozen=True, kw_only=True):
    """One step of a replay: the action of a seat, the events that followed, and the view after them.

    `hands` and `bids` are those of all seats at this moment, also where the view does not show them.
    """

    seat: int | None  # None: the deal
    action: str | None
    decision: str | None  # what the seat was asked
    events: tuple[Event, ...]
    view: View
    hands: tuple[tuple[str, ...], ...]
    bids: tuple[int | None, ...]  # as made; None for a seat that has not bid yet


class Replay(Struct, frozen=True, kw_only=True):
    """GET /api/games/{game}/replay/{round}, POST /api/replay: a round of a finished game, with everyone's hand.

    The first frame is the deal, the last one the round with its points.
    """

    game: str  # its id; empty for a record that was sent
    round: int
    hands: tuple[tuple[str, ...], ...]  # as dealt
    frames: tuple[Frame, ...]


class ReviewedChoice(Struct, frozen=True, kw_only=True):
    """A choice in a finished game, with the points that the coach expected from it and from the best choice.

    `cost` is the difference between the two, or 0 if the difference may be chance; `cost_error` is the standard error
    of that difference.
    """

    round: int
    decision: str
    seat: int
    action: str
    best: str
    points: float
    best_points: float
    cost: float
    cost_error: float


class Mistake(Struct, frozen=True, kw_only=True):
    """One of the choices that cost the most points, and what the player could see at that moment."""

    choice: ReviewedChoice
    view: View


class SeatReview(Struct, frozen=True, kw_only=True):
    """The review of one seat: points = cards - mistakes + fortune.  `luck` is relative to the table (docs/coach.md).

    Each error is one standard error.
    """

    seat: int
    points: int
    cards: float
    cards_error: float
    mistakes: float
    mistakes_error: float
    fortune: float
    luck: float
    luck_error: float
    by_bids: float
    by_plays: float
    choices: int
    worst: tuple[Mistake, ...]


class Review(Struct, frozen=True, kw_only=True):
    """The coach's review of a finished game.  For each choice it looked at `worlds` ways to deal the hidden cards."""

    worlds: int
    seats: tuple[SeatReview, ...]
    choices: tuple[ReviewedChoice, ...]


class GameReview(Struct, frozen=True, kw_only=True):
    """POST /api/games/{game}/review, POST /api/review: the review, or its progress.

    Ask again until `review` is there.
    """

    game: str  # its id; empty for a record that was sent
    done: int  # actions reviewed so far
    total: int
    ahead: int  # the number of games that are reviewed first
    review: Review | None = None


class Health(Struct, frozen=True, kw_only=True):
    """GET /api/health, /api/ready."""

    status: Literal["ok", "stopping", "failing"]
    version: str
    has_engine: bool = False  # whether the page can also play without a server


class Failure(Struct, frozen=True, kw_only=True):
    """The body of every HTTP response that is not a success."""

    error: Error


_CLIENT: msgspec.json.Decoder[FromClient] = msgspec.json.Decoder(FromClient, dec_hook=decoded)
_NUMBERED = msgspec.json.Decoder(Numbered)
_SERVER: msgspec.json.Decoder[FromServer] = msgspec.json.Decoder(FromServer, dec_hook=decoded)


def read_client(text: str | bytes) -> FromClient:
    """Decodes a message from a client; raises msgspec's DecodeError or ValidationError."""
    return _CLIENT.decode(text)


def id_in(text: str | bytes) -> int | None:
    """The id of a message that is otherwise unreadable, so that its sender knows which message was refused."""
    try:
        return _NUMBERED.decode(text).id
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def read_server(text: str | bytes) -> FromServer:
    """Decodes a message from the server."""
    return _SERVER.decode(text)


write: Callable[[Any], bytes] = msgspec.json.Encoder(enc_hook=encoded).encode
"""Encodes a message or a body as JSON."""
