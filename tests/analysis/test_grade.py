"""Grading: the sum of the game for every game and option, every loss against plain Python, luck that is fair."""

from __future__ import annotations

import json
import math
from functools import cache
from itertools import combinations_with_replacement
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import analyzer
from analyzer.analysis.advise import faces
from analyzer.analysis.binding import bind_policy
from analyzer.analysis.grade import grade
from analyzer.analysis.grading import Grading
from analyzer.analysis.solve import solve
from analyzer.dice.entries import bonus_points, final_score
from analyzer.dice.played import check_record
from analyzer.dice.record import GameRecord, read_record
from analyzer.dice.replay import record_game
from analyzer.dice.scorecard import ScorecardRules
from analyzer.dice.states import StateSpace
from analyzer.errors import PolicyError, PositionError, UsageError
from analyzer.games.registry import make_rules
from analyzer.report.tables import to_markdown
from tests.dice.reference import SMALL_GAMES, WINNING, Game, sorted_dice, thrown
from tests.test_conformance import _one_store, every_variant_at_length

__all__ = ["_one_store"]  # a fixture: every game is solved once for all tests

SUM = 1e-9
WIN_VALUE = 50.0


def objectives(rules: ScorecardRules) -> list[str]:
    if not rules.instant_wins:
        return ["optimal"]
    one = rules.instant_wins[0].name
    return ["points", "optimal", f"mixed:win_value={WIN_VALUE:g}", "instant", f"instant:{one}"]


def final_value(grading: Grading, win: str) -> float | None:
    """What a finished game is worth, by its score and the name of its win; None if its sheet could bring more."""
    family, _, parameter = grading.policy.partition(":")
    if family == "instant":
        return float(bool(win) and parameter in ("", win))
    if family == "points" and win:
        return None
    return grading.final_score + (WIN_VALUE if family == "mixed" and win else 0)


def check_sum(grading: Grading, record: GameRecord) -> None:
    """The promise of a grading, for the game, for every turn, and from step to step."""
    total = grading.start_value + grading.luck - grading.mistakes
    assert total == pytest.approx(grading.final_value, abs=SUM)
    turns, throws, decisions = grading.turns(), grading.throws(), grading.decisions()
    assert turns["luck"].sum() == pytest.approx(grading.luck, abs=SUM)
    assert turns["lost"].sum() == pytest.approx(grading.mistakes, abs=SUM)
    assert (turns["value_start"] + turns["luck"] - turns["lost"]).to_numpy() == pytest.approx(
        turns["value_end"].to_numpy(), abs=SUM
    )
    assert turns["value_start"].to_numpy()[1:] == pytest.approx(turns["value_end"].to_numpy()[:-1], abs=SUM)
    assert turns["points"].sum() == grading.final_score == record.score
    assert (decisions["lost"] >= 0).all()
    assert ((decisions["chosen"] == decisions["best"]) == (decisions["lost"] <= 1e-9)).all()
    assert len(throws) == sum(len(turn.throws) for turn in record.turns)
    summary = grading.summary().set_index("item")["value"]
    assert summary.drop("final").sum() == pytest.approx(summary["final"], abs=SUM)


@every_variant_at_length
def test_every_game_sums_up(game: str, options: dict[str, Any]) -> None:
    """Played badly, from any objective's view, and played from turn to turn."""
    rules = make_rules(game, **options)
    records = [record_game(bind_policy(rules, policy), seed) for policy, seed in (("random", 1), ("greedy", 2))]
    win = check_record(StateSpace.of(rules), records[0])[-1].win
    for policy in objectives(rules):
        grading = grade(rules, records[0], policy=policy)
        check_sum(grading, records[0])
        assert grading.finished
        expected = final_value(grading, win)
        assert expected is None or grading.final_value == pytest.approx(expected, abs=SUM)
    check_sum(grade(rules, records[1]), records[1])


@pytest.mark.parametrize("policy", objectives(WINNING))
def test_games_that_are_won_sum_up(policy: str) -> None:
    """Won by a throw, won by the sheet, and not won."""
    wins = set()
    for seed in range(30):
        record = record_game(bind_policy(WINNING, "instant" if seed % 2 else "random"), seed)
        grading = grade(WINNING, record, policy=policy)
        check_sum(grading, record)
        win = check_record(StateSpace.of(WINNING), record)[-1].win
        wins.add(win)
        expected = final_value(grading, win)
        assert expected is None or grading.final_value == pytest.approx(expected, abs=SUM)
        titles = {"": "", "triplet": "Triplet", "rich": "Rich"}
        assert grading.win == titles[win]
        assert grading.turns()["label"].iloc[-1] == "Triplet" or win != "triplet"
    assert wins == {"", "triplet", "rich"}


