"""V7, C4, F2: every combination of choices, allowed or refused, and what the rules say of themselves."""

from functools import partial
from itertools import combinations, product
from typing import Any

import msgspec
import pytest

from foretell.errors import ForetellError, RulesClash
from foretell.i18n import catalogue, languages
from foretell.rules import CLASHES, DECISIONS, Rules, Setting, decision, excluded_by
from tables import PAIR, SUBSETS, every_rules, head_counts, last_round, refusal_of

SWITCHED = tuple(one.key for one in DECISIONS if one.form in ("one", "switch"))


def goes_together(chosen: dict[str, Any]) -> bool:
    """V7 and F2 once more, in the words of docs/rules.md and without the tables of `rules/`."""
    if chosen["plus_minus_one"] and chosen["bids"] != "open":
        return False
    if chosen["specials"]:
        return (
            chosen["foresight"] == "none"
            and not chosen["unicolor"]
            and chosen["wizards_on_trump"] == "free"
        )
    return not (chosen["unicolor"] and chosen["foresight"] != "none")


def test_V7_F2_each_combination_is_allowed_or_refused_with_a_message_naming_both_rules() -> None:
    values = [[choice.value for choice in decision(key).choices] for key in SWITCHED]
    allowed = []
    for specials in ((), *SUBSETS):
        for picked in product(*values):
            chosen: dict[str, Any] = dict(zip(SWITCHED, picked, strict=True), specials=specials)
            clash = refusal_of(partial(Rules, **chosen))
            assert (clash is None) == goes_together(chosen), chosen
            if clash is None:
                allowed.append(Rules(**chosen))
                continue
            assert isinstance(clash, RulesClash)
            assert clash.rule in ("V7", "F2")
            for named in ("one_rule", "other_rule"):
                assert f"({clash.values[named]})" in str(clash)
    assert len(set(allowed)) == len(allowed)
    assert {without_book(rules) for rules in allowed} == set(map(without_book, every_rules()))


def without_book(rules: Rules) -> Rules:
    return msgspec.structs.replace(rules, rulebook="pt-PT")


def test_C4_of_all_subsets_those_with_dragon_or_fairy_alone_are_refused() -> None:
    names = [str(choice.value) for choice in decision("specials").choices]
    subsets = [some for size in range(len(names) + 1) for some in combinations(names, size)]
    assert len(subsets) == 2 ** len(names)
    for some in subsets:
        if len(set(some) & set(PAIR)) == 1:
            with pytest.raises(RulesClash, match="Dragon"):
                Rules(specials=some)
        else:
            assert set(Rules(specials=some).specials) == set(some)


def test_D1_D3_V6_every_set_of_rules_seats_its_numbers_of_players_and_no_other() -> None:
    for rules in every_rules():
        for players in range(9):
            if players in head_counts(rules):
                assert rules.round_numbers(players)[-1] == last_round(rules, players)
            else:
                with pytest.raises(RulesClash) as caught:
                    rules.seats(players)
                assert caught.value.rule in ("D1", "V6")


def test_a_form_can_be_built_from_what_the_rules_say_of_themselves() -> None:
    fields = set(Rules.__struct_fields__) - {"rulebook"}
    assert {one.key for one in DECISIONS} == fields
    for one in DECISIONS:
        assert one.form in ("one", "switch", "subset", "numbers")
        if one.form in ("one", "switch"):
            assert getattr(Rules(), one.key) == one.choices[0].value  # the first is the default
            for choice in one.choices:
                assert f"rules.{one.key}.{choice.name}" in catalogue("en").texts
    for one in DECISIONS:
        for choice in one.choices:
            assert choice.rule


def test_what_excludes_what_is_told_from_both_sides() -> None:
    for clash in CLASHES:
        assert clash.other in excluded_by(clash.one)
        assert clash.one in excluded_by(clash.other)
    assert excluded_by(Setting("bids", "open")) == ()
    assert set(excluded_by(Setting("unicolor", True))) == {
        Setting("foresight", "first_round"),
        Setting("foresight", "every_round"),
        Setting("specials", "any"),
    }


@pytest.mark.parametrize(
    "chosen",
    [
        {"plus_minus_one": "yes"},
        {"unicolor": None},
        {"unicolor": 1},
        {"plus_minus_one": 0},
        {"plus_minus_one": 1.0},
        {"unicolor": "on"},
        {"wizards_on_trump": "maybe"},
        {"rulebook": "de"},
        {"specials": ("R5",)},
        {"rounds": (0,)},
        {"rounds": ("1",)},
        {"rounds": (1.0, 2.0)},
    ],
)
def test_a_choice_that_there_is_not_is_refused(chosen: dict[str, Any]) -> None:
    with pytest.raises(RulesClash):
        Rules(**chosen)


def test_every_clash_can_be_said_in_every_language() -> None:
    for clash in CLASHES:
        error: ForetellError = RulesClash(
            "clash",
            rule=clash.rule,
            one=clash.one.term,
            one_rule=clash.one.rule,
            other=clash.other.term,
            other_rule=clash.other.rule,
        )
        for language in languages():
            sentence = error.sentence(language)
            assert clash.one.rule in sentence
            assert clash.other.rule in sentence


def test_every_set_of_rules_survives_its_json_and_can_be_a_key() -> None:
    for rules in every_rules():
        same = msgspec.json.decode(msgspec.json.encode(rules), type=Rules)
        assert same == rules
        assert hash(same) == hash(rules)
    assert len(set(every_rules())) == len(every_rules())


def test_what_does_not_go_together_is_refused_from_json_too() -> None:
    with pytest.raises(RulesClash, match=r"plus/minus one \(V1\)"):
        msgspec.json.decode(b'{"bids": "secret", "plus_minus_one": true}', type=Rules)
