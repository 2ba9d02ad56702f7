"""Random hands of Euchre from deal to score, on one core, beside the random rollouts of open_spiel."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.analysis.euchre.hands import BLOCK
from analyzer.engine.blocks import Block
from analyzer.games.euchre.hand_log import POSITION_OF_MAKER
from analyzer.games.euchre.play import Table, play_hands
from analyzer.games.euchre.players import RANDOM, Players
from analyzer.games.euchre.rules import Euchre
from benchmarks.measure import Bar, Effort, Row, check, installed, race, rate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

NOTE = (
    "Random hands of Euchre: one core, every choice uniform among what is legal, the deal and a record of each hand"
    " included. open_spiel's evaluator plays rollouts in C++ from hands that are dealt"
    " beforehand, driven by its own tree search of one simulation; its states played in a loop in Python deal as well."
)
PEER = "open_spiel"
HANDS_PER_SECOND = 2_500_000.0
TIMES_FASTER = 5.0
POSITIONS = 20
"""Dealt hands in turn, so that no single one decides the figure."""


def random_table() -> Table:
    """Four random players by the rules of open_spiel, but the maker's partner too is asked about playing alone."""
    rules = Euchre(
        dealer_pickup="mandatory", discard_turn_up="forbidden", alone_lead="left_of_dealer", lone_defence="flat4"
    )
    return Table(rules, Players(np.zeros(4, np.int64), np.array([RANDOM]), np.array([RANDOM])), (None,))


def dealt(game: Any, random: Random) -> Any:
    """A hand of open_spiel before the first bid."""
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(random.choice(state.legal_actions()))
    return state


def rollouts(states: list[Any], game: Any, count: int) -> None:
    """So many rollouts in all from the states, in C++: the search evaluates each of them once."""
    import pyspiel

    evaluator = pyspiel.RandomRolloutEvaluator(count // len(states), 1)
    for state in states:
        pyspiel.MCTSBot(game, evaluator, 2.0, 1, 1, False, 1, False).mcts_search(state)


def play_in_python(game: Any, count: int) -> NDArray[np.int64]:
    """So many hands action by action; who made trump, 0 for the dealer's left."""
    random = Random(1)
    found = np.empty(count, np.int64)
    for i in range(count):
        state = dealt(game, random)
        while not state.is_terminal():
            state.apply_action(random.choice(state.legal_actions()))
        found[i] = (state.declarer() - state.dealer() - 1) % 4
    return found


def rows(effort: Effort) -> Iterator[Row]:
    """Play hands in a race with both ways of open_spiel."""
    table, count, repeats = random_table(), BLOCK, effort.pick(100, 10)  # a block as `simulate` plays it
    runs: dict[str, Callable[[], Any]] = {"analyzer": lambda: play_hands(table, 1, Block(0, 0, count))}
    in_c, in_python = 10_000, 500
    if installed("pyspiel"):
        import pyspiel

        game = pyspiel.load_game("euchre", {"allow_lone_defender": True})
        states = [dealt(game, Random(position)) for position in range(POSITIONS)]
        runs["rollouts"] = lambda: rollouts(states, game, in_c)
        runs["python"] = lambda: play_in_python(game, in_python)
    runs["analyzer"]()
    timed = race(runs, repeats)
    here = count / timed["analyzer"].seconds
    bar = Bar(f"≥ {HANDS_PER_SECOND:,.0f}/s", here >= HANDS_PER_SECOND)
    job = "Random hands of Euchre, from deal to score"
    if "rollouts" not in timed:
        yield Row(job=job, analyzer=rate(here, "hands"), peer="open_spiel is not installed", bars=(bar,))
        return
    there = in_c / timed["rollouts"].seconds
    times = Bar(f"≥ {TIMES_FASTER:g}×", here >= TIMES_FASTER * there)
    yield Row(
        job=job,
        analyzer=rate(here, "hands"),
        peer=f"{PEER}, rollouts in C++: {rate(there, 'hands')}",
        ratio=here / there,
        bars=(bar, times),
    )
    makers_here, makers_there = timed["analyzer"].result[:, POSITION_OF_MAKER], timed["python"].result
    noise = 5 * 0.5 / in_python**0.5
    check("hands in which dealer's left makes trump", (makers_here == 0).mean(), (makers_there == 0).mean(), noise)
    there = in_python / timed["python"].seconds
    yield Row(
        job=job,
        analyzer=rate(here, "hands"),
        peer=f"{PEER}, a loop in Python: {rate(there, 'hands')}",
        ratio=here / there,
    )