def test_a_game_won_by_the_sheet_of_cacho_alalay() -> None:
    rules = make_rules("cacho-alalay")
    turns = [
        {"throws": [[1, 2, 3, 4, 5]], "line": "straight"},
        {"throws": [[2, 2, 2, 3, 3]], "line": "full_house"},
        {"throws": [[2, 2, 2, 2, 3]], "line": "poker"},
        {"throws": [[2, 2, 2, 2, 3], [2, 2, 2, 2, 5]], "keeps": [[2, 2, 2, 2]], "flipped": [5], "line": "grande_1"},
    ]
    record = read_record({"turns": turns, "score": 155})
    found = {policy: grade(rules, record, policy=policy) for policy in objectives(rules)}
    for grading in found.values():
        check_sum(grading, record)
        assert (grading.win, grading.finished, grading.final_score) == ("Panza de oro", True, 155)
    assert found["optimal"].final_value == pytest.approx(155)
    assert found["mixed:win_value=50"].final_value == pytest.approx(205)
    assert found["instant"].final_value == pytest.approx(1)
    assert found["instant:dormida"].final_value == pytest.approx(0)
    card = {"straight": 25, "full_house": 35, "poker": 45, "grande_1": 50}
    going_on = solve(make_rules("cacho-alalay", instant_wins=False), card=card).value
    assert found["points"].final_value == pytest.approx(going_on, abs=SUM)
    assert grade(rules, record).policy == "points"
    assert "won at once: Panza de oro" in str(found["instant"])


@cache
def game_of(name: str) -> Game:
    return Game(SMALL_GAMES[name])


@pytest.mark.parametrize("name", SMALL_GAMES)
def test_every_loss_and_all_luck_as_plain_python_has_them(name: str) -> None:
    game, rules = game_of(name), SMALL_GAMES[name]
    for seed in range(3):
        record = record_game(bind_policy(rules, "random"), seed)
        decisions = iter(grade(rules, record).decisions().to_dict("records"))
        throws = iter(grade(rules, record).throws().to_dict("records"))
        card, extra = game.blank, 0
        value = game.future(card)
        for turn in record.turns:
            here, score = game.optimal(card), final_score(rules, game.named(card)) + extra
            held: tuple[int, ...] = ()
            for throw, dice in enumerate(turn.throws):
                left = rules.throws - 1 - throw
                locked = held if rules.lock_kept else ()
                best = score + here.after(locked, dice, left)
                row = next(throws)
                assert (row["kept"], row["dice"]) == (held, dice)
                assert row["luck"] == pytest.approx(best - value, abs=SUM)
                value = best
                if left:
                    held = turn.keeps[throw] if throw < len(turn.keeps) else dice
                    value = score + here.before(held, left - 1)
                    row = next(decisions)
                    assert row["kind"] == "keep"
                    assert row["value_best"] == pytest.approx(best, abs=SUM)
                    assert row["lost"] == pytest.approx(best - value, abs=SUM)
                    assert row["chosen"] == ("stop" if len(held) == rules.dice else f"keep {faces(held)}")
                    better = here.keep(locked, dice, left)
                    words = "stop" if len(better) == rules.dice else f"keep {faces(better)}"
                    assert row["best"] == (row["chosen"] if best - value <= SUM else words)
            dice = turn.throws[-1]
            worths = {rules.line_names[entry[0]]: (entry, worth) for entry, worth in here.options(dice)}
            entry, worth = worths[turn.line]
            row = next(decisions)
            assert row["kind"] == "entry"
            assert row["chosen"] == f"enter {rules.line(turn.line).label}"
            assert row["lost"] == pytest.approx(here.worth(dice) - worth, abs=SUM)
            value = score + worth
            extra += bonus_points(rules, dice, game.named(card))
            card = game.fill(card, entry)
        assert next(decisions, None) is None
        assert value == pytest.approx(final_score(rules, game.named(card)) + extra, abs=SUM)


def finished_turn(rules: ScorecardRules, before: list[Any], throws: list[Any], keeps: list[Any]) -> dict[str, Any]:
    """Some legal turn that begins with these throws."""
    space = StateSpace.of(rules)
    turn: dict[str, Any] = {"throws": list(throws), "keeps": list(keeps)}
    if rules.declare and keeps:
        turn["declared"] = rules.line_names[0]
    while len(turn["throws"]) < rules.throws:
        try:  # to stop, and to win, is to end the turn with this throw
            check_record(space, read_record({"turns": [*before, turn]}))
        except PositionError:
            kept = turn["keeps"][-1] if turn["keeps"] else turn["throws"][-1][:1]
            turn["keeps"].append(kept)
            turn["throws"].append([*kept, *range(1, rules.dice - len(kept) + 1)])
            if rules.declare:
                turn["declared"] = rules.line_names[0]
        else:
            return turn
    dice = sorted(set(turn["throws"][-1]))
    for n in range(3 if rules.flips else 1):
        for flipped in combinations_with_replacement(dice, n):
            for line in ({}, *({"line": name} for name in rules.line_names)):
                made = turn | line | ({"flipped": flipped} if flipped else {})
                try:
                    check_record(space, read_record({"turns": [*before, made]}))
                except PositionError:
                    continue
                return made
    raise AssertionError(turn)


