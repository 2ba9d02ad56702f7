"""The verb match: who wins, with intervals; the same for any number of workers; wrong arguments."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analyzer.analysis.match import MATCH_FAMILIES, MatchResult, match
from analyzer.engine import store
from analyzer.errors import AnalyzerError, PolicyError, RulesError, UsageError
from analyzer.games.registry import make_rules

CACHO = make_rules("cacho_alalay")
ONE_COLUMN = make_rules("escalero", columns="1")
THREE = make_rules("escalero")


@pytest.fixture(scope="module", autouse=True)
def _one_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    folder: Path = tmp_path_factory.mktemp("matches")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "cache_directory", lambda: folder)
        yield


@pytest.mark.parametrize("players", [["points", "greedy"], ["race", "points", "mixed:win_value=50"]])
def test_the_same_for_any_number_of_workers(players: list[str]) -> None:
    found = [match(CACHO, players, games=20_000, seed=5, workers=workers).tally for workers in (1, 2, 7)]
    assert found[0] == found[1] == found[2]
    assert match(CACHO, players, games=20_000, seed=6).tally != found[0]


def test_tables_of_a_match() -> None:
    result = match(CACHO, ["points", "greedy", "points"], games=3000, seed=1)
    assert isinstance(result, MatchResult)
    assert result.names == ["1: points", "2: greedy", "3: points"]
    frame = result.payoffs()
    assert frame["payoff"].sum() == pytest.approx(1)
    assert (frame["lower"] < frame["payoff"]).all()
    assert (frame["payoff"] < frame["upper"]).all()
    assert frame["payoff"].tolist() == pytest.approx(frame["win_rate"].tolist())
    assert frame["payoff"].idxmin() == 1
    seats = result.seats()
    assert len(seats) == 9
    assert seats.groupby("player")["payoff"].mean().tolist() == pytest.approx(frame["payoff"].tolist())
    assert result.distribution().groupby("player")["count"].sum().tolist() == [3000] * 3
    endings = result.endings()
    assert set(endings["win"]) == {"dormida", "panza_de_oro", "four_of_every_number"}
    assert endings["rate"].sum() < 0.05
    assert str(result).startswith("Cacho Alalay: 3,000 matches of 1: points against 2: greedy")
    assert result.to_dict()["players"] == ["points", "greedy", "points"]
    assert "<table" in result._repr_html_()


def test_the_single_column_pays_the_difference() -> None:
    result = match(ONE_COLUMN, "optimal,greedy", games=20_000, seed=2, confidence=0.999)
    frame = result.payoffs()
    assert frame["payoff"].iloc[0] == pytest.approx(frame["mean_points"].iloc[0] - frame["mean_points"].iloc[1])
    assert frame["lower"].iloc[0] > 0


def test_three_columns_pay_by_column() -> None:
    result = match(THREE, ["par", "greedy"], games=4000, seed=2)
    frame = result.payoffs()
    assert frame["payoff"].sum() == pytest.approx(0)
    assert {"won_1", "won_2", "won_3", "sweep_rate"} <= set(frame.columns)
    assert ((frame[["won_1", "won_2", "won_3"]].sum()) <= 1).all()


def test_a_stake_multiplies_what_is_paid() -> None:
    played = [match(make_rules("escalero", stake=stake), ["par", "greedy"], games=500, seed=2) for stake in (1, 5)]
    one, five = (result.payoffs() for result in played)
    assert (five[["payoff", "lower", "upper"]] / 5).to_numpy() == pytest.approx(
        one[["payoff", "lower", "upper"]].to_numpy()
    )
    assert five["win_rate"].equals(one["win_rate"])
    assert set(played[1].distribution()["payoff"]) == {5 * paid for paid in played[0].distribution()["payoff"]}


@pytest.mark.nightly
def test_better_policies_win() -> None:
    """In two-player Escalero columns beats sum and sum beats greedy; in Cacho Alalay race beats points."""
    for players in (["columns", "sum"], ["sum", "greedy"]):
        assert match(THREE, players, games=40_000, seed=1, confidence=0.999).payoffs()["lower"].iloc[0] > 0
    frame = match(CACHO, ["race", "points"], games=200_000, seed=1, confidence=0.999).payoffs()
    assert frame["lower"].iloc[0] > 0.5 > frame["upper"].iloc[1]


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        ((CACHO, ["points"]), UsageError, "are 1; give 2..8 policies"),
        ((CACHO, ["points"] * 9), UsageError, "are 9; give 2..8 policies"),
        ((CACHO, ["points", "gredy"]), PolicyError, "did you mean 'greedy'?"),
        ((CACHO, ["points", "sum"]), PolicyError, "policy 'sum' is for games of several columns"),
        ((ONE_COLUMN, ["optimal", "race"]), PolicyError, "policy 'race' is for games that the highest total wins"),
        ((THREE, ["greedy", "optimal"]), PolicyError, "policy 'optimal' is for games of one column"),
        ((THREE, ["greedy", "points"]), PolicyError, "policy 'points' is for games with instant wins"),
        ((make_rules("yahtzee"), ["greedy", "par"]), UsageError, "matches of Yahtzee cannot be played yet"),
        (
            (make_rules("cacho_alalay", declare_after_throw1=True), ["points", "greedy"]),
            UsageError,
            "cannot be played yet where a line is announced; choose rules without that",
        ),
        ((CACHO, ["points", "instant:bingo"]), PolicyError, "instant win 'bingo' is unknown"),
        ((CACHO, ["points", "par:sevens=2"]), RulesError, "line 'sevens' is unknown"),
    ],
)
def test_matches_that_cannot_be(arguments: tuple[Any, Any], kind: type[AnalyzerError], message: str) -> None:
    with pytest.raises(kind) as error:
        match(*arguments, games=10)
    assert message in str(error.value)


@pytest.mark.parametrize("name", MATCH_FAMILIES)
def test_every_listed_policy_exists(name: str) -> None:
    text = {"mixed": "mixed:win_value=20"}.get(name, name)
    rules = THREE if name in ("sum", "columns") else CACHO
    if rules is THREE:
        pytest.skip("solved in the nightly test")
    assert match(rules, [text, "greedy"], games=2).players[0] == text


def test_seeds_and_numbers() -> None:
    for bad in ({"games": 0}, {"seed": -1}, {"confidence": 1.5}):
        with pytest.raises(UsageError):
            match(CACHO, ["points", "greedy"], **bad)  # type: ignore[arg-type]
    assert np.isfinite(match(CACHO, ["points", "greedy"], games=2).payoffs()["payoff"]).all()
