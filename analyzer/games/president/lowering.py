"""Rules of President as kernels see them: a flat array of numbers."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analyzer.games.president.rules import President

# Places in the array; switches are 0 or 1.
PLAYERS = 0
JOKERS_IN_DECK = 1
WITH_RUNS = 2
STRICTLY = 3
"""Whether a play must exceed the one before it."""
DISJOINT = 4
"""Whether a run must be wholly beyond the one before it."""
JOKERS_AS_TWOS = 5
REVOLUTION = 6
"""Cards alike that reverse the order; more than any group has if none do."""
RUN_REVOLUTION = 7
"""Shortest run that reverses the order; more than any has if none does."""
THREES_CLOSE = 8
"""Whether threes close while the order is reversed, and twos do not."""
EIGHT_STOP = 9
EIGHT_BY_JOKER = 10
PASS_LOCKS = 11
FIRST_LEAD = 12
"""`CLUB_THREE`, `ANYBODY` or `DEALERS_LEFT`."""
PRESIDENT_LEADS = 13
EXCHANGE = 14
"""and the next: cards that the first and the last exchange, and the second and the second to last; 0 for none."""
PAIRS = 2
ROUNDS = 16
LOWERED = 17

CLUB_THREE, ANYBODY, DEALERS_LEFT = 0, 1, 2
NEVER = 99
_LEADS = {"club3": CLUB_THREE, "random": ANYBODY, "dealer_left": DEALERS_LEFT}


@cache
def lower(rules: President) -> NDArray[np.int64]:
    """Lower the rules.

    Returns
    -------
    (LOWERED,) int64 array
        Read only.

    Examples
    --------
    >>> from analyzer.games.president.rules import President
    >>> lower(President(players=3, exchange=True))[[PLAYERS, EXCHANGE, EXCHANGE + 1, ROUNDS]].tolist()
    [3, 2, 0, 5]
    """
    found = np.zeros(LOWERED, np.int64)
    found[PLAYERS] = rules.players
    found[JOKERS_IN_DECK] = rules.jokers
    found[WITH_RUNS] = rules.runs
    found[STRICTLY] = rules.beat == "higher"
    found[DISJOINT] = rules.run_beat == "disjoint"
    found[JOKERS_AS_TWOS] = rules.all_jokers == "may_be_2s"
    found[REVOLUTION] = 4 if rules.revolution else NEVER
    found[RUN_REVOLUTION] = 4 if rules.revolution and rules.run_revolution else NEVER
    found[THREES_CLOSE] = rules.closer_in_revolution == "threes"
    found[EIGHT_STOP] = rules.eight_stop
    found[EIGHT_BY_JOKER] = rules.eight_by_joker
    found[PASS_LOCKS] = rules.pass_locks
    found[FIRST_LEAD] = _LEADS[rules.first_lead]
    found[PRESIDENT_LEADS] = rules.next_lead == "president"
    if rules.exchange:
        found[EXCHANGE : EXCHANGE + PAIRS] = (int(rules.exchange_of_three), 0) if rules.players == 3 else (2, 1)
    found[ROUNDS] = rules.rounds
    found.flags.writeable = False
    return found
