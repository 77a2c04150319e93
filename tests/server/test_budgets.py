"""Budgets: what one address may do over time, shared with the network around it, in bounded memory."""

import re
from pathlib import Path

import pytest

from foretell.errors import NotAllowed
from foretell.server.network.addresses import networks
from foretell.server.network.budgets import Accounts, Bucket, Budget
from foretell.server.network.door import Door
from foretell.server.network.limits import Limits, limits_from


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


CHATS = Budget("chats", rate=2, burst=5)


def test_a_burst_is_allowed_and_earned_back() -> None:
    clock = Clock()
    account = Accounts(now=clock).of(["a"])
    assert [account.take(CHATS) for _ in range(5)] == [0.0] * 5
    assert account.take(CHATS) == pytest.approx(0.5)
    clock.now += 0.4
    assert account.take(CHATS) == pytest.approx(0.1)
    clock.now += 0.1
    assert account.take(CHATS) == 0.0
    clock.now += 3600
    assert sum(account.take(CHATS) == 0.0 for _ in range(9)) == 5  # never more than a burst


def test_what_was_charged_beyond_the_budget_has_to_be_earned_first() -> None:
    clock = Clock()
    account = Accounts(now=clock).of(["a"])
    account.charge(CHATS, 9)
    assert account.wait(CHATS, 0) == pytest.approx(2.0)
    account.charge(CHATS, -3)
    assert account.wait(CHATS, 0) == pytest.approx(0.5)


def test_budgets_and_addresses_do_not_share_anything() -> None:
    accounts = Accounts(now=Clock())
    accounts.of(["a"]).charge(CHATS, 5)
    assert accounts.of(["a"]).take(CHATS) > 0
    assert accounts.of(["b"]).take(CHATS) == 0
    assert accounts.of(["a"]).take(Budget("joins", 1, 1)) == 0


def test_the_network_around_an_ipv6_address_pays_a_share() -> None:
    """Someone with a /48 has 65,536 networks of the size of a home: all together may do as much as 16 homes."""
    accounts = Accounts(share=1 / 16, now=Clock())
    taken = 0
    for home in range(1000):
        account = accounts.of(networks((f"2001:db8:1:{home:x}::1", 1)))
        taken += sum(account.take(CHATS) == 0 for _ in range(6))
    assert taken == 16 * 5
    elsewhere = accounts.of(networks(("2001:db8:2::1", 1)))
    assert elsewhere.take(CHATS) == 0


def test_a_home_that_is_named_by_its_network_belongs_to_the_same_network() -> None:
    """So another process names a client, and so does whoever pays for what the coach and the bots think."""
    assert networks(("2001:db8:1:2::/64", 0)) == networks(("2001:db8:1:2::7", 5))
    assert networks(("192.0.2.7", 0)) == ("192.0.2.7",)
    door = Door(Limits(per_network=2, thinking=0.001, thinking_burst=10))
    for home in range(1, 100):
        door.coach_thought(f"2001:db8:1:{home:x}::/64", 1.0)
    with pytest.raises(NotAllowed) as refused:
        door.check(door.account(("2001:db8:1:ffff::1", 5)), door.budgets.thinking)
    assert refused.value.code == "too_many_thinking"
    door.check(door.account(("2001:db8:2:1::1", 5)), door.budgets.thinking)


def test_memory_is_bounded_however_many_addresses_come() -> None:
    """A /32 of IPv6 has four thousand million homes."""
    accounts = Accounts(most=500, now=Clock())
    busy = accounts.of(networks(("2001:db8:ffff::1", 1)))
    accounts.count(busy, sockets=1)
    busy.charge(CHATS, 5)
    for number in range(20_000):
        host = f"2001:db8:{number >> 4:x}:{number & 15:x}::1"
        accounts.of(networks((host, 1))).take(CHATS)
    assert len(accounts) <= 502  # with the account in use and its network
    again = accounts.of(networks(("2001:db8:ffff::2", 1)))
    assert (
        again is busy
    )  # an address with open sockets is not forgotten, and neither is what it has used
    assert again.take(CHATS) > 0


def test_old_accounts_go() -> None:
    clock = Clock()
    accounts = Accounts(forget_after=1800, now=clock)
    for number in range(100):
        accounts.of([f"10.0.0.{number}"])
    clock.now += 1801
    for number in range(100):
        accounts.of([f"10.0.1.{number}"])
    assert len(accounts) == 100


def test_everything_is_earned_back_before_an_account_is_forgotten() -> None:
    """Otherwise an address could wait for that, and get a new burst sooner than its budget allows."""
    limits = Limits()
    names = [one for one in Limits.__dataclass_fields__ if one.endswith("burst")]
    assert names
    for name in names:
        rate = {"message_burst": "messages", "address_message_burst": "address_messages"}.get(name)
        rate = rate or next(
            one for one in (name[:-6], name[:-6] + "s", name[:-5] + "s") if hasattr(limits, one)
        )
        assert getattr(limits, name) / getattr(limits, rate) <= 1800, name


def test_a_bucket_gives_whole_ones() -> None:
    clock = Clock()
    bucket = Bucket(2, 5, clock)
    assert [bucket.take_up_to(4) for _ in range(3)] == [4, 1, 0]
    clock.now += 0.9
    assert bucket.take()
    assert not bucket.take()
    clock.now += 0.1
    assert bucket.take()


def test_the_documents_have_every_limit() -> None:
    text = (Path(__file__).parents[2] / "docs" / "hosting.md").read_text(encoding="utf-8")
    limits = Limits()
    missing = [one for one in Limits.__dataclass_fields__ if f"`{one}`" not in text]
    assert missing == ["per_address"]
    assert "per_address=10" in text
    # Pairs of a rate and a burst, as the table writes them: "50 + 1200" or "1 in 30 s + 20".
    rows = re.findall(r"^\|[^|]+\| ([^|+]+) \+ (\d+) \| `(\w+)`, `(\w+)` \|", text, re.M)
    assert len(rows) == 13
    for rate, burst, rate_name, burst_name in rows:
        each = re.fullmatch(r"1 in (\d+) s", rate)
        shown = 1 / int(each[1]) if each else float(rate)
        assert shown == pytest.approx(getattr(limits, rate_name)), rate_name
        assert int(burst) == getattr(limits, burst_name), burst_name


def test_every_limit_can_be_changed_by_its_name() -> None:
    limits = limits_from(["per_address=10", "spectators=7", "table-burst=2.5"])
    assert (limits.per_address, limits.spectators, limits.table_burst) == (10, 7, 2.5)
    assert isinstance(limits.spectators, int)
    with pytest.raises(NotAllowed, match="there is no limit 'speed': choose from messages"):
        limits_from(["speed=1"])
    for text in ("joins=0", "joins=many", "joins=nan", "joins"):
        with pytest.raises(NotAllowed, match="the limit joins needs a number above 0"):
            limits_from([text])
