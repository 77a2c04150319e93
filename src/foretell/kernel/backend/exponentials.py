"""`exp` and `log` with the same result, to the last bit, on every machine and by every backend.

The functions of a system's mathematical library differ in the last bit from system to system, and even from CPU to CPU.
WebAssembly has none.  With these two, the same seed gives the same choices everywhere.  Both are within 2 units in the
last place of the exact value; tests/kernel/test_exponentials.py checks it.
"""

from foretell.kernel.backend.compiled import exponent, inlined, jit, scaled

__all__ = ["exp", "log"]

_LOG2_E = 1.4426950408889634
# ln 2 in two parts.  The first has so few digits that its products with an exponent are exact.
_LN2_HIGH = 0.6931471803691238
_LN2_LOW = 1.9082149292705877e-10
_ROOT_HALF = 0.7071067811865476

LEAST, MOST = -708.0, 709.0  # beyond these, exp has no normal number as its result
OF_ZERO = -1e300
"""What `log` returns for 0; minus infinity would make sums that are not a number."""


@jit
def exp(x: float) -> float:
    """e to the power of x: 0 below LEAST, and the value at MOST above that."""
    if x < LEAST:
        return 0.0
    x = min(x, MOST)
    # x = k ln 2 + r, with r between -ln 2 / 2 and ln 2 / 2.  The 1024 makes the number positive, so that `int` rounds.
    k = int(x * _LOG2_E + 1024.5) - 1024
    r = (x - k * _LN2_HIGH) - k * _LN2_LOW
    return scaled(1.0 + (r + r * r * _rest_of_series(r, r * r)), k)


@inlined
def _rest_of_series(r: float, s: float) -> float:
    """(e^r - 1 - r) / r^2 by its series, added up in pairs so that a CPU can work on several at a time; s is r^2."""
    low = (1 / 2 + r * (1 / 6)) + s * (1 / 24 + r * (1 / 120))
    middle = (1 / 720 + r * (1 / 5040)) + s * (1 / 40320 + r * (1 / 362880))
    high = (1 / 3628800 + r * (1 / 39916800)) + s * (1 / 479001600 + r * (1 / 6227020800))
    q = s * s
    return low + q * (middle + q * high)


@jit
def log(x: float) -> float:
    """The natural logarithm of a normal positive number."""
    if x <= 0.0:
        return OF_ZERO
    # x = m 2^k, with m between the square roots of 1/2 and of 2; then ln m = 2 artanh((m - 1) / (m + 1)).
    k = exponent(x)
    m = scaled(x, -k)
    if m < _ROOT_HALF:
        m += m
        k -= 1
    f = m - 1.0
    s = f / (m + 1.0)
    return k * _LN2_HIGH + ((s + s) + (_rest_of_artanh(s, s * s) + k * _LN2_LOW))


@inlined
def _rest_of_artanh(s: float, z: float) -> float:
    """2 artanh(s) - 2s by its series; z is s^2."""
    low = (2 / 3 + z * (2 / 5)) + z * z * (2 / 7 + z * (2 / 9))
    high = (2 / 11 + z * (2 / 13)) + z * z * (2 / 15 + z * (2 / 17))
    top = 2 / 19 + z * (2 / 21)
    q = (z * z) * (z * z)
    return s * z * (low + q * (high + q * top))
