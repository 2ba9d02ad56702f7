"""Matches of President: sums over policies beside the log, and which policy beats which."""

from __future__ import annotations

import numpy as np
import pytest

import analyzer
from analyzer.analysis.president.matches import match_president, points_of
from analyzer.analysis.president.policies import bind_all
from analyzer.engine.blocks import Block
from analyzer.errors import UsageError
from analyzer.games.president.play import play_matches
from analyzer.games.president.round_log import CAME
from analyzer.games.president.rules import President


def test_sums_by_policy_beside_the_log() -> None:
    rules, policies = President(rounds=2), ["lowest", "random", "rules", "random"]
    _, table = bind_all(rules, policies)
    points, shares, places = points_of(table, 3, Block(0, 2, 12))
    rows = play_matches(table, 3, Block(0, 8, 48), 4).seats[..., CAME]
    for deal in range(10):
        expected, won = np.zeros(4), np.zeros(4)
        for shift in range(4):
            by_seat = (4 - rows[4 * deal + shift]).sum(axis=0)
            best = np.flatnonzero(by_seat == by_seat.max())
            for seat in range(4):
                expected[(seat + shift) % 4] += by_seat[seat]
                won[(seat + shift) % 4] += (seat in best) * 840 / len(best)
        assert points[deal].tolist() == expected.tolist()
        assert shares[deal].tolist() == won.tolist()
    assert (places.sum(axis=2) == 8).all()
    assert (points.sum(axis=1) == 4 * 2 * 6).all()


@pytest.mark.parametrize(("better", "worse", "ahead"), [("lowest", "random", 5.0), ("rules", "lowest", 2.0)])
def test_policies_can_be_told_apart(better: str, worse: str, ahead: float) -> None:
    result = match_president(President(), [better, worse], games=1200, seed=5, confidence=0.999)
    found = result.differences().iloc[0]
    assert found["lower"] > ahead
    payoffs = result.payoffs()
    assert payoffs["points"].sum() == pytest.approx(2 * 5 * 1.5)
    assert payoffs["win_rate"].sum() == pytest.approx(0.5)
    assert payoffs["president"].sum() == pytest.approx(0.5)
    assert result.places().drop(columns="player").sum(axis=1).tolist() == pytest.approx([1, 1])


@pytest.mark.nightly
def test_rollout_beats_rules() -> None:
    result = match_president(President(), ["rollout", "rules"], games=600, seed=5, confidence=0.999)
    assert result.differences()["lower"].iloc[0] > 0


def test_same_bits_for_any_number_of_workers() -> None:
    rules = President(players=3, exchange=True)
    tallies = [
        match_president(rules, ["rules", "lowest", "random"], games=3000, seed=3, workers=workers).tally
        for workers in (1, 2, 7)
    ]
    assert tallies[0] == tallies[1] == tallies[2]


def test_policies_that_are_asked() -> None:
    rules = President(rounds=2)
    tallies = [
        match_president(rules, ["rollout:rollouts=16", "lowest"], games=4, seed=3, workers=workers).tally
        for workers in (1, 2)
    ]
    assert tallies[0] == tallies[1]
    own = match_president(rules, [lambda view: view.choice_of("lowest"), "random"], games=20, seed=3)
    assert (own.tally["points"] == match_president(rules, ["lowest", "random"], games=20, seed=3).tally["points"]).all()


def test_the_verb_and_what_it_refuses() -> None:
    result = analyzer.match(analyzer.game("president", players=6), "rules,lowest,random", games=10)
    assert result.matches == 12
    assert result.to_dict()["deals"] == 4
    assert "each deal played 3 times" in str(result)
    for players, message in (
        ("rules", "players rules are too few; give two or more policies"),
        ("rules,lowest,random", "policies are 3 for 4 players, who cannot be shared out; give one of 2, 4"),
    ):
        with pytest.raises(UsageError, match=message):
            analyzer.match(analyzer.game("president"), players, games=10)
    with pytest.raises(UsageError, match="pairs means nothing in President"):
        analyzer.match(analyzer.game("president"), "rules,lowest", pairs=True)
