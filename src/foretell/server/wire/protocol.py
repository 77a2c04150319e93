"""Every message between a server and those at its tables, both ways, and every body of the HTTP API.

One socket (`/ws`) speaks JSON texts, one object a message, told apart by `type`.  The first message is `hello`
(a table) or `watch_lobby` (the list of public tables).  Every message of a client is answered once, with the `id` it
gave: by `done`, by `refused`, or by what it asked for (`welcome`, `seated`, `coach`, `lobby`, `pong`).  Reconnecting is
hello again.

`docs/protocol.md` tells the same for readers; the page's TypeScript types and the OpenAPI page are made from this
module (`python -m foretell.server.wire.generate`), and a test fails when they are stale.
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
    "AskCoach",
    "AtTable",
    "Away",
    "Back",
    "ChangeOptions",
    "Chat",
    "ChatLine",
    "ChatText",
    "ClientMessage",
    "Clock",
    "Coach",
    "Done",
    "Emote",
    "Emoted",
    "Empty",
    "Error",
    "Failure",
    "FairProof",
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
    "Seat",
    "SeatNumber",
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
"""Goes up when an old page could no longer play; fields may be added without it, and readers ignore unknown ones."""

Name = Annotated[str, Meta(min_length=1, max_length=MOST_NAME)]
Word = Annotated[str, Meta(max_length=MOST_WORD, description="The player's word for fair deals")]
ChatText = Annotated[str, Meta(min_length=1, max_length=MOST_CHAT)]
Token = Annotated[str, Meta(min_length=16, max_length=64, description="The key to a seat")]
TableKey = Annotated[str, Meta(min_length=4, max_length=32, description="A table's id or code")]
SeatNumber = Annotated[int, Meta(ge=0, le=5)]
Level = Annotated[str, Meta(min_length=1, max_length=24, description="A bot's level, by name")]
Emote = Literal["hello", "thanks", "well_played", "oops", "thinking", "hurry", "wow", "laugh"]
MessageId = Annotated[int, Meta(ge=0, le=2**53 - 1)]


# What both sides talk about


class TableOptions(Struct, frozen=True, kw_only=True):
    """What a table is made with.  The rules decide how many may sit down; two bots and one person are a game."""

    rules: Rules = Rules()
    seats: Annotated[int, Meta(ge=3, le=6)] = 4
    bots: Annotated[tuple[Level, ...], Meta(max_length=5)] = ()  # fill the last seats
    is_public: bool = False
    clock_s: Annotated[int, Meta(ge=1, le=3600)] | None = None  # for each decision; None: no hurry
    coach: bool = True  # whether players may ask it during the game
    bot_pause_ms: Annotated[int, Meta(ge=0, le=5000)] = 700  # before a bot acts


class Error(Struct, frozen=True, kw_only=True):
    """What went wrong: `code` and `values` for the catalogue (`error.<code>`), `sentence` already said.

    `terms` names those of the values that are keys of the catalogue themselves (`colour.R`).
    """

    code: str
    sentence: str
    rule: str | None = None
    values: dict[str, int | float | str] = {}
    terms: tuple[str, ...] = ()


class Seat(Struct, frozen=True, kw_only=True):
    """A place at the table and who is there."""

    seat: int
    kind: Literal["open", "person", "bot"]
    name: str | None = None
    level: str | None = None  # a bot's; for a person, of the bot that sat here before
    is_connected: bool = False
    is_away: bool = False  # said so, or ran out of time
    is_ready: bool = False
    is_muted: bool = False
    is_played_by_bot: bool = False  # a bot acts for this person until they are back
    may_be_taken: bool = False  # a late friend may sit down here


class FairProof(Struct, frozen=True, kw_only=True):
    """Fair deals: the commit from the start, the words once the cards are dealt, the secret after the last round."""

    commit: str
    words: tuple[str, ...] | None = None
    secret: str | None = None


class Table(Struct, frozen=True, kw_only=True):
    """Everything about a table but its cards."""

    id: str
    code: str  # short, to be read out loud
    phase: Literal["gathering", "playing", "over"]
    options: TableOptions
    host: int | None
    seats: tuple[Seat, ...]
    spectators: int
    are_spectators_muted: bool
    game: str | None  # id of the current or last game
    fair: FairProof | None  # of that game
    next_commit: str | None = None  # while gathering or over: what the next deals are bound to
    replay: str | None = None  # address of the finished game's replay
    games_played: int = 0
    rematch: tuple[int, ...] = ()  # seats that want another game


class Clock(Struct, frozen=True):
    """A decision that is awaited, and the milliseconds left for it; None where the table has no clock."""

    seat: int
    left_ms: int | None


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
    """All that is needed of a message to refuse it: `id` comes back in the answer."""

    id: MessageId = 0


class ClientMessage(Numbered, tag_field="type", kw_only=True):
    """Whatever a client says, told apart by `type`."""


class Hello(ClientMessage, tag="hello"):
    """Comes to a table: with a seat's token, or without one as a spectator.  Said again after every reconnection."""

    version: int
    table: TableKey
    token: Token | None = None
    name: Name | None = None  # a spectator's, for the chat
    language: Annotated[str, Meta(max_length=8)] = "en"  # of the sentences in errors


