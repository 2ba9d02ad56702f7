"""The built-in policies: what they maximise, how they are written, and that all of them play by the rules."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.dice.decisions import TablePolicy, UniformPolicy, positions
from analyzer.dice.policies import (
    Chase,
    Greedy,
    Optimal,
    Par,
    Policy,
    Random,
    built_in_pars,
    check_line,
    parse_pars,
)
from analyzer.dice.solver import solve
from analyzer.dice.states import StateSpace
from analyzer.errors import PolicyError, RulesError
from analyzer.games.dice_poker import DicePoker
from analyzer.games.yahtzee import Yahtzee
from tests.dice.reference import (
    SMALL_GAMES,
    Card,
    Dice,
    Game,
    TablePlayer,
    chase,
    entry_of,
    greedy,
    keeps_of,
    par,
    sorted_dice,
    thrown,
)

POKER = StateSpace.of(DicePoker().scorecard())
GAME = Game(POKER.rules)


def policies(space: StateSpace) -> dict[str, Policy]:
    names = space.rules.line_names
    return {
        "optimal": Optimal(space, solve(space)),
        "greedy": Greedy(space),
        "par": Par(space, {}),
        "par given": Par(space, {names[-1]: 20.0}),
        "first line": Chase(space, names[0]),
        "last line": Chase(space, names[-1]),
        "random": Random(space),
    }


def player_of(policy: Policy, filled: dict[str, int]) -> tuple[TablePlayer, Card]:
    game = Game(policy.space.rules)
    card = game.card(filled)
    return TablePlayer(game, policy.space, policy.tables(np.array([game.column(policy.space, card)]))), card


@pytest.mark.parametrize("name", SMALL_GAMES)
@pytest.mark.parametrize("family", ["optimal", "greedy", "par", "par given", "first line", "last line", "random"])
def test_every_policy_plays_by_the_rules(name: str, family: str) -> None:
    """Every keep is part of the roll and holds what is locked; every entry is legal."""
    rules = SMALL_GAMES[name]
    game, space = Game(rules), StateSpace.of(rules)
    policy = policies(space)[family]
    cards = {game.column(space, card): card for card in game.reachable() if None in card}
    columns = np.array(sorted(cards))
    tables = policy.tables(columns)
    for slot, column in enumerate(columns.tolist()):
        if isinstance(tables, UniformPolicy):
            for roll, dice in enumerate(
                space.lattice.faces_of(n) for n in range(space.lattice.first_roll, space.lattice.nodes)
            ):
                listed = tables.entries[slot, roll, : tables.entry_count[slot, roll]].tolist()
                assert [entry_of(space, e) for e in listed] == game.entries(tuple(sorted(dice)), cards[column])
            continue
        player = TablePlayer(game, space, tables, slot)
        held: set[Dice] = {()}
        for throw in range(rules.throws - 1):
            following = set()
            for keep in held:
                for added in thrown(rules.dice - len(keep), rules.faces):
                    dice = sorted_dice(keep, added)
                    chosen = player.keep(keep, dice, throw)
                    assert chosen in keeps_of(dice, keep)
                    following.add(chosen if rules.lock_kept else ())
            held = following
        for dice in thrown(rules.dice, rules.faces):
            assert player.entry(dice) in game.entries(dice, cards[column])


@pytest.mark.parametrize("lock_kept", [False, True])
def test_tables_have_a_slot_for_every_column(lock_kept: bool) -> None:
    space = StateSpace.of(DicePoker(lock_kept=lock_kept).scorecard())
    columns = np.array([0, 5, 700])
    tables = Greedy(space).tables(columns)
    assert isinstance(tables, TablePolicy)
    assert tables.keeps.shape == (2, positions(space), 3)
    assert tables.entries.shape == (252, 3)
    assert isinstance(Random(space).tables(columns), UniformPolicy)


def test_only_the_optimum_looks_at_the_upper_total() -> None:
    space = StateSpace.of(SMALL_GAMES["forced"])
    assert {name for name, policy in policies(space).items() if policy.by_column} == {"optimal"}
    state = space.state_of({0: 1})
    first, end = space.tables.column_start[state : state + 2]
    assert end - first > 1
    for name, policy in policies(space).items():
        if name in {"optimal", "random"}:
            continue
        tables = policy.tables(np.arange(first, end))
        assert isinstance(tables, TablePolicy)
        assert (tables.keeps == tables.keeps[:, :, :1]).all()
        assert (tables.entries == tables.entries[:, :1]).all()


@pytest.mark.parametrize(
    "filled",
    [
        {},
        {"poker": 50},
        {"poker": 50, "fours": 8, "chance": 20},
        {"poker": 0, "aces": 3, "pair": 14},
        {"poker": 50, "twos": 6, "threes": 9, "sixes": 12, "full_house": 25},
    ],
)
@pytest.mark.parametrize("family", ["greedy", "par", "par given"])
def test_shortsighted_turns_of_dice_poker_equal_plain_play(filled: dict[str, int], family: str) -> None:
    policy = {
        "greedy": Greedy(POKER),
        "par": Par(POKER, {}),
        "par given": Par(POKER, {"chance": 22.0, "aces": 1.0}),
    }[family]
    player, card = player_of(policy, filled)
    pars = dict(zip(POKER.rules.line_names, built_in_pars(POKER).tolist(), strict=True))
    if family == "par given":
        pars |= {"chance": 22.0, "aces": 1.0}
    turn = (greedy(GAME) if family == "greedy" else par(GAME, pars)).turn(GAME.past(card))
    for dice in thrown(5, 6):
        assert player.entry(dice) == turn.entry(dice)
        for throw in (0, 1):
            assert player.keep((), dice, throw) == turn.keep((), dice, 2 - throw)


@pytest.mark.parametrize("line", ["aces", "two_pairs", "large_straight", "poker", "chance"])
@pytest.mark.parametrize("filled", [{}, {"pair": 20, "sixes": 18}, {"poker": 0, "fours": 4}])
def test_chased_lines_of_dice_poker_equal_plain_play(line: str, filled: dict[str, int]) -> None:
    player, card = player_of(Chase(POKER, line), filled)
    turn = chase(GAME, line).turn(GAME.past(card))
    for dice in thrown(5, 6):
        assert player.entry(dice) == turn.entry(dice)
        for throw in (0, 1):
            assert player.keep((), dice, throw) == turn.keep((), dice, 2 - throw)


def test_greedy_counts_the_extra_five_but_not_the_upper_bonus() -> None:
    """Four fours are not broken up for a full house while a fifth one brings 100."""
    player, _ = player_of(Greedy(POKER), {"poker": 50})
    assert player.keep((), (4, 4, 4, 4, 5), 1) == (4, 4, 4, 4)
    near = {"aces": 3, "twos": 6, "threes": 9, "fours": 12, "sixes": 18}
    player, _ = player_of(Greedy(POKER), near)
    assert player.entry((1, 5, 5, 5, 6))[0] == POKER.rules.line_index("pair")


def test_par_does_not_waste_good_lines() -> None:
    """Greedy spends a line for sums on 9 points; par enters 2 in aces instead."""
    dice = (1, 1, 2, 2, 3)
    assert player_of(Greedy(POKER), {})[0].entry(dice)[1] == 9
    assert player_of(Par(POKER, {}), {})[0].entry(dice) == (0, 2, 0)


def test_pars_of_lines_with_a_closed_form() -> None:
    """One die thrown three times shows 14/3 on average when it may stop, any face with 91/216."""
    pars = dict(zip(POKER.rules.line_names, built_in_pars(POKER), strict=True))
    for face, name in enumerate(POKER.rules.line_names[:6], start=1):
        assert pars[name] == pytest.approx(float(5 * face * Fraction(91, 216)), rel=1e-13)
    assert pars["chance"] == pytest.approx(70 / 3, rel=1e-13)
    assert pars["poker"] == pytest.approx(50 * 347_897 / 7_558_272, rel=1e-13)
    yahtzee = StateSpace.of(Yahtzee().scorecard())
    assert built_in_pars(yahtzee)[-2] == pytest.approx(pars["poker"], rel=1e-13)


def test_pars_given_replace_the_built_in_ones() -> None:
    plain, given_par = Par(POKER, {}).objective.worth, Par(POKER, {"chance": 22.0}).objective.worth
    t = POKER.tables
    assert plain[0] == pytest.approx(t.entry_points - built_in_pars(POKER)[t.entry_line], abs=1e-12)
    chance = t.entry_line == POKER.rules.line_index("chance")
    assert given_par[0, chance] == pytest.approx(t.entry_points[chance] - 22, abs=1e-12)
    assert (given_par[0, ~chance] == plain[0, ~chance]).all()


def test_a_chase_enters_its_line_whatever_the_dice_show() -> None:
    player, _ = player_of(Chase(POKER, "large_straight"), {})
    assert {player.entry(dice)[0] for dice in thrown(5, 6)} == {12}
    assert player.keep((), (2, 3, 4, 5, 5), 0) == (2, 3, 4, 5)
    # Two straights from five dice have a chance of 240/7776, one from four dice only 24/1296.
    assert player.keep((), (6, 6, 6, 6, 6), 1) == ()


def test_a_chase_is_greedy_once_its_line_is_filled() -> None:
    filled = {"large_straight": 40, "pair": 12}
    chaser, _ = player_of(Chase(POKER, "large_straight"), filled)
    plain, _ = player_of(Greedy(POKER), filled)
    assert np.array_equal(chaser.tables.keeps, plain.tables.keeps)
    assert np.array_equal(chaser.tables.entries, plain.tables.entries)


def test_a_chase_obeys_the_joker_rule() -> None:
    """With 50 in the poker line and fours open, five fours have to go there."""
    player, _ = player_of(Chase(POKER, "chance"), {"poker": 50})
    assert player.entry((4, 4, 4, 4, 4)) == (3, 20, 100)
    assert player.entry((4, 4, 4, 4, 5)) == (14, 21, 0)


@pytest.mark.parametrize(
    ("line", "dice", "keep"),
    [
        ("chance", (1, 2, 6, 6, 6), (6, 6, 6)),
        ("chance", (1, 1, 2, 3, 6), (6,)),
        ("four_of_a_kind", (2, 4, 6, 6, 6), (6, 6, 6)),
    ],
)
def test_a_chase_still_rolls_for_its_line_where_a_joker_might_forbid_it(line: str, dice: Dice, keep: Dice) -> None:
    """Rerolls maximise the points written in the line; five alike are no more than a turn lost."""
    player, _ = player_of(Chase(POKER, line), {"poker": 50})
    assert player.keep((), dice, 1) == keep


@pytest.mark.parametrize(
    ("policy", "text"),
    [
        (Greedy(POKER), "greedy"),
        (Random(POKER), "random"),
        (Optimal(POKER, np.zeros(1)), "optimal"),
        (Chase(POKER, "large_straight"), "line:large_straight"),
        (Par(POKER, {}), "par"),
        (Par(POKER, {"chance": 22.0, "aces": 2.5}), "par:aces=2.5,chance=22"),
    ],
)
def test_text_of_policies(policy: Policy, text: str) -> None:
    assert policy.text == text
    assert policy.family == text.partition(":")[0]


def test_equal_pars_have_equal_texts() -> None:
    first, second = ({"chance": 22.0, "aces": 2.5}, {"aces": 2.5, "chance": 22.0})
    assert Par(POKER, first).text == Par(POKER, second).text


@pytest.mark.parametrize("value", [1e-7, 1234.5678, 22.000001, -3.25, 99999.0, 1 / 3])
def test_different_pars_have_different_texts(value: float) -> None:
    """Results are kept under the text, which therefore has to say everything."""
    text = Par(POKER, {"chance": value}).text
    assert parse_pars(POKER, text.removeprefix("par:")) == {"chance": value}


def test_pars_are_read() -> None:
    assert parse_pars(POKER, "chance=22, Full-House = 18.5,aces=-1") == {
        "chance": 22.0,
        "full_house": 18.5,
        "aces": -1.0,
    }
    assert check_line(POKER, "Large Straight") == "large_straight"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("chance", "par 'chance' has no '='; write line=points, such as par:chance=22"),
        ("chance=", "par of chance is ''; give a number of points, such as chance=20"),
        ("chance=many", "par of chance is 'many'"),
        ("chance=nan", "par of chance is 'nan'"),
        ("chance=inf", "par of chance is 'inf'"),
        ("chance=1e9", "par of chance is '1e9'"),
        ("chance=22,chance=23", "par of chance is given twice"),
        ("chance=22,", "par '' has no '='"),
        ("", "par '' has no '='"),
    ],
)
def test_pars_that_make_no_sense_are_refused(text: str, message: str) -> None:
    with pytest.raises(PolicyError) as caught:
        parse_pars(POKER, text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_unknown_lines_are_refused() -> None:
    for read in (lambda: parse_pars(POKER, "sixs=20"), lambda: check_line(POKER, "sixs")):
        with pytest.raises(RulesError, match="did you mean 'sixes'"):
            read()


@settings(max_examples=20)
@given(st.sampled_from(sorted(SMALL_GAMES)), st.integers(-30, 30))
def test_shifting_all_pars_changes_no_decision(name: str, shift: int) -> None:
    """Exactly one line is filled in every turn, so a constant in all pars decides nothing."""
    space = StateSpace.of(SMALL_GAMES[name])
    pars = dict(zip(space.rules.line_names, built_in_pars(space).tolist(), strict=True))
    columns = np.sort(np.concatenate(space.layers[:-1]))
    shifted: dict[str, Any] = {line: value + shift for line, value in pars.items()}
    first, second = Par(space, pars).tables(columns), Par(space, shifted).tables(columns)
    assert np.array_equal(first.keeps, second.keeps)
    assert np.array_equal(first.entries, second.entries)
