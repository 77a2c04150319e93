"""The page's pad answers as Python's does: random pads with wrong entries, corrections, undo, and files of any content.

The page's pad is translated from Python (`foretell.scorepad.page`).  Here both are asked the same, and every answer is
compared: totals, the sheet, what is open and what is missing, the file byte for byte, and every refusal.
"""

import json
import unicodedata
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from chance import chance
from foretell.errors import ForetellError
from foretell.scorepad import (
    Bid,
    Cloud,
    Correction,
    Entry,
    Pad,
    Tricks,
    correct,
    enter,
    from_json,
    missing,
    new_pad,
    to_json,
    undo,
)
from foretell.scorepad.width import is_invisible, is_unsafe
from proofs import TIMES
from tables import head_counts, last_round, rules_by_lot, with_rounds
from web.unit_tests import run_unit_test

PADS = 50 * TIMES
FILES = 250 * TIMES
STEPS = 90
NAMES = [
    "Ana", "Bruno", "Çağla", "Dóra", "Эва", "小雪", "👩‍👩‍👧 Ő", "Straße", 'Q "x" \\', "o\u0301", "Ωmega", "\u0131lgaz", "x" * 40,
    " ana ", "STRASSE", "", "\u200b", "a\u202eb", "y" * 41, "tab\there", "Ilgaz", "ΩMEGA", "\u00a0\u3000",
]  # fmt: skip
GOOD_NAMES = 13

Answer = dict[str, Any]
Step = dict[str, Any]


def told(error: ForetellError) -> Answer:
    """An error as plain values; one that is the reason for another is inside it."""
    if error.code == "not_a_pad":
        return {"kind": type(error).__name__, "code": error.code}  # the reason is msgspec's own
    values = {**error.values}
    if error.code == "pad_entry":
        assert isinstance(error.__cause__, ForetellError)
        values["why"] = told(error.__cause__)
    return {"kind": type(error).__name__, "code": error.code, "rule": error.rule, "values": values}


def seen(pad: Pad) -> Answer:
    """Everything that a pad says about itself."""
    now, lacking = pad.now, missing(pad)
    seats = range(len(pad.names))
    lines = [(x.number, x.dealer, x.bids, x.won, x.points, x.totals) for x in pad.lines]
    asked = now and {
        "hand_size": now.hand_size,
        "order": now.order,
        "awaits": now.awaits,
        "bidders": now.bidders,
        "silent": now.silent,
        "counters": now.counters,
        "over": now.over,
        "was_bombed": now.was_bombed,
        "takers": now.cloud_takers,
        "bids": now.open_bids(),
        "tricks": [now.open_tricks(seat) for seat in seats],
        "changes": [now.open_changes(seat) for seat in seats],
    }
    return {
        "text": to_json(pad),
        "numbers": pad.numbers,
        "coming": [(one.number, one.dealer) for one in pad.coming],
        "totals": pad.totals,
        "leaders": pad.leaders,
        "winners": pad.winners,
        "is_over": pad.is_over,
        "lines": lines,
        "missing": lacking and told(lacking),
        "now": asked,
    }


def after(pad: Pad, step: Step) -> Pad:
    cloud = Cloud(*step["cloud"]) if step.get("cloud") else None
    match step["do"]:
        case "undo":
            return undo(pad)
        case "reopen":
            return from_json(to_json(pad))
        case "correct":
            return correct(pad, step["round"], bids=step["bids"], won=step["won"], cloud=cloud)
    entry: Entry
    match step["do"]:
        case "bid":
            entry = Bid(step["seat"], step["tricks"])
        case "tricks":
            entry = Tricks(step["seat"], step["tricks"])
        case "cloud":
            entry = Cloud(step["seat"], step["change"])
        case _:
            entry = Correction(step["round"], tuple(step["bids"]), tuple(step["won"]), cloud)
    return enter(pad, entry)


