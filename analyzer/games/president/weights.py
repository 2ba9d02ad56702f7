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
        (-225, -20, 87, 98, 105, 153, 194, 231, 327, 383, 468, 501, 509, -612, -132),
        (-356, -197, -124, -77, -38, 67, 179, 281, 369, 406, 447, 440, 392, -946, -211),
        (-312, -158, -51, 60, 195, 272, 341, 419, 433, 411, 425, 432, 440, -1138, -556),
        (-129, 1, 142, 232, 335, 370, 396, 405, 399, 401, 400, 399, 401, -519, -302),
    ),
    (
        (-321, -79, 64, 69, 116, 185, 272, 375, 465, 479, 522, 501, 429, -703, -157),
        (-369, -183, -55, 38, 192, 322, 373, 410, 413, 393, 393, 384, 347, -921, -291),
        (-179, 13, 197, 330, 385, 425, 422, 418, 390, 383, 378, 373, 371, -667, -389),
        (130, 201, 249, 304, 328, 346, 358, 356, 355, 353, 351, 348, 347, -7, 128),
    ),
    (
        (-408, -200, -3, 101, 201, 299, 327, 359, 369, 415, 416, 442, 460, -773, -244),
        (-304, -87, 46, 165, 240, 284, 303, 342, 386, 397, 416, 418, 406, -790, -312),
        (-40, 90, 185, 260, 301, 333, 359, 381, 392, 392, 393, 393, 393, -477, -289),
        (109, 154, 190, 230, 262, 287, 307, 321, 331, 337, 341, 344, 344, -25, 108),
    ),
)
"""Singles, pairs, threes and fours: beaten by 0 to 12 or more ranks; closers; closing eights."""
_RUNS = (
    (
        (-33, -38, -68, 228),
        (-40, -56, -59, 136),
        (-111, -85, -79, 41),
        (-113, -68, -56, 8),
    ),
    (
        (5, 30, 113, 245),
        (49, 75, 124, 177),
        (30, 86, 104, 125),
        (49, 77, 95, 109),
    ),
    (
        (-21, 67, 124, 239),
        (17, 68, 119, 183),
        (40, 69, 100, 133),
        (36, 66, 90, 111),
    ),
)
"""Of each length, by how many places they are beaten at."""
_JOKERS = (
    (-228, -456),
    (-446, -532),
    (-494, 6),
)
"""One, and one more."""
_PLAYS_LEFT = (
    (-609, -728, -366, -133, -47, -6, -36, -59),
    (-613, -732, -376, -199, -89, -47, 9, 37),
    (-676, -802, -485, -235, -90, 20, 82, 54),
)
"""None, one and so on."""
_KNOTS = (0, 1, 2, 4, 8, 16, 31)
"""Ways to beat a play times seats; between these the worth goes straight."""
_WINS = (
    (
        (179, 104, -62, -122, -119, -103, -118),
        (219, 221, 108, 72, 52, -1, -132),
        (330, 253, 204, 151, 61, -13, -47),
        (404, 436, 398, 348, 263, 133, 65),
    ),
    (
        (289, 193, 44, -10, -66, -70, -137),
        (324, 266, 204, 128, 15, -15, -62),
        (354, 277, 248, 175, 74, -21, -51),
        (377, 426, 406, 329, 207, 60, -79),
    ),
    (
        (435, 89, 39, -45, -134, -194, -213),
        (464, 203, 141, 51, -35, -86, -75),
        (562, 382, 278, 184, 123, 44, 14),
        (474, 486, 430, 354, 232, 113, 20),
    ),
)
"""Singles, pairs, three or four, runs, at the knots."""
_DANGER = (
    (0, 556, -31, -5),
    (0, 556, -51, -194),
    (0, 400, -116, 38),
)
"""By the size of the group; a run or more than three count as three."""
_PASSING = (
    (55, 867, 256, 181, 208, 143, 210, 180),
    (-28, 515, 104, 32, 59, -14, 34, -25),
    (-5, 654, 117, 55, 77, 18, 65, 32),
)
"""By cards of the opponent who has fewest."""
_WAITING = (
    (0, 0, 0),
    (0, 0, 0),
    (0, 0, 0),
)
"""One, two, three or more."""
_ANSWER = (
    (0, 0, 0, 0),
    (0, 0, 0, 0),
    (0, 0, 0, 0),
)
"""Singles, pairs, three or four, runs."""
_NEED = (
    0,
    0,
    0,
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
