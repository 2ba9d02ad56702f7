"""Matches: results of mirrored deals, and which policy is the better one."""

from __future__ import annotations

import pytest

import analyzer
from analyzer.analysis.euchre.matches import match_euchre
from analyzer.errors import UsageError
from analyzer.games.euchre.rules import Euchre


def test_rules_beat_random() -> None:
    """In at least 95 of 100 matches, at 99.9 %."""
    result = match_euchre(Euchre(), ["rules", "random"], games=2000, seed=1, confidence=0.999)
    row = result.payoffs().iloc[0]
    assert row["player"] == "rules"
    assert 0.95 < row["win_lower"] < 1
    assert result.matches == 2000


def test_mirrored_deals_of_equals_are_even() -> None:
    for rules in (Euchre(), Euchre(players="2"), Euchre(players="3")):
        players = ["rules"] * (2 if rules.players != "3" else 3)
        result = match_euchre(rules, players, games=30, seed=1)
        payoffs = result.payoffs()
        assert payoffs["win_rate"].tolist() == pytest.approx([1 / len(players)] * len(players))
        assert payoffs["standard_error"].max() == 0
        assert result.names[0] == "1: rules"
        assert result.matches == 30


def test_same_bits_for_any_number_of_workers() -> None:
    runs = [match_euchre(Euchre(), ["rules", "random"], games=9000, seed=5, workers=w) for w in (1, 2, 7)]
    assert runs[0].tally == runs[1].tally == runs[2].tally


def test_the_verb() -> None:
    game = analyzer.game("railroad-euchre")
    result = analyzer.match(game, "rules, random", games=101, seed=3)
    assert result.matches == 102
    payoffs = result.payoffs()
    assert payoffs["games_won"].sum() >= 2.0
    assert "sides swapped" in str(result)
    assert result.to_dict()["matches"] == 102
    assert result.deals()["probability"].sum() == pytest.approx(2)
    with pytest.raises(UsageError, match="are 3; give 2 policies, one for each side"):
        analyzer.match(game, "rules,rules,rules")
    with pytest.raises(UsageError, match="pairs means nothing"):
        analyzer.match(game, "rules,rules", pairs=True)


def test_compare_hands_and_deals() -> None:
    game, stuck = analyzer.game("euchre"), analyzer.game("euchre", stick_dealer=True)
    found = analyzer.compare([analyzer.Arm(game, "random"), analyzer.Arm(stuck, "random")], games=60_000, seed=1)
    measures = found.measures().set_index("measure")
    assert measures.loc["passed", "arm_mean"] == 0
    assert measures.loc["passed", "base_mean"] > 0
    assert found.unit == "hands"
    again = analyzer.compare(
        [analyzer.Arm(game, "random"), analyzer.Arm(stuck, "random")], games=60_000, seed=1, workers=3
    )
    assert again.differences().equals(found.differences())
    arms = [analyzer.Arm(one, ["rules", "random"], name) for one, name in ((game, "base"), (stuck, "stuck"))]
    deals = analyzer.compare(arms, games=300, seed=1)
    assert deals.means()["mean"].min() > 0.95
    with pytest.raises(UsageError, match="cannot be compared"):
        analyzer.compare([analyzer.Arm(game), arms[1]], games=300)
