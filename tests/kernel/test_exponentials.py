"""`exp` and `log` of the kernel: close to the exact values, and the same to the last bit in every backend."""

import math
from collections.abc import Callable
from random import Random
from types import FunctionType
from typing import Any

import pytest

from foretell.kernel.backend import exponentials, python_backend
from foretell.kernel.backend.exponentials import LEAST, MOST, OF_ZERO, exp, log

RANDOM = Random(5)
XS = [
    *(RANDOM.uniform(-8, 8) for _ in range(4_000)),
    *(RANDOM.uniform(LEAST, MOST) for _ in range(4_000)),
    *(RANDOM.uniform(-1e-9, 1e-9) for _ in range(200)),
    0.0, -0.0, 1.0, -1.0, LEAST, MOST, math.log(2) / 2, -math.log(2) / 2,
]  # fmt: skip
POSITIVE = [
    *(RANDOM.uniform(0, 2) for _ in range(4_000)),
    *(math.ldexp(RANDOM.uniform(0.5, 1), RANDOM.randrange(-1000, 1000)) for _ in range(4_000)),
    1.0, 2.0, 0.5, math.sqrt(0.5), math.sqrt(2.0), 1 + 2**-52, 1 - 2**-53,
]  # fmt: skip


def plain(function: Callable[[float], float]) -> Callable[[float], float]:
    """The function as plain Python runs it, with what it calls."""
    space: dict[str, Any] = dict(vars(exponentials))
    space |= {"scaled": python_backend.scaled, "exponent": python_backend.exponent}
    for name in ("_rest_of_series", "_rest_of_artanh"):
        one = space[name]
        space[name] = getattr(one, "__wrapped__", getattr(one, "py_func", one))
    source: Any = function
    inner = getattr(source, "__wrapped__", getattr(source, "py_func", source))
    return FunctionType(inner.__code__, space)


def test_exp_is_within_two_units_in_the_last_place() -> None:
    for x in XS:
        exact = math.exp(x)
        assert abs(exp(x) - exact) <= 2 * math.ulp(exact), x


def test_log_is_within_two_units_in_the_last_place() -> None:
    for x in POSITIVE:
        exact = math.log(x)
        assert abs(log(x) - exact) <= 2 * math.ulp(exact), x


@pytest.mark.parametrize(("function", "values"), [(exp, XS), (log, POSITIVE)], ids=["exp", "log"])
def test_the_bits_are_those_of_plain_python(
    function: Callable[[float], float], values: list[float]
) -> None:
    in_python = plain(function)
    assert [function(x).hex() for x in values] == [in_python(x).hex() for x in values]


def test_exp_has_no_range_in_which_it_fails() -> None:
    assert exp(-1e9) == exp(LEAST - 1e-9) == 0.0
    assert exp(1e9) == exp(MOST) < math.inf


def test_the_logarithm_of_nothing_is_far_below_all_others() -> None:
    assert log(0.0) == OF_ZERO < log(5e-308)
