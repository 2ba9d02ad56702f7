"""The endgame of two, against plain minimax over the referee."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from analyzer.engine.jit import kernel
from analyzer.errors import PositionError, UsageError
from analyzer.games.president.endgame import (
    UNKNOWN,
    endgame_play,
    endgame_table,
    is_endgame,
    solve_endgame,
    wins_endgame,
)
from analyzer.games.president.layout import HIDDEN, SEEN
from analyzer.games.president.lowering import lower
from analyzer.games.president.round import Round
from analyzer.games.president.rules import President
from tests.games.president.minimax import Ending, random_ending
from tests.games.president.through_kernel import ThroughKernel, unpacked


def through_kernel(ending: Ending) -> ThroughKernel:
    """The same position for the kernels."""
    return ThroughKernel(
        ending.rules, ending.hands, ending.turn, ending.pile, ending.last, sorted(ending.passed), ending.reversed
    )


@kernel
def search(rules, hidden, seen, table, budget, found):  # type: ignore[no-untyped-def]
    """Fill what the two functions for kernels say, one position after another, and how many positions they took."""
    for k in range(len(hidden)):
        found[k, 0] = wins_endgame(rules[k], hidden[k], seen[k], table, budget)
        found[k, 1] = table[1]
        found[k, 2] = endgame_play(rules[k], hidden[k], seen[k], table, budget)
        found[k, 3] = table[1]
        found[k, 4] = is_endgame(seen[k])


def searched(rounds: list[Round], table: NDArray[np.int64], budget: int = 1_000_000) -> NDArray[np.int64]:
    """What `search` fills."""
    found = np.zeros((len(rounds), 5), np.int64)
    rules = np.array([lower(one.rules) for one in rounds])
    search(
        rules, np.array([one.hidden for one in rounds]), np.array([one.seen for one in rounds]), table, budget, found
    )
    return found


def check_endings(count: int, seed: int, most: int) -> None:
    """Compare the value of every legal choice of random endings."""
    rng = Random(seed)
    met: Counter[str] = Counter()
    for _ in range(count):
        ending = random_ending(rng, most)
        round_ = through_kernel(ending).round
        expected = {play: ending.winner_after(play) == ending.turn for play in ending.legal()}
        found = solve_endgame(round_)
        words = {text: unpacked(play) for text, play in round_.choices.items()}
        assert {words[text]: value for text, value in found.wins.items()} == expected, (ending.rules, vars(ending))
        assert found.winner == ending.winner()
        assert found.wins[found.best] == (found.winner == ending.turn)
        gone = ending.last is not None and not ending.hands[ending.last]
        met["a pile of a seat that has gone out"] += gone
        met["the same, the other has passed"] += gone and any(ending.hands[seat] for seat in ending.passed)
        met["on a run"] += ending.pile is not None and ending.pile.kind == "run" and len(expected) > 1
        met["reversed"] += ending.reversed
        met["passes do not lock"] += not ending.rules.pass_locks
        met["jokers"] += any("*" in hand for hand in ending.hands)
        met["choices differ"] += len(set(expected.values())) == 2
    assert len(met) == 7
    assert min(met.values()) >= count // 40, met


def test_choices_are_worth_what_minimax_finds() -> None:
    check_endings(200, seed=0, most=4)
    check_endings(20, seed=1, most=6)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(2, 12))
def test_choices_of_many_endings_are_worth_what_minimax_finds(seed: int) -> None:
    check_endings(1_000, seed, most=6)


def random_rounds(count: int, seed: int, most: int) -> list[Round]:
    """Random endings for the kernels."""
    rng = Random(seed)
    return [through_kernel(random_ending(rng, most)).round for _ in range(count)]


def test_kernels_say_what_is_said_in_words() -> None:
    rounds = random_rounds(200, 12, 6)
    found = searched(rounds, endgame_table(12))
    assert found[:, 4].all()
    for one, (value, _, play, _, _) in zip(rounds, found.tolist(), strict=True):
        solved = solve_endgame(one)
        words = {number: text for text, number in one.choices.items()}
        assert (solved.winner == one.turn) == value == solved.wins[words[play]]


def test_a_table_may_hold_anything_before() -> None:
    rounds = random_rounds(100, 13, 6)
    fresh = np.concatenate([searched([one], endgame_table(10)) for one in rounds])
    used = endgame_table(10)
    searched(random_rounds(100, 14, 6), used)
    assert (searched(rounds, used) == fresh).all()
    assert (searched(rounds[::-1], used)[::-1] == fresh).all()
    assert (searched(rounds, endgame_table(16))[:, 0] == fresh[:, 0]).all()


def test_a_search_gives_up_when_its_budget_is_spent() -> None:
    rounds = random_rounds(100, 15, 6)
    needed = searched(rounds, endgame_table(12))
    for budget in (1, 10):
        found = searched(rounds, endgame_table(12), budget)
        known = found[:, 0] != UNKNOWN
        assert (known == (needed[:, 1] <= budget)).all()
        assert 0 < known.sum() < len(rounds)
        assert (found[known, 0] == needed[known, 0]).all()
    several = next(one for one, needs in zip(rounds, needed, strict=True) if needs[1] > 100)
    found_in_words = solve_endgame(several, budget=1)
    assert (found_in_words.winner, found_in_words.best, found_in_words.positions) == (None, "", 1)
    assert None in found_in_words.wins.values()


def test_nothing_is_changed() -> None:
    (one,) = random_rounds(1, 16, 6)
    before = one.copy()
    solve_endgame(one)
    assert (one.hidden == before.hidden).all()
    assert (one.seen == before.seen).all()
    assert (one.hidden.shape, one.seen.shape) == ((HIDDEN,), (SEEN,))


@pytest.mark.parametrize(
    ("hands", "message"),
    [
        (
            ["3c", "4c", "4d"],
            r"seats with cards are \[0, 1, 2\]; the endgame is played by two, give a round in which two",
        ),
        (["3c", "4c", "4d", "5d"], r"seats with cards are \[0, 1, 2, 3\]"),
    ],
)
def test_only_two_play_an_endgame(hands: list[str], message: str) -> None:
    with pytest.raises(PositionError, match=message):
        solve_endgame(Round.start(President(players=len(hands)), hands, turn=0))


def test_no_endgame_when_it_is_over() -> None:
    some = Round.start(President(players=3), ["3c", "4c 4d", ""], turn=0)
    some.choose("3c")
    with pytest.raises(PositionError, match=r"seats with cards are \[1\]"):
        solve_endgame(some)


def test_a_budget_is_positive() -> None:
    with pytest.raises(UsageError, match="budget is 0; it must be 1 or more positions"):
        solve_endgame(Round.start(President(players=3), ["3c", "4c 4d", ""], turn=0), budget=0)


def test_a_run_first_wins() -> None:
    some = Round.start(President(players=3), ["3c 4c 5c 9d", "Th Jd", ""], turn=0)
    found = solve_endgame(some)
    assert (found.winner, found.best) == (0, "3c 4c 5c")
    assert [text for text, wins in found.wins.items() if wins] == ["3c 4c 5c"]


def test_who_is_gone_gives_the_lead_to_the_next() -> None:
    hands = ["", "3c 4d", "3d 4c"]
    led = Round.start(President(players=3), hands, turn=2, pile="Ah", last=0, passed=[1])
    # The pass gives seat 1 the lead: with its three, and whatever answers that is answered by its four.
    assert solve_endgame(led).wins == {"pass": False}
    assert solve_endgame(led).winner == 1
