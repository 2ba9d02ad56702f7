"""Comparisons of President: measures beside the log, and what the options of the game do."""

from __future__ import annotations

import re

import numpy as np
import pytest

import analyzer
from analyzer.analysis.arms import Arm
from analyzer.analysis.president.contests import RoundsContest, contest_of
from analyzer.engine.blocks import Block
from analyzer.errors import UsageError
from analyzer.games.president.play import play_matches
from analyzer.games.president.round_log import CAME, FIRST_SEAT, TURNS_MADE, WAS
from analyzer.games.president.rules import President


def test_measures_beside_the_log() -> None:
    rules = President(rounds=3, exchange=True)
    contest = contest_of(Arm(rules, "rules"), {})
    assert isinstance(contest, RoundsContest)
    block = Block(0, 10, 90)
    found = dict(zip((one.name for one in contest.measures), contest.play(4, block, 2), strict=True))
    rows = play_matches(contest.table, 4, block)
    came, was = rows.seats[..., CAME], rows.seats[..., WAS]
    for match in range(80):
        kept = [(came[match, k] == 1) & (was[match, k] == 1) for k in (1, 2)]
        assert found["president_kept"][match] == sum(one.any() for one in kept)
        last = [(came[match, k] == 4) & (was[match, k] == 4) for k in (1, 2)]
        assert found["scum_kept"][match] == sum(one.any() for one in last)
        points = sum(4 - came[match, k][was[match, k] == 1][0] for k in (1, 2))
        assert found["president_points"][match] == points
        assert found["leader_points"][match] == 4 - came[match, 0, rows.rounds[match, 0, FIRST_SEAT]]
        assert found["turns"][match] == rows.rounds[match, :, TURNS_MADE].sum()
    for one in contest.measures:
        assert one.low <= found[one.name].min()
        assert found[one.name].max() <= one.high


def test_luck_is_the_share_of_the_deal_in_the_variance() -> None:
    """Beside a plain estimate: the correlation of the points of two plays of the same deals."""
    contest = contest_of(Arm(President(rounds=1), "random"), {})
    assert isinstance(contest, RoundsContest)
    block = Block(0, 0, 20_000)
    luck = contest.play(1, block, 1)[-1] * contest.measures[-1].unit
    once, again = (play_matches(contest.table, 1, block, replica=k).seats[:, 0, :, CAME] for k in (1, 2))
    expected = np.corrcoef(once.ravel(), again.ravel())[0, 1]
    assert luck.mean() == pytest.approx(expected, abs=0.01)
    assert 0.02 < luck.mean() < 0.5


def test_the_exchange_keeps_offices() -> None:
    games = [analyzer.game("president"), analyzer.game("president", exchange=True)]
    result = analyzer.compare([analyzer.Arm(game, "rules") for game in games], games=4096, seed=2, confidence=0.999)
    assert result.differences()["lower"].iloc[0] > 0.2
    told = re.search(r"Presidents who keep the office: .* \+([0-9.]+) ± [0-9.]+ percentage points;", str(result))
    assert told
    assert float(told[1]) == pytest.approx(100 * result.differences()["difference"].iloc[0], abs=0.05)
    measures = result.measures().set_index("measure")
    assert measures.loc["scum_kept", "lower"] > 0.1
    assert measures.loc["runs", "difference"] != 0


def test_policies_and_players_are_compared() -> None:
    game = analyzer.game("president")
    arms = [analyzer.Arm(game, [first, "random"], name=first) for first in ("lowest", "rules")]
    result = analyzer.compare(arms, games=4096, seed=2)
    assert result.differences()["difference"].iloc[0] > 0
    other = analyzer.game("president", rounds=3)
    with pytest.raises(UsageError, match="cannot be compared; give all arms one policy, or all the same number"):
        analyzer.compare([analyzer.Arm(game), analyzer.Arm(other)], games=10)
    five = analyzer.compare([analyzer.Arm(game), analyzer.Arm(analyzer.game("president", players=5))], games=4096)
    assert five.measures().set_index("measure").loc["luck", "difference"] > 0
    assert "scum_kept" in set(five.measures()["measure"])


def test_same_bits_for_any_number_of_workers() -> None:
    arms = [analyzer.Arm(analyzer.game("president", eight_stop=stop)) for stop in (False, True)]
    tables = [analyzer.compare(arms, games=4096, seed=3, workers=workers).measures() for workers in (1, 2, 7)]
    assert tables[0].equals(tables[1])
    assert tables[0].equals(tables[2])
