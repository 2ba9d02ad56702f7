"""The random words of a round of President: addressed by the round, and in it by the decision.

The address of a round is its number, or in a match the number of the match and, as the step, that of the round in it.
Slots below `CHOICES` are for the deal and the first lead. Then every decision has a word, whether it is used or not.
"""

from __future__ import annotations

import numpy as np

from analyzer.engine.jit import device
from analyzer.engine.streams import bounded, words

__all__ = ["CHOICES", "LEAD", "REPLICAS", "RETURNS", "SLIPS", "WORDS", "WORLDS", "below"]

U64 = np.uint64

LEAD = 14
"""Slot for who leads at random."""
RETURNS = 15
"""Slot for what is given back in the exchange, a word for each pair."""
CHOICES = 16
"""First slot of the decisions, four in each."""
SLIPS = 1 << 20
"""First slot for whether decisions are slips, one in each; those before it are for what is given back."""
REPLICAS = 1 << 24
"""How far apart the steps are at which a match with the same cards is played once more."""
WORLDS = 1 << 21
"""First slot of the hands that a policy supposes the others to have."""
WORDS = 5
"""Size of the scratch: the four words of a slot, then which slot that is."""


@device(inline=True, borrows=True)
def below(bound, seed, index, step, decision, drawn):
    """A number below a bound by the word of a decision, each equally likely.

    Parameters
    ----------
    bound : int
        At least 1.
    seed, index, step, decision : int
        The address.
    drawn : (WORDS,) int64 array
        Scratch with the last words; a negative last entry if there are none.
    """
    slot = CHOICES + (decision >> 2)
    if drawn[4] != slot:
        drawn[0], drawn[1], drawn[2], drawn[3] = words(seed, index, step, slot)
        drawn[4] = slot
    place = decision & 3
    return bounded(drawn[U64(place)], bound, seed, index, step, slot, place)
