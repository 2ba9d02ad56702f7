"""How best play differs, against plain Python: cards of points, real dice, and every game followed to its end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from analyzer.analysis.binding import bind_policy
from analyzer.dice.clauses import ExtraFive, Flips, InstantWin, UpperBonus
from analyzer.dice.decisions import TablePolicy
from analyzer.dice.entries import bonus_points, final_score, legal_entries, won
from analyzer.dice.evaluation import evaluate
from analyzer.dice.lines import Line
from analyzer.dice.paired_turn import (
    BARRED,
    BASE_BARRED,
    BASE_COST,
    COST,
    DECISIONS,
    DIFFERENT,
    TIED_BARRED,
    TIED_COST,
)
from analyzer.dice.play_change import PairedPlay, check_comparable, follow
from analyzer.dice.policies import Optimal, Policy
from analyzer.dice.scorecard import ScorecardRules
from analyzer.errors import RulesError
from analyzer.games.registry import make_rules
from tests.dice.reference import ALIKE, CHANCE, PAIR, Dice, face_lines, parts_of, small, sorted_dice, thrown, tie_rank

TIE = 1e-9
Card = tuple[tuple[str, int], ...]
Lay = tuple[Dice, bool]
"""Dice as they are entered, and whether they are served."""


class Plain:
    """A game in plain Python; only what the games of this file need: served points, optional flips of one die."""

    def __init__(self, rules: ScorecardRules) -> None:
        self.rules = rules
        self.value = cache(self._value)
        self.ends = cache(self._ends)
        self.before = cache(self._before)
        self.after = cache(self._after)

    def open(self, card: Card) -> bool:
        return len(card) < len(self.rules.lines)

    def over(self, card: Card) -> bool:
        return won(self.rules, dict(card)) is not None

    def wins(self, dice: Dice, full: bool) -> bool:
        by_throw = any(win.throw for win in self.rules.instant_wins)
        return by_throw and full and len(set(dice)) == 1

    def fill(self, card: Card, lay: Lay, line: str) -> Card:
        """The card after an entry; what the rules forbid is written as the line alone scores the dice."""
        if line not in self.rules.line_names:
            return card
        legal = legal_entries(self.rules, lay[0], dict(card), served=lay[1])
        points = legal.get(line, self.rules.score(lay[0], line))
        names = self.rules.line_names
        return tuple(sorted([*card, (line, points)], key=lambda entry: names.index(entry[0])))

    def gain(self, card: Card, lay: Lay, line: str) -> int:
        extra = bonus_points(self.rules, lay[0], dict(card))
        after = dict(self.fill(card, lay, line))
        return final_score(self.rules, after) - final_score(self.rules, dict(card)) + extra

    def lays(self, dice: Dice, s: int, full: bool) -> Iterator[Lay]:
        yield dice, full and any(line.served_points for line in self.rules.lines)
        if self.rules.flips and s + 1 >= self.rules.flips.from_throw:
            for i, die in enumerate(dice):
                yield sorted_dice((*dice[:i], self.rules.faces + 1 - die, *dice[i + 1 :])), False

    def _ends(self, card: Card, dice: Dice, s: int, full: bool) -> list[tuple[Lay, str, float]]:
        """Every legal lay and entry with its worth."""
        found = []
        for lay in self.lays(dice, s, full):
            for line in legal_entries(self.rules, lay[0], dict(card), served=lay[1]):
                worth = self.gain(card, lay, line) + self.value(self.fill(card, lay, line))
                found.append((lay, line, worth))
        return found

    def stop(self, card: Card, dice: Dice, s: int, full: bool) -> float:
        if self.wins(dice, full):
            return 0.0
        return max(worth for _, _, worth in self.ends(card, dice, s, full))

    def _before(self, card: Card, keep: Dice, s: int) -> float:
        """Value of a keep before throw s."""
        full, chances = not keep, thrown(self.rules.dice - len(keep), self.rules.faces)
        held = keep if self.rules.lock_kept else ()
        return sum(p * self.after(card, held, sorted_dice(keep, dice), s, full) for dice, p in chances.items())

    def keeps(self, dice: Dice, held: Dice, s: int) -> list[Dice]:
        parts = {sorted_dice(held, part) for part in parts_of(rest(dice, held))}
        return sorted(parts, key=tie_rank, reverse=True)

    def keep_value(self, card: Card, dice: Dice, keep: Dice, s: int, full: bool) -> float:
        if len(keep) == self.rules.dice:
            return self.stop(card, dice, s, full)
        return self.before(card, keep, s + 1)

    def _after(self, card: Card, held: Dice, dice: Dice, s: int, full: bool) -> float:
        if s == self.rules.throws - 1 or self.wins(dice, full):
            return self.stop(card, dice, s, full)
        return max(self.keep_value(card, dice, keep, s, full) for keep in self.keeps(dice, held, s))

    def _value(self, card: Card) -> float:
        return self.before(card, (), 0) if self.open(card) and not self.over(card) else 0.0

    def keep(self, card: Card, held: Dice, dice: Dice, s: int, full: bool) -> Dice:
        best = self.after(card, held, dice, s, full)
        keeps = self.keeps(dice, held, s)
        return next(keep for keep in keeps if self.keep_value(card, dice, keep, s, full) >= best - TIE)

    def entry(self, card: Card, dice: Dice, s: int, full: bool) -> tuple[Lay, str]:
        best = self.stop(card, dice, s, full)
        return next((lay, line) for lay, line, worth in self.ends(card, dice, s, full) if worth >= best - TIE)


def rest(dice: Dice, part: Dice) -> Dice:
    left = list(dice)
    for die in part:
        left.remove(die)
    return tuple(left)


class Compared:
    """Both games followed as the first one's best play goes."""

    def __init__(self, base: ScorecardRules, other: ScorecardRules) -> None:
        self.a, self.b = Plain(base), Plain(other)
        self.split = base.by_throw or other.by_throw
        self.figures = np.zeros((base.throws, 8))
        self.found: dict[Any, list[float]] = defaultdict(lambda: [0.0] * 4)
        self.won = self.over = 0.0
        pairs: dict[tuple[Card, Card], float] = {((), ()): 1.0}
        for _ in base.lines:
            following: dict[tuple[Card, Card], float] = defaultdict(float)
            for (mine, theirs), p in pairs.items():
                if self.a.over(mine):
                    self.won += p
                elif self.b.over(theirs) or not self.b.open(theirs):
                    self.over += p
                else:
                    self.turn(mine, theirs, p, following)
            pairs = following
        self.won += sum(p for (mine, _), p in pairs.items() if self.a.over(mine))

    def turn(self, mine: Card, theirs: Card, p: float, following: dict[tuple[Card, Card], float]) -> None:
        kept: dict[Dice, float] = {(): p}
        for s in range(self.a.rules.throws):
            next_kept: dict[Dice, float] = defaultdict(float)
            places: dict[tuple[Dice, Dice, bool], float] = defaultdict(float)
            for keep, q in kept.items():
                for added, r in thrown(self.a.rules.dice - len(keep), self.a.rules.faces).items():
                    places[keep, sorted_dice(keep, added), not keep] += q * r
            for (held, dice, full), q in places.items():
                if self.a.wins(dice, full):
                    self.won += q
                elif self.b.wins(dice, full):
                    self.over += q
                elif s == self.a.rules.throws - 1:
                    self.enter(mine, theirs, dice, s, full, q, following)
                else:
                    keep = self.keep(mine, theirs, held, dice, s, full, q)
                    if len(keep) == len(dice):
                        self.enter(mine, theirs, dice, s, full, q, following)
                    else:
                        next_kept[keep] += q
            kept = next_kept

    def keep(self, mine: Card, theirs: Card, held: Dice, dice: Dice, s: int, full: bool, p: float) -> Dice:
        a, b = self.a, self.b
        lock_a, lock_b = (held if game.rules.lock_kept else () for game in (a, b))
        ours, others = a.keep(mine, lock_a, dice, s, full), b.keep(theirs, lock_b, dice, s, full)
        there = a_cost(b, theirs, dice, s, full, ours, others, ours in b.keeps(dice, lock_b, s))
        here = a_cost(a, mine, dice, s, full, others, ours, others in a.keeps(dice, lock_a, s))
        self.note((s, full and self.split, dice, ours, "", others, ""), p, ours == others, here, there)
        return ours

    def enter(
        self, mine: Card, theirs: Card, dice: Dice, s: int, full: bool, p: float, following: dict[Any, float]
    ) -> None:
        a, b = self.a, self.b
        lay, line = a.entry(mine, dice, s, full)
        other_lay, other_line = b.entry(theirs, dice, s, full)
        there, b_lay = end_cost(b, theirs, dice, s, full, lay, line)
        here, _ = end_cost(a, mine, dice, s, full, other_lay, other_line)
        same = lay[0] == other_lay[0] and line == other_line
        kind = self.a.rules.throws - 1
        self.note((kind, full and self.split, dice, lay[0], line, other_lay[0], other_line), p, same, here, there)
        following[a.fill(mine, lay, line), b.fill(theirs, b_lay, line)] += p

    def note(self, key: Any, p: float, same: bool, here: float | None, there: float | None) -> None:
        figures = self.figures[key[0]]
        figures[DECISIONS] += p
        if same or (there is not None and there <= TIE):
            return
        if here is not None and here <= TIE:
            figures[TIED_BARRED if there is None else TIED_COST] += p if there is None else p * there
            return
        figures[DIFFERENT] += p
        figures[BARRED if there is None else COST] += p if there is None else p * there
        figures[BASE_BARRED if here is None else BASE_COST] += p if here is None else p * here
        sums = self.found[key]
        sums[0] += p
        sums[1] += p * (there or 0.0)
        sums[2] += p * (here or 0.0)
        sums[3] += p * (there is None)


