"""Rules of Euchre as kernels see them: a flat array of numbers."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from analyzer.cards.notation import SUITS
from analyzer.games.euchre.rules import TRICKS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analyzer.games.euchre.rules import Euchre

# Places in the array; switches are 0 or 1.
PLAYERS = 0
TARGET = 1
GAMES_IN_MATCH = 2
LAPS = 3
SLAM = 4
PICKUP_MANDATORY = 5
TURN_UP_DISCARDED = 6
"""Whether an ordered turn-up may be discarded."""
TURNED_DOWN_NAMED = 7
STICK_DEALER = 8
LONE_HANDS = 9
"""Whether anybody may play alone at all."""
ANYONE_ALONE = 10
ALONE_WITH_CALL = 11
DEALERS_LEFT_LEADS = 12
JOKER_SUIT = 13
"""The suit that a joker stands for in the bidding, or `BLIND`."""
CALL_NEEDS_SUIT = 14
ASSIST_ALONE = 15
BEST_CARD = 16
DECK = 17
"""Number of cards."""
PAYS = 18
"""and the next 23: the makers' points by maker alone, defender alone, and tricks 0 to 5; below 0 the defenders'."""
LOWERED = PAYS + 4 * (TRICKS + 1)

BLIND = -1
"""A joker that is turned up lets the dealer name trump blind."""


@cache
def lower(rules: Euchre) -> NDArray[np.int64]:
    """Lower the rules.

    Returns
    -------
    (LOWERED,) int64 array
        Read only.

    Examples
    --------
    >>> from analyzer.games.euchre.rules import Euchre
    >>> lower(Euchre(players="3"))[PAYS : PAYS + 6].tolist()
    [-2, -2, -2, 1, 1, 3]
    """
    four = rules.players == "4"
    found = np.zeros(LOWERED, np.int64)
    found[PLAYERS] = int(rules.players)
    found[TARGET] = rules.target
    found[GAMES_IN_MATCH] = rules.games
    found[LAPS] = rules.laps
    found[SLAM] = rules.slam
    found[PICKUP_MANDATORY] = rules.dealer_pickup == "mandatory"
    found[TURN_UP_DISCARDED] = rules.discard_turn_up == "allowed"
    found[TURNED_DOWN_NAMED] = rules.name_turned_down
    found[STICK_DEALER] = rules.stick_dealer
    found[LONE_HANDS] = four
    found[ANYONE_ALONE] = rules.alone == "anyone"
    found[ALONE_WITH_CALL] = four and rules.alone_timing == "with_call"
    found[DEALERS_LEFT_LEADS] = rules.alone_lead == "left_of_dealer"
    found[JOKER_SUIT] = BLIND if rules.joker_turn_up == "dealer_blind" else SUITS.index(rules.joker_turn_up[0])
    found[CALL_NEEDS_SUIT] = rules.call_needs_suit
    found[ASSIST_ALONE] = rules.assist_alone
    found[BEST_CARD] = rules.best_card
    found[DECK] = int(rules.deck)
    found[PAYS:] = [
        rules.points(tricks, lone_maker=maker, lone_defender=defender)
        for maker in (False, True)
        for defender in (False, True)
        for tricks in range(TRICKS + 1)
    ]
    found.flags.writeable = False
    return found