def step_by_lot(random: Random, pad: Pad) -> Step:
    """Mostly what the pad asks for; often something wrong."""
    now = pad.now
    what = random.random()
    if now is None or what < 0.12:
        return correction_by_lot(random, pad)
    if what < 0.17:
        return {"do": random.choice(["undo", "reopen"])}
    if what < 0.27:
        seat, tricks = random.randint(-1, len(pad.names)), random.randint(-1, now.hand_size + 1)
        change = {
            "do": "cloud",
            "seat": random.choice([None, seat]),
            "change": random.randint(-1, 1),
        }
        return random.choice(
            [
                {"do": "bid", "seat": seat, "tricks": tricks},
                {"do": "tricks", "seat": seat, "tricks": tricks},
                change,
            ]
        )
    if now.awaits == "cloud":
        taker = random.choice([None, *now.cloud_takers])
        return {
            "do": "cloud",
            "seat": taker,
            "change": 0 if taker is None else random.choice([1, -1]),
        }
    if now.bidders and (not now.counters or random.random() < 0.5):
        tricks = random.choice(now.open_bids())
        return {"do": "bid", "seat": random.choice(now.bidders), "tricks": tricks}
    seat = random.choice(now.counters)
    return {"do": "tricks", "seat": seat, "tricks": random.choice(now.open_tricks(seat))}


def correction_by_lot(random: Random, pad: Pad) -> Step:
    old = random.choice(pad.rounds)

    def row(told_before: tuple[int | None, ...]) -> list[int | None]:
        new: list[int | None] = list(told_before)
        one, other = random.randrange(len(new)), random.randrange(len(new))
        match random.randrange(5):
            case 0:
                new[one], new[other] = new[other], new[one]
            case 1:
                new[one], new[other] = (new[one] or 0) + 1, (new[other] or 0) - 1
            case 2:
                new[one] = random.choice([None, -1, 0, 1, old.hand_size])
            case 3 if random.random() < 0.1:
                new.pop()
        return new

    bids, won = row(old.bids), row(old.won)
    seat = random.choice([None, *range(len(pad.names))])
    cloud = random.choice([None, (seat, random.choice([-1, 0, 1])), (None, 0)])
    number = old.number if random.random() < 0.95 else random.randint(0, 25)
    step = {
        "do": random.choice(["correct", "correction"]),
        "round": number,
        "bids": bids,
        "won": won,
    }
    if step["do"] == "correct" and random.random() < 0.5:
        step["bids"] = None
    return {**step, "cloud": cloud}


def pad_by_lot(random: Random) -> tuple[dict[str, Any], list[Answer], list[str]]:
    """A pad with its steps, what Python answers to each, and the files it was in between."""
    rules = rules_by_lot(random)
    heads = random.choice(list(head_counts(rules)))
    numbers = sorted({random.randint(1, last_round(rules, heads)) for _ in range(3)})
    rules = with_rounds(rules, *numbers) if random.random() < 0.8 else rules
    if random.random() < 0.9:
        names, dealer = random.sample(NAMES[:GOOD_NAMES], heads), random.randrange(heads)
    else:
        names, dealer = random.sample(NAMES, random.randint(2, 7)), random.randint(-1, 6)
    case = {"rules": msgspec.to_builtins(rules), "names": names, "dealer": dealer, "steps": []}
    try:
        pad = new_pad(names, rules, first_dealer=dealer)
    except ForetellError as error:
        return case, [told(error)], []
    answers, files = [seen(pad)], [to_json(pad)]
    for _ in range(STEPS):
        step = step_by_lot(random, pad)
        case["steps"].append(step)
        try:
            pad = after(pad, step)
        except ForetellError as error:
            answers.append(told(error))
        else:
            answers.append(seen(pad))
            files.append(to_json(pad))
    return case, answers, files


