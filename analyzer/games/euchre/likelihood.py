"""How likely it is that what was said in a hand of Euchre would have been said in a given world.

The hand is played again from the deal of the world, up to now. Wherever another player had a choice before the play, a
model of the players says what it would have chosen, by what that seat saw. Each choice that is not the model's makes
the world less likely by the same factor, the doubt about the model. Which cards were played is not judged, only what
they show of suits (`worlds`).
"""

from __future__ import annotations

from analyzer.engine.jit import device
from analyzer.games.euchre.layout import (
    ASKED,
    DEALER,
    DISCARD,
    DISCARDING,
    FIRST,
    GIVING,
    HAND,
    LED,
    MAKER,
    NAME,
    NAME_ALONE,
    NAMING,
    NO,
    ORDER,
    ORDER_ALONE,
    PASS,
    ROUND,
    SEAT,
    SECOND,
    STAGE,
    TAKEN,
    TRUMP,
    TURN_UP,
    TURNING,
    YES,
)
from analyzer.games.euchre.lowering import ALONE_WITH_CALL
from analyzer.games.euchre.moves import begin_hand, bit, is_lone, legal_choices, make_choice
from analyzer.games.euchre.players import choose, decides_by
from analyzer.games.euchre.worlds import dealt, has_changed


@device(borrows=True)
def likelihood(rules, model, doubt, seat, world, seen, hidden, public, digits):
    """The likelihood of what the other players have said, the dealer's discard in this world included.

    Decisions of players who have changed a card since (`best_card`) are not judged, as their hands are not known.

    Parameters
    ----------
    rules : (LOWERED,) int64 array
    model : Players
        Who would say what; policies that are neither asked nor random.
    doubt : float
        How likely a choice is that is not the model's, for one of the model's: above 0, at most 1.
    seat : int
        Whose own choices are not judged.
    world : (HIDDEN,) int64 array
        From `worlds`.
    seen : (SEEN,) int64 array
    hidden, public, digits : arrays
        Scratch, like those of a hand.

    Returns
    -------
    float
        A power of the doubt.
    """
    dealt(world, seen, hidden)
    begin_hand(rules, seen[DEALER], seen[TURN_UP], public)
    for place in range(HAND, LED):
        public[place] = seen[place]
    found = 1.0
    while not _is_now(public, seen):
        who, stage = public[SEAT], public[STAGE]
        said = _said(rules, who, stage, world, seen)
        if who != seat and stage != NAMING and not has_changed(rules, seen, who):
            legal = legal_choices(rules, hidden[who], public)
            if legal & (legal - 1):
                kind = decides_by(model, public)
                discard = hidden[DISCARD] if who == seen[DEALER] else 0
                if choose(rules, model, kind, legal, hidden[who], discard, public, digits) != said:
                    found *= doubt
        make_choice(rules, said, hidden, public)
    return found


@device(borrows=True)
def _is_now(public, seen):
    """Whether all that was said has been said again."""
    if public[STAGE] >= GIVING or seen[STAGE] >= GIVING:
        return public[STAGE] >= GIVING
    return public[STAGE] == seen[STAGE] and public[SEAT] == seen[SEAT] and public[ASKED] == seen[ASKED]


@device(borrows=True)
def _said(rules, who, stage, world, seen):
    """What a seat chose in a stage before the play; only the discard is not known to all."""
    called = seen[MAKER] == who
    alone = is_lone(who, seen)
    if stage == FIRST:
        if not called or seen[ROUND] != 1:
            return bit(PASS)
        return bit(ORDER_ALONE) if alone and rules[ALONE_WITH_CALL] else bit(ORDER)
    if stage == SECOND:
        if not called:
            return bit(PASS)
        return bit(seen[TRUMP] + (NAME_ALONE if alone and rules[ALONE_WITH_CALL] else NAME))
    if stage == NAMING:
        return bit(seen[TRUMP] + NAME)
    if stage == TURNING:
        return bit(YES) if seen[TAKEN] == 1 else bit(NO)
    if stage == DISCARDING:
        return world[DISCARD]
    return bit(YES) if alone else bit(NO)
