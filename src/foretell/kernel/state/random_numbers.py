"""Random numbers (xoroshiro64*): the same in CPython, under Numba and in C.

`rng` is an array with the two 32-bit words of one generator.  Every game of a batch seeds a generator with its own
number, so the games do not depend on how many threads play them.
"""

from foretell.kernel.backend.compiled import Ints, inlined, jit
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state import state_layout as in_state

__all__ = ["RNG_WORDS", "below", "mixed", "seed_rng", "shuffle"]

RNG_WORDS = 2
"""How many words a generator has."""

LOW = 0xFFFFFFFF


@inlined
def below(rng: Ints, sides: int) -> int:
    """A number from 0 to sides - 1, all equally likely."""
    a = rng[0]
    b = rng[1] ^ a
    # Products wrap around in a machine word; only their low 32 bits are kept.
    number = (a * 0x9E3779BB) & LOW
    rng[0] = (((a << 26) | (a >> 6)) & LOW) ^ b ^ ((b << 9) & LOW)
    rng[1] = ((b << 13) | (b >> 19)) & LOW
    return (number * sides) >> 32


@jit
def mixed(word: int) -> int:
    """A 32-bit hash: each of its bits depends on all of the lowest 32 bits of the word."""
    word &= LOW
    word = ((word ^ (word >> 16)) * 0x7FEB352D) & LOW
    word = ((word ^ (word >> 15)) * 0x846CA68B) & LOW
    return word ^ (word >> 16)


@jit
def seed_rng(rng: Ints, seed: int, number: int) -> None:
    """Seeds the generator for the game with this number; seed and number may have up to 62 bits."""
    a = mixed(seed) ^ mixed((seed >> 31) + 0x3C6EF372)
    b = mixed(number + 0x1F83D9AB) ^ mixed((number >> 31) + 0x5BE0CD19)
    rng[0] = mixed(a + 3 * b)
    rng[1] = mixed(b + 5 * a + 0x2545F491) | 1


@inlined
def shuffle(lookup: Ints, state: Ints, rng: Ints, deck: Ints) -> None:
    """Shuffles `deck`, a list of places in the lookup table DECK, but only as far as the next round deals from its top.

    The order before a shuffle does not matter, so the deck is never put back in order.
    """
    size = lookup[in_lookup.HAND_SIZES + state[in_state.ROUND] + 1]
    if lookup[in_lookup.OWN_CARDS] == 0:
        cards = lookup[in_lookup.DECK_SIZE]
        shuffle_top(rng, deck, 0, cards, min(cards, lookup[in_lookup.PLAYERS] * size + 1))
    else:
        for seat in range(lookup[in_lookup.PLAYERS]):
            own = lookup[in_lookup.OWN_CARDS]
            shuffle_top(rng, deck, seat * own, own, size)


@inlined
def shuffle_top(rng: Ints, deck: Ints, start: int, cards: int, count: int) -> None:
    """Brings `count` random cards, out of the `cards` from `start` on, to `start`, in random order."""
    for done in range(count):
        drawn = start + done + below(rng, cards - done)
        card = deck[start + done]
        deck[start + done] = deck[drawn]
        deck[drawn] = card