THREE = [[1, 1, 3]]
DECLARED = make_rules("cacho-alalay", declare_after_throw1=True, first_flip="optional")
FAIR = [
    pytest.param(make_rules("yahtzee"), [], 0),
    pytest.param(make_rules("yahtzee", lock_kept=True), THREE, 2),
    pytest.param(make_rules("escalero"), [[]], 0, marks=pytest.mark.nightly),
    pytest.param(make_rules("cacho-alalay"), [], 0, marks=pytest.mark.nightly),
    pytest.param(make_rules("cacho-alalay"), THREE, 2),
    pytest.param(DECLARED, THREE, 0, marks=pytest.mark.nightly),
    pytest.param(WINNING, [], 1),
    pytest.param(WINNING, [[]], 1, marks=pytest.mark.nightly),
    pytest.param(WINNING, [[1]], 1),
]


@pytest.mark.parametrize(("rules", "keeps", "turns"), FAIR)
def test_luck_is_nothing_in_the_mean(rules: ScorecardRules, keeps: list[list[int]], turns: int) -> None:
    """Over all throws of the missing dice, weighted by their chances; after some turns, and with dice kept."""
    before = record_game(bind_policy(rules, "greedy"), 3).to_dict()["turns"][:turns]
    first = [1, 1, 3, 5, 6][: rules.dice]
    kept = tuple(keeps[-1]) if keeps else ()
    outcomes = thrown(rules.dice - len(kept), rules.faces)
    policies = objectives(rules)[: 1 if len(outcomes) > 200 or rules.declare else None]
    weighted: dict[str, list[float]] = {policy: [] for policy in policies}
    for added, chance in outcomes.items():
        throws = [*[first] * len(keeps), sorted_dice(kept, added)]
        record = {"turns": [*before, finished_turn(rules, before, throws, keeps)]}
        for policy, lucks in weighted.items():
            frame = grade(rules, record, policy=policy).throws()
            row = frame[(frame["turn"] == turns + 1) & (frame["throw"] == len(throws))]
            lucks.append(chance * float(row["luck"].iloc[0]))
    for policy, lucks in weighted.items():
        assert math.fsum(lucks) == pytest.approx(0, abs=SUM), policy
    assert max(map(abs, weighted[policies[0]])) > 1e-6


@settings(max_examples=15)
@given(st.randoms(use_true_random=False))
def test_the_order_of_dice_does_not_matter(random: Random) -> None:
    rules = SMALL_GAMES["free"]
    content = record_game(bind_policy(rules, "random"), 9).to_dict()
    shuffled = json.loads(json.dumps(content))
    for turn in shuffled["turns"]:
        for dice in (*turn["throws"], *turn.get("keeps", ())):
            random.shuffle(dice)
    assert grade(rules, shuffled).to_dict() == grade(rules, content).to_dict()


def test_best_play_loses_nothing() -> None:
    for name in ("yahtzee", "escalero"):
        rules = make_rules(name)
        record = record_game(bind_policy(rules, "optimal"), 1)
        grading = grade(rules, record)
        assert grading.mistakes == pytest.approx(0, abs=SUM)
        assert grading.costliest().empty
        assert grading.start_value == pytest.approx(solve(rules).expected_score, abs=SUM)


def test_losses_are_those_of_advice() -> None:
    rules = make_rules("yahtzee")
    turn = {"throws": [[5, 5, 3, 2, 1], [5, 5, 5, 2, 6]], "keeps": [[5, 5]], "line": "fives"}
    keep, other, entry = grade(rules, {"turns": [turn]}).decisions().to_dict("records")
    solution = solve(rules)
    first = solution.advise([5, 5, 3, 2, 1], throws_left=2).options().set_index("keep")
    second = solution.advise([5, 5, 5, 2, 6], throws_left=1).options().set_index("keep")
    last = solution.advise([5, 5, 5, 2, 6]).options().set_index("line")
    assert keep["lost"] == pytest.approx(first["loss"][(5, 5)])
    assert other["lost"] == pytest.approx(second["loss"][(2, 5, 5, 5, 6)])
    assert entry["lost"] == pytest.approx(last["loss"]["fives"])
    assert (other["chosen"], other["best"]) == ("stop", "keep 5 5 5")
    assert other["value_chosen"] == last["expected_score"].max()