def a_cost(
    game: Plain, card: Card, dice: Dice, s: int, full: bool, keep: Dice, best: Dice, legal: bool
) -> float | None:
    """What a keep costs, None if it is not legal."""
    if not legal:
        return None
    return game.keep_value(card, dice, best, s, full) - game.keep_value(card, dice, keep, s, full)


def end_cost(game: Plain, card: Card, dice: Dice, s: int, full: bool, lay: Lay, line: str) -> tuple[float | None, Lay]:
    """What an entry costs, None if it is not legal, and how the dice lie then."""
    found = [
        (mine, worth) for mine, name, worth in game.ends(card, dice, s, full) if mine[0] == lay[0] and name == line
    ]
    if not found:
        return None, (lay[0], False)
    mine, worth = next((one for one in found if one[0][1] == lay[1]), found[0])
    return game.stop(card, dice, s, full) - worth, mine


def played(base: ScorecardRules, other: ScorecardRules, policy: str = "optimal", **how: Any) -> PairedPlay:
    arms = bind_policy(base, policy, cache=False), bind_policy(other, policy, cache=False)
    return follow(*arms, **how)


def named(play: PairedPlay, base: ScorecardRules, other: ScorecardRules) -> dict[Any, list[float]]:
    """Differences by what they say."""
    lattice = play.lattice
    names = [*base.line_names, *(name for name in other.line_names if name not in base.line_names)]

    def dice(node: int) -> Dice:
        return lattice.faces_of(node)[::-1]

    found = {}
    for one in play.differences(play.ranked("cost")):
        lines = [names[line] if line >= 0 else "" for line in (one.line, one.other_line)]
        decisions = dice(one.node), lines[0], dice(one.other_node), lines[1]
        key = one.kind, one.full, dice(lattice.first_roll + one.roll), *decisions
        found[key] = [one.chance, one.cost, one.base_cost, one.barred]
    return found


