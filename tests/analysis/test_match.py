"""The verb match: who wins, with intervals; the same for any number of workers; wrong arguments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analyzer.analysis.match import MATCH_FAMILIES, MatchResult, can_match, match
from analyzer.analysis.seating import can_look_across, seat_players, split_players
from analyzer.analysis.simulate import simulate
from analyzer.analysis.solve import solve
from analyzer.dice.clauses import Settlement
from analyzer.dice.match import Table, play_matches
from analyzer.dice.match_sheets import SeparateSheets
from analyzer.dice.scorecard import ScorecardRules
from analyzer.engine import store
from analyzer.engine.blocks import Block
from analyzer.errors import AnalyzerError, PolicyError, RulesError, UsageError
from analyzer.games.registry import make_rules

CACHO = make_rules("cacho_alalay")
ONE_COLUMN = make_rules("escalero", columns="1")
THREE = make_rules("escalero")
POKER = make_rules("dice_poker")
TEAMS = make_rules("cacho_alalay", team_turn="two_attempts")
DECLARED = make_rules("cacho_alalay", declare_after_throw1=True)
SHORT_COLUMNS = replace(POKER, settlement=Settlement(kind="columns", columns=2, column_values=(1, 2)))


LIMIT = 4.5
"""Standard errors that a simulated figure may lie off: by chance once in 150,000 times."""


def first_legal(dice: tuple[int, ...], throws_left: int, card: Any) -> Any:
    """Keep nothing; lay the dice and enter them as the first way to do so has it."""
    if throws_left:
        return ()
    return card.flips[0] if card.flips else next(iter(card.entries(dice)))


@pytest.fixture(scope="module", autouse=True)
def _one_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    folder: Path = tmp_path_factory.mktemp("matches")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "cache_directory", lambda: folder)
        yield


@pytest.mark.parametrize(
    ("rules", "players"),
    [
        (CACHO, ["points", "greedy"]),
        (CACHO, ["race", "points", "mixed:win_value=50"]),
        (POKER, ["optimal", "random", "greedy"]),
        (DECLARED, ["greedy", "random"]),
    ],
)
def test_the_same_for_any_number_of_workers(
    rules: ScorecardRules, players: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SeparateSheets, "block_size", 800)
    found = [match(rules, players, games=2000, seed=5, workers=workers) for workers in (1, 2, 7)]
    assert found[0].tally == found[1].tally == found[2].tally
    assert found[0].task_id == found[1].task_id == found[2].task_id
    assert found[0].payoffs().equals(found[2].payoffs())
    assert match(rules, players, games=2000, seed=6).tally != found[0].tally


def scores(rules: ScorecardRules, policy: str) -> np.ndarray[Any, Any]:
    """Exact chance of every final score."""
    frame = solve(rules, policy=policy).distribution()
    found = np.zeros(2000)
    found[frame["score"]] = frame["probability"]
    return found


@pytest.mark.parametrize(
    ("game", "policies"),
    [
        pytest.param("dice_poker", ("optimal", "greedy"), marks=pytest.mark.nightly),
        ("yahtzee", ("greedy", "par")),
        ("kniffel", ("greedy", "line:chance")),
        ("crag", ("optimal", "greedy")),
    ],
)
def test_win_rates_are_those_of_the_exact_distributions(game: str, policies: tuple[str, str]) -> None:
    """Sheets are independent: the chances to win, to tie and to lose follow from two distributions of the score."""
    rules, games = make_rules(game), 200_000
    first, second = (scores(rules, policy) for policy in policies)
    more = float(first[1:] @ np.cumsum(second)[:-1])
    tie = float(first @ second)
    result = match(rules, list(policies), games=games, seed=3)
    wins, ties = (int(result.tally["share"][0].sum(axis=0)[share]) for share in (2, 1))
    for count, chance in ((wins, more), (ties, tie)):
        assert abs(count / games - chance) < LIMIT * (chance * (1 - chance) / games) ** 0.5
    variance = more + tie / 4 - (more + tie / 2) ** 2
    frame = result.seats()
    for seat in (1, 2):
        rate = float(frame["win_rate"][(frame["seat"] == seat) & (frame["player"] == policies[0])].iloc[0])
        assert abs(rate - more - tie / 2) < LIMIT * (variance / (games / 2)) ** 0.5
    means = [float(np.arange(2000) @ found) for found in (first, second)]
    spread = [float(np.arange(2000) ** 2 @ found) - mean**2 for found, mean in zip((first, second), means, strict=True)]
    for mean, exact, square in zip(result.payoffs()["mean_points"], means, spread, strict=True):
        assert abs(mean - exact) < LIMIT * (square / games) ** 0.5


def test_the_difference_is_that_of_the_exact_means() -> None:
    rules = replace(POKER, settlement=Settlement(kind="difference"))
    result = match(rules, ["optimal", "greedy"], games=100_000, seed=4).payoffs().iloc[0]
    exact = [solve(POKER, policy=policy).expected_score for policy in ("optimal", "greedy")]
    assert abs(result["payoff"] - (exact[0] - exact[1])) < LIMIT * result["standard_error"]


@pytest.mark.parametrize("kind", ["highest", "difference"])
def test_seats_are_fair(kind: Any) -> None:
    """A player against itself: half of the wins, or nothing, from every seat; no seat throws better dice."""
    rules = replace(POKER, settlement=Settlement(kind=kind))
    games, even = 100_000, 0.5 if kind == "highest" else 0.0
    result = match(rules, ["optimal", "optimal"], games=games, seed=8)
    frame = result.seats()
    for _, row in frame.iterrows():
        assert abs(row["payoff"] - even) < LIMIT * row["standard_error"]
    assert abs(result.payoffs()["payoff"].iloc[0] - even) < LIMIT * result.payoffs()["standard_error"].iloc[0]
    points = result.tally["points"].sum(axis=0)
    mean = points[:, 0] / games
    variance = points[:, 1] / games - mean**2
    assert abs(mean[0] - mean[1]) < LIMIT * (variance.sum() / games) ** 0.5


@pytest.mark.parametrize(
    ("game", "options", "policies"),
    [("generala", {}, ("greedy", "line:poker")), ("cacho_alalay", {}, ("instant", "line:grande_1"))],
)
def test_wins_at_once_are_those_of_the_exact_rounds(
    game: str, options: dict[str, Any], policies: tuple[str, str]
) -> None:
    """Who wins at once, by seat: the sheet that does so in an earlier round, or in the same round the earlier seat."""
    rules, games = make_rules(game, **options), 400_000
    by_round = []
    for policy in policies:
        frame = solve(rules, policy=policy).win_rounds()
        by_round.append(frame.groupby("round")["chance"].sum().reindex(range(1, len(rules.lines) + 1), fill_value=0.0))
    first, second = (found.to_numpy() for found in by_round)
    names, table = seat_players(rules, policies, workers=None)
    assert isinstance(table, SeparateSheets)
    found = play_matches(table, 6, Block(0, 0, games))
    for player, (mine, other) in enumerate(((first, second), (second, first))):
        for seat in (0, 1):
            before = np.cumsum(other) - (other if seat == 0 else 0)
            exact = float(mine @ (1 - before))
            here = found.win[player, (player - np.arange(games)) % 2 == seat] >= 0
            assert abs(here.mean() - exact) < LIMIT * (exact * (1 - exact) / len(here)) ** 0.5
            assert exact > 0.001
    assert names == list(policies)


def test_a_players_sheets_are_simulated_games() -> None:
    """In seat 1 a player has the dice that `simulate` has: the same mean, to the point, over the same games."""
    rules, games = make_rules("crag"), 3000
    _, table = seat_players(rules, ["greedy", "random", first_legal])
    found = play_matches(table, 5, Block(0, 0, games))
    alone = [simulate(rules, policy=policy, games=games, seed=5) for policy in ("greedy", "random", first_legal)]
    for player, result in enumerate(alone):
        assert abs(found.points[player].mean() - result.mean) < 0.2 * result.standard_deviation
    _, table = seat_players(rules, ["greedy"] * 8)
    first = play_matches(table, 5, Block(0, 0, games)).points[np.arange(games) % 8, np.arange(games)]
    assert first.sum() == round(alone[0].mean * games)


def test_own_policies_and_names_play(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "def lazy(dice, throws_left, card):\n    return dice if throws_left else next(iter(card.entries(dice)))\n"
    )
    result = match(POKER, f"{file}:lazy, par:chance=22,sixes=18, random", games=300, seed=1)
    assert result.names[0].startswith("mine.py:lazy@")
    assert result.names[1:] == ["par:sixes=18,chance=22", "random"]
    assert result.payoffs()["payoff"].idxmax() == 1
    again = match(POKER, [f"{file}:lazy", "par:chance=22,sixes=18", "random"], games=300, seed=1)
    assert again.tally == result.tally
    assert match(POKER, [first_legal, first_legal], games=20).names[0].startswith("1: first_legal@")


def test_which_table_plays() -> None:
    """Where the rules let players look further all sit at one table, so that results do not depend on the others."""
    for rules, players, kind in (
        (CACHO, ["points", "greedy"], Table),
        (CACHO, ["points", "random"], SeparateSheets),
        (ONE_COLUMN, ["par", "greedy"], Table),
        (DECLARED, ["par", "greedy"], SeparateSheets),
        (POKER, ["par", "greedy"], SeparateSheets),
    ):
        assert isinstance(seat_players(rules, players)[1], kind)
        assert can_match(rules)
    assert not can_match(SHORT_COLUMNS)
    bonus = replace(ONE_COLUMN, upper_bonus=POKER.upper_bonus, lines=(*POKER.lines[:6], *ONE_COLUMN.lines[6:]))
    assert not can_look_across(bonus)
    assert can_match(bonus)


@pytest.mark.parametrize(
    ("text", "players"),
    [
        ("optimal,greedy", ["optimal", "greedy"]),
        (" par:chance=22,sixes=18 ,mixed:win_value=50", ["par:chance=22,sixes=18", "mixed:win_value=50"]),
        ("a.py:f,b.py:g", ["a.py:f", "b.py:g"]),
        ("x=1,greedy", ["x=1", "greedy"]),
    ],
)
def test_players_in_one_text(text: str, players: list[str]) -> None:
    assert split_players(text) == players


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
        ((POKER, ["greedy", "race"]), PolicyError, "policy 'race' is for games with served points or flips, and no"),
        ((POKER, ["greedy", "sum"]), PolicyError, "policy 'sum' is for games of several columns"),
        ((POKER, ["greedy", "line:bingo"]), RulesError, "line 'bingo' is unknown"),
        ((POKER, ["greedy", "nobody.py:name"]), PolicyError, "policy file 'nobody.py' cannot be read"),
        ((DECLARED, ["points", "race"]), PolicyError, "no jokers, upper bonus or announced line; choose optimal"),
        ((CACHO, ["race", "random"]), PolicyError, "policies 'race' and 'random' cannot play one match; leave one"),
        ((THREE, ["greedy", "random"]), PolicyError, "policy 'random' is for games of one column; choose sum"),
        ((SHORT_COLUMNS, ["greedy", "par"]), UsageError, "have several columns, which needs served points or flips"),
        ((CACHO, ["points", "instant:bingo"]), PolicyError, "instant win 'bingo' is unknown"),
        ((CACHO, ["points", "par:sevens=2"]), RulesError, "line 'sevens' is unknown"),
    ],
)
def test_matches_that_cannot_be(arguments: tuple[Any, Any], kind: type[AnalyzerError], message: str) -> None:
    with pytest.raises(kind) as error:
        match(*arguments, games=10)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("rules", "pairs", "players", "message"),
    [
        (POKER, True, ["greedy", "par"], "two attempts in a turn of Dice Poker need served points or flips"),
        (ONE_COLUMN, True, ["greedy", "random"], "policy 'random' cannot play in two attempts"),
        (
            make_rules("cacho_alalay", team_turn="two_attempts"),
            False,
            ["line:poker", "par"],
            "'line' cannot play in two",
        ),
    ],
)
def test_two_attempts_that_cannot_be(rules: ScorecardRules, pairs: bool, players: list[str], message: str) -> None:
    with pytest.raises((PolicyError, UsageError), match=message):
        match(rules, players, games=10, pairs=pairs)


@pytest.mark.parametrize("name", MATCH_FAMILIES)
def test_every_listed_policy_exists(name: str) -> None:
    if name in ("sum", "columns"):
        pytest.skip("solved in the nightly test")
    text = {"mixed": "mixed:win_value=20", "line": "line:poker"}.get(name, name)
    if name == "FILE.py:NAME":
        assert match(CACHO, [first_legal, "greedy"], games=2).players[0].startswith("first_legal@")
        return
    assert match(CACHO, [text, "greedy"], games=2).players[0] == text


def test_seeds_and_numbers() -> None:
    for bad in ({"games": 0}, {"seed": -1}, {"confidence": 1.5}):
        with pytest.raises(UsageError):
            match(CACHO, ["points", "greedy"], **bad)  # type: ignore[arg-type]
    assert np.isfinite(match(CACHO, ["points", "greedy"], games=2).payoffs()["payoff"]).all()