def test_a_game_that_goes_on() -> None:
    rules = make_rules("yahtzee")
    content = record_game(bind_policy(rules, "greedy"), 4).to_dict()
    some = {"turns": content["turns"][:5]}
    grading = grade(rules, some)
    after = check_record(StateSpace.of(rules), read_record(some))[-1].after
    assert not grading.finished
    assert grading.final_value == pytest.approx(solve(rules, card=after[0], extra_points=after[1]).value, abs=SUM)
    assert grading.start_value + grading.luck - grading.mistakes == pytest.approx(grading.final_value, abs=SUM)
    assert "the game goes on" in str(grading)
    nothing = grade(rules, {"turns": []})
    assert nothing.start_value == nothing.final_value
    assert (nothing.luck, nothing.mistakes, nothing.final_score) == (0, 0, 0)


def test_what_a_grading_says() -> None:
    rules = SMALL_GAMES["forced"]
    record = record_game(bind_policy(rules, "random"), 2)
    grading = grade(rules, record)
    content = json.loads(json.dumps(grading.to_dict(), default=list, allow_nan=False))
    assert content["rules_id"] == rules.id
    assert content["start_value"] + content["luck"] - content["mistakes"] == pytest.approx(content["final_value"])
    assert [len(content[name]) for name in ("turns", "decisions", "throws")] == [
        len(grading.turns()),
        len(grading.decisions()),
        len(grading.throws()),
    ]
    assert str(grading) == repr(grading)
    assert f"= {grading.final_score}.000 (played for optimal; score {grading.final_score})" in str(grading)
    assert "<th>Luck</th>" in grading._repr_html_()
    costliest = grading.costliest(3)
    assert costliest["lost"].tolist() == sorted(grading.decisions()["lost"], reverse=True)[:3]
    mine = grading.turns()
    mine["luck"] = 0.0
    assert grading.turns()["luck"].any(), "tables are copies"


def test_chances_are_shown_as_per_cents() -> None:
    grading = grade(WINNING, record_game(bind_policy(WINNING, "random"), 1), policy="instant")
    number = f"{grading.start_value:.3%}"
    assert number in to_markdown(grading.turns(), grading.formats)
    assert number in to_markdown(grading.summary(), grading.formats)
    assert number in grading._repr_html_()
    assert f"chance {number} " in str(grading)


YAHTZEE = make_rules("yahtzee")


@pytest.mark.parametrize(
    ("rules", "content", "message"),
    [
        (YAHTZEE, {"game": "kniffel"}, "the record is of 'kniffel', not of Yahtzee; grade it by the rules of its game"),
        (
            make_rules("yahtzee", throws=2),
            {"game": "Yahtzee", "options": {"lock-kept": True}},
            r"the record is of yahtzee with lock-kept = True, not of Yahtzee \(throws = 2\); set the same options",
        ),
        (make_rules("yahtzee", throws=2), {"options": {}}, "the record is of yahtzee with no options set, not of"),
        (SMALL_GAMES["forced"], {"options": {"throws": 2}}, "the record has options, but Forced is no game with"),
    ],
)  # fmt: skip
def test_a_record_of_another_game(rules: ScorecardRules, content: dict[str, Any], message: str) -> None:
    with pytest.raises(PositionError, match=f"^{message}"):
        grade(rules, content | {"turns": []})


def test_a_record_of_the_same_game() -> None:
    rules = make_rules("yahtzee", throws=2)
    for content in ({"game": "Yahtzee"}, {"options": {"throws": "2"}}, {"game": "yahtzee", "options": {"Throws": 2}}):
        assert grade(rules, content | {"turns": []}).final_score == 0
    assert analyzer.grade is grade


@pytest.mark.parametrize(
    ("given", "kind", "message"),
    [
        ({"policy": "greedy"}, UsageError, "grading measures against best play, not 'greedy'; choose optimal"),
        ({"policy": "points"}, PolicyError, "policy 'points' is for games with instant wins, which Yahtzee has not"),
        ({"policy": "optimum"}, PolicyError, "did you mean 'optimal'"),
        ({"policy": lambda dice, left, card: dice}, UsageError, "grading measures against best play"),
        ({"workers": 0}, UsageError, "workers is 0"),
    ],
)
def test_arguments(given: dict[str, Any], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        grade(YAHTZEE, {"turns": []}, **given)
    with pytest.raises(UsageError, match="'yahtzee' are no rules"):
        grade("yahtzee", {"turns": []})  # type: ignore[arg-type]
    assert np.isfinite(grade(YAHTZEE, {"turns": []}).start_value)