LINES = (*face_lines(1, 3), PAIR, CHANCE)
TINY = small("tiny", LINES[1:], dice=2, faces=3)
THREE = replace(TINY, dice=3, lines=(*face_lines(1), PAIR, CHANCE))
CHEAP_PAIR = replace(TINY, lines=(*face_lines(3), Line(name="pair", kind="of_a_kind", n=2, points=3), CHANCE))
STRIKES = small(
    "strikes", (*face_lines(2), CHANCE, Line(name="pair", kind="of_a_kind", n=2, points=12)), dice=2, faces=4, throws=2
)
BONUS = small("bonus", LINES, dice=2, faces=3, throws=2, upper_bonus=UpperBonus(points=9, threshold=5))
SERVED_PAIR = Line(name="pair", kind="of_a_kind", n=2, points=5, served_points=8)
SERVED = small("served", (*face_lines(1, 2), SERVED_PAIR, CHANCE), dice=2, faces=3)
FLIPS = replace(SERVED, flips=Flips(first="optional", most=1, from_throw=2), throws=2)
FIVE = small(
    "five",
    (*face_lines(1, 3), PAIR, ALIKE),
    dice=3,
    faces=3,
    throws=2,
    upper_bonus=UpperBonus(points=10, threshold=7),
    extra_five=ExtraFive(line="alike", points=20),
)
WINS = replace(SERVED, instant_wins=(InstantWin(name="rich", needs=(("pair", 8), ("chance", 5))),))
BY_THROW = replace(SERVED, throws=2, instant_wins=(InstantWin(name="alike", throw="any_full_throw"),))

