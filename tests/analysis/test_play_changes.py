"""What a comparison of best play says, and that it holds for every game and option."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from analyzer.analysis.binding import bind_policy
from analyzer.analysis.play_changes import PlayChanges, card_text, play_changes
from analyzer.analysis.solve import solve
from analyzer.dice.clauses import Flips, InstantWin, UpperBonus
from analyzer.dice.lines import Line
from analyzer.dice.policies import Optimal
from analyzer.dice.scorecard import ScorecardRules
from analyzer.dice.states import StateSpace
from analyzer.engine import store
from analyzer.errors import PolicyError, RulesError, UsageError
from analyzer.games.registry import make_rules, options_of, scorecard_names
from tests.dice.reference import CHANCE, PAIR, face_lines, small
from tests.games.test_registry import NEEDED

TINY = small("tiny", (*face_lines(3), PAIR, CHANCE), dice=2, faces=3)
STRAIGHT = {"straight": "25/30"}


@pytest.fixture(scope="module", autouse=True)
def _one_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Each game is solved once for all tests, by this code."""
    folder = tmp_path_factory.mktemp("play_changes")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "cache_directory", lambda: folder)
        patch.setattr(store, "source_unchanged", lambda: True)
        yield


@pytest.fixture(scope="module")
def escalero() -> PlayChanges:
    return play_changes(make_rules("escalero"), make_rules("escalero", **STRAIGHT))


def check(changes: PlayChanges) -> None:
    """What holds for any two variants."""
    stages, rounds, rules = changes.stages(), changes.rounds(), changes.base.space.rules
    assert len(stages) == rules.throws
    assert len(rounds) == len(rules.lines)
    for column in ("decisions", "differing", "cost_per_game", "base_cost_per_game", "not_allowed"):
        assert stages[column].sum() == pytest.approx(rounds[column].sum(), abs=1e-9)
        assert (stages[column] >= 0).all()
    assert (stages["differing"] <= stages["decisions"] + 1e-9).all()
    assert stages["decisions"].max() <= len(rules.lines) + 1e-9
    every = changes.top(10**6)
    assert every["chance"].sum() == pytest.approx(changes.differing_per_game, abs=1e-9)
    assert every["cost_per_game"].sum() == pytest.approx(changes.cost_per_game, abs=1e-9)
    assert every["not_allowed"].sum() == pytest.approx(changes.not_allowed_per_game, abs=1e-9)
    assert (every["base"] != every["other"]).all()
    assert (
        not every.drop(columns=["chance", "round", "cost", "cost_per_game", "base_cost", "not_allowed", "example"])[
            every.columns[:6] if "thrown_together" in every else every.columns[:5]
        ]
        .duplicated()
        .any()
    )
    assert 0 <= changes.followed <= 1 + 1e-12
    json.dumps(changes.to_dict(), allow_nan=False)
    assert rules.title in str(changes)
    assert "<table" in changes._repr_html_()


def test_the_figures_of_escalero(escalero: PlayChanges) -> None:
    check(escalero)
    assert escalero.decisions_per_game == pytest.approx(29.6126424, abs=1e-6)
    assert escalero.share == pytest.approx(0.0237522495, abs=1e-9)
    assert escalero.cost_per_game == pytest.approx(0.1203833646, abs=1e-9)
    assert escalero.followed == 1
    assert escalero.not_allowed_per_game == 0


def test_what_the_play_earns_is_below_the_best(escalero: PlayChanges) -> None:
    best = solve(escalero.other.space.rules).expected_score
    earned = escalero.base_play_earns
    assert earned <= best - escalero.cost_per_game + 1e-9
    assert solve(escalero.base.space.rules).expected_score < earned  # straights bring more to the same play


def test_the_top_is_ranked(escalero: PlayChanges) -> None:
    costs, chances = escalero.top(50), escalero.top(50, by="chance")
    assert (np.diff(costs["cost_per_game"]) <= 0).all()
    assert (np.diff(chances["chance"]) <= 0).all()
    np.testing.assert_allclose(costs["cost"] * costs["chance"], costs["cost_per_game"])
    assert len(escalero.top()) == 10
    assert escalero.top(3)["stage"].tolist() == ["keep after throw 1"] * 3
    assert escalero.main_table().equals(escalero.top())