class WatchLobby(ClientMessage, tag="watch_lobby"):
    """Asks for the list of public tables, and for every change of it."""

    version: int


class Act(ClientMessage, tag="act"):
    """Answers the `decision` that the View names; an answer to another decision is refused as stale."""

    decision: Annotated[str, Meta(max_length=32)]
    action: Annotated[str, Meta(max_length=32)]


class Chat(ClientMessage, tag="chat"):
    text: ChatText


class ShowEmote(ClientMessage, tag="emote"):
    emote: Emote


class Away(ClientMessage, tag="away"):
    """Be right back: a bot plays meanwhile.  The host may say so of a `seat` whose player does not answer."""

    seat: SeatNumber | None = None


class Back(ClientMessage, tag="back"):
    """Takes the seat back at once.  So does acting, or hello."""


class Leave(ClientMessage, tag="leave"):
    """Gives the seat up: open again before the start; played by a bot, and free to be taken, in a game."""


class Ready(ClientMessage, tag="ready"):
    is_ready: bool = True


class SayWord(ClientMessage, tag="word"):
    """The own word for the fair deals, before the start."""

    word: Word


class Sit(ClientMessage, tag="sit"):
    """A player's move to an open seat, before the start."""

    seat: SeatNumber


class TakeSeat(ClientMessage, tag="take_seat"):
    """A spectator sits down: an open seat before the start, a bot's in a running game.  Answered by `seated`."""

    name: Name
    seat: SeatNumber | None = None  # None: any
    word: Word = ""


class Start(ClientMessage, tag="start"):
    """The host's: open seats are filled with bots of `level`; without it, all seats must be taken."""

    level: Level | None = None


class Fill(ClientMessage, tag="fill"):
    """The host's: a bot for an open seat, or another level for a bot's."""

    seat: SeatNumber
    level: Level


class Empty(ClientMessage, tag="empty"):
    """The host's, before the start: takes the bot from a seat."""

    seat: SeatNumber


class Remove(ClientMessage, tag="remove"):
    """The host's, before the start: a player has to go; the token of that seat is void."""

    seat: SeatNumber


class Mute(ClientMessage, tag="mute"):
    """The host's: nobody hears this seat's chat and emotes; without a seat, those of all spectators."""

    seat: SeatNumber | None = None
    is_muted: bool = True


class PassHost(ClientMessage, tag="pass_host"):
    """The host's: someone else is host now."""

    seat: SeatNumber


class ChangeOptions(ClientMessage, tag="options"):
    """The host's, before the start: other rules, another clock.  `bots` is ignored; no one loses a seat."""

    options: TableOptions


class Rematch(ClientMessage, tag="rematch"):
    """After a game: the same people again.  The next game begins when every person at the table has said so."""


class AskCoach(ClientMessage, tag="ask_coach"):
    """Odds for the decision that is awaited of this seat."""

    decision: Annotated[str, Meta(max_length=32)]