VARIANTS = {
    "fewer_points": (TINY, CHEAP_PAIR),
    "another_line": (TINY, replace(TINY, lines=(*LINES[1:], *face_lines(2)))),
    "a_line_less": (replace(TINY, lines=(*face_lines(2), *LINES[1:])), TINY),
    "lines_instead": (
        replace(TINY, lines=(*face_lines(2), *LINES[1:])),
        replace(TINY, lines=(*face_lines(1), *LINES[1:])),
    ),
    "lines_in_another_order": (TINY, replace(TINY, lines=TINY.lines[::-1])),
    "bonus": (BONUS, replace(BONUS, upper_bonus=UpperBonus(points=20, threshold=3))),
    "no_bonus": (BONUS, replace(BONUS, upper_bonus=None)),
    "locked": (THREE, replace(THREE, lock_kept=True)),
    "unlocked": (replace(THREE, lock_kept=True), THREE),
    "strikes_banned": (STRIKES, replace(STRIKES, strike="banned")),
    "strikes_free": (replace(STRIKES, strike="banned"), STRIKES),
    "served": (SERVED, replace(SERVED, lines=(*face_lines(1, 2), replace(SERVED_PAIR, served_points=None), CHANCE))),
    "not_served": (replace(SERVED, lines=(*face_lines(1, 2), PAIR, CHANCE)), SERVED),
    "served_or_locked": (replace(SERVED, lines=(*face_lines(1, 2), PAIR, CHANCE), lock_kept=True), SERVED),
    "flips": (FLIPS, replace(FLIPS, flips=None)),
    "no_flips": (replace(FLIPS, flips=None), FLIPS),
    "jokers": (FIVE, replace(FIVE, extra_five=ExtraFive(line="alike", points=5, joker="none"))),
    "no_jokers": (replace(FIVE, extra_five=None), FIVE),
    "wins": (WINS, SERVED),
    "no_wins": (SERVED, WINS),
    "wins_by_throw": (BY_THROW, replace(BY_THROW, instant_wins=())),
    "no_wins_by_throw": (replace(BY_THROW, instant_wins=()), BY_THROW),
    "one_throw": (replace(TINY, throws=1), replace(CHEAP_PAIR, throws=1)),
}


