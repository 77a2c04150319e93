"""What an address uses at one process counts at the others, too, once it is worth a message."""

import pytest

from foretell.errors import NotAllowed
from foretell.server.network.budgets import Account, Accounts, Budget
from foretell.server.network.door import Door
from foretell.server.network.limits import Limits
from foretell.server.network.shared_use import SharedUse
from foretell.server.store.bus import MOST_BYTES, News, write_news

CLIENT = ("198.51.100.7", 1)


def exchange(*doors: Door) -> int:
    """Tells each door what was used at the others; how many messages that took."""
    told = [(door, list(door.use.told())) for door in doors]
    for teller, messages in told:
        for door in doors:
            for used in messages if door is not teller else ():
                door.use.charge(used)
    return sum(len(messages) for _, messages in told)


def two_doors() -> tuple[Door, Door]:
    limits = Limits(tables=1e-6, table_burst=20)
    return Door(limits, is_shared=True), Door(limits, is_shared=True)


def uses(door: Door, times: int, client: tuple[str, int] = CLIENT) -> int:
    """Asks for so many tables; how many of them were allowed."""
    allowed = 0
    for _ in range(times):
        try:
            door.pay(door.account(client), door.budgets.tables)
        except NotAllowed:
            break
        allowed += 1
    return allowed


def test_an_address_that_goes_to_two_processes_may_not_do_twice_as_much() -> None:
    here, there = two_doors()
    assert uses(here, 12) == 12
    assert exchange(here, there) == 1
    assert uses(there, 20) == 8
    exchange(here, there)
    assert uses(here, 1) == uses(there, 1) == 0
    assert exchange(here, there) == 0  # nothing new
    # Another address is not concerned.
    assert uses(there, 20, ("198.51.100.8", 1)) == 20


def test_without_the_bus_each_process_still_has_its_limit() -> None:
    here, there = two_doors()
    assert uses(here, 50) == uses(there, 50) == 20


def test_who_uses_little_is_not_told_of() -> None:
    here, there = two_doors()
    assert uses(here, 4) == 4  # less than a quarter of the burst
    assert exchange(here, there) == 0
    # What was not told is not forgotten: it is told with what makes it worth a message.
    assert uses(here, 4) == 4
    assert exchange(here, there) == 1
    assert uses(there, 20) == 12


def test_the_network_around_an_address_of_ipv6_is_told_of_too() -> None:
    limits = Limits(tables=1e-6, table_burst=20, per_network=2)
    here, there = Door(limits, is_shared=True), Door(limits, is_shared=True)
    assert uses(here, 20, ("2001:db8:0:1::1", 1)) == 20
    exchange(here, there)
    # Another /64 of the same /48: two of them may use what one may use twice, at all processes together.
    assert uses(there, 30, ("2001:db8:0:2::1", 1)) == 20
    assert uses(there, 30, ("2001:db8:0:3::1", 1)) == 0


def test_guesses_at_all_processes_raise_one_alarm() -> None:
    limits = Limits(failures=1e-6, all_failures=1e-6, all_failure_burst=8)
    here, there = Door(limits, is_shared=True), Door(limits, is_shared=True)
    for number in range(8):
        here._failed(here.account((f"198.51.100.{number}", 1)))
    exchange(here, there)
    guesser = there.account(CLIENT)
    there._failed(guesser)
    assert guesser.used(there.budgets.failures) == pytest.approx(10)


def test_what_is_earned_back_is_not_told() -> None:
    now = [0.0]
    budget = Budget("joins", 1.0, 20.0)
    accounts = Accounts(now=lambda: now[0])
    use = SharedUse({"joins": budget}, lambda key: accounts.of((key,)))
    accounts.noted_by = use
    account = accounts.of(("a",))
    account.charge(budget, 4)
    now[0] = 100.0
    account.charge(budget, 6)
    assert list(use.told()) == [(("a", "joins", 6.0),)]


def test_a_message_fits_the_bus_whoever_attacks() -> None:
    door, _ = two_doors()
    for number in range(5000):
        uses(door, 20, (f"2001:db8:{number:x}:ffff::1", 1))
    messages = list(door.use.told())
    assert len(messages) == 10
    assert all(len(write_news(News("x" * 32, used=one))) < MOST_BYTES for one in messages)
    assert list(door.use.told())  # the rest comes later


def test_nonsense_from_the_bus_is_not_charged() -> None:
    door, _ = two_doors()
    nonsense = [
        ("a", "tables", float("nan")),
        ("a", "no such budget", 1.0),
        ("x" * 99, "tables", 1),
    ]
    door.use.charge(tuple(nonsense))
    assert len(door.accounts) == 0


def test_a_client_of_another_process_pays_once() -> None:
    """The process to which it is connected makes it pay; for thinking and guessing, the one that has the table."""
    door, _ = two_doors()
    inside: Account = door.account_elsewhere(CLIENT)
    for budget in (door.budgets.tables, door.budgets.messages, door.budgets.hellos):
        inside.charge(budget, 1e6)
        assert door.account(CLIENT).used(budget) == inside.wait(budget) == 0
    inside.charge(door.budgets.thinking, 1e3)
    with pytest.raises(NotAllowed):
        door.check(inside, door.budgets.thinking)
    with pytest.raises(NotAllowed):
        door.check(door.account(CLIENT), door.budgets.thinking)
