"""Who decides in a hand of Euchre: the policies of all seats as kernels see them, and the choice of the one in turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from analyzer.engine.jit import device, kernel
from analyzer.games.euchre.calls import rules_choice
from analyzer.games.euchre.card_play import rules_card
from analyzer.games.euchre.chart_policy import NO_CHARTS, NO_INDEX, chart_choice
from analyzer.games.euchre.layout import PLAYING, SEAT, STAGE
from analyzer.games.euchre.randomness import random_choice
from analyzer.games.euchre.strength import PARAMETERS, strength_choice

if TYPE_CHECKING:
    from numpy.typing import NDArray

ASK = 0
"""Of a policy: it is asked outside of the kernel."""
RANDOM = 1
RULES = 2
STRENGTH = 3
CHART = 4


NO_PARAMETERS = np.zeros((0, PARAMETERS))


class Players(NamedTuple):
    """The policies at a table. A policy has two kinds of rules: for all that is said, and for the cards played."""

    who: NDArray[np.int64]
    """(4,) the policy of each seat."""
    bidding: NDArray[np.int64]
    """(policies,) how it bids, discards and says that it plays alone: `ASK`, `RANDOM`, `RULES`, `STRENGTH`, `CHART`."""
    playing: NDArray[np.int64]
    """(policies,) how it plays: `ASK`, `RANDOM`, `RULES`."""
    chart_index: NDArray[np.int32] = NO_INDEX
    """From `chart_index`, if anybody bids by a chart."""
    charts: NDArray[np.int64] = NO_CHARTS
    """(policies, rows) the words of charts, see `chart_policy`; no rows if nobody bids by a chart."""
    parameters: NDArray[np.float64] = NO_PARAMETERS
    """(policies, PARAMETERS) from `Strength.lower` for those that bid by `STRENGTH`; other rows are not read."""


@device(inline=True, borrows=True)
def decides_by(players, seen):
    """The kind of rules by which the seat in turn decides."""
    who = players.who[seen[SEAT]]
    return players.playing[who] if seen[STAGE] == PLAYING else players.bidding[who]


@device(borrows=True)
def choose(rules, players, kind, legal, hand, discard, seen, digits):
    """Choice of the seat in turn: one bit of several legal ones.

    Parameters
    ----------
    rules : (LOWERED,) int64 array
    players : Players
    kind : int
        From `decides_by`, not `ASK`.
    legal, hand, discard : int
        From `legal_choices`; his cards, none if he must not look; his discard if he is the dealer, else none.
    seen : (SEEN,) int64 array
        What everybody has seen, see `layout`.
    digits : array
        From `read_digits`, for random choices.
    """
    if kind == RANDOM:
        return random_choice(legal, seen, digits)
    if seen[STAGE] == PLAYING:
        return rules_card(rules, legal, hand, discard, seen)
    if kind == CHART:
        who = players.who[seen[SEAT]]
        choice = chart_choice(players.chart_index, players.charts, who, legal, hand, discard, seen)
        if choice:
            return choice
    if kind == STRENGTH:
        return strength_choice(rules, players.parameters, players.who[seen[SEAT]], legal, hand, discard, seen)
    return rules_choice(rules, legal, hand, discard, seen)


@kernel
def answer(rules: Any, players: Any, legal: Any, hand: Any, discard: Any, seen: Any, digits: Any) -> Any:
    """What the seat in turn chooses, for those who play on in Python; the arguments are those of `choose`."""
    return choose(rules, players, decides_by(players, seen), legal, hand, discard, seen, digits)