def file_by_lot(random: Random, text: str) -> str:
    """A pad's file that somebody has changed."""
    if random.random() < 0.1:
        place = random.randrange(len(text))
        return (
            text[:place]
            + random.choice(["", '"', "}", "1", ".5"])
            + text[place + random.randint(0, 2) :]
        )
    written = json.loads(text)
    owner, key = random.choice(list(_places(written)))
    odd = [
        None,
        -1,
        0,
        1,
        2,
        7,
        10**12,
        1.5,
        2.0,
        True,
        "",
        "x",
        "hidden",
        "BOMB",
        [],
        [1],
        {},
        {"entry": "bid"},
    ]
    match random.randrange(4):
        case 0:
            del owner[key]
        case 1 if isinstance(owner, dict):
            owner[random.choice(["seat", "more", "cloud", "change", "entry"])] = random.choice(odd)
        case 2 if isinstance(owner, list):
            random.shuffle(owner)
        case _:
            owner[key] = random.choice(odd)
    return json.dumps(written, ensure_ascii=False)


def _places(value: Any) -> Any:
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, one in list(pairs):
        yield value, key
        if isinstance(one, dict | list):
            yield from _places(one)


def answer_to(text: str) -> Answer:
    try:
        return seen(from_json(text))
    except ForetellError as error:
        return told(error)


def characters() -> str:
    """All that may matter in names: what changes with case, spaces, marks, and what controls the text."""
    every = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]
    # the page may know a newer Unicode than this Python: characters are added, and one became another kind of mark
    known = [one for one in every if unicodedata.category(one) != "Cn" and one != "\U0001171e"]
    marked = ("Cc", "Cf", "Mn", "Me", "Zs", "Zl", "Zp")
    return "".join(
        one
        for one in known
        if one.casefold() != one or one.upper() != one or unicodedata.category(one) in marked
    )


def page_answers(folder: Path, cases: list[dict[str, Any]], signs: str) -> dict[str, Any]:
    file = folder / "pads.json"
    file.write_text(json.dumps({"cases": cases, "characters": signs}), encoding="utf-8")
    run_unit_test("pad-rules.test.ts", "FORETELL_PADS", file)
    found: dict[str, Any] = json.loads(file.with_name("pads.json.answers").read_text("utf-8"))
    return found


@pytest.mark.prove
def test_the_page_keeps_score_as_python_does(tmp_path: Path) -> None:
    random = chance()
    cases, expected, files = [], [], []
    for _ in range(PADS):
        case, answers, written = pad_by_lot(random)
        cases.append(case)
        expected.append(answers)
        files += random.sample(written, min(3, len(written)))
    for _ in range(FILES):
        text = file_by_lot(random, random.choice(files))
        cases.append({"text": text})
        expected.append([answer_to(text)])
    signs = characters()
    found = page_answers(tmp_path, cases, signs)

    for case, wanted, got in zip(
        cases, json.loads(json.dumps(expected)), found["answers"], strict=True
    ):
        assert len(wanted) == len(got)
        for place, (one, other) in enumerate(zip(wanted, got, strict=True)):
            assert one == other, f"step {place} of {json.dumps(case)}"
    codes = {answer.get("code", "taken") for answers in expected for answer in answers}
    assert len(codes) > 20, codes  # the wrong entries were wrong in many ways
    assert any(answer.get("is_over") for answers in expected for answer in answers)
    assert any(
        answer.get("lines") and answer["lines"][0][4][0] is not None
        for answers in expected
        for answer in answers
    )

    folds = [fold for fold, *_ in found["signs"]]
    assert [[is_unsafe(x), is_invisible(x), len(f"a{x}b".split())] for x in signs] == [
        rest for _, *rest in found["signs"]
    ]
    # the folds may differ, as long as the same characters have the same
    pairs = sorted(zip(map(str.casefold, signs), folds, strict=True))
    assert len({one for one, _ in pairs}) == len({two for _, two in pairs}) == len(set(pairs))
    assert all(
        len({two for _, two in group}) == 1 for _, group in groupby(pairs, lambda pair: pair[0])
    )
