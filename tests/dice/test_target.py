"""The chance to reach a target against a slow maximiser in plain Python over real rolls."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product

import numpy as np
import pytest

from analyzer.dice import target
from analyzer.dice.evaluation import evaluate
from analyzer.dice.policies import Chase, Greedy, Optimal
from analyzer.dice.solver import solve
from analyzer.dice.states import StateSpace
from analyzer.dice.target import solve_target
from analyzer.errors import UsageError
from analyzer.games.dice_poker import DicePoker
from tests.dice.reference import (
    SMALL_GAMES,
    TIE,
    Card,
    Dice,
    Entry,
    Game,
    TablePlayer,
    Turn,
    entry_numbers,
    parts_of,
    thrown,
)


class Chaser:
    """A player who maximises the chance to gain so many points; remembers every position."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.chance = cache(self._chance)
        self.turn = cache(self._turn)

    def _chance(self, card: Card, needed: int) -> float:
        if needed <= 0:
            return 1.0
        return self.turn(card, needed).value if None in card else 0.0

    def _turn(self, card: Card, needed: int) -> Turn:
        game = self.game

        def options(dice: Dice) -> list[tuple[Entry, float]]:
            return [
                (entry, self.chance(game.past(game.fill(card, entry)), needed - game.gain(card, entry)))
                for entry in game.entries(dice, card)
            ]

        return Turn(game.rules, options)


@cache
def game_of(name: str) -> tuple[Game, StateSpace, Chaser]:
    game = Game(SMALL_GAMES[name])
    return game, StateSpace.of(SMALL_GAMES[name]), Chaser(game)


