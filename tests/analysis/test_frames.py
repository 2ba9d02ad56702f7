"""Tables of lines, rounds and scores from chances and from counts."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
import pytest

from analyzer.analysis.frames import line_frame, round_frame, score_frame
from analyzer.analysis.position import Position
from analyzer.dice.evaluation import Evaluation, evaluate
from analyzer.dice.policies import Greedy
from analyzer.dice.scorecard import ScorecardRules
from analyzer.dice.states import StateSpace
from analyzer.stats.estimates import mean_estimate, proportion_estimate
from tests.dice.reference import CHANCE, SMALL_GAMES, Game, face_lines, greedy, play_all

TINY = ScorecardRules(name="tiny", lines=(*face_lines(2), CHANCE), dice=1, faces=2, throws=1)
"""One coin: face 2 scores 0 or 2, chance 1 or 2."""

COLUMNS = ["line", "label", "section", "mean", "standard_deviation", "zero_rate", "mean_round"]
SIMULATED = ["standard_error", "lower", "upper", "zero_rate_standard_error", "zero_rate_lower", "zero_rate_upper"]


def tiny_counts() -> np.ndarray:
    """100 games: face 2 got 2 points 30 times in round 1 and 10 times in round 2, 60 times 0 in round 2."""
    space = StateSpace.of(TINY)
    counts = np.zeros((len(space.written), 2), dtype=np.int64)
    for line, written, turn, number in [(0, 2, 0, 30), (0, 2, 1, 10), (0, 0, 1, 60), (1, 1, 0, 70), (1, 2, 1, 30)]:
        (entry,) = np.flatnonzero((space.tables.entry_line == line) & (space.written == written))
        counts[entry, turn] = number
    return counts


@cache
def evaluated(name: str) -> tuple[StateSpace, Evaluation]:
    space = StateSpace.of(SMALL_GAMES[name])
    return space, evaluate(Greedy(space))


def test_lines_from_chances() -> None:
    frame = line_frame(StateSpace.of(TINY), Position(TINY), tiny_counts() / 100, 0.0)
    assert list(frame.columns) == COLUMNS
    assert frame["line"].tolist() == ["face_2", "chance"]
    assert frame["section"].tolist() == ["upper", "lower"]
    assert frame["mean"].tolist() == pytest.approx([0.8, 1.3])
    assert frame["standard_deviation"].tolist() == pytest.approx([2 * np.sqrt(0.24), np.sqrt(0.21)])
    assert frame["zero_rate"].tolist() == pytest.approx([0.6, 0])
    assert frame["mean_round"].tolist() == pytest.approx([1.7, 1.3])


@pytest.mark.parametrize("confidence", [0.95, 0.5])
def test_lines_from_counts(confidence: float) -> None:
    frame = line_frame(StateSpace.of(TINY), Position(TINY), tiny_counts(), 0, 100, confidence)
    assert list(frame.columns) == COLUMNS[:4] + SIMULATED[:3] + COLUMNS[4:] + SIMULATED[3:]
    mean, zero = mean_estimate([0, 2], [60, 40], confidence), proportion_estimate(60, 100, confidence)
    row = frame.iloc[0]
    assert (row["mean"], row["standard_error"]) == (mean.value, mean.standard_error)
    assert (row["lower"], row["upper"]) == (mean.lower, mean.upper)
    assert row["standard_deviation"] == pytest.approx(np.std([0] * 60 + [2] * 40, ddof=1))
    assert (row["zero_rate"], row["zero_rate_standard_error"]) == (zero.value, zero.standard_error)
    assert (row["zero_rate_lower"], row["zero_rate_upper"]) == (zero.lower, zero.upper)
    assert frame["mean_round"].tolist() == pytest.approx([1.7, 1.3])


def test_rounds() -> None:
    space, position = StateSpace.of(TINY), Position(TINY)
    for games, entries in ((None, tiny_counts() / 100), (100, tiny_counts())):
        frame = round_frame(space, position, entries, games)
        assert frame["line"].tolist() == ["face_2", "face_2", "chance", "chance"]
        assert frame["round"].tolist() == [1, 2, 1, 2]
        assert frame["rate"].tolist() == pytest.approx([0.3, 0.7, 0.7, 0.3])
        assert frame["mean"].tolist() == pytest.approx([2, 2 / 7, 1, 2])


def test_a_line_that_is_never_filled_in_a_round_has_no_mean_there() -> None:
    counts = tiny_counts()
    counts[:, 0] = 0
    frame = round_frame(StateSpace.of(TINY), Position(TINY), counts, 100)
    assert frame["mean"].isna().tolist() == [True, False, True, False]
    assert frame["rate"].tolist() == [0, 0.7, 0, 0.3]


def test_rounds_go_on_from_the_card() -> None:
    space, position = StateSpace.of(TINY), Position(TINY, {"face_2": 2})
    counts = np.where(space.tables.entry_line == 1, 50, 0)[:, None].astype(np.int64)
    assert round_frame(space, position, counts, 100)["round"].tolist() == [2]
    assert line_frame(space, position, counts, 0, 100)["mean_round"].tolist() == [2.0]


@pytest.mark.parametrize("name", SMALL_GAMES)
def test_lines_and_bonuses_add_up_to_the_total(name: str) -> None:
    space, found = evaluated(name)
    frame = line_frame(space, Position(space.rules), found.entries, found.upper_bonus)
    total = float(found.scores @ np.arange(len(found.scores)))
    assert frame["mean"].sum() == pytest.approx(total, abs=1e-11)
    assert frame["line"].tolist()[: len(space.rules.lines)] == list(space.rules.line_names)
    bonuses = [line for line in ("upper_bonus", "extra_five") if line in frame["line"].to_numpy()]
    assert frame["line"].tolist()[len(space.rules.lines) :] == bonuses
    rules = space.rules
    assert ("upper_bonus" in bonuses) == (rules.upper_bonus is not None)
    assert ("extra_five" in bonuses) == (rules.extra_five is not None and rules.extra_five.points > 0)


@pytest.mark.parametrize("name", ["forced", "free", "coins"])
def test_every_number_is_that_of_following_every_game(name: str) -> None:
    space, found = evaluated(name)
    game = Game(space.rules)
    expected = play_all(game, greedy(game))
    frame = line_frame(space, Position(space.rules), found.entries, found.upper_bonus).set_index("line")
    for j, line in enumerate(space.rules.line_names):
        mine = {(entry, turn): p for (entry, turn), p in expected.entries.items() if entry[0] == j}
        mean = sum(p * entry[1] for (entry, _), p in mine.items())
        square = sum(p * entry[1] ** 2 for (entry, _), p in mine.items())
        assert frame["mean"][line] == pytest.approx(mean)
        assert frame["standard_deviation"][line] == pytest.approx((square - mean**2) ** 0.5, abs=1e-6)
        assert frame["zero_rate"][line] == pytest.approx(sum(p for (e, _), p in mine.items() if e[1] == 0))
        assert frame["mean_round"][line] == pytest.approx(sum(p * (turn + 1) for (_, turn), p in mine.items()))
    bonus = space.rules.upper_bonus
    assert bonus is not None
    assert frame["mean"]["upper_bonus"] == pytest.approx(bonus.points * expected.upper_bonus)
    assert frame["zero_rate"]["upper_bonus"] == pytest.approx(1 - expected.upper_bonus)
    assert frame["mean"]["extra_five"] == pytest.approx(sum(p * entry[2] for (entry, _), p in expected.entries.items()))


@pytest.mark.parametrize("name", SMALL_GAMES)
def test_every_line_is_filled_once_and_every_round_fills_one(name: str) -> None:
    space, found = evaluated(name)
    frame = round_frame(space, Position(space.rules), found.entries)
    assert frame.groupby("line")["rate"].sum().to_numpy() == pytest.approx(1)
    assert frame.groupby("round")["rate"].sum().to_numpy() == pytest.approx(1)
    weighted = (frame["rate"] * frame["mean"].fillna(0)).groupby(frame["line"]).sum()
    lines = line_frame(space, Position(space.rules), found.entries, found.upper_bonus).set_index("line")
    assert weighted.to_dict() == pytest.approx(lines["mean"][weighted.index].to_dict(), abs=1e-12)


def test_only_open_lines_and_bonuses_that_can_still_come_have_rows() -> None:
    rules = SMALL_GAMES["forced"]
    space = StateSpace.of(rules)
    position = Position(rules, {"face_1": 3, "face_4": 4, "alike": 30})
    found = evaluate(Greedy(space), position.column(space))
    frame = line_frame(space, position, found.entries, found.upper_bonus)
    assert frame["line"].tolist() == ["pair", "chance", "extra_five"]
    assert round_frame(space, position, found.entries)["round"].tolist() == [4, 5, 4, 5]


def test_scores_from_chances_and_from_counts() -> None:
    weights = np.array([0.0, 0.25, 0.0, 0.5, 0.25, 0.0])
    expected = pd.DataFrame({"score": [101, 103, 104], "probability": [0.25, 0.5, 0.25], "at_least": [1.0, 0.75, 0.25]})
    pd.testing.assert_frame_equal(score_frame(weights, 100), expected)
    counted = score_frame((weights * 8).astype(np.int64), 100, 8)
    pd.testing.assert_frame_equal(counted, expected.assign(count=[2, 4, 2]))
