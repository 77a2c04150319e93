"""Chance: numbers from two 32-bit words (xoroshiro64*), the same in CPython, under Numba and in C.

Every game of a batch is seeded by its own number, so what is played does not depend on how many threads play it.
"""

from foretell.kernel.backend.compiled import Ints, inlined, jit
from foretell.kernel.state import layout as at

__all__ = ["CHANCE", "below", "mixed", "seed_chance", "shuffle"]

CHANCE = 2
"""How many words a stream of chance takes."""

LOW = 0xFFFFFFFF


@inlined
def below(g: Ints, sides: int) -> int:
    """A number from 0 to sides - 1, each as likely as the next."""
    a = g[0]
    b = g[1] ^ a
    # Products wrap around in a machine word; only their low 32 bits are kept.
    number = (a * 0x9E3779BB) & LOW
    g[0] = (((a << 26) | (a >> 6)) & LOW) ^ b ^ ((b << 9) & LOW)
    g[1] = ((b << 13) | (b >> 19)) & LOW
    return (number * sides) >> 32


@jit
def mixed(word: int) -> int:
    """32 bits in which every bit depends on all of the word's lowest 32."""
    word &= LOW
    word = ((word ^ (word >> 16)) * 0x7FEB352D) & LOW
    word = ((word ^ (word >> 15)) * 0x846CA68B) & LOW
    return word ^ (word >> 16)


@jit
def seed_chance(g: Ints, seed: int, number: int) -> None:
    """Begins the stream of the game with this number; seed and number may have up to 62 bits."""
    a = mixed(seed) ^ mixed((seed >> 31) + 0x3C6EF372)
    b = mixed(number + 0x1F83D9AB) ^ mixed((number >> 31) + 0x5BE0CD19)
    g[0] = mixed(a + 3 * b)
    g[1] = mixed(b + 5 * a + 0x2545F491) | 1


@inlined
def shuffle(t: Ints, s: Ints, g: Ints, deck: Ints) -> None:
    """Shuffles as much of the deck as the next round deals; `deck` holds places in the deck, in any order.

    A shuffle of a deck in whatever order is as good as one of a deck in order, so nothing is sorted back.
    """
    size = t[at.SIZES + s[at.ROUND] + 1]
    if t[at.OWN_CARDS] == 0:
        dealt = min(t[at.CARDS], t[at.PLAYERS] * size + 1)
        for i in range(dealt):
            j = i + below(g, t[at.CARDS] - i)
            card = deck[i]
            deck[i] = deck[j]
            deck[j] = card
    else:
        for seat in range(t[at.PLAYERS]):
            start = seat * t[at.OWN_CARDS]
            for i in range(size):
                j = start + i + below(g, t[at.OWN_CARDS] - i)
                card = deck[start + i]
                deck[start + i] = deck[j]
                deck[j] = card
