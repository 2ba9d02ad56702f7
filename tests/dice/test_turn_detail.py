"""One turn in full: every value and every chance against plain Python over real rolls."""

from __future__ import annotations

from collections import defaultdict
from functools import cache

import numpy as np
import pytest

from analyzer.dice.policies import Chase, Greedy, Optimal
from analyzer.dice.solver import solve
from analyzer.dice.states import StateSpace
from analyzer.dice.turn_detail import turn_detail
from tests.dice.reference import (
    SMALL_GAMES,
    Card,
    Dice,
    Entry,
    Game,
    TablePlayer,
    Turn,
    chase,
    entry_numbers,
    greedy,
    parts_of,
    position_of,
    sorted_dice,
    thrown,
)


@cache
def game_of(name: str) -> tuple[Game, StateSpace, Optimal]:
    space = StateSpace.of(SMALL_GAMES[name])
    return Game(SMALL_GAMES[name]), space, Optimal(space, solve(space))


def some_cards(game: Game, most: int) -> list[Card]:
    """Cards that can come up, emptier ones first, spread over the game."""
    cards = [card for card in game.reachable() if None in card]
    return cards[:: max(1, len(cards) // most)]


def all_keeps(game: Game) -> set[Dice]:
    return {keep for dice in thrown(game.rules.dice, game.rules.faces) for keep in parts_of(dice)}


def chances_from(turn: Turn, keep: Dice, left: int) -> dict[Entry, float]:
    """Chance of every entry after keeping some dice with so many throws left; who keeps all has stopped."""
    if len(keep) == turn.rules.dice:
        return {turn.entry(keep): 1.0}
    found: dict[Entry, float] = defaultdict(float)
    held = keep if turn.rules.lock_kept else ()
    for added, p in thrown(turn.rules.dice - len(keep), turn.rules.faces).items():
        dice = sorted_dice(keep, added)
        if left == 1:
            found[turn.entry(dice)] += p
            continue
        for entry, q in chances_from(turn, turn.keep(held, dice, left - 1), left - 1).items():
            found[entry] += p * q
    return found


@pytest.mark.parametrize("name", SMALL_GAMES)
def test_every_keep_and_every_entry_has_its_value(name: str) -> None:
    game, space, policy = game_of(name)
    numbers, keeps = entry_numbers(space), all_keeps(game)
    for card in some_cards(game, 12):
        detail = turn_detail(space, game.column(space, card), policy.objective)
        turn = game.optimal(card)
        assert detail.keep_values.shape == (game.rules.throws, space.lattice.nodes)
        assert space.tables.state_open[detail.state] == sum(1 << j for j, points in enumerate(card) if points is None)
        for dice in thrown(game.rules.dice, game.rules.faces):
            assert detail.keep_values[0, space.lattice.index(dice)] == pytest.approx(turn.worth(dice), abs=1e-11)
            for entry, worth in turn.options(dice):
                assert detail.entry_values[numbers[entry]] == pytest.approx(worth, abs=1e-11)
        for left in range(1, game.rules.throws):
            expected = {keep: turn.before(keep, left - 1) for keep in keeps}
            found = {keep: detail.keep_values[left, space.lattice.index(keep)] for keep in keeps}
            assert found == pytest.approx(expected, abs=1e-11)


@pytest.mark.parametrize("name", SMALL_GAMES)
def test_decisions_are_those_of_the_policy(name: str) -> None:
    game, space, policy = game_of(name)
    for card in some_cards(game, 6):
        column = game.column(space, card)
        detail, tables = turn_detail(space, column, policy.objective), policy.tables(np.array([column]))
        assert detail.tables.entries.tobytes() == tables.entries.tobytes()
        assert detail.tables.keeps.tobytes() == tables.keeps.tobytes()
        turn, player = game.optimal(card), TablePlayer(game, space, detail.tables)
        for dice in thrown(game.rules.dice, game.rules.faces):
            assert player.entry(dice) == turn.entry(dice)
            for throw in range(game.rules.throws - 1):
                assert player.keep((), dice, throw) == turn.keep((), dice, game.rules.throws - 1 - throw)


@pytest.mark.parametrize("name", SMALL_GAMES)
def test_outcomes_follow_from_every_keep(name: str) -> None:
    game, space, policy = game_of(name)
    numbers, keeps = entry_numbers(space), sorted(all_keeps(game))
    for card in some_cards(game, 2):
        detail, turn = turn_detail(space, game.column(space, card), policy.objective), game.optimal(card)
        for left in range(1, game.rules.throws + 1):
            for keep in [()] if left == game.rules.throws else keeps:
                found = detail.outcomes(space.lattice.index(keep), left)
                expected = np.zeros(len(found))
                for entry, chance in chances_from(turn, keep, left).items():
                    expected[numbers[entry]] += chance
                assert found == pytest.approx(expected, abs=1e-13)


@pytest.mark.parametrize("name", ["forced", "free", "extra_without_joker", "no_bonus"])
def test_other_objectives_have_details_too(name: str) -> None:
    """For greed and for a line that is chased, values are points of the turn."""
    game, space, _ = game_of(name)
    line = game.rules.line_names[1]
    for policy, family in ((Greedy(space), greedy(game)), (Chase(space, line), chase(game, line))):
        detail, turn = turn_detail(space, 0, policy.objective), family.turn(game.blank)
        for left in range(1, game.rules.throws):
            for keep in all_keeps(game):
                value = detail.keep_values[left, space.lattice.index(keep)]
                assert value == pytest.approx(turn.before(keep, left - 1), abs=1e-11)


def test_locked_dice_have_decisions_at_every_pair() -> None:
    """A keep with the dice thrown to it is a position of its own where kept dice stay kept."""
    game, space, policy = game_of("free")
    detail, turn = turn_detail(space, 0, policy.objective), game.optimal(game.blank)
    for held in all_keeps(game):
        for added in thrown(game.rules.dice - len(held), game.rules.faces):
            dice = sorted_dice(held, added)
            node = int(detail.tables.keeps[1, position_of(space, held, dice, 1), 0])
            assert tuple(reversed(space.lattice.faces_of(node))) == turn.keep(held, dice, 1)
