"""A strict referee for `wizard-record/1`.

It shares no code with the engine, on purpose: it is a second reading of the same rules, slow and
plain. It looks at the rule set first, then at the rounds in their order, each from the deal to the
pad, and last at the victory; it stops at the first fault.
"""

from typing import Any

from .deals import checked_table, is_whole, need
from .refusal import Refused
from .rounds import check_round

FORMAT = "wizard-record/1"


def check(record: dict[str, Any]) -> None:
    """Raise `Refused` if the record breaks any rule.

    `Refused.round` counts the rounds in the record from 1, whatever their numbers of cards (D6);
    `Refused.trick` counts the tricks of that round from 1.
    """
    if need(record, "format", "a record") != FORMAT:
        raise Refused("FORMAT", f"this is {record['format']!r}, not {FORMAT}")
    table = checked_table(record)
    rounds = need(record, "rounds", "a record")
    finished = need(record, "finished", "a record")
    winners = need(record, "winners", "a record")
    if not isinstance(rounds, list) or not isinstance(finished, bool):
        raise Refused("FORMAT", "a record has a list of rounds and is finished or not")
    if not isinstance(winners, list) or not all(is_whole(seat) for seat in winners):
        raise Refused("FORMAT", f"winners is a list of seats, not {winners!r}")
    if len(rounds) > len(table.rounds):
        raise Refused("D3", f"the game has {len(table.rounds)} rounds, not {len(rounds)}")

    dealer: int | None = None
    totals: list[int] | None = [0] * table.seats
    for index, now in enumerate(rounds):
        try:
            totals = check_round(
                table,
                now,
                number=table.rounds[index],
                earlier_dealer=dealer,
                earlier_totals=totals or [],
                may_stop=not finished and index == len(rounds) - 1,
            )
        except Refused as refused:
            raise Refused(refused.rule, refused.message, index + 1, refused.trick) from None
        dealer = now["dealer"]

    if finished and len(rounds) < len(table.rounds):
        raise Refused("D3", f"the game has {len(table.rounds)} rounds, not {len(rounds)}")
    if not finished:
        if winners:
            raise Refused("S4", "an unfinished game has no winners")
        if len(rounds) == len(table.rounds) and totals is not None:
            raise Refused("S4", "the last round is scored: the game is finished")
        if table.secret is not None:
            raise Refused("FAIR", "the secret is shown only when the game is over")
        return
    assert totals is not None
    victors = [seat for seat in range(table.seats) if totals[seat] == max(totals)]
    if sorted(winners) != victors:
        raise Refused("S4", f"the most points win: {victors}, not {winners}")
