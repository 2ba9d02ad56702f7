"""Decision tables against plain play, and Dice Poker positions explained by all rolls of the last throw."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

from analyzer.dice.decisions import (
    UNDECIDED,
    TablePolicy,
    best_decisions,
    decide_columns,
    empty_tables,
    positions,
    uniform_decisions,
)
from analyzer.dice.entries import bonus_points, legal_entries
from analyzer.dice.lines import Line
from analyzer.dice.policies import Optimal
from analyzer.dice.scorecard import ScorecardRules
from analyzer.dice.solver import solve
from analyzer.dice.states import StateSpace
from analyzer.errors import PositionError
from analyzer.games.dice_poker import DicePoker
from tests.dice.reference import (
    SMALL_GAMES,
    Card,
    Dice,
    Game,
    TablePlayer,
    entry_numbers,
    entry_of,
    future_values,
    keeps_of,
    move,
    parts_of,
    position_of,
    sorted_dice,
    tabled_entries,
    thrown,
    tie_rank,
)

small_games = pytest.mark.parametrize("name", SMALL_GAMES)

UPPER = ("aces", "twos", "threes", "fours", "fives", "sixes")
RIGHT = DicePoker().scorecard().line_names[6:]
FOURS = (4, 4, 4, 4, 4)


@cache
def poker(**options: Any) -> tuple[Game, StateSpace]:
    rules = DicePoker(**options).scorecard()
    return Game(rules), StateSpace.of(rules)


def legal_on(filled: dict[str, int], dice: Dice, **options: Any) -> tuple[dict[str, int], int]:
    """Entries and extra-five points of dice on a card, the same in the tables and on the plain scorecard."""
    game, space = poker(**options)
    card = game.card(filled)
    state = int(space.column_state[game.column(space, card)])
    (listed,) = tabled_entries(space, state, [dice])
    named = {game.rules.line_names[line]: written for line, written, _ in listed}
    extra = {extra for _, _, extra in listed}
    assert named == legal_entries(game.rules, dice, filled)
    assert extra == {bonus_points(game.rules, dice, filled)}
    return named, extra.pop()


@pytest.mark.parametrize(
    ("dice", "scores"),
    [
        ((5, 5, 3, 2, 1), {"pair": 16, "chance": 16, "two_pairs": 0, "fives": 10}),
        ((2, 2, 5, 5, 1), {"pair": 15, "two_pairs": 15}),
        (
            (5, 5, 5, 2, 5),
            {
                "pair": 22,
                "three_of_a_kind": 22,
                "four_of_a_kind": 22,
                "chance": 22,
                "two_pairs": 0,
                "full_house": 0,
            },
        ),
        (
            (2, 2, 2, 3, 3),
            {"full_house": 25, "pair": 12, "two_pairs": 12, "three_of_a_kind": 12, "chance": 12},
        ),
        ((2, 3, 4, 5, 5), {"small_straight": 30, "large_straight": 0, "pair": 19}),
        ((1, 2, 3, 4, 6), {"small_straight": 30}),
        ((2, 3, 4, 5, 6), {"small_straight": 30, "large_straight": 40, "pair": 0, "chance": 20}),
    ],
)
def test_golden_scores(dice: Dice, scores: dict[str, int]) -> None:
    entries, extra = legal_on({}, dice)
    assert {name: entries[name] for name in scores} == scores
    assert len(entries) == 15
    assert extra == 0


@pytest.mark.parametrize(("option", "bonuses"), [("gt63", (0, 0, 35)), ("gte63", (0, 35, 35))])
def test_golden_upper_bonus(option: str, bonuses: tuple[int, ...]) -> None:
    game, space = poker(upper_bonus=option)
    numbers = entry_numbers(space)
    for first, bonus in zip((2, 3, 4), bonuses, strict=True):
        scores = (first, 6, 9, 12, 15, 18)
        assert sum(scores) == 60 + first
        column, gained = 0, 0
        for line, score in enumerate(scores):
            column, points = move(space, column, numbers[line, score, 0])
            gained += points
        assert gained == 60 + first + bonus
        assert column == game.column(space, game.card(dict(zip(UPPER, scores, strict=True))))


def test_golden_joker_goes_to_its_own_line() -> None:
    assert legal_on({"poker": 50}, FOURS) == ({"fours": 20}, 100)


def test_golden_joker_with_its_own_line_used() -> None:
    entries, extra = legal_on({"poker": 50, "fours": 8}, FOURS)
    sums = dict.fromkeys(("pair", "two_pairs", "three_of_a_kind", "four_of_a_kind", "chance"), 20)
    assert entries == sums | {"full_house": 25, "small_straight": 30, "large_straight": 40}
    assert extra == 100


def test_golden_joker_with_the_right_side_full() -> None:
    right = dict.fromkeys(RIGHT, 0) | {"chance": 9, "poker": 50}
    filled = {"twos": 4, "threes": 6, "fours": 8, "fives": 10} | right
    assert legal_on(filled, FOURS) == ({"aces": 0, "sixes": 0}, 100)


@pytest.mark.parametrize(("filled", "extra_line"), [({"poker": 0}, {}), ({}, {"poker": 50})])
def test_golden_free_choice_without_a_poker_on_the_card(filled: dict[str, int], extra_line: dict[str, int]) -> None:
    fits = dict.fromkeys(("fours", "pair", "three_of_a_kind", "four_of_a_kind", "chance"), 20)
    naturals = {name: fits.get(name, 0) for name in (*UPPER, *RIGHT) if name != "poker"}
    assert legal_on(filled, FOURS) == (naturals | extra_line, 0)


def optimal_tables(space: StateSpace, column: int) -> TablePolicy:
    """Optimal decisions from a late position, from the values of what can follow only."""
    return Optimal(space, future_values(space, column)).tables(np.array([column]))


def last_throw(game: Game, card: Card) -> tuple[dict[Dice, float], dict[Dice, float]]:
    """Value of every final roll, and of every keep by all ordered rolls of the other dice."""
    faces = range(1, game.rules.faces + 1)
    worth = {
        dice: max(
            game.gain(card, entry) + game.future(game.past(game.fill(card, entry)))
            for entry in game.entries(dice, card)
        )
        for dice in thrown(game.rules.dice, game.rules.faces)
    }
    before = {}
    for size in range(game.rules.dice + 1):
        for keep in thrown(size, game.rules.faces):
            rolls = list(product(faces, repeat=game.rules.dice - size))
            before[keep] = sum(worth[sorted_dice(keep, roll)] for roll in rolls) / len(rolls)
    assert len(list(product(faces, repeat=5))) == 7776
    return worth, before


def best_of(values: dict[Dice, float]) -> Dice:
    """The best keep, ties to the most and then the highest dice."""
    best = max(values.values())
    return max((keep for keep, value in values.items() if value >= best - 1e-9), key=tie_rank)


LATE = {
    "aces": 3, "twos": 6, "threes": 9, "fours": 12, "fives": 15, "sixes": 18, "pair": 20, "two_pairs": 22,
    "three_of_a_kind": 23, "four_of_a_kind": 0, "full_house": 25, "small_straight": 30, "large_straight": 0,
    "poker": 50, "chance": 20,
}  # fmt: skip


def late_card(*still_open: str, **points: int) -> dict[str, int]:
    return {name: score for name, score in (LATE | points).items() if name not in still_open}


CHASE = {total: late_card("fives", "chance", aces=total - 62, twos=8, sixes=18) for total in (62, 63, 64)}
"""Fives and chance are open; three fives would bring the upper total to the key."""

POSITIONS: dict[str, tuple[dict[str, int], dict[str, Any]]] = {
    **{f"chase to {total}": (card, {}) for total, card in CHASE.items()},
    **{f"chase to {total} from 63": (card, {"upper_bonus": "gte63"}) for total, card in CHASE.items()},
    "own line open": (late_card("fours", "full_house"), {}),
    "own line used, right side open": (late_card("aces", "large_straight"), {}),
    "right side full": (late_card("aces", "sixes"), {}),
    "poker line 0": (late_card("fours", "full_house", poker=0), {}),
    "poker line 0 with jokers": (late_card("fours", "full_house", poker=0), {"joker_when_poker_zero": True}),
    "poker open": (late_card("fours", "poker"), {}),
    "natural jokers": (late_card("aces", "large_straight"), {"joker_right": "natural"}),
    "two pairs of one face": (late_card("two_pairs", "chance"), {"two_pairs_same_face": True}),
    "locked": (late_card("fours", "full_house"), {"lock_kept": True}),
    "two throws": (late_card("fives", "chance"), {"throws": 2}),
}


@cache
def advice(position: str) -> tuple[TablePlayer, dict[Dice, float], dict[Dice, float], int]:
    filled, options = POSITIONS[position]
    game, space = poker(**options)
    card = game.card(filled)
    column = game.column(space, card)
    player = TablePlayer(game, space, optimal_tables(space, column))
    return (player, *last_throw(game, card), column)


def kept(position: str, *dice: int) -> Dice:
    player = advice(position)[0]
    return player.keep((), tuple(sorted(dice)), player.game.rules.throws - 2)


def entered(position: str, *dice: int) -> str:
    player = advice(position)[0]
    return player.game.rules.line_names[player.entry(tuple(sorted(dice)))[0]]


@pytest.mark.parametrize("position", POSITIONS)
def test_late_advice_is_explained_by_all_rolls_of_the_last_throw(position: str) -> None:
    """Best keep of all 252 rolls before the last throw and best entry of all 252 after it."""
    player, _, before, column = advice(position)
    game, space = player.game, player.space
    filled = POSITIONS[position][0]
    card = game.card(filled)
    turn = game.optimal(card)
    for dice in thrown(5, 6):
        expected = best_of({keep: before[keep] for keep in parts_of(dice)})
        assert player.keep((), dice, game.rules.throws - 2) == expected or game.rules.lock_kept
        assert player.entry(dice) == turn.entry(dice)
        line, written, extra = player.entry(dice)
        assert legal_entries(game.rules, dice, filled)[game.rules.line_names[line]] == written
        assert bonus_points(game.rules, dice, filled) == extra
    if game.rules.lock_kept:
        for held in [(), (4,), (4, 4), (2, 5), (4, 4, 4), (1, 2, 3, 4)]:
            for added in thrown(5 - len(held), 6):
                dice = sorted_dice(held, added)
                expected = best_of({keep: before[keep] for keep in keeps_of(dice, held)})
                assert player.keep(held, dice, 1) == expected
    assert future_values(space, column)[column] == pytest.approx(turn.value, rel=1e-12)


def test_the_bonus_is_chased_up_to_the_threshold() -> None:
    """With 5-5-5-6-6, fives bring 62, 63 or 64: fives if that pays 35, else chance."""
    dice = (5, 5, 5, 6, 6)
    assert [entered(f"chase to {total}", *dice) for total in (62, 63, 64)] == ["chance", "chance", "fives"]
    assert [entered(f"chase to {total} from 63", *dice) for total in (62, 63, 64)] == [
        "chance",
        "fives",
        "fives",
    ]


def test_the_bonus_is_worth_what_it_pays() -> None:
    """Three fives before the last throw: at 64 the bonus is safe, at 63 one more five is needed."""
    safe, near = advice("chase to 64")[2], advice("chase to 63")[2]
    assert kept("chase to 64", 5, 5, 5, 1, 2) == (5, 5, 5)
    assert kept("chase to 63", 5, 5, 5, 1, 2) == (5, 5, 5)
    game = advice("chase to 64")[0].game
    later = game.future(game.past(game.card(CHASE[64] | {"fives": 15})))
    assert safe[5, 5, 5] == pytest.approx(15 + 2 * 5 / 6 + 35 + 100 / 36 + later, rel=1e-12)
    no_more = (5 / 6) ** 2
    assert 0 < safe[5, 5, 5] - near[5, 5, 5] < 35 * no_more


def test_a_second_poker_with_its_own_line_open() -> None:
    """Four fours are kept for the 100 points; five of them must then go to fours."""
    _, worth, before, _ = advice("own line open")
    assert kept("own line open", 4, 4, 4, 4, 2) == (4, 4, 4, 4)
    assert entered("own line open", *FOURS) == "fours"
    others = [worth[sorted_dice((4, 4, 4, 4), (face,))] for face in (1, 2, 3, 5, 6)]
    assert before[4, 4, 4, 4] == pytest.approx((sum(others) + worth[FOURS]) / 6, rel=1e-12)
    game = advice("own line open")[0].game
    after = game.card(POSITIONS["own line open"][0] | {"fours": 20})
    bonus = 35 * (63 + 8 > 63) - 0
    assert worth[FOURS] == pytest.approx(20 + 100 + bonus + game.future(game.past(after)), rel=1e-12)


def test_a_second_poker_with_its_own_line_used() -> None:
    """A joker is a large straight of 40; with natural values it is worth 0 there."""
    assert entered("own line used, right side open", *FOURS) == "large_straight"
    assert advice("own line used, right side open")[0].entry(FOURS) == (12, 40, 100)
    assert advice("natural jokers")[0].entry(FOURS) == (12, 0, 100)
    fixed, natural = advice("own line used, right side open")[1], advice("natural jokers")[1]
    assert fixed[FOURS] - natural[FOURS] == pytest.approx(40, abs=10)
    assert entered("own line used, right side open", 1, 1, 1, 1, 1) == "aces"


def test_a_second_poker_with_the_right_side_full() -> None:
    """The joker costs a line, but brings 100: aces are struck, sixes could still be filled."""
    player = advice("right side full")[0]
    assert player.entry(FOURS) == (0, 0, 100)
    assert player.entry((6, 6, 6, 6, 6)) == (5, 30, 100)
    assert kept("right side full", 4, 4, 4, 4, 6) == (4, 4, 4, 4)


def test_a_second_poker_without_points_in_the_line() -> None:
    """No 100 points; the choice is free unless the option makes it a joker."""
    assert legal_on(late_card("fours", "full_house", poker=0), FOURS) == ({"fours": 20, "full_house": 0}, 0)
    only = legal_on(late_card("fours", "full_house", poker=0), FOURS, joker_when_poker_zero=True)
    assert only == ({"fours": 20}, 0)
    assert legal_on(late_card("full_house", "aces", poker=0), FOURS) == ({"aces": 0, "full_house": 0}, 0)
    forced = legal_on(late_card("full_house", "aces", poker=0), FOURS, joker_when_poker_zero=True)
    assert forced == ({"full_house": 25}, 0)


def test_a_first_poker_goes_to_its_line() -> None:
    assert entered("poker open", *FOURS) == "poker"
    assert advice("poker open")[0].entry(FOURS) == (13, 50, 0)
    assert kept("poker open", 2, 2, 2, 2, 4) == (2, 2, 2, 2)


def value_of(filled: dict[str, int], **options: Any) -> float:
    game, space = poker(**options)
    column = game.column(space, game.card(filled))
    return float(future_values(space, column)[column])


@pytest.mark.parametrize(
    ("filled", "changed", "sign"),
    [
        (CHASE[63], {"upper_bonus": "gte63"}, 1),
        (late_card("two_pairs"), {"two_pairs_same_face": True}, 1),
        (late_card("large_straight", "chance"), {"joker_right": "natural"}, -1),
        (late_card("full_house", "large_straight", poker=0), {"joker_when_poker_zero": True}, 1),
        (late_card("poker"), {"lock_kept": True}, -1),
        (late_card("chance"), {"throws": 2}, -1),
        (late_card("chance"), {"throws": 4}, 1),
    ],
)
def test_every_option_changes_what_a_position_is_worth(
    filled: dict[str, int], changed: dict[str, Any], sign: int
) -> None:
    difference = value_of(filled, **changed) - value_of(filled)
    assert difference * sign > 1e-3


def test_two_pairs_of_one_face_change_the_advice() -> None:
    card = late_card("two_pairs", "chance")
    assert legal_on(card, (4, 4, 4, 4, 1))[0] == {"two_pairs": 0, "chance": 17}
    assert legal_on(card, (4, 4, 4, 4, 1), two_pairs_same_face=True)[0] == {"two_pairs": 17, "chance": 17}
    assert entered("two pairs of one face", 6, 6, 6, 6, 1) == "two_pairs"


def test_locked_dice_change_the_advice() -> None:
    """Some first keep differs, because it cannot be taken back."""
    free, locked = (
        TablePlayer(*poker(**options), optimal_tables(poker(**options)[1], column_of(options)))
        for options in ({}, {"lock_kept": True})
    )
    assert {dice for dice in thrown(5, 6) if free.keep((), dice, 0) != locked.keep((), dice, 0)}


def column_of(options: dict[str, Any]) -> int:
    game, space = poker(**options)
    return game.column(space, game.card(late_card("full_house", "large_straight", "fours")))


def test_with_one_throw_nothing_is_kept() -> None:
    game, space = poker(throws=1)
    tables = optimal_tables(space, game.column(space, game.card(late_card("chance"))))
    assert tables.keeps.shape[0] == 0
    assert value_of(late_card("chance"), throws=1) == pytest.approx(17.5 + 100 * 6 / 6**5, rel=1e-12)


@small_games
def test_optimal_decisions_of_small_games(name: str) -> None:
    """Every keep and entry from every third column, all of them found in one call."""
    game, space = Game(SMALL_GAMES[name]), StateSpace.of(SMALL_GAMES[name])
    cards = {game.column(space, card): card for card in game.reachable() if None in card}
    columns = np.array(sorted(cards))
    tables = Optimal(space, solve(space)).tables(columns)
    rules = space.rules
    for slot in range(0, len(columns), 3):
        player = TablePlayer(game, space, tables, slot)
        turn = game.optimal(cards[int(columns[slot])])
        held = {()}
        for throw in range(rules.throws - 1):
            following = set()
            for keep in held:
                for added in thrown(rules.dice - len(keep), rules.faces):
                    dice = sorted_dice(keep, added)
                    chosen = turn.keep(keep, dice, rules.throws - 1 - throw)
                    assert player.keep(keep, dice, throw) == chosen
                    following.add(chosen if rules.lock_kept else ())
            held = following
        for dice in thrown(rules.dice, rules.faces):
            assert player.entry(dice) == turn.entry(dice)


@small_games
def test_uniform_decisions_list_every_legal_entry(name: str) -> None:
    game, space = Game(SMALL_GAMES[name]), StateSpace.of(SMALL_GAMES[name])
    cards = {game.column(space, card): card for card in game.reachable() if None in card}
    columns = np.array(sorted(cards))
    policy = uniform_decisions(space, columns)
    assert policy.entries.shape == (len(columns), space.lattice.rolls, len(space.rules.lines))
    for slot, column in enumerate(columns.tolist()):
        for dice in thrown(space.rules.dice, space.rules.faces):
            roll = position_of(space, (), dice, 0)
            count = policy.entry_count[slot, roll]
            listed = [entry_of(space, e) for e in policy.entries[slot, roll, :count].tolist()]
            assert listed == game.entries(dice, cards[column])


def test_random_play_with_too_many_dice_is_refused() -> None:
    chance = Line(name="chance", kind="chance")
    space = StateSpace.of(ScorecardRules(name="many", lines=(chance,), dice=10, faces=8))
    with pytest.raises(PositionError, match="use fewer dice or faces for locked dice or the policy 'random'"):
        uniform_decisions(space, np.zeros(1, dtype=np.int64))


@pytest.mark.parametrize("lock_kept", [False, True])
def test_tables_have_room_for_every_position(lock_kept: bool) -> None:
    _, space = poker(lock_kept=lock_kept)
    pairs = sum(len(thrown(5 - size, 6)) * len(thrown(size, 6)) for size in range(6))
    assert positions(space) == (pairs if lock_kept else 252)
    tables = empty_tables(space, 3)
    assert tables.keeps.shape == (2, positions(space), 3)
    assert tables.entries.shape == (252, 3)
    assert (tables.keeps == UNDECIDED).all()
    assert (tables.entries == UNDECIDED).all()


def test_every_position_is_decided() -> None:
    _, space = poker(lock_kept=True)
    tables = optimal_tables(space, column_of({"lock_kept": True}))
    assert (tables.keeps[1] < space.lattice.nodes).all()
    assert (tables.keeps[0, :252] < space.lattice.nodes).all()
    assert (tables.entries < len(space.written)).all()


def test_decisions_do_not_depend_on_the_columns_beside() -> None:
    game, space = Game(SMALL_GAMES["forced"]), StateSpace.of(SMALL_GAMES["forced"])
    objective = Optimal(space, solve(space)).objective
    columns = np.sort(np.concatenate(space.layers[:-1]))
    together = best_decisions(space, objective, columns)
    for width in (1, 5):
        tables = empty_tables(space, len(columns))
        decide_columns(space.tables, columns, space.column_state, objective, width, *tables)
        assert np.array_equal(tables.keeps, together.keeps)
        assert np.array_equal(tables.entries, together.entries)
    some = columns[3::11].copy()
    alone = best_decisions(space, objective, some)
    assert np.array_equal(alone.keeps, together.keeps[:, :, 3::11])
    assert np.array_equal(alone.entries, together.entries[:, 3::11])
    assert game.lines == 5


def test_dice_with_very_many_keeps_have_wider_tables() -> None:
    """With ten dice of eight faces the nodes still fit 16 bits; one face more needs 32."""
    chance = Line(name="chance", kind="chance")
    for faces, dtype in ((8, np.uint16), (9, np.uint32)):
        space = StateSpace.of(ScorecardRules(name="many", lines=(chance,), dice=10, faces=faces, throws=2))
        assert empty_tables(space, 1).keeps.dtype == dtype