def test_decisions_are_said_as_players_say_them(escalero: PlayChanges) -> None:
    every = escalero.top(10**6)
    said = list(
        zip(every["stage"], every["dice"], every["thrown_together"], every["base"], every["other"], strict=True)
    )
    assert ("entry", (2, 3, 4, 4, 5), False, "strike Straight", "enter Kings (5)") in said
    assert said[0] == ("keep after throw 1", (1, 3, 4, 5, 6), True, "keep nothing", "keep 3 4 5")


def test_entries_by_lines(escalero: PlayChanges) -> None:
    lines, every = escalero.entries(), escalero.top(10**6)
    entries = every[every["stage"] == "entry"]
    assert lines["chance"].sum() == pytest.approx(entries["chance"].sum(), abs=1e-12)
    assert lines["cost_per_game"].sum() == pytest.approx(entries["cost_per_game"].sum(), abs=1e-12)
    first = lines.iloc[0]
    assert [first["base"], first["other"]] == ["Straight", "Kings"]
    some = entries["base"].str.contains("Straight") & entries["other"].str.contains("Kings")
    assert first["chance"] == pytest.approx(entries["chance"][some].sum(), abs=1e-12)
    assert (np.diff(lines["cost_per_game"]) <= 0).all()


def test_flips_and_announced_lines_are_said() -> None:
    lines = (*face_lines(1, 3), Line(name="pair", kind="of_a_kind", n=2, points=6))
    flips = small("flips", lines, dice=2, faces=3, throws=2, flips=Flips(first="optional", most=1))
    changes = play_changes(flips, replace(flips, title="Plain", flips=None))
    check(changes)
    assert changes.not_allowed_per_game > 0
    assert changes.top(10**6)["base"].str.contains("turn to 1 1, enter").any()
    assert "are not allowed there" in str(changes)
    declared = play_changes(flips, replace(flips, declare=True))
    check(declared)
    assert declared.not_allowed_per_game > 0  # entries in lines that the other player would have had to announce
    check(play_changes(replace(flips, declare=True), flips))
    cheap = (*lines[:2], replace(lines[2], points=1))
    both = play_changes(replace(flips, declare=True), replace(flips, declare=True, title="Cheap", lines=cheap))
    check(both)
    every = both.top(10**6)
    assert every["base"].str.contains("keep 1, announce Face 3").any()
    assert every["other"].str.contains(", announce").any()


def test_a_line_of_one_variant_alone() -> None:
    more = replace(TINY, title="More", lines=(*TINY.lines, *face_lines(2)))
    with_more, without = play_changes(TINY, more), play_changes(more, TINY)
    check(with_more)
    check(without)
    assert with_more.top(10**6)["other"].str.contains("enter Face 2").any()
    assert with_more.not_allowed_per_game == 0
    assert with_more.followed == 1
    assert without.not_allowed_per_game > 0
    assert without.followed < 1  # when the line is left for the last round, the sheet without it is full
    assert np.isnan(with_more.base_play_earns)
    assert np.isnan(without.base_play_earns)
    assert "are not compared to the end" in str(without)
    assert without.to_dict()["base_play_earns"] is None


def test_what_is_played_for() -> None:
    lines = (Line(name="pair", kind="of_a_kind", n=2, points=5, served_points=8), *face_lines(4), CHANCE)
    wins = (InstantWin(name="rich", needs=(("pair", 8), ("chance", 12))),)
    rules = small("wins", lines, dice=3, faces=4, throws=2, instant_wins=wins)
    none = play_changes(rules, rules)
    changes = play_changes(rules, rules, other_policy="instant")
    check(changes)
    assert none.share == 0
    assert changes.share > 0
    assert changes.cost_per_game < 1
    assert f"{rules.title}, optimal against {rules.title}, instant: " in str(changes)
    assert "of the chance to win in what the other plays for" in str(changes)
    best, points = bind_policy(rules, "instant"), bind_policy(rules, "optimal")
    assert isinstance(best, Optimal)
    assert isinstance(points, Optimal)
    assert play_changes(rules, rules, base_policy=points, other_policy=best).share == changes.share
    assert changes.base_play_earns == pytest.approx(solve(rules).wins()["chance"].sum(), abs=1e-9)


