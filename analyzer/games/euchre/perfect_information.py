"""Choices in Euchre judged by perfect information in worlds drawn at random: the kernel of the policy `pimc`.

Worlds are drawn from all that agree with what the seat has seen (`worlds`), and the likely ones are kept
(`likelihood`). In each of them every choice is followed by best play with open hands. In the bidding the others, and
the seat itself later on, first go on as a model of the players would, up to the first lead.

The values are averages over perfect information, not what a choice is worth at the table: in each world everybody,
the seat itself included, knows all cards from then on, so that a choice whose right continuation depends on the world
looks better than it is (*strategy fusion*), and nothing is ever gained by hiding or finding out what others hold.

References
----------
M. L. Ginsberg, "GIB: imperfect information in a computationally challenging game", Journal of Artificial Intelligence
Research 14, 2001.

I. Frank, D. Basin, "Search in games with incomplete information: a case study using bridge card play", Artificial
Intelligence 100, 1998.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from analyzer.cards.bits import card_count
from analyzer.engine.jit import device, kernel
from analyzer.engine.streams import words
from analyzer.games.euchre.hands import play_on
from analyzer.games.euchre.layout import (
    ACTIVE,
    DOWN,
    HIDDEN,
    LEADER,
    MADE,
    MAKER,
    OVER,
    PLAYING,
    SEAT,
    SEATS,
    SEEN,
    STAGE,
    TRICKS,
)
from analyzer.games.euchre.likelihood import likelihood
from analyzer.games.euchre.lowering import PLAYERS
from analyzer.games.euchre.moves import is_makers, make_choice, makers_points
from analyzer.games.euchre.players import choose, decides_by
from analyzer.games.euchre.randomness import DIGITS
from analyzer.games.euchre.relabel import led_field
from analyzer.games.euchre.rules import TRICKS as ALL_TRICKS
from analyzer.games.euchre.search import empty_table, reached
from analyzer.games.euchre.worlds import (
    FIRST_SLOT,
    WORLDS,
    decision_number,
    draw_world,
    make_world,
    unseen,
    world_count,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

I64 = np.int64
U64 = np.uint64
NOTHING = U64(0)
CANDIDATES = 8
"""Worlds that are drawn for each that is kept."""
MOST_WORLDS = WORLDS // CANDIDATES - 1


class Judged(NamedTuple):
    """What the choices of a seat are worth with open hands. Points are the own side's, less the opponents'."""

    choice: int
    """The best: of equally good ones the model's, or the lowest."""
    choices: NDArray[np.int64]
    """(choices,) sets of one, ascending."""
    values: NDArray[np.float64]
    """(choices,) weighted means of the points."""
    weights: NDArray[np.float64]
    """(worlds,) weights that add up to 1."""
    points: NDArray[np.int64]
    """(choices, worlds) the points that follow."""


@device
def resampled_worlds(rules, model, hand, discard, seen, worlds, doubt, seed, index, step):
    """Worlds of the seat in turn, and the weight of each; the weights add up to 1.

    If there are no more worlds than `CANDIDATES` for each that is wanted all are candidates, else so many are drawn. If
    the candidates are more than are wanted, some are kept by systematic resampling: where the likelihoods, added up,
    pass an evenly spaced row of numbers.
    """
    view = unseen(rules, seen[SEAT], hand, discard, seen)
    total = world_count(view)
    every = total <= U64(CANDIDATES * worlds)
    n = I64(total) if every else CANDIDATES * worlds
    decision = decision_number(seen)
    candidates, odds = np.zeros((n, HIDDEN), np.int64), np.zeros(n)
    hidden, public, digits = np.zeros(HIDDEN, np.int64), np.zeros(SEEN, np.int64), np.zeros(DIGITS, np.int64)
    for k in range(n):
        if every:
            make_world(view, k, candidates[k])
        else:
            draw_world(view, decision, k, seed, index, step, candidates[k])
        odds[k] = likelihood(rules, model, doubt, seen[SEAT], candidates[k], seen, hidden, public, digits)
    if n <= worlds:
        return candidates, odds / odds.sum()
    shift = words(seed, index, step, FIRST_SLOT + decision * WORLDS + WORLDS - 1)[0] / 2.0**32
    scale = worlds / odds.sum()
    kept, copies = np.zeros((worlds, HIDDEN), np.int64), np.zeros(worlds)
    count, passed, so_far = 0, 0, 0.0
    for k in range(n):
        so_far += odds[k]
        reach = worlds if k == n - 1 else min(worlds, I64(np.floor(so_far * scale + shift)))
        if reach > passed:
            for place in range(HIDDEN):
                kept[count, place] = candidates[k, place]
            copies[count] = (reach - passed) / worlds
            passed = reach
            count += 1
    return kept[:count], copies[:count]


@device(inline=True, borrows=True)
def _searched_place(seat, players, maker):
    """The place of a seat in the search, where sides are even and odd: of three players the maker's is 0."""
    if players != 3:
        return seat
    after = (seat - maker + 3) % 3
    return 3 if after == 2 else after


