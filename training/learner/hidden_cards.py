"""Where the cards are that a seat does not see, and what the belief net is shown of it.

`foretell.bots.net.belief_layout` explains places, inputs and answers.  Here every card is an item of its own: 59 cards
of which there is one each, then four Wizards and four Jesters.
"""

from dataclasses import dataclass

import torch

COPIES = 4  # of the Wizard, and of the Jester
NOT_HIDDEN = -1


@dataclass(frozen=True, slots=True)
class Drawn:
    """Some cards whose place is shown to the net, and those that it has to find."""

    inputs: torch.Tensor  # by decision: the bits of the words from DRAWN on
    is_asked: torch.Tensor  # by decision and item


class HiddenCards:
    """Reads the places of hidden cards off the words that the critic sees."""

    def __init__(self, layout: dict[str, dict[str, int]], device: torch.device) -> None:
        self.view, self.belief, codes = layout["view"], layout["belief"], layout["codes"]
        self.kinds, self.wizard, self.jester = codes["KINDS"], codes["WIZARD"], codes["JESTER"]
        self.bits = torch.arange(self.kinds, device=device)
        pairs = (self.wizard, self.jester)
        self.single = torch.tensor([k for k in range(self.kinds) if k not in pairs], device=device)
        copies = torch.tensor([kind for kind in pairs for _ in range(COPIES)], device=device)
        self.kind_of_item = torch.cat([self.single, copies])

    def _counted(self, masks: torch.Tensor, copies: torch.Tensor) -> torch.Tensor:
        """How many cards of each kind there are among some cards, given their mask and six bits for more copies."""
        found = (masks[..., None] >> self.bits & 1).to(torch.int8)
        three = torch.stack([copies >> bit & 1 for bit in range(6)], -1).to(torch.int8)
        found[..., self.wizard] += three[..., :3].sum(-1, dtype=torch.int8)
        found[..., self.jester] += three[..., 3:].sum(-1, dtype=torch.int8)
        return found

    def _deck(self, words: torch.Tensor) -> torch.Tensor:
        """How many cards of each kind the deck has.  In unicolor (V6) each player has one colour and two more cards."""
        view = self.view
        rules = words[:, view["RULES"]]
        deck = torch.ones(len(words), self.kinds, dtype=torch.int8, device=words.device)
        specials = torch.arange(7, device=words.device)
        deck[:, view["FIRST_SPECIAL"] :] = rules[:, None] >> (view["RULES_SPECIALS"] + specials) & 1
        deck[:, self.wizard : self.jester + 1] = COPIES
        four = words[:, view["TABLE"]] >> (view["TABLE_PLAYERS"] + 1) & 1  # whether there are four
        unicolor = rules >> view["RULES_UNICOLOR"] & 1
        deck[:, 39:52] *= (1 - unicolor * (1 - four))[:, None].to(torch.int8)
        deck[:, self.wizard : self.jester + 1] -= (unicolor * (1 - four))[:, None].to(torch.int8)
        return deck

    def counts(self, words: torch.Tensor) -> torch.Tensor:
        """How many cards of each kind are at each place, by decision, place and kind."""
        view, seats = self.view, self.belief["PLACES"]
        shift = torch.arange(seats - 1, device=words.device) * view["COPY_BITS"]
        hands = words[:, view["ALL_HANDS"] + 1 : view["ALL_HANDS"] + seats]
        hidden = words[:, view["HIDDEN"] : view["HIDDEN"] + 1] >> (view["HIDDEN_COPIES"] + shift)
        others = self._counted(hands, hidden & 63)
        tally = words[:, view["TALLY"] : view["TALLY"] + seats]
        own = self._counted(words[:, view["HAND"]], tally[:, 0] >> view["TALLY_HELD_COPIES"] & 63)
        played = self._counted(
            words[:, view["PLAYED"] : view["PLAYED"] + seats],
            tally >> view["TALLY_PLAYED_COPIES"] & 63,
        )
        # X6: a seat that exchanged the Werewolf holds the card that was turned up.
        seat = words[:, view["SEAT"] : view["SEAT"] + seats]
        exchanged = (seat >> view["SEAT_WEREWOLF"] & 1).sum(1)
        turned_up = (words[:, view["TURNED_UP"], None] >> self.bits & 1).to(torch.int8)
        turned_up *= (1 - exchanged)[:, None].to(torch.int8)
        turned_up[:, view["FIRST_DECLARED"] - 1] += exchanged.to(torch.int8)  # the Werewolf itself
        stock = self._deck(words) - own - turned_up
        stock -= played.sum(1, dtype=torch.int8) + others.sum(1, dtype=torch.int8)
        return torch.cat([stock[:, None], others], 1)

    def places(self, words: torch.Tensor) -> torch.Tensor:
        """The place of each item, or NOT_HIDDEN; nothing is asked of a seat that does not see its hand (V4, V5)."""
        view = self.view
        counts = self.counts(words)
        single = counts[:, :, self.single]
        found = torch.where(single.sum(1) > 0, single.argmax(1), NOT_HIDDEN)
        copies = []
        number = torch.arange(COPIES, device=words.device)
        for kind in (self.wizard, self.jester):
            upto = counts[:, :, kind].cumsum(1)
            place = (upto[:, :, None] <= number).sum(1)
            copies.append(torch.where(number < upto[:, -1:], place, NOT_HIDDEN))
        is_unseen = words[:, view["RULES"]] >> view["RULES_UNSEEN_HAND"] & 1 == 1
        places = torch.cat([found, *copies], 1)
        return places.masked_fill(is_unseen[:, None], NOT_HIDDEN)

    def drawn(self, places: torch.Tensor, is_drawn: torch.Tensor) -> Drawn:
        """The inputs for a net that is shown the places of some items, and the items that it is asked for."""
        number, count = places.shape[0], self.belief["PLACES"]
        is_hidden = places >= 0
        is_drawn = is_drawn & is_hidden
        there = torch.arange(count, device=places.device)
        at = (places[:, None] == there[:, None]) & is_drawn[:, None]  # by decision, place and item
        first = len(self.single)
        words = torch.zeros(
            number, count + 1, 64, dtype=torch.bfloat16, device=places.device
        )  # a bit of a word is a number
        words[:, :count, self.single] = at[:, :, :first].to(torch.bfloat16)
        for place, kind in enumerate((self.wizard, self.jester)):
            start = first + COPIES * place
            held = at[:, :, start : start + COPIES].sum(2)
            words[:, :count, kind] = (held > 0).to(torch.bfloat16)
            for more in range(3):
                bit = there * self.belief["COPIES_BITS"] + 3 * place + more
                words[:, count, bit] = (held > more + 1).to(torch.bfloat16)
        return Drawn(words.view(number, -1), is_hidden & ~is_drawn)