def test_what_a_column_tells_of_its_sheet() -> None:
    rules = make_rules("cacho_alalay")
    space = StateSpace.of(rules)
    card = {rules.line_index("fours"): 16, rules.line_index("sixes"): 12, rules.line_index("straight"): 20}
    text = card_text(space, space.column_of(space.state_of(card)))
    assert text.startswith("Fours")
    upper = replace(TINY, upper_bonus=UpperBonus(points=5, threshold=6))
    space = StateSpace.of(replace(upper, lines=(*face_lines(1), *upper.lines)))
    assert card_text(space, space.column_of(space.state_of({0: 2, 2: 4}), 2)) == "Face 1, Pair; upper total 2"


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"other": replace(TINY, throws=2)}, RulesError, "throws = 2 of Tiny cannot be compared with 3 of Tiny"),
        ({"other": "yahtzee"}, UsageError, "are no rules"),
        ({"base_policy": "greedy"}, PolicyError, "policy 'greedy' looks no further than the turn"),
        ({"other_policy": "points"}, PolicyError, "policy 'points' is for games with instant wins"),
        ({"least_chance": 1.0}, UsageError, "least_chance = 1.0 cannot be; give a number from 0 to below 1"),
        ({"least_chance": "few"}, UsageError, "least_chance = 'few' cannot be"),
        ({"workers": 0}, UsageError, "the number of workers is 0"),
    ],
)
def test_what_is_refused(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    given: dict[str, Any] = {"base": TINY, "other": TINY, **arguments}
    with pytest.raises(error, match=message):
        play_changes(**given)


def test_a_policy_of_another_game_is_refused() -> None:
    bound = bind_policy(replace(TINY, throws=2), "optimal")
    assert isinstance(bound, Optimal)
    with pytest.raises(PolicyError, match="policy 'optimal' is bound to Tiny; bind it to Tiny"):
        play_changes(TINY, TINY, other_policy=bound)


def test_the_top_refuses_what_it_cannot_show(escalero: PlayChanges) -> None:
    with pytest.raises(UsageError, match="by = 'price' cannot be; choose from cost_per_game, chance"):
        escalero.top(by="price")
    with pytest.raises(UsageError, match="n = 0 cannot be"):
        escalero.top(0)


QUICK = {
    ("escalero", "straight"),
    ("escalero", "double_grande_row"),
    ("escalero", "five_as_poker_full"),
    ("cacho_alalay", "first_flip"),
    ("cacho_alalay", "flips_from_throw"),
    ("cacho_alalay", "strike_ban"),
    ("cacho_alalay", "instant_wins"),
}
"""Options that are tried each time."""


def variants() -> Iterator[Any]:
    """Every game against the first other value of each option; the quick ones each time, the others nightly."""
    for game in scorecard_names():
        seen = False
        for option in options_of(game):
            if option.name == "throws":
                continue
            values = (
                option.choices
                if option.kind == "choice"
                else (True, False)
                if option.kind == "switch"
                else (option.low, option.high)
            )
            value = next(value for value in values if value != option.default)
            marks = [] if (game, option.name) in QUICK else [pytest.mark.nightly]
            options = {**NEEDED.get((option.name, value), {}), option.name: value}
            yield pytest.param(game, options, id=f"{game}-{option.name}-{value}", marks=marks)
            seen = True
        if not seen:
            yield pytest.param(game, {}, id=game, marks=[] if game in {"crag", "generala"} else [pytest.mark.nightly])


def changed(rules: ScorecardRules) -> ScorecardRules:
    """A variant of a game without options: its last line is gone."""
    return replace(rules, title=f"{rules.title}, shorter", lines=rules.lines[:-1])


@pytest.mark.parametrize(("game", "options"), list(variants()))
def test_every_game_can_be_compared_with_its_variants(game: str, options: dict[str, Any]) -> None:
    base = make_rules(game)
    other = make_rules(game, **options) if options else changed(base)
    if other.throws == base.throws:
        check(play_changes(base, other))
        check(play_changes(other, base))
    else:
        with pytest.raises(RulesError, match="cannot be compared"):
            play_changes(base, other)