@device(borrows=True)
def open_points(rules, world, seen, forced, hands, steps, table, stamp):
    """The makers' points, or below 0 the defenders', if all play on with open hands.

    Parameters
    ----------
    rules : (LOWERED,) int64 array
    world : (HIDDEN,) int64 array
    seen : (SEEN,) int64 array
        In the stage `PLAYING`.
    forced : int
        The cards on the table, and one that the seat in turn plays, or none.
    hands, steps : (4,) uint64 array, (5,) int64 array
        Scratch.
    table, stamp
        As for `search.takes`.
    """
    players, maker, made = rules[PLAYERS], seen[MAKER], seen[MADE]
    for place in range(SEATS):
        hands[place] = NOTHING
    for seat in range(SEATS):
        if seen[ACTIVE] >> seat & 1:
            hands[_searched_place(seat, players, maker)] = U64(world[seat] | seen[DOWN + seat])
    n = 0
    for more in range(1, ALL_TRICKS - seen[TRICKS] + 1):
        if makers_points(rules, made + more, seen) != makers_points(rules, made + more - 1, seen):
            steps[n] = more
            n += 1
    if n == 0:
        return makers_points(rules, made, seen)
    leader, side = _searched_place(seen[LEADER], players, maker), _searched_place(maker, players, maker) & 1
    return makers_points(rules, made + reached(hands, leader, U64(forced), side, steps[:n], table, stamp), seen)


@device(borrows=True)
def _same_run(card, lower_card, in_play):
    """Whether two cards of a hand are of a suit and no card in play is between them."""
    between = in_play & (card - 1) & ~(2 * lower_card - 1)
    return between == 0 and led_field(card) == led_field(lower_card)


@device(borrows=True)
def _judge_cards(rules, world, seen, choices, hands, steps, table, stamp, points):
    """Fill in the makers' points for each card in one world."""
    in_play, down = I64(0), I64(0)
    for seat in range(SEATS):
        if seen[ACTIVE] >> seat & 1:
            in_play |= world[seat] | seen[DOWN + seat]
            down |= seen[DOWN + seat]
    for i in range(choices.size):
        if i > 0 and _same_run(choices[i], choices[i - 1], in_play):
            points[i] = points[i - 1]
        else:
            points[i] = open_points(rules, world, seen, down | choices[i], hands, steps, table, stamp)


@kernel
def judge_choices(
    rules: Any,
    model: Any,
    legal: Any,
    hand: Any,
    discard: Any,
    seen: Any,
    worlds: Any,
    doubt: Any,
    seed: Any,
    index: Any,
    step: Any,
) -> Any:
    """Judge every choice of the seat in turn by worlds with open hands.

    Parameters
    ----------
    rules : (LOWERED,) int64 array
    model : Players
        Who would say what, and goes on in the bidding; policies that are neither asked nor random.
    legal, hand, discard : int
        What it may choose, its cards (0 if it must not look), and its discard if it is the dealer, else 0.
    seen : (SEEN,) int64 array
    worlds : int
        How many different worlds are solved at most, up to `MOST_WORLDS`.
    doubt : float
        As for `likelihood`.
    seed, index, step : int
        The address of the hand.

    Returns
    -------
    Judged
    """
    found, weights = resampled_worlds(rules, model, hand, discard, seen, worlds, doubt, seed, index, step)
    n = I64(card_count(U64(legal)))
    choices, values = np.zeros(n, np.int64), np.zeros(n)
    points = np.zeros((n, weights.size), np.int64)
    hidden, public, digits = np.zeros(HIDDEN, np.int64), np.zeros(SEEN, np.int64), np.zeros(DIGITS, np.int64)
    hands, steps, table = np.zeros(SEATS, np.uint64), np.zeros(ALL_TRICKS, np.int64), empty_table()
    stamp, seat = NOTHING, seen[SEAT]
    usual = choose(rules, model, decides_by(model, seen), legal, hand, discard, seen, digits)
    rest = legal
    for i in range(n):
        choices[i] = rest & -rest
        rest ^= choices[i]
    here = np.zeros(n, np.int64)
    for k in range(weights.size):
        if seen[STAGE] == PLAYING:
            stamp += U64(1)
            _judge_cards(rules, found[k], seen, choices, hands, steps, table, stamp, here)
            for i in range(n):
                points[i, k] = here[i] if is_makers(seat, seen, rules[PLAYERS]) else -here[i]
            continue
        for i in range(n):
            for place in range(HIDDEN):
                hidden[place] = found[k, place]
            for place in range(SEEN):
                public[place] = seen[place]
            make_choice(rules, choices[i], hidden, public)
            play_on(rules, model, hidden, public, digits, I64(PLAYING))
            if public[STAGE] != OVER:
                stamp += U64(1)
                made = open_points(rules, hidden, public, 0, hands, steps, table, stamp)
                points[i, k] = made if is_makers(seat, public, rules[PLAYERS]) else -made
    best = -1
    for i in range(n):
        for k in range(weights.size):
            values[i] += weights[k] * points[i, k]
        if best < 0 or values[i] > values[best] or (values[i] == values[best] and choices[i] == usual):
            best = i
    return Judged(choices[best], choices, values, weights, points)