class Ping(ClientMessage, tag="ping"):
    """Is the line alive?"""


AtTable = (
    Act
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
    | AskCoach
)
"""What a table's inbox takes."""

FromClient = Hello | WatchLobby | Ping | AtTable


# From the server


class ServerMessage(Struct, tag_field="type", kw_only=True):
    """A message of the server."""


class Snapshot(ServerMessage, tag="snapshot"):
    """The game as this socket may know it, after `events`.  `number` counts the accepted actions of the game.

    An action that ends a round, but not the game, is told in two snapshots of the same number: first the scored round,
    in which nobody is asked anything (`view.phase` is "deal"), and right after it the next deal.
    """

    game: str
    number: int
    view: View
    events: tuple[Event, ...] = ()
    clocks: tuple[Clock, ...] = ()


class TableChanged(ServerMessage, tag="table"):
    """Someone came, went, sat down, is away, is back; the game began or ended."""

    table: Table
    seat: int | None  # the receiver's own


class Welcome(ServerMessage, tag="welcome"):
    """The answer to hello: all there is to know now."""

    id: int
    version: int
    seat: int | None
    table: Table
    snapshot: Snapshot | None
    chat: tuple[ChatLine, ...]


class Done(ServerMessage, tag="done"):
    """Accepted, and stored.  What followed from it (`snapshot`, `table`, `said`) has been sent before."""

    id: int


class Refusal(ServerMessage, tag="refused"):
    """Not accepted; nothing has changed.  `id` is None where the message could not be read."""

    id: int | None
    error: Error


class Seated(ServerMessage, tag="seated"):
    """A seat and the only key to it; also the answer of the HTTP API to a new table and to joining one."""

    table: str
    code: str
    seat: int
    token: str
    link: str  # the address to send to friends, from the server's root
    id: int | None = None


class Said(ServerMessage, tag="said"):
    line: ChatLine


class Emoted(ServerMessage, tag="emoted"):
    seat: int
    emote: Emote


class Coach(ServerMessage, tag="coach"):
    """The answer to `ask_coach`; `is_available` is false where the table or the server has no coach."""

    id: int
    decision: str
    is_available: bool
    advice: tuple[Advice, ...] = ()
    best: str | None = None


class Lobby(ServerMessage, tag="lobby"):
    """The public tables, whole, at first and after every change."""

    tables: tuple[LobbyTable, ...]
    id: int | None = None


class Pong(ServerMessage, tag="pong"):
    id: int


class Removed(ServerMessage, tag="removed"):
    """This socket's seat is gone: the host removed the player, or another person has taken the seat."""

    reason: Literal["removed", "taken"]


FromServer = (
    Welcome
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
    | Removed
)


# HTTP bodies


class NewTable(Struct, frozen=True, kw_only=True):
    """POST /api/tables: answered by `Seated`."""

    name: Name
    options: TableOptions = TableOptions()
    word: Word = ""


class Join(Struct, frozen=True, kw_only=True):
    """POST /api/tables/{table}/seats: an open seat, or a bot's in a running game; answered by `Seated`."""

    name: Name
    seat: SeatNumber | None = None
    word: Word = ""


class Mine(Struct, frozen=True, kw_only=True):
    """POST /api/mine: the tokens a browser holds."""

    tokens: Annotated[tuple[Token, ...], Meta(max_length=100)]


class MyGame(Struct, frozen=True, kw_only=True):
    """A seat that one of the tokens opens; `token` is the place of that token in the question."""

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
    """One way to decide; its name is in the catalogue under `rules.<key>.<name>`."""

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
    """Two settings that do not go together; "any" of the specials stands for at least one."""

    one: RuleSetting
    other: RuleSetting
    rule: str


class RuleTogether(Struct, frozen=True, kw_only=True):
    """Two of a subset's choices that go in together or not at all."""

    one: RuleSetting
    other: RuleSetting
    rule: str


class RuleSeats(Struct, frozen=True, kw_only=True):
    """A setting that only so many can play with."""

    setting: RuleSetting
    seats: tuple[int, ...]
    rule: str