def late_cards(game: Game, lines: int, most: int) -> list[Card]:
    """Some of the cards with so many open lines that can come up."""
    cards = [card for card in game.reachable() if card.count(None) == lines]
    return cards[:: max(1, len(cards) // most)][:most]


def most_points(game: Game, card: Card) -> int:
    """No way to gain more from a card."""
    space = StateSpace.of(game.rules)
    best = sum(int(space.written[space.tables.entry_line == j].max()) for j, one in enumerate(card) if one is None)
    bonus = game.rules.upper_bonus.points if game.rules.upper_bonus else 0
    return best + bonus + int(space.extra.max()) * card.count(None)


@pytest.mark.parametrize("name", ["one_die", "coins", "one_line", "bonus_out_of_reach"])
@pytest.mark.parametrize("share", [0.1, 0.35, 0.6, 0.85])
def test_whole_games(name: str, share: float) -> None:
    game, space, chaser = game_of(name)
    needed = int(share * most_points(game, game.blank))
    found = solve_target(space, 0, needed)
    assert found.probability == pytest.approx(chaser.chance(game.blank, needed), abs=1e-12)


@pytest.mark.parametrize("name", SMALL_GAMES)
def test_late_positions(name: str) -> None:
    """With one, two and three open lines: jokers, extra fives and the upper bonus included."""
    game, space, chaser = game_of(name)
    for lines, most in ((1, 6), (2, 4), (3, 1)):
        if lines > game.lines:
            continue
        for card in late_cards(game, lines, most):
            for needed in np.linspace(1, most_points(game, card), 4, dtype=int).tolist():
                found = solve_target(space, game.column(space, card), needed)
                assert found.probability == pytest.approx(chaser.chance(card, needed), abs=1e-12), (card, needed)


@pytest.mark.parametrize("name", SMALL_GAMES)
def test_every_decision_has_its_chance(name: str) -> None:
    """Values of all keeps and entries, and the decisions themselves, which settle ties as everywhere."""
    game, space, chaser = game_of(name)
    numbers = entry_numbers(space)
    for card in late_cards(game, min(2, game.lines), 3):
        needed = most_points(game, card) // 3
        if needed < 1:
            continue
        detail, turn = solve_target(space, game.column(space, card), needed).detail, chaser.turn(card, needed)
        player = TablePlayer(game, space, detail.tables)
        for dice in thrown(game.rules.dice, game.rules.faces):
            for entry, chance in turn.options(dice):
                assert detail.entry_values[numbers[entry]] == pytest.approx(chance, abs=1e-12)
            assert player.entry(dice) == turn.entry(dice)
            for left in range(1, game.rules.throws):
                for keep in parts_of(dice):
                    value = detail.keep_values[left, space.lattice.index(keep)]
                    assert value == pytest.approx(turn.before(keep, left - 1), abs=1e-12)
                assert player.keep((), dice, game.rules.throws - 1 - left) == turn.keep((), dice, left)


def test_a_target_that_is_met_already_is_certain() -> None:
    game, space, _ = game_of("forced")
    for needed in (0, -5):
        found = solve_target(space, 0, needed)
        assert found.probability == pytest.approx(1.0, abs=1e-12)
        opened = np.flatnonzero(np.isin(space.tables.entry_line, range(game.lines)))
        assert found.detail.entry_values[opened] == pytest.approx(1.0)


@pytest.mark.parametrize("name", SMALL_GAMES)
def test_the_most_and_one_point_more(name: str) -> None:
    """Far beyond the most points there is no chance; a single point is nearly certain where a chance line is open."""
    game, space, _ = game_of(name)
    assert solve_target(space, 0, most_points(game, game.blank) + 1).probability == 0.0
    assert solve_target(space, 0, 10**9).probability == 0.0


@pytest.mark.parametrize("name", ["forced", "free", "forced_natural"])
def test_a_higher_target_is_never_likelier_and_no_other_policy_does_better(name: str) -> None:
    _, space, _ = game_of(name)
    chances = np.array([solve_target(space, 0, needed).probability for needed in range(0, 60, 3)])
    assert chances[0] == pytest.approx(1)
    assert np.all(np.diff(chances) <= 1e-12)
    for policy in (Optimal(space, solve(space)), Greedy(space), Chase(space, space.rules.line_names[0])):
        scores = evaluate(policy).scores
        reached = [scores[needed:].sum() for needed in range(0, 60, 3)]
        assert np.all(chances >= np.array(reached) - 1e-12)


@pytest.mark.parametrize("name", ["coins", "forced_natural", "one_die"])
def test_playing_for_the_target_reaches_it_as_often_as_said(name: str) -> None:
    """Following its own decisions over all games gives the chance again."""
    game, space, _ = game_of(name)
    needed = most_points(game, game.blank) // 4

    @cache
    def reached(card: Card, left: int) -> float:
        if left <= 0 or None not in card:
            return float(left <= 0)
        detail = solve_target(space, game.column(space, card), left).detail
        player = TablePlayer(game, space, detail.tables)
        kept = {(): 1.0}
        total = 0.0
        for throw in range(game.rules.throws):
            following: Counter[Dice] = Counter()
            for keep, p in kept.items():
                for added, q in thrown(game.rules.dice - len(keep), game.rules.faces).items():
                    dice = tuple(sorted(keep + added))
                    if throw < game.rules.throws - 1:
                        following[player.keep(keep, dice, throw)] += p * q
                        continue
                    entry = player.entry(dice)
                    after = game.past(game.fill(card, entry))
                    total += p * q * reached(after, left - game.gain(card, entry))
            kept = dict(following)
        return total

    # Each decision may give away up to 1e-9 for the tie rule.
    assert reached(game.blank, needed) == pytest.approx(solve_target(space, 0, needed).probability, abs=2e-9)


@pytest.mark.parametrize("name", ["forced", "free"])
def test_the_answer_does_not_depend_on_workers_or_pieces(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _, space, _ = game_of(name)
    one = solve_target(space, 0, 30, workers=1)
    monkeypatch.setattr(target, "PIECE", 3)
    for workers in (2, 7):
        other = solve_target(space, 0, 30, workers=workers)
        assert other.probability == one.probability
        assert other.detail.keep_values.tobytes() == one.detail.keep_values.tobytes()


def test_unmerged_upper_totals_make_no_difference() -> None:
    game, space, _ = game_of("forced")
    apart = StateSpace.of(game.rules, merged=False)
    for needed in (12, 25, 50):
        assert solve_target(apart, 0, needed).probability == pytest.approx(
            solve_target(space, 0, needed).probability, abs=1e-13
        )


def test_progress_tells_of_every_column_that_follows() -> None:
    game, space, _ = game_of("no_bonus")
    done = []

    class Told:
        def advance(self, n: int, /) -> None:
            done.append(n)

    solve_target(space, 0, 10, progress=Told())
    assert len(done) == game.lines - 1
    assert sum(done) == sum(len(layer) for layer in space.layers[1:-1])


def test_too_much_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    _, space, _ = game_of("forced")
    monkeypatch.setattr(target, "MEMORY_LIMIT", 1000)
    with pytest.raises(UsageError, match=r"40 points needs .* GiB, .* limit of .*; give a scorecard with fewer"):
        solve_target(space, 0, 40)


def test_the_last_line_of_dice_poker_by_all_rolls() -> None:
    """Chance is open and at least 24 points are needed: 7,776 rolls for the last throw, keeps by enumeration."""
    rules = DicePoker().scorecard()
    space = StateSpace.of(rules)
    game = Game(rules)
    card = game.card({name: 0 for name in rules.line_names if name != "chance"})
    needed = 24

    rolls = list(product(range(1, 7), repeat=5))
    assert len(rolls) == 7776
    last = {
        keep: np.mean([sum(keep) + sum(dice) >= needed for dice in product(range(1, 7), repeat=5 - len(keep))])
        for keep in {part for dice in thrown(5, 6) for part in parts_of(dice)}
    }
    found = solve_target(space, game.column(space, card), needed)
    assert {keep: found.detail.keep_values[1, space.lattice.index(keep)] for keep in last} == pytest.approx(last)
    best = {dice: max(last[keep] for keep in parts_of(dice)) for dice in thrown(5, 6)}
    first = {
        keep: sum(p * best[tuple(sorted(keep + dice))] for dice, p in thrown(5 - len(keep), 6).items())
        for keep in last
        if len(keep) < 5
    }
    first |= {keep: chance for keep, chance in last.items() if len(keep) == 5}  # who keeps all dice has stopped
    assert found.probability == pytest.approx(
        np.mean([max(first[keep] for keep in parts_of(tuple(sorted(dice)))) for dice in rolls]), abs=1e-12
    )
    assert max(abs(found.detail.keep_values[2, space.lattice.index(keep)] - first[keep]) for keep in first) < TIE
