"""Comparisons against the games themselves and exact differences: pairing, intervals, stopping, reproducibility."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import analyzer.analysis.compare as module
from analyzer.analysis.arms import Arm
from analyzer.analysis.compare import compare
from analyzer.analysis.comparison import Comparison
from analyzer.analysis.contests import Contest, SheetContest, contest_of
from analyzer.analysis.match import match
from analyzer.analysis.simulate import simulate
from analyzer.analysis.solve import solve
from analyzer.dice.clauses import UpperBonus
from analyzer.dice.lines import Line
from analyzer.dice.scorecard import ScorecardRules
from analyzer.engine.blocks import Block
from analyzer.errors import AnalyzerError, UsageError
from analyzer.games.registry import make_rules
from analyzer.stats.comparison import PairSums
from tests.dice.reference import SMALL_GAMES

ESCALERO = make_rules("escalero")
STRAIGHT = make_rules("escalero", straight="25/30")
DOUBLE = make_rules("escalero", double_grande_row=True)
CACHO = make_rules("cacho_alalay")
LIMIT = 4.5
"""Standard errors that a simulated mean may lie off the exact one: by chance once in 150,000 times, seeds are fixed."""


def arms_of(*rules: Any, policy: Any = "greedy") -> list[Arm]:
    return [Arm(one, policy, f"arm {place}") for place, one in enumerate(rules)]


def everything(result: Comparison) -> list[str]:
    content = json.dumps(result.to_dict(), default=lambda value: value.item(), allow_nan=False)
    return [content, str(result), result._repr_html_(), *(frame.to_csv() for frame in result.tables().values())]


def test_games_are_paired_by_number() -> None:
    """Against the scores of the same games, simulated one by one."""
    found = compare(arms_of(ESCALERO, STRAIGHT), games=300, seed=5, exact=False)
    scores = []
    for rules in (ESCALERO, STRAIGHT):
        contest = contest_of(Arm(rules, "greedy"), {})
        whole = contest.play(5, Block(0, 0, 300), 1)[0]
        single = [int(contest.play(5, Block(0, game, game + 1), 1)[0, 0]) for game in range(20)]
        assert single == whole[:20].tolist()
        assert whole.mean() == simulate(rules, policy="greedy", games=300, seed=5).mean
        scores.append(whole.tolist())
    pairs = PairSums.of(list(zip(*scores, strict=True)))
    row = found.differences().iloc[0]
    expected = pairs.difference()
    assert (row["difference"], row["lower"], row["upper"]) == (expected.value, expected.lower, expected.upper)
    x, y, between = pairs.variances()
    assert row["variance_reduction"] == pytest.approx((x + y) / between)
    assert row["correlation"] == pytest.approx(np.corrcoef(scores)[0, 1])


@pytest.mark.parametrize("policy", ["optimal", "greedy"])
@pytest.mark.parametrize(
    "rules",
    [
        (ESCALERO, STRAIGHT, DOUBLE),
        (CACHO, make_rules("cacho_alalay", flips_from_throw=1)),
        (SMALL_GAMES["forced"], replace(SMALL_GAMES["forced"], upper_bonus=None, throws=2)),
    ],
    ids=["escalero", "cacho_alalay", "small"],
)
def test_every_measure_agrees_with_its_exact_mean(rules: tuple[Any, ...], policy: str) -> None:
    found = compare(arms_of(*rules, policy=policy), games=20_000, seed=3)
    rows = [found.differences().rename(columns={"arm": "label"}), found.measures()]
    checked = 0
    for row in (row for frame in rows for row in frame.to_dict("records")):
        assert math.isfinite(row["exact_difference"]), row["label"]
        off = abs(row["difference"] - row["exact_difference"])
        if row["standard_error"] == 0:  # what happens too seldom has no error, where its chance is below 1e-3
            assert off < 2e-3, row["label"]
        else:
            assert off <= LIMIT * row["standard_error"] + 5e-4, row["label"]
            checked += 1
    assert checked > 5
    for row in found.means().to_dict("records"):
        assert abs(row["mean"] - row["exact_mean"]) <= LIMIT * row["standard_error"]
        assert row["standard_deviation"] == pytest.approx(row["exact_standard_deviation"], rel=0.05)
    for row in found.spread().to_dict("records"):
        assert abs(row["difference"] - row["exact_difference"]) <= LIMIT * row["standard_error"] + 1e-9


def test_a_line_that_one_arm_lacks_earns_nothing_there() -> None:
    found = compare(arms_of(ESCALERO, DOUBLE, policy="greedy"), games=5000, seed=2)
    lines = found.measures().set_index("measure")
    row = lines.loc["line:double_grande"]
    assert math.isnan(row["base_mean"])
    assert row["difference"] == row["arm_mean"] > 0
    assert "zero:double_grande" not in lines.index
    points = lines[[name.startswith("line:") for name in lines.index]]
    assert points["difference"].sum() == pytest.approx(found.differences()["difference"][0])
    assert points["exact_difference"].sum() == pytest.approx(found.differences()["exact_difference"][0])


def test_bonuses_are_measured() -> None:
    rules = SMALL_GAMES["forced"]
    contest = contest_of(Arm(rules, "greedy"), {"cache": False})
    names = [measure.name for measure in contest.measures]
    played = contest.play(1, Block(0, 0, 2000), 1)
    by_name = dict(zip(names, played, strict=True))
    lines = [by_name[name] for name in names if name.startswith("line:")]
    assert {"line:upper_bonus", "line:extra_five"} <= set(names)
    assert np.array_equal(sum(lines), by_name["score"])
    assert set(np.unique(by_name["line:upper_bonus"])) == {0, rules.upper_bonus.points}  # type: ignore[union-attr]
    assert by_name["line:extra_five"].max() > 0
    for measure, values in zip(contest.measures, played, strict=True):
        assert measure.low <= values.min() <= values.max() <= measure.high


def test_instant_wins_end_games_early() -> None:
    contest = contest_of(Arm(CACHO, "greedy"), {})
    names = [measure.name for measure in contest.measures]
    by_name = dict(zip(names, contest.play(1, Block(0, 0, 5000), 1), strict=True))
    wins = [by_name[name] for name in names if name.startswith("win:")]
    assert len(wins) == len(CACHO.instant_wins)
    assert np.array_equal(sum(wins), by_name["win"])
    assert (by_name["rounds"][by_name["win"] == 0] == len(CACHO.lines)).all()
    assert by_name["rounds"].min() < len(CACHO.lines)


@pytest.mark.parametrize("precision", [None, 0.8])
def test_workers_make_no_difference(precision: float | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FIRST_BLOCK", 256)
    games = None if precision else 1200
    arms = [*arms_of(ESCALERO, STRAIGHT, policy="optimal"), Arm(DOUBLE, "random", "random")]
    expected = everything(compare(arms, games=games, precision=precision, seed=4, workers=1))
    for workers in (2, 7):
        assert everything(compare(arms, games=games, precision=precision, seed=4, workers=workers)) == expected
    assert everything(compare(arms, games=games, precision=precision, seed=5, workers=1)) != expected


def test_a_run_stops_at_the_first_look_that_is_precise_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FIRST_BLOCK", 256)
    found = compare(arms_of(ESCALERO, STRAIGHT, DOUBLE), precision=0.5, seed=1, exact=False)
    reaches = [max((e.upper - e.lower) / 2 for e in estimates) for _, estimates in found.looks]
    assert reaches[-1] <= 0.5 < min(reaches[:-1])
    assert found.reached
    last = found.convergence().groupby("arm").last()
    table = found.differences().set_index("arm")
    assert last["difference"].tolist() == table.loc[last.index, "difference"].tolist()
    assert last["upper"].tolist() == table.loc[last.index, "upper"].tolist()
    assert found.spread()["lower"].isna().all()
    fixed = compare(arms_of(ESCALERO, STRAIGHT, DOUBLE), games=found.games, seed=1, exact=False)
    assert fixed.differences()["difference"].tolist() == table["difference"].tolist()
    assert (fixed.differences()["upper"].to_numpy() < table["upper"].to_numpy()).all()
    short = compare(arms_of(ESCALERO, STRAIGHT, DOUBLE), precision=0.5, games=found.looks[-2][0], seed=1, exact=False)
    assert not short.reached
    assert short.looks == found.looks[:-1]


def test_common_random_numbers_and_independent_ones() -> None:
    same = compare(arms_of(ESCALERO, ESCALERO), games=2000, exact=False)
    row = same.differences().iloc[0]
    assert (row["difference"], row["standard_error"], row["p_value"]) == (0, 0, 1)
    assert math.isnan(row["variance_reduction"])
    other = compare(arms_of(ESCALERO, ESCALERO), games=2000, common=False, exact=False)
    row = other.differences().iloc[0]
    assert abs(row["correlation"]) < 5 / 2000**0.5
    assert abs(row["difference"]) < LIMIT * row["standard_error"]
    assert same.task_id != other.task_id
    again = compare(arms_of(ESCALERO, ESCALERO), games=2000, common=False, exact=False)
    assert again.differences()["difference"][0] == other.differences()["difference"][0]


def test_the_same_dice_make_differences_small() -> None:
    """Issue 4: at least 10 times with one fixed policy, at least twice with the best play of each arm."""
    for policy, least in (("greedy", 10), ("optimal", 5)):
        found = compare(arms_of(ESCALERO, STRAIGHT, policy=policy), games=50_000, exact=False)
        assert found.differences()["variance_reduction"][0] > least


@pytest.mark.parametrize(
    ("rules", "players"),
    [
        ([make_rules("escalero", sweep_total=total) for total in (9, 12)], ("par", "greedy")),
        pytest.param(
            [CACHO, make_rules("cacho_alalay", grandes_needed=2)],
            ("points", "greedy", "greedy"),
            marks=pytest.mark.nightly,
        ),
        ([make_rules("yahtzee"), make_rules("yahtzee", throws=2)], ("greedy", "random")),
    ],
    ids=["columns", "three players", "separate sheets"],
)
def test_matches_are_paired_by_number(rules: list[Any], players: tuple[str, ...]) -> None:
    """Against what `match` says of the first player in each variant."""
    found = compare(arms_of(*rules, policy=players), games=600, seed=5)
    alone = [match(one, players, games=600, seed=5) for one in rules]
    means, measured = found.means(), found.measures().set_index("measure")
    for place, one in enumerate(alone):
        row = one.payoffs().iloc[0]
        assert means["mean"][place] == pytest.approx(row["payoff"])
        assert means["standard_error"][place] == pytest.approx(row["standard_error"])
    first, second = (one.payoffs().iloc[0] for one in alone)
    assert found.differences()["difference"][0] == pytest.approx(second["payoff"] - first["payoff"])
    assert measured["base_mean"]["won"] == pytest.approx(first["win_rate"])
    assert measured["arm_mean"]["points"] == pytest.approx(second["mean_points"])
    if rules[0].settlement.columns > 1:
        assert measured["base_mean"]["column:2"] == pytest.approx(first["won_2"])
        assert measured["base_mean"]["sweep"] == pytest.approx(first["sweep_rate"])
        assert found.differences()["variance_reduction"][0] > 2  # the play is the same, only what a sweep pays is not
    if rules[0].instant_wins:
        ends = alone[0].endings()
        mine = ends[ends["player"] == alone[0].names[0]].set_index("win")["rate"]
        for win, rate in mine.items():
            assert measured["base_mean"][f"win:{win}"] == pytest.approx(rate)
    assert found.unit == "matches"
    assert everything(found) == everything(compare(arms_of(*rules, policy=players), games=600, seed=5, workers=1))


@pytest.mark.parametrize(
    ("rules", "players", "low", "high"),
    [
        (make_rules("escalero"), ("par",) * 2, -9, 9),
        (make_rules("escalero", stake=3), ("par", "greedy", "greedy"), -27, 54),
        (make_rules("escalero", columns="1"), ("greedy", "par", "par"), -290, 580),
        (CACHO, ("points", "greedy", "greedy"), 0, 1),
    ],
    ids=["two", "three", "difference", "highest"],
)
def test_payoffs_are_within_their_bounds(rules: Any, players: tuple[str, ...], low: int, high: int) -> None:
    """A loser pays its own part only; the narrower the bounds, the sooner a wanted precision is reached."""
    contest = contest_of(Arm(rules, players), {})
    for measure, values in zip(contest.measures, contest.play(2, Block(0, 0, 400), 1), strict=True):
        assert measure.low <= values.min() <= values.max() <= measure.high
    payoff = contest.measures[0]
    assert (payoff.low * payoff.unit, payoff.high * payoff.unit) == pytest.approx((low, high))


def test_rare_events_have_intervals_of_some_width() -> None:
    """In 500 games no arm, or hardly one, has an instant win of every kind."""
    found = compare(arms_of(CACHO, make_rules("cacho_alalay", flips_from_throw=1)), games=500, seed=3)
    rates = found.measures()
    rates = rates[rates["kind"] == "rate"]
    assert (rates["standard_error"] == 0).any()
    assert (rates["lower"] < rates["upper"]).all()
    assert ((rates["lower"] <= rates["exact_difference"]) & (rates["exact_difference"] <= rates["upper"])).all()
    assert (rates["p_value"][rates["standard_error"] == 0] == 1).all()


def test_matches_and_games_are_not_compared() -> None:
    for first, second in ((("par", "par"), "greedy"), (("par", "par"), ("par", "par", "par"))):
        with pytest.raises(UsageError, match="cannot be compared; give all arms one policy, or all the same number"):
            compare([Arm(ESCALERO, first, "a"), Arm(ESCALERO, second, "b")], games=10)
    huge = make_rules("escalero", stake=1000)
    with pytest.raises(UsageError, match="too large to compare; choose a smaller stake"):
        compare([Arm(huge, ("par",) * 8, "a"), Arm(huge, ("par",) * 8, "b")], games=10)


def test_several_arms_share_the_risk() -> None:
    two = compare(arms_of(ESCALERO, STRAIGHT), games=2000, exact=False)
    three = compare(arms_of(ESCALERO, STRAIGHT, DOUBLE), games=2000, exact=False)
    every = compare(arms_of(ESCALERO, STRAIGHT, DOUBLE), games=2000, exact=False, against="all")
    assert [len(found.differences()) for found in (two, three, every)] == [1, 2, 3]
    widths = [float(f.differences().eval("upper - lower").iloc[0]) for f in (two, three, every)]
    assert widths[0] < widths[1] < widths[2]
    frame = every.differences()
    assert list(zip(frame["arm"], frame["against"], strict=True)) == [
        ("arm 1", "arm 0"),
        ("arm 2", "arm 0"),
        ("arm 2", "arm 1"),
    ]
    assert (frame["adjusted_p_value"] >= frame["p_value"]).all()


def test_equivalence_within_a_margin() -> None:
    for precision in (None, 0.3):
        found = compare(arms_of(ESCALERO, STRAIGHT), precision=precision, margin=5.0, seed=1)
        row = found.differences().iloc[0]
        assert row["equivalent"]
        assert row["significant"]
        narrow = compare(arms_of(ESCALERO, STRAIGHT), precision=precision, margin=1.0, seed=1)
        assert not narrow.differences()["equivalent"][0]


def test_own_policies_have_no_exact_value() -> None:
    def first(dice: Sequence[int], throws_left: int, card: Any) -> Any:
        return list(dice) if throws_left else next(iter(card.entries(dice)))

    found = compare([Arm(ESCALERO, "greedy"), Arm(ESCALERO, first)], games=500)
    assert found.differences()["exact_difference"].isna().all()
    assert found.means()["exact_mean"].notna().tolist() == [True, False]
    row = found.differences().iloc[0]
    width, controlled = row["upper"] - row["lower"], row["controlled_upper"] - row["controlled_lower"]
    assert 0.4 < controlled / width < 0.95
    assert abs(row["controlled_difference"] - row["difference"]) < width
    turned = compare([Arm(ESCALERO, first), Arm(ESCALERO, "greedy")], games=500).differences().iloc[0]
    assert turned["controlled_difference"] == pytest.approx(-row["controlled_difference"])
    assert turned["controlled_lower"] == pytest.approx(-row["controlled_upper"])
    assert not found.scores()[0].exact
    assert found.scores()[1].distribution()["probability"].sum() == pytest.approx(1)


def test_distributions_are_exact_where_all_are() -> None:
    found = compare(arms_of(ESCALERO, STRAIGHT), games=100)
    exact = solve(STRAIGHT, policy="greedy").distribution()
    shown = found.scores()[1]
    assert shown.exact
    assert shown.distribution()["probability"].tolist() == exact["probability"].tolist()
    assert shown.distribution()["at_least"].tolist() == pytest.approx(exact["at_least"].tolist())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"games": 1}, "games = 1 cannot be"),
        ({"games": 2.5}, "games = 2.5 cannot be"),
        ({"precision": 0}, "precision = 0 cannot be; give the half width of the interval, such as 0.1"),
        ({"precision": math.nan}, "precision = nan cannot be"),
        ({"precision": "x"}, "precision = 'x' cannot be"),
        ({"margin": -1}, "margin = -1 cannot be"),
        ({"against": "best"}, "against = 'best' cannot be; give first or all"),
        ({"confidence": 95}, "confidence = 95 cannot be"),
        ({"confidence": 1 - 1e-16}, "confidence = 0.9999999999999999 is too near 1 to compute with"),
        ({"confidence": 1e-300}, "confidence = 1e-300 is too near 0 to compute with"),
        ({"seed": -1}, "seed = -1 cannot be"),
        ({"workers": 0}, "number of workers is 0"),
    ],
)
def test_wrong_arguments_end_with_one_line(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        compare(arms_of(ESCALERO, STRAIGHT), **arguments)
    assert message in str(caught.value)


def test_the_confidence_nearest_to_one_is_shared_out_among_all_intervals() -> None:
    arms = [Arm(ESCALERO, "greedy", f"arm {place}") for place in range(20)]
    found = compare(arms, games=3, against="all", confidence=1 - 1e-11, exact=False)
    assert np.isfinite(found.differences()[["lower", "upper"]]).all(axis=None)
    assert np.isfinite(found.measures()[["lower", "upper"]]).all(axis=None)


def test_a_precision_out_of_reach_plays_all_games() -> None:
    found = compare(arms_of(ESCALERO, STRAIGHT), games=5000, precision=1e-320, exact=False)
    assert (found.games, found.reached) == (5000, False)


def test_scores_that_do_not_vary() -> None:
    """A sheet of one sure line: nothing is left to compare but the constant."""
    line = Line(name="sure", kind="all_alike", points=5)
    sure = ScorecardRules(name="sure", title="Sure", dice=1, faces=2, throws=1, lines=(line,))
    more = replace(sure, lines=(replace(line, points=7),))
    for common in (True, False):
        found = compare(arms_of(sure, more), games=200, common=common, margin=1)
        row = found.differences().iloc[0]
        assert (row["difference"], row["lower"], row["upper"], row["exact_difference"]) == (2, 2, 2, 2)
        assert (row["p_value"], row["equivalence_p_value"]) == (0, 1)
        assert math.isnan(row["correlation"])
        assert math.isnan(row["variance_reduction"])
        everything(found)


def test_the_interval_of_deviations_needs_games() -> None:
    for games, shown in ((99, False), (100, True)):
        spread = compare(arms_of(ESCALERO, STRAIGHT), games=games, exact=False).spread()
        assert spread[["lower", "upper"]].notna().all(axis=None) == shown
        assert spread["difference"].notna().all()


def test_wrong_arms_end_with_one_line() -> None:
    for arms, message in (
        (arms_of(ESCALERO), "arms are 1; give 2..20 of them"),
        ([Arm(ESCALERO), Arm(ESCALERO)], "two arms are called 'Escalero, optimal'"),
        ([ESCALERO, STRAIGHT], "is no arm; give analyzer.Arm(rules, policy)"),
        ([Arm(ESCALERO), Arm(ESCALERO, "gredy")], "policy 'gredy' is unknown"),
    ):
        with pytest.raises(AnalyzerError, match=message.replace("(", r"\(").replace(")", r"\)")):
            compare(arms, games=10)  # type: ignore[arg-type]


class Replayed:
    """A contest that shows games played before: seed s starts at game ``s * length``."""

    def __init__(self, contest: Contest, length: int, runs: int, seed: int) -> None:
        self.contest, self.length = contest, length
        self.rules, self.policy, self.job = contest.rules, contest.policy, contest.job
        self.measures = contest.measures[:1]
        size = 1 << 18
        total = length * runs
        blocks = [Block(i, low, min(low + size, total)) for i, low in enumerate(range(0, total, size))]
        self.games = np.concatenate([contest.play(seed, block, None)[:1] for block in blocks], axis=1)

    def play(self, seed: int, block: Block, workers: int | None) -> np.ndarray[Any, Any]:
        start = seed * self.length
        return self.games[:, start + block.start : start + block.stop]

    def exact(self) -> None:
        return None


def replays(monkeypatch: pytest.MonkeyPatch, length: int, runs: int, rules: tuple[Any, Any], apart: bool) -> list[Arm]:
    arms = arms_of(*rules)
    played = {
        arm.name: Replayed(contest_of(arm, {}), length, runs, seed=11 + place * apart) for place, arm in enumerate(arms)
    }
    monkeypatch.setattr(module, "contest_of", lambda arm, solving: played[arm.name])
    return arms


RUNS = 2000
EXACT = solve(STRAIGHT, policy="greedy").expected_score - solve(ESCALERO, policy="greedy").expected_score


@pytest.mark.nightly
def test_intervals_cover(monkeypatch: pytest.MonkeyPatch) -> None:
    """2,000 comparisons of 500 games each. Chance leaves 93.5 to 96.5 % once in 500 times; the seed is fixed."""
    arms = replays(monkeypatch, 500, RUNS, (ESCALERO, STRAIGHT), apart=False)
    rows = [compare(arms, games=500, seed=run).differences().iloc[0] for run in range(RUNS)]
    covered = sum(row["lower"] <= EXACT <= row["upper"] for row in rows) / RUNS
    print(f"{covered:.2%} of {RUNS} intervals cover the exact difference {EXACT:.4f}")
    assert 0.935 <= covered <= 0.965


@pytest.mark.nightly
def test_confidence_sequences_cover_at_all_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """2,000 runs to a precision that is never reached: every look of every run counts."""
    monkeypatch.setattr(module, "FIRST_BLOCK", 64)
    length = 8192
    arms = replays(monkeypatch, length, RUNS, (ESCALERO, STRAIGHT), apart=False)
    covered = looks = 0
    for run in range(RUNS):
        found = compare(arms, games=length, precision=1e-6, seed=run)
        looks = len(found.looks)
        covered += all(e.lower <= EXACT <= e.upper for _, (e,) in found.looks)
    print(f"{covered / RUNS:.2%} of {RUNS} runs cover at all {looks} looks")
    assert covered / RUNS >= 0.95


@pytest.mark.nightly
def test_no_difference_is_flagged_at_the_nominal_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    """A/A: the same game and policy on different dice; 5 % of 10,000, and 2.5 standard errors of a count."""
    runs = 5 * RUNS
    arms = replays(monkeypatch, 500, runs, (ESCALERO, ESCALERO), apart=True)
    flagged = sum(bool(compare(arms, games=500, seed=run).differences()["significant"][0]) for run in range(runs))
    print(f"A/A flagged in {flagged / runs:.2%} of {runs}")
    assert flagged / runs <= 0.05 + 2.5 * (0.05 * 0.95 / runs) ** 0.5


@pytest.mark.nightly
def test_no_difference_is_flagged_at_any_look(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FIRST_BLOCK", 64)
    length = 4096
    arms = replays(monkeypatch, length, RUNS, (ESCALERO, ESCALERO), apart=True)
    flagged = 0
    for run in range(RUNS):
        found = compare(arms, games=length, precision=1e-6, seed=run)
        flagged += any(not e.lower <= 0 <= e.upper for _, (e,) in found.looks)
    print(f"A/A flagged at some look in {flagged / RUNS:.2%}")
    assert flagged / RUNS <= 0.05


def test_replayed_games_are_the_games_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = compare(arms_of(ESCALERO, STRAIGHT), games=200, seed=11, exact=False).differences()
    arms = replays(monkeypatch, 200, 3, (ESCALERO, STRAIGHT), apart=False)
    assert compare(arms, games=200, seed=0).differences()["difference"].tolist() == plain["difference"].tolist()
    first = [compare(arms, games=200, seed=run).differences()["difference"][0] for run in range(3)]
    assert len(set(first)) == 3


def test_rules_without_a_bonus_compare_with_rules_that_have_one() -> None:
    with_bonus = SMALL_GAMES["forced"]
    without = replace(with_bonus, upper_bonus=None, title="No bonus")
    assert isinstance(with_bonus.upper_bonus, UpperBonus)
    found = compare(arms_of(without, with_bonus), games=3000, seed=8)
    row = found.measures().set_index("measure").loc["line:upper_bonus"]
    assert row["difference"] == pytest.approx(found.differences()["difference"][0])
    assert isinstance(found.contests[0], SheetContest)