class RulebookOffer(Struct, frozen=True, kw_only=True):
    rules: Rules
    variants: tuple[str, ...]
    offers_specials: bool


class TableForm(Struct, frozen=True, kw_only=True):
    """GET /api/form: what a new table may choose from."""

    rulebooks: tuple[RulebookOffer, ...]
    decisions: tuple[RuleDecision, ...]
    clashes: tuple[RuleClash, ...]
    together: tuple[RuleTogether, ...]
    seats: tuple[RuleSeats, ...]
    last_rounds: dict[str, int]  # number of players → the last round
    levels: tuple[str, ...]  # bots, weakest first
    emotes: tuple[Emote, ...]
    has_coach: bool
    version: int


class GameSummary(Struct, frozen=True, kw_only=True):
    """GET /api/games/{game}: a game, running or finished."""

    game: str
    table: str
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
    record: str | None  # address of the record, once finished
    replay: str | None


class Frame(Struct, frozen=True, kw_only=True):
    """One step of a replay: who did what, what followed, and how the game looked after it."""

    seat: int | None  # None: the deal
    action: str | None
    events: tuple[Event, ...]
    view: View


class Replay(Struct, frozen=True, kw_only=True):
    """GET /api/games/{game}/replay/{round}: a round of a finished game, all hands open at its first frame."""

    game: str
    round: int
    hands: tuple[tuple[str, ...], ...]  # as dealt
    frames: tuple[Frame, ...]


class ReviewedChoice(Struct, frozen=True, kw_only=True):
    """A choice of a finished game, and what the coach thinks of it: points expected of it and of the best one.

    `cost` is how far it was behind; 0 where that may be chance.
    """

    round: int
    decision: str
    seat: int
    action: str
    best: str
    points: float
    best_points: float
    cost: float


class Mistake(Struct, frozen=True, kw_only=True):
    """One of the choices that cost most, with all that the seat knew when it chose."""

    choice: ReviewedChoice
    view: View


class SeatReview(Struct, frozen=True, kw_only=True):
    """A seat's game: points = cards - mistakes + fortune; luck is against the table's average (docs/coach.md)."""

    seat: int
    points: int
    cards: float
    mistakes: float
    fortune: float
    luck: float
    by_bids: float
    by_plays: float
    choices: int
    worst: tuple[Mistake, ...]


class Review(Struct, frozen=True, kw_only=True):
    """A finished game gone through by the coach, in so many worlds for each choice."""

    worlds: int
    seats: tuple[SeatReview, ...]
    choices: tuple[ReviewedChoice, ...]


class GameReview(Struct, frozen=True, kw_only=True):
    """POST /api/games/{game}/review: the review, or how far it is; ask again until it is there."""

    game: str
    done: int  # actions gone through
    total: int
    ahead: int  # other games that are reviewed first
    review: Review | None = None


class Health(Struct, frozen=True, kw_only=True):
    """GET /api/health, /api/ready."""

    status: Literal["ok", "stopping", "failing"]
    version: str


class Failure(Struct, frozen=True, kw_only=True):
    """The body of every HTTP answer that is not a success."""

    error: Error


_CLIENT: msgspec.json.Decoder[FromClient] = msgspec.json.Decoder(FromClient, dec_hook=decoded)
_NUMBERED = msgspec.json.Decoder(Numbered)
_SERVER: msgspec.json.Decoder[FromServer] = msgspec.json.Decoder(FromServer, dec_hook=decoded)


def read_client(text: str | bytes) -> FromClient:
    """A client's message; raises msgspec's DecodeError or ValidationError."""
    return _CLIENT.decode(text)


def id_in(text: str | bytes) -> int | None:
    """The id of a message that cannot be read as a whole, so that whoever sent it hears which one was refused."""
    try:
        return _NUMBERED.decode(text).id
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def read_server(text: str | bytes) -> FromServer:
    """A server's message."""
    return _SERVER.decode(text)


write: Callable[[Any], bytes] = msgspec.json.Encoder(enc_hook=encoded).encode
"""A message, or a body, as JSON."""
