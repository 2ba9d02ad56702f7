"""The numbers that a player of `rules` weighs by in President, in thousandths of a point.

Regressions of the points at the end of rounds on what a random play left told the first numbers, and an evolution
strategy improved them in rounds of `rules` against three or four players of `lowest`: four and five players, without
runs, with jokers, revolution and closing eights, and with passes that do not lock.

All are by *phase*: whether the opponent with the fewest cards holds eight or more, four to seven, or fewer.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

PHASES = 3
BEATERS = 12
"""Most ways in which a group is beaten that are told apart."""
CLOSER, EIGHTS = 13, 14
"""Categories of groups that close the pile, those of eights apart."""
CATEGORIES = 15
LENGTHS, RUN_CATEGORIES = 4, 4
"""Runs of three, four, five, and more cards; beaten at no place, one, two or three, or more."""
WIN_STEPS = 32

# Places in the numbers of a phase.
RUN_LEFT = 4 * CATEGORIES
"""What runs cost that are left in the hand, after groups of each size."""
JOKER_LEFT = RUN_LEFT + LENGTHS * RUN_CATEGORIES
"""What a joker costs that fills no gap, and a second one."""
PLAYS_LEFT = JOKER_LEFT + 2
"""What so many plays left cost beside that, 0 to 7 or more."""
WIN = PLAYS_LEFT + 8
"""What a single, a pair, three or four, or a run is worth, by the ways to beat it times the seats that can."""
DANGER = WIN + 4 * WIN_STEPS
"""What a group costs whose size is all that an opponent holds."""
PASSING = DANGER + 4
"""What a pass costs, by the fewest cards that an opponent holds;"""
WAITING = PASSING + 8
"""by how many others may still play on the pile;"""
ANSWER = WAITING + 3
"""and by the kind of the play that is not answered."""
NEED = ANSWER + 4
"""By which part of what is left a play is better that nobody can beat, in 256ths."""
PHASE = NEED + 1
LOSERS = PHASES * PHASE
"""Where a table begins that counts the groups and runs that can be beaten."""
PLAYS_BITS = 6
"""What is left costs so many bits higher up, and each play has 1: so a sum of these counts plays as well."""

_GROUPS = (
    (
        (-19, 135, 212, 213, 210, 241, 266, 302, 386, 439, 513, 547, 561, -657, -75),
        (-338, -168, -92, -46, -7, 104, 223, 339, 441, 486, 535, 532, 484, -911, -239),
        (-378, -226, -125, -20, 112, 181, 241, 339, 367, 357, 386, 406, 429, -1103, -584),
        (-187, -61, 77, 161, 258, 282, 295, 319, 326, 341, 354, 367, 383, -484, -330),
    ),
    (
        (-90, 93, 198, 195, 224, 270, 331, 421, 499, 518, 560, 551, 502, -748, -100),
        (-359, -159, -23, 74, 239, 378, 429, 475, 482, 464, 470, 463, 427, -886, -319),
        (-241, -49, 136, 264, 310, 340, 323, 332, 315, 322, 329, 338, 349, -632, -417),
        (90, 153, 190, 235, 248, 254, 253, 265, 277, 288, 300, 311, 323, 28, 100),
    ),
    (
        (-165, -8, 140, 214, 286, 356, 370, 403, 418, 463, 472, 500, 522, -818, -187),
        (-291, -56, 85, 211, 289, 334, 350, 397, 450, 466, 491, 499, 490, -755, -340),
        (-92, 35, 123, 190, 220, 241, 255, 292, 317, 332, 346, 360, 373, -442, -317),
        (70, 105, 130, 159, 180, 194, 202, 230, 254, 274, 292, 308, 322, 10, 80),
    ),
)
"""Singles, pairs, threes and fours: beaten by 0 to 12 or more ranks; closers; closing eights."""
_RUNS = (
    (
        (-11, -17, -45, 232),
        (-19, -33, -36, 146),
        (-84, -60, -55, 57),
        (-86, -45, -33, 27),
    ),
    (
        (32, 55, 133, 256),
        (72, 97, 143, 192),
        (55, 108, 124, 144),
        (72, 98, 116, 129),
    ),
    (
        (7, 89, 142, 250),
        (43, 90, 138, 198),
        (64, 91, 120, 151),
        (60, 88, 111, 130),
    ),
)
"""Of each length, by how many places they are beaten at."""
_JOKERS = (
    (-314, -448),
    (-532, -524),
    (-580, 14),
)
"""One, and one more."""
_PLAYS_LEFT = (
    (-609, -590, -407, -117, -47, -6, -36, -59),
    (-613, -594, -417, -183, -89, -47, 9, 37),
    (-676, -664, -526, -219, -90, 20, 82, 54),
)
"""None, one and so on."""
_KNOTS = (0, 1, 2, 4, 8, 16, 31)
"""Ways to beat a play times seats; between these the worth goes straight."""
_WINS = (
    (
        (17, 48, -122, -147, -134, -111, -114),
        (98, 314, 170, 124, 75, -2, -98),
        (356, 277, 209, 154, 70, -7, -38),
        (389, 420, 376, 330, 252, 141, 86),
    ),
    (
        (127, 137, -14, -46, -76, -81, -118),
        (203, 361, 260, 169, 50, -12, -51),
        (380, 302, 250, 180, 82, -12, -44),
        (362, 408, 376, 306, 198, 62, -36),
    ),
    (
        (273, 33, -26, -84, -148, -193, -208),
        (343, 297, 193, 98, -6, -75, -80),
        (588, 408, 274, 197, 128, 52, 22),
        (459, 468, 400, 332, 227, 117, 49),
    ),
)
"""Singles, pairs, three or four, runs, at the knots."""
_DANGER = (
    (0, 532, -19, -5),
    (0, 532, -39, -194),
    (0, 376, -104, 38),
)
"""By the size of the group; a run or more than three count as three."""
_PASSING = (
    (48, 681, 249, 174, 201, 136, 203, 173),
    (50, 509, 182, 110, 137, 64, 112, 53),
    (82, 910, 204, 142, 164, 105, 152, 119),
)
"""By cards of the opponent who has fewest."""
_WAITING = (
    (68, -47, -108),
    (68, -47, -108),
    (68, -47, -108),
)
"""One, two, three or more."""
_ANSWER = (
    (146, -164, 79, -2),
    (146, -164, 79, -2),
    (146, -164, 79, -2),
)
"""Singles, pairs, three or four, runs."""
_NEED = (
    7,
    12,
    15,
)
"""In 256ths."""


def _phase(number: int) -> list[int]:
    """The numbers of a phase, in order."""
    left = [cost for group in _GROUPS[number] for cost in group]
    left += [cost for run in _RUNS[number] for cost in run] + [*_JOKERS[number]]
    numbers = [(cost << PLAYS_BITS) + 1 for cost in left] + [*_PLAYS_LEFT[number]]
    for knots in _WINS[number]:
        numbers += np.interp(range(WIN_STEPS), _KNOTS, knots).round().astype(int).tolist()
    numbers += [*_DANGER[number], *_PASSING[number], *_WAITING[number], *_ANSWER[number], _NEED[number]]
    assert len(numbers) == PHASE
    return numbers


def _lower() -> NDArray[np.int64]:
    numbers = [one for number in range(PHASES) for one in _phase(number)]
    groups = 4 * [0, *[1] * BEATERS, 0, 0]
    return np.array(numbers + groups + LENGTHS * [0, 1, 1, 1] + [0, 0])


WEIGHTS = _lower()
