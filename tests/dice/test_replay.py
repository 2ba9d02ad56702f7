"""Games written down are those that simulations play, and the rules allow them."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.analysis.binding import bind_policy
from analyzer.analysis.simulate import simulate
from analyzer.dice.played import check_record
from analyzer.dice.replay import record_game
from analyzer.dice.scorecard import ScorecardRules
from analyzer.dice.states import StateSpace
from analyzer.games.registry import make_rules
from tests.dice.reference import SMALL_GAMES, WINNING

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("yahtzee", {}),
    ("yahtzee", {"lock_kept": True}),
    ("yahtzee", {"throws": 1}),
    ("escalero", {"served": "first_throw_only"}),
    ("cacho-alalay", {}),
    ("cacho-alalay", {"throws": 3, "first_flip": "optional", "flip_after_throw1": "one"}),
    ("cacho-alalay", {"declare_after_throw1": True}),
    ("crag", {}),
]


def check_games(rules: ScorecardRules, policy: Any, games: int, seed: int) -> None:
    """Scores and how often each line is struck, of the same games played by the kernels."""
    bound = bind_policy(rules, policy, cache=False)
    records = [record_game(bound, seed, index) for index in range(games)]
    played = [check_record(StateSpace.of(rules), record) for record in records]
    result = simulate(rules, policy=policy, games=games, seed=seed, cache=False)
    scores = [record.score for record in records]
    assert result.distribution().set_index("score")["count"].to_dict() == {
        score: scores.count(score) for score in sorted(set(scores))
    }
    for row in result.lines().to_dict("records"):
        written = [turn.written for game in played for turn in game if turn.turn.line == row["line"]]
        if row["section"] != "bonus":
            assert row["zero_rate"] == pytest.approx(written.count(0) / games)
            assert row["mean"] == pytest.approx(sum(written) / games)
    if rules.instant_wins:
        for win in result.wins().to_dict("records"):
            assert win["chance"] == pytest.approx(sum(game[-1].win == win["win"] for game in played) / games)


@pytest.mark.parametrize(("name", "options"), GAMES)
@pytest.mark.parametrize("policy", ["greedy", "random"])
def test_games_of_a_simulation(name: str, options: dict[str, Any], policy: str) -> None:
    check_games(make_rules(name, **options), policy, games=12, seed=5)


@pytest.mark.parametrize("name", SMALL_GAMES)
@pytest.mark.parametrize("policy", ["optimal", "random"])
def test_games_of_small_rules(name: str, policy: str) -> None:
    check_games(SMALL_GAMES[name], policy, games=10, seed=6)


def test_instant_wins_and_own_policies() -> None:
    def highest(dice: Any, throws_left: int, card: Any) -> Any:
        if throws_left:
            return [die for die in dice if die == 4]
        return max(card.entries(dice), key=card.entries(dice).__getitem__)

    for policy in ("points", "instant", "random", highest):
        check_games(WINNING, policy, games=60, seed=7)


def test_dice_that_are_thrown_one_by_one() -> None:
    """Where all outcomes of a throw are too many for a table."""
    rules = make_rules("yahtzee")
    many = ScorecardRules(name="many", lines=rules.lines[:3], dice=6, faces=12, throws=2)
    assert not StateSpace.of(many).lattice.tabulated
    check_games(many, "greedy", games=3, seed=8)