LATER = {"no_jokers", "no_wins", "no_flips", "unlocked", "bonus", "a_line_less", "served_or_locked", "no_wins_by_throw"}
"""Mostly the others the other way round."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.nightly] if name in LATER else []) for name in VARIANTS]
)
def test_against_plain_python(name: str) -> None:
    base, other = VARIANTS[name]
    play, plain = played(base, other), Compared(base, other)
    np.testing.assert_allclose(play.figures.sum(axis=0), plain.figures, atol=1e-9)
    assert play.won == pytest.approx(plain.won, abs=1e-12)
    assert play.over == pytest.approx(plain.over, abs=1e-12)
    found = named(play, base, other)
    assert found.keys() == plain.found.keys()
    for key, sums in plain.found.items():
        assert found[key] == pytest.approx(sums, abs=1e-9)


def test_the_games_of_this_file_differ() -> None:
    alike = {name for name, variants in VARIANTS.items() if not len(played(*variants))}
    assert alike <= {"lines_in_another_order"}


class Imitation(Policy):
    """Best play of one game, in another with the same states."""

    family = "imitation"
    text = "imitation"
    by_column = True

    def __init__(self, base: Optimal, other: Optimal) -> None:
        self.space = other.space
        self.base = base

    def tables(self, columns: np.ndarray) -> TablePolicy:
        """Entries of the same lines; here a final roll has one entry in a line."""
        keeps, entries = self.base.tables(columns)
        mine, theirs = self.base.space.tables, self.space.tables
        ends, lines = np.indices(entries.shape)[0], mine.entry_line[entries]
        rows = np.arange(len(ends))
        if self.space.endings.options:
            rows = np.array([options[0].row for options in self.space.endings.options])
        found = theirs.natural[rows[ends], lines].astype(np.uint16)
        alike = theirs.alike[rows]
        for slot, column in enumerate(columns):
            state = self.space.column_state[column]
            for end in np.flatnonzero(alike >= 0):
                how = theirs.state_five[state] * 4
                found[end, slot] = theirs.alike_entry[how + 1, lines[end, slot], alike[end]]
        return TablePolicy(keeps, found)


STATES_ALIKE = [
    ({}, {"straight": "25/30"}),
    ({"straight": "25/30"}, {}),
    ({}, {"five_as_poker_full": "always"}),
    ({"served": "first_throw_only"}, {"served": "first_throw_only", "straight": "25/30"}),
]


@pytest.mark.parametrize(("mine", "theirs"), STATES_ALIKE)
def test_one_step_losses_add_up_to_the_loss_of_a_game(mine: dict[str, Any], theirs: dict[str, Any]) -> None:
    """What each decision costs with best play afterwards, summed over the play, is all that the play loses.

    Kakade and Langford, Approximately optimal approximate reinforcement learning (2002), lemma 6.1.
    """
    base = bind_policy(make_rules("escalero", **mine), "optimal", cache=False)
    other = bind_policy(make_rules("escalero", **theirs), "optimal", cache=False)
    assert isinstance(base, Optimal)
    assert isinstance(other, Optimal)
    play = follow(base, other)
    assert base.space.columns == other.space.columns
    scores = evaluate(Imitation(base, other)).scores
    earned = float(scores @ np.arange(len(scores)))
    lost = play.figures[:, :, [COST, TIED_COST]].sum()
    assert other.values[0] - lost == pytest.approx(earned, abs=1e-9)
    assert play.figures[:, :, [BARRED, TIED_BARRED]].sum() == 0
    assert lost > 0.01


@pytest.mark.parametrize("rules", [TINY, BONUS, SERVED, FLIPS, FIVE, WINS, replace(TINY, lock_kept=True)])
def test_a_game_does_not_differ_from_itself(rules: ScorecardRules) -> None:
    play = played(rules, replace(rules, name="copy", title="Copy"))
    assert len(play) == 0
    assert play.figures[:, :, 1:].sum() == 0
    entries = play.figures[:, -1, DECISIONS]
    if not rules.instant_wins:
        assert entries == pytest.approx(np.ones(len(rules.lines)))


def test_workers_make_no_difference() -> None:
    one, two = (played(*VARIANTS["jokers"], workers=workers) for workers in (1, 2))
    np.testing.assert_array_equal(one.figures, two.figures)
    assert list(one.differences(one.ranked("chance"))) == list(two.differences(two.ranked("chance")))


def test_what_is_dropped_is_told() -> None:
    base, other = VARIANTS["bonus"]
    whole, part = played(base, other), played(base, other, least=0.02)
    assert whole.dropped == 0
    assert 0 < part.dropped < 0.5
    assert part.pairs < whole.pairs
    missing = whole.figures[-1, -1, DECISIONS] - part.figures[-1, -1, DECISIONS]
    assert missing == pytest.approx(part.dropped, abs=1e-9)


def test_the_likeliest_columns_are_told() -> None:
    """The first difference of a game can only come from the empty sheets."""
    play = played(*VARIANTS["fewer_points"])
    first = [one for one in play.differences(play.ranked("cost")) if one.round == 1]
    assert first
    assert all((one.column, one.other_column) == (0, 0) for one in first)
    assert all(one.chance <= 1 for one in first)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"throws": 2},
            "throws = 2 of Other cannot be compared with 3 of Tiny; give games with",
        ),
        ({"faces": 4}, "faces = 4 of Other cannot be compared with 3 of Tiny"),
        ({"dice": 3}, "dice = 3 of Other cannot be compared with 2 of Tiny"),
    ],
)
def test_what_cannot_be_compared(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(RulesError, match=message):
        check_comparable(TINY, replace(TINY, title="Other", **changes))


def test_announced_lines_must_be_the_same() -> None:
    base = replace(TINY, declare=True)
    check_comparable(base, replace(base, lines=base.lines[::-1]))
    with pytest.raises(RulesError, match="Tiny and Tiny both have lines announced, but not the same lines"):
        check_comparable(base, replace(base, lines=base.lines[:2]))
