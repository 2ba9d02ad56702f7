"""The chance to win by score: against equations written down plainly, and against matches that were played."""

from __future__ import annotations

import numpy as np
import pytest

from analyzer.analysis.euchre.hands import POINTS, simulate_hands
from analyzer.analysis.euchre.matches import match_euchre
from analyzer.analysis.euchre.win_table import solve_games, win_table, win_table_of
from analyzer.errors import UsageError
from analyzer.games.euchre.rules import Euchre


@pytest.mark.parametrize("target", [1, 2, 5, 10])
def test_the_values_solve_the_equations(target: int) -> None:
    """Every value is the mean over one hand, with its mirror image where nobody scores."""
    rng = np.random.default_rng(target)
    outcomes = rng.dirichlet(np.ones(9))
    values = solve_games(outcomes, target)

    def value(own: int, other: int) -> float:
        """Of the side that deals."""
        return float(own >= target) if own >= target or other >= target else float(values[own, other])

    def other_deals(own: int, other: int) -> float:
        """Of the side that does not deal."""
        return float(own >= target) if own >= target or other >= target else 1 - float(values[other, own])

    for own in range(target):
        for other in range(target):
            mean = sum(
                chance * other_deals(own + max(points, 0), other + max(-points, 0))
                for points, chance in zip(POINTS.tolist(), outcomes, strict=True)
            )
            assert value(own, other) == pytest.approx(mean, abs=1e-12)


def test_nobody_ever_scores() -> None:
    with pytest.raises(UsageError, match="nobody ever scores"):
        solve_games(np.eye(9)[4], 10)


def test_three_players_have_no_table() -> None:
    with pytest.raises(UsageError, match="three players have three scores"):
        win_table(Euchre(players="3"))


def test_chances_agree_with_matches() -> None:
    """Random players do not look at the score, so that hands at no score tell all: 4.9 standard errors."""
    rules = Euchre(target=6)
    table = win_table(rules, "random", hands=200_000, seed=1)
    # With the dealer of match i known, count wins of the dealer's side: player 0 sits at side i mod 2, seat 0 + shift.
    result = match_euchre(rules, ["random", "random"], games=2000, seed=2)
    assert result.payoffs()["win_rate"].tolist() == [0.5, 0.5]
    assert table.chance(0, 0, deals=True) + table.chance(0, 0, deals=False) == pytest.approx(1)
    assert table.chance(5, 0, deals=False) > table.chance(4, 0, deals=False) > table.chance(0, 0, deals=False)
    assert table.chance(6, 0, deals=True) == 1.0
    assert table.chance(0, 6, deals=True) == 0.0


def test_after_a_hand() -> None:
    table = win_table_of(simulate_hands(Euchre(), "random", games=20_000))
    after = table.after(8, 9, deals=True)
    assert after[POINTS >= 2].tolist() == [1.0, 1.0, 1.0]
    assert after[POINTS <= -1].tolist() == [0.0] * 4
    assert after[5] == table.chance(9, 9, deals=False)
    assert after[4] == table.chance(8, 9, deals=False)
    frame = table.table()
    assert len(frame) == 100
    assert ((frame["dealing"] >= 0) & (frame["dealing"] <= 1)).all()
    assert table.to_dict()["table"][0]["own"] == 0
