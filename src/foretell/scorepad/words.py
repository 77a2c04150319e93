"""The sentences of `foretell score`: a round begins, the sum of the bids, how a round ended, who won."""

from collections.abc import Callable

from foretell.i18n import listed
from foretell.rules import DECISIONS, Rules, Setting
from foretell.scorepad.entries import Cloud
from foretell.scorepad.pad import Pad
from foretell.scorepad.pad_round import PadRound
from foretell.scorepad.sheet import Signs, signed

__all__ = [
    "bids_stand",
    "cloud_told",
    "cloud_written",
    "game_ended",
    "now_asked",
    "prompt",
    "round_begins",
    "round_ended",
    "rules_told",
]

Say = Callable[..., str]


def prompt(question: str) -> str:
    """A question with the right ending, ready for the answer to be typed after it."""
    return question + (" " if question.endswith("?") else ": ")


def rules_told(say: Say, rules: Rules) -> str:
    """The rulebook, and what the table has changed in it."""
    changed = [say("score.rulebook", rulebook=rules.rulebook)]
    for one in DECISIONS:
        value = getattr(rules, one.key)
        if one.form in ("one", "switch") and value != one.choices[0].value:
            changed.append(say(Setting(one.key, value).term))
    if rules.specials:
        changed.append(say("score.specials", names=", ".join(rules.specials)))
    if rules.rounds is not None:
        changed.append(say("score.rounds", numbers=", ".join(map(str, rules.rounds))))
    return "; ".join(changed)


def round_begins(say: Say, pad: Pad, now: PadRound) -> str:
    return say(
        "score.round",
        count=now.hand_size,
        number=now.number,
        last=pad.numbers[-1],
        dealer=now.names[now.dealer],
    )


def now_asked(say: Say, now: PadRound, seat: int) -> str:
    """The question for a bid, with the bids that are open and barred (V1), and the sum so far."""
    open_bids = now.open_bids()
    barred = [str(bid) for bid in range(now.hand_size + 1) if bid not in open_bids]
    made = sum(bid is not None for bid in now.bids)
    key = "score.ask_bid_barred" if barred else "score.ask_bid"
    question = say(key, name=now.names[seat], most=now.hand_size, barred=", ".join(barred))
    if made and now.are_bids_first:
        question += say("score.ask_bid_so_far", sum=now.over + now.hand_size, tricks=now.hand_size)
    return question


def bids_stand(say: Say, now: PadRound) -> str:
    """By how many the bids are over or under the tricks."""
    way = "over" if now.over > 0 else "under" if now.over < 0 else "even"
    return say(
        f"score.bids_{way}", sum=now.over + now.hand_size, tricks=now.hand_size, by=abs(now.over)
    )


def cloud_told(say: Say, now: PadRound, seat: int) -> str:
    """X8: the bid that counts now."""
    return say(
        "score.cloud", name=now.names[seat], bid=now.bids[seat], changed=now.final_bids[seat]
    )


def cloud_written(say: Say, now: PadRound, cloud: Cloud, signs: Signs) -> str:
    """The Cloud's change as a default answer: "Ana +1"."""
    if cloud.seat is None:
        return say("score.word.nobody")
    return f"{now.names[cloud.seat]} {signed(cloud.change, signs)}"


def round_ended(say: Say, done: PadRound, signs: Signs) -> str:
    """Who met their bid, who missed it and by how much."""
    right, missed = [], []
    for name, bid, won, points in zip(
        done.names, done.final_bids, done.won, done.points, strict=True
    ):
        by = abs((bid or 0) - (won or 0))
        if by:
            missed.append(say("score.missed", name=name, by=by, points=signed(points or 0, signs)))
        else:
            right.append(say("score.right", name=name, points=signed(points or 0, signs)))
    parts = [say("score.foretold", count=len(right), names=listed(right, say))] if right else []
    parts += [say("score.not_foretold", names=listed(missed, say))] if missed else []
    if done.was_bombed:
        parts.append(say("score.bombed"))
    return " ".join(parts)


def game_ended(say: Say, pad: Pad, signs: Signs) -> str:
    """S4: the winner, or several who share the victory."""
    names = [pad.names[seat] for seat in pad.winners]
    points = str(max(pad.totals)).replace("-", signs.minus)
    return say("score.won", count=len(names), names=listed(names, say), points=points)
