"""Slow references in plain Python: real dice, a card of points, and nothing of the compiled code.

No lattice, no states, no lanes: a roll is a sorted tuple of faces, a card is a tuple of points by line with
None for an open line, and every expectation is a sum over `itertools.product`. Legal entries come from
`analyzer.dice.entries`, random words from `analyzer.engine.streams`; both have references of their own.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, product
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from analyzer.dice.clauses import ExtraFive, InstantWin, UpperBonus
from analyzer.dice.decisions import TablePolicy, legal_ends
from analyzer.dice.entries import bonus_points, final_score, legal_entries, possible_scores, upper_total
from analyzer.dice.lines import Line
from analyzer.dice.scorecard import ScorecardRules
from analyzer.dice.solver import turn_values
from analyzer.dice.states import StateSpace
from analyzer.dice.turn import Objective
from analyzer.engine.streams import bounded, words

Dice = tuple[int, ...]
Card = tuple[int | None, ...]
Entry = tuple[int, int, int]
"""Line, points written there, extra-five bonus."""

TIE = 1e-9


def face_lines(*faces: int) -> tuple[Line, ...]:
    return tuple(Line(name=f"face_{face}", kind="face", face=face) for face in faces)


CHANCE = Line(name="chance", kind="chance")
PAIR = Line(name="pair", kind="of_a_kind", n=2)
ALIKE = Line(name="alike", kind="all_alike", points=30)
RUN = Line(name="run", kind="straight", length=2, points=9)


def small(name: str, lines: tuple[Line, ...], **rules: Any) -> ScorecardRules:
    return ScorecardRules(name=name, lines=lines, **rules)


SMALL_GAMES = {
    rules.name: rules
    for rules in (
        small(
            "forced",
            (*face_lines(1, 4), PAIR, ALIKE, CHANCE),
            dice=3,
            faces=4,
            upper_bonus=UpperBonus(points=10, threshold=9),
            extra_five=ExtraFive(line="alike", points=20),
        ),
        small(
            "forced_when_zero",
            (*face_lines(1, 2), RUN, ALIKE, CHANCE),
            dice=2,
            faces=3,
            throws=2,
            upper_bonus=UpperBonus(points=7, threshold=3, strict=True),
            extra_five=ExtraFive(line="alike", points=5, joker_when_zero=True),
        ),
        small(
            "forced_natural",
            (RUN, *face_lines(3, 1), ALIKE, Line(name="low_two", kind="face", face=2, section="lower")),
            dice=2,
            faces=4,
            throws=4,
            upper_bonus=UpperBonus(points=11, threshold=5),
            extra_five=ExtraFive(line="alike", points=13, joker_values="natural", joker_when_zero=True),
        ),
        small(
            "free",
            (ALIKE, *face_lines(2, 3), RUN, CHANCE),
            dice=3,
            faces=3,
            lock_kept=True,
            upper_bonus=UpperBonus(points=15, threshold=9),
            extra_five=ExtraFive(line="alike", points=20, joker="free", joker_when_zero=True),
        ),
        small(
            "free_without_points",
            (*face_lines(1, 2, 3), ALIKE, Line(name="run", kind="straight", length=3, points=25)),
            dice=3,
            faces=3,
            throws=2,
            upper_bonus=UpperBonus(points=12, threshold=11, strict=True),
            extra_five=ExtraFive(line="alike", points=0, joker="free"),
        ),
        small(
            "extra_without_joker",
            (*face_lines(2), PAIR, ALIKE, CHANCE),
            dice=3,
            faces=4,
            throws=4,
            lock_kept=True,
            upper_bonus=UpperBonus(points=10, threshold=4, strict=True),
            extra_five=ExtraFive(line="alike", points=20, joker="none"),
        ),
        small(
            "bonus_out_of_reach",
            (*face_lines(1, 3), CHANCE),
            dice=2,
            faces=3,
            upper_bonus=UpperBonus(points=50, threshold=8, strict=True),
        ),
        small("no_bonus", (CHANCE, PAIR, *face_lines(3)), dice=3, faces=4, throws=2, lock_kept=True),
        small("one_throw", (*face_lines(1, 2, 3), PAIR), dice=3, faces=4, throws=1),
        small("one_line", (Line(name="eleven", kind="total", total=11, points=40),), dice=3, faces=4),
        small(
            "one_die",
            (*face_lines(2, 6), CHANCE, Line(name="alike", kind="all_alike", points=2)),
            dice=1,
            throws=2,
            upper_bonus=UpperBonus(points=3, threshold=2),
            extra_five=ExtraFive(line="alike", points=4),
        ),
        small(
            "coins",
            (*face_lines(1, 2), PAIR, ALIKE),
            dice=3,
            faces=2,
            upper_bonus=UpperBonus(points=5, threshold=6),
            extra_five=ExtraFive(line="alike", points=8, joker_when_zero=True),
        ),
    )
}


WINNING = small(
    "winning",
    (Line(name="pair", kind="of_a_kind", n=2, points=5, served_points=8), *face_lines(4), CHANCE),
    dice=3,
    faces=4,
    throws=2,
    instant_wins=(
        InstantWin(name="triplet", throw="any_full_throw"),
        InstantWin(name="rich", needs=(("pair", 8), ("chance", 9))),
    ),
)
"""Served points and two ways to win at once, which the references here know nothing of."""


def sorted_dice(*parts: Dice) -> Dice:
    return tuple(sorted(sum(parts, ())))


@cache
def thrown(dice: int, faces: int) -> dict[Dice, float]:
    """Chance of every roll of some dice."""
    count = Counter(tuple(sorted(roll)) for roll in product(range(1, faces + 1), repeat=dice))
    return {roll: number / faces**dice for roll, number in count.items()}


def tie_rank(keep: Dice) -> tuple[int, Dice]:
    """Of two equally good keeps the one with more dice is taken, then the one with the higher dice."""
    return len(keep), tuple(sorted(keep, reverse=True))


@cache
def parts_of(dice: Dice) -> tuple[Dice, ...]:
    """Every different part of some dice, the one that the tie rule prefers first."""
    found = {part for size in range(len(dice) + 1) for part in combinations(dice, size)}
    return tuple(sorted(found, key=tie_rank, reverse=True))


def without(dice: Dice, part: Dice) -> Dice:
    return tuple(sorted((Counter(dice) - Counter(part)).elements()))


@lru_cache(maxsize=1 << 18)
def keeps_of(dice: Dice, held: Dice) -> tuple[Dice, ...]:
    """Every legal keep where `held` has to stay, the one that the tie rule prefers first."""
    return tuple(sorted_dice(held, part) for part in parts_of(without(dice, held)))


class Turn:
    """One turn of a player who maximises the worth of the entry; `options` gives that of every legal one."""

    def __init__(self, rules: ScorecardRules, options: Callable[[Dice], list[tuple[Entry, float]]]) -> None:
        self.rules = rules
        self.options = cache(options)
        self.worth = cache(lambda dice: max(worth for _, worth in self.options(dice)))
        self.after = cache(self._after)
        self.before = cache(self._before)

    def _before(self, keep: Dice, left: int) -> float:
        """Mean over throwing the missing dice, with `left` throws to come after that; all dice kept end the turn."""
        if len(keep) == self.rules.dice:
            return self.worth(keep)
        held = keep if self.rules.lock_kept else ()
        chances = thrown(self.rules.dice - len(keep), self.rules.faces)
        return sum(p * self.after(held, sorted_dice(keep, dice), left) for dice, p in chances.items())

    def _after(self, held: Dice, dice: Dice, left: int) -> float:
        """Value of dice with `left` throws to come, where `held` has to stay."""
        if left == 0:
            return self.worth(dice)
        return max(self.before(keep, left - 1) for keep in keeps_of(dice, held))

    @property
    def value(self) -> float:
        """Value before the first throw."""
        return self.before((), self.rules.throws - 1)

    def keep(self, held: Dice, dice: Dice, left: int) -> Dice:
        best = self.after(held, dice, left)
        return next(keep for keep in keeps_of(dice, held) if self.before(keep, left - 1) >= best - TIE)

    def entry(self, dice: Dice) -> Entry:
        best = self.worth(dice)
        return next(entry for entry, worth in self.options(dice) if worth >= best - TIE)

    def chances(self) -> dict[Entry, float]:
        """Chance of every entry, by following all throws."""

        def chosen(held: Dice, dice: Dice, left: int) -> dict[Dice, float]:
            return {self.keep(held, dice, left): 1.0}

        return entry_chances(self.rules, chosen, lambda dice: {self.entry(dice): 1.0})


def entry_chances(
    rules: ScorecardRules,
    keep: Callable[[Dice, Dice, int], dict[Dice, float]],
    entry: Callable[[Dice], dict[Entry, float]],
) -> dict[Entry, float]:
    """Chance of every entry of a turn, from chances of every keep and of every entry of the final dice."""
    kept = {(): 1.0}
    entries: dict[Entry, float] = defaultdict(float)
    for left in range(rules.throws - 1, -1, -1):
        following: dict[Dice, float] = defaultdict(float)
        for held, p in kept.items():
            if left > 0 and len(held) == rules.dice:
                following[held] += p  # who keeps all dice has stopped
                continue
            for added, q in thrown(rules.dice - len(held), rules.faces).items():
                dice = sorted_dice(held, added)
                if left == 0:
                    for made, r in entry(dice).items():
                        entries[made] += p * q * r
                    continue
                for next_keep, r in keep(held if rules.lock_kept else (), dice, left).items():
                    following[next_keep] += p * q * r
        kept = following
    return dict(entries)


class Game:
    """A game on a card of points: what may be entered, what it gains, and the best expected gain."""

    def __init__(self, rules: ScorecardRules) -> None:
        self.rules = rules
        self.lines = len(rules.lines)
        self.blank: Card = (None,) * self.lines
        five = rules.extra_five
        self.five = rules.line_index(five.line) if five else -1
        self.upper = [line.section == "upper" for line in rules.lines]
        self._names = rules.line_names
        self._places = {name: j for j, name in enumerate(self._names)}
        self._least = [possible_scores(rules, name)[0] for name in rules.line_names]
        self._entries: dict[Any, list[Entry]] = {}
        self._optimal: dict[Card, Turn] = {}
        self.future = cache(self._future)

    def named(self, card: Card) -> dict[str, int]:
        """The card by the names of its filled lines."""
        return {name: points for name, points in zip(self._names, card, strict=True) if points is not None}

    def card(self, filled: Mapping[str, int]) -> Card:
        return tuple(filled.get(name) for name in self.rules.line_names)

    def entries(self, dice: Dice, card: Card) -> list[Entry]:
        """Legal entries in the order of the scorecard."""
        five = card[self.five] if self.five >= 0 else None
        key = (dice, tuple(points is None for points in card), five)
        if key not in self._entries:
            filled = self.named(card)
            extra = bonus_points(self.rules, dice, filled)
            legal = legal_entries(self.rules, dice, filled)
            self._entries[key] = [(self._places[name], written, extra) for name, written in legal.items()]
        return self._entries[key]

    def fill(self, card: Card, entry: Entry) -> Card:
        line, written, _ = entry
        assert card[line] is None
        return (*card[:line], written, *card[line + 1 :])

    def upper_points(self, card: Card) -> int:
        return upper_total(self.rules, self.named(card))

    def gain(self, card: Card, entry: Entry) -> int:
        """Points of an entry, with an extra five and with the upper bonus if this entry reaches it."""
        bonus = self.rules.upper_bonus
        gained = entry[1] + entry[2]
        if bonus:
            before = self.upper_points(card)
            gained += bonus.earned(self.upper_points(self.fill(card, entry))) - bonus.earned(before)
        return gained

    def past(self, card: Card) -> Card:
        """The card as far as the rest of the game can depend on it: points of lower lines are forgotten."""
        return tuple(
            points if points is None or self.upper[j] or j == self.five else self._least[j]
            for j, points in enumerate(card)
        )

    def _future(self, card: Card) -> float:
        return 0.0 if None not in card else self.optimal(card).value

    def optimal(self, card: Card) -> Turn:
        """The turn of a player who maximises the expected final score."""
        card = self.past(card)
        if card not in self._optimal:

            def options(dice: Dice) -> list[tuple[Entry, float]]:
                return [
                    (entry, self.gain(card, entry) + self.future(self.past(self.fill(card, entry))))
                    for entry in self.entries(dice, card)
                ]

            self._optimal[card] = Turn(self.rules, options)
        return self._optimal[card]

    def shortsighted(self, card: Card, worth: Callable[[Entry], float]) -> Turn:
        """The turn of a player to whom an entry has the same worth whatever it leads to."""
        return Turn(self.rules, lambda dice: [(entry, worth(entry)) for entry in self.entries(dice, card)])

    def reachable(self, card: Card | None = None) -> Iterator[Card]:
        """Every card that can come up, as `past` has it, emptier ones first."""
        layer = {self.past(card or self.blank)}
        while layer:
            yield from sorted(layer, key=repr)
            layer = {
                self.past(self.fill(card, entry))
                for card in layer
                for dice in thrown(self.rules.dice, self.rules.faces)
                for entry in self.entries(dice, card)
            }

    def column(self, space: StateSpace, card: Card) -> int:
        """The column of a card."""
        filled = {j: points for j, points in enumerate(card) if points is not None}
        return space.column_of(space.state_of(filled), self.upper_points(card))


class Family(Protocol):
    """Decisions of a policy from a card, as chances of entries and as choices in a replay."""

    def chances(self, card: Card) -> dict[Entry, float]: ...

    def player(self, card: Card) -> Player: ...


class Player(Protocol):
    """Choices of one turn in a replay."""

    def keep(self, held: Dice, dice: Dice, throw: int, draws: Draws | None = None) -> Dice: ...

    def entry(self, dice: Dice, draws: Draws | None = None) -> Entry: ...


@dataclass
class TurnPlayer:
    turn: Turn

    def keep(self, held: Dice, dice: Dice, throw: int, draws: Draws | None = None) -> Dice:
        return self.turn.keep(held, dice, self.turn.rules.throws - 1 - throw)

    def entry(self, dice: Dice, draws: Draws | None = None) -> Entry:
        return self.turn.entry(dice)


class Maximiser:
    """A policy whose turns maximise something; `key` is what of the card they depend on."""

    def __init__(self, turn_of: Callable[[Card], Turn], key: Callable[[Card], Card]) -> None:
        self._key = key
        self.turn = cache(turn_of)
        self._chances = cache(lambda card: self.turn(card).chances())

    def chances(self, card: Card) -> dict[Entry, float]:
        return self._chances(self._key(card))

    def player(self, card: Card) -> Player:
        return TurnPlayer(self.turn(self._key(card)))


def optimal(game: Game) -> Maximiser:
    return Maximiser(game.optimal, game.past)


def greedy(game: Game) -> Maximiser:
    return Maximiser(lambda card: game.shortsighted(card, lambda entry: entry[1] + entry[2]), game.past)


def par(game: Game, pars: Mapping[str, float]) -> Maximiser:
    values = [pars[name] for name in game.rules.line_names]
    return Maximiser(
        lambda card: game.shortsighted(card, lambda entry: entry[1] + entry[2] - values[entry[0]]), game.past
    )


def chase(game: Game, name: str) -> Maximiser:
    """Enter in one line while it is open. From a card on which no joker rule can forbid that."""
    focus = game.rules.line_index(name)

    def turn_of(card: Card) -> Turn:
        if card[focus] is not None:
            return game.shortsighted(card, lambda entry: entry[1] + entry[2])

        def options(dice: Dice) -> list[tuple[Entry, float]]:
            return [(entry, entry[1]) for entry in game.entries(dice, card) if entry[0] == focus]

        return Turn(game.rules, options)

    return Maximiser(turn_of, game.past)


class Uniform:
    """The policy that plays at random."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._chances = cache(self._from)

    def chances(self, card: Card) -> dict[Entry, float]:
        return self._chances(self.game.past(card))

    def _from(self, card: Card) -> dict[Entry, float]:
        def keep(held: Dice, dice: Dice, left: int) -> dict[Dice, float]:
            legal = keeps_of(dice, held)
            return dict.fromkeys(legal, 1 / len(legal))

        def entry(dice: Dice) -> dict[Entry, float]:
            legal = self.game.entries(dice, card)
            return dict.fromkeys(legal, 1 / len(legal))

        return entry_chances(self.game.rules, keep, entry)

    def player(self, card: Card) -> Player:
        return UniformPlayer(self.game, card)


@dataclass
class UniformPlayer:
    game: Game
    card: Card

    def keep(self, held: Dice, dice: Dice, throw: int, draws: Draws | None = None) -> Dice:
        """The keep of a number, whose digits, lowest face first, say how many dice of each face are kept."""
        assert draws is not None
        free = Counter(without(dice, held))
        faces = range(1, self.game.rules.faces + 1)
        number = draws.pick(throw, int(np.prod([free[face] + 1 for face in faces])))
        kept: list[int] = []
        for face in faces:
            number, count = divmod(number, free[face] + 1)
            kept += [face] * count
        return sorted_dice(held, tuple(kept))

    def entry(self, dice: Dice, draws: Draws | None = None) -> Entry:
        assert draws is not None
        legal = self.game.entries(dice, self.card)
        return legal[draws.pick(255, len(legal))]


@dataclass
class TablePlayer:
    """Choices read off a decision table, where working them out in plain Python takes too long."""

    game: Game
    space: StateSpace
    tables: TablePolicy
    slot: int = 0

    def keep(self, held: Dice, dice: Dice, throw: int, draws: Draws | None = None) -> Dice:
        node = int(self.tables.keeps[throw, position_of(self.space, held, dice, throw), self.slot])
        return tuple(reversed(self.space.lattice.faces_of(node)))

    def entry(self, dice: Dice, draws: Draws | None = None) -> Entry:
        roll = self.space.lattice.index(dice) - self.space.lattice.first_roll
        return entry_of(self.space, int(self.tables.entries[roll, self.slot]))


def position_of(space: StateSpace, held: Dice, dice: Dice, throw: int) -> int:
    """Position in which a keep is decided after a throw (from 0): the roll, with locked dice the pair."""
    lattice = space.lattice
    if not space.rules.lock_kept or throw == 0:
        return lattice.index(dice) - lattice.first_roll
    added = without(dice, held)
    return int(space.tables.pair_start[lattice.index(held)] + lattice.index(added) - lattice.offset[len(added)])


def entry_of(space: StateSpace, entry: int) -> Entry:
    return int(space.tables.entry_line[entry]), int(space.written[entry]), int(space.extra[entry])


def tabled_entries(space: StateSpace, state: int, dice: Iterable[Dice]) -> list[list[Entry]]:
    """Legal entries of some rolls in a state, as kernels list them."""
    column = int(space.tables.column_start[state])
    _, _, entries, count = legal_ends(space, np.array([column]))
    wanted = [space.lattice.index(roll) - space.lattice.first_roll for roll in dice]
    return [[entry_of(space, e) for e in entries[0, roll, : count[0, roll]].tolist()] for roll in wanted]


def entry_numbers(space: StateSpace) -> dict[Entry, int]:
    """Number of every entry in the tables."""
    return {entry_of(space, e): e for e in range(len(space.written))}


def move(space: StateSpace, column: int, entry: int) -> tuple[int, int]:
    """Column that an entry leads to, and the points it gains, as kernels read the tables."""
    t = space.tables
    state = int(space.column_state[column])
    lane = column - int(t.column_start[state])
    number = int(t.entry_move[entry])
    assert t.move_line[number] == t.entry_line[entry]
    gained = int(t.entry_points[entry])
    assert gained == space.written[entry] + space.extra[entry]
    upper = int(t.move_upper[number])
    if upper >= 0:
        at = int(t.lane_start[t.state_upper[state]]) + lane
        lane = int(t.lane_next[upper, at])
        gained += int(t.lane_bonus[upper, at])
    return int(t.column_start[state + t.move_step[number]]) + lane, gained


@dataclass
class Results:
    """What all games together give: chances of points, of each entry in each turn, of the upper bonus."""

    scores: dict[int, float]
    entries: dict[tuple[Entry, int], float]
    upper_bonus: float


def play_all(game: Game, family: Family, card: Card | None = None) -> Results:
    """Follow every game from a card to its end."""
    start = card or game.blank
    rules = game.rules
    games: dict[tuple[Card, int], float] = {(start, 0): 1.0}
    entries: dict[tuple[Entry, int], float] = defaultdict(float)
    for turn in range(start.count(None)):
        following: dict[tuple[Card, int], float] = defaultdict(float)
        for (here, extra), p in games.items():
            for entry, q in family.chances(here).items():
                following[game.fill(here, entry), extra + entry[2]] += p * q
                entries[entry, turn] += p * q
        games = following
    scores: dict[int, float] = defaultdict(float)
    earned = 0.0
    before = final_score(rules, game.named(start))
    for (end, extra), p in games.items():
        scores[final_score(rules, game.named(end), 0) + extra - before] += p
        if rules.upper_bonus:
            least = rules.upper_bonus.least
            earned += p * (game.upper_points(start) < least <= game.upper_points(end))
    return Results(dict(scores), dict(entries), earned)


@dataclass
class Draws:
    """The dice and choices of one turn, from random words at their addresses."""

    space: StateSpace
    seed: int
    index: int
    turn: int
    seat: int = 0

    def word(self, slot: int, place: int) -> int:
        return int(words(np.uint64(self.seed), np.uint64(self.index), self.turn, 64 * self.seat + slot)[place])

    def number(self, slot: int, place: int, bound: int) -> int:
        address = (np.uint64(self.seed), np.uint64(self.index), np.uint64(self.turn), np.uint64(64 * self.seat + slot))
        return int(bounded(np.uint32(self.word(slot, place)), np.uint64(bound), *address, place))

    def dice(self, throw: int, missing: int) -> Dice:
        """A throw of the missing dice: digits of one number, or one number for each die."""
        faces = self.space.rules.faces
        if not self.space.lattice.tabulated:
            slots = [(4096 + 4 * throw + die // 4, die % 4) for die in range(missing)]
            return tuple(1 + self.number(slot, place, faces) for slot, place in slots)
        number = self.number(throw // 4, throw % 4, faces**missing)
        return tuple(1 + number // faces**place % faces for place in range(missing - 1, -1, -1))

    def pick(self, decision: int, count: int) -> int:
        return self.number(65536 + decision, 0, count)


def replay_turn(player: Player, draws: Draws) -> tuple[Dice, Entry]:
    """Final dice and entry of one addressed turn."""
    rules = draws.space.rules
    kept: Dice = ()
    dice: Dice = ()
    for throw in range(rules.throws):
        if len(kept) == rules.dice:
            break  # who keeps all dice has stopped
        if throw > 0:
            held = kept if rules.lock_kept and throw > 1 else ()
            kept = player.keep(held, dice, throw - 1, draws)
        dice = sorted_dice(kept, draws.dice(throw, rules.dice - len(kept)))
    return dice, player.entry(dice, draws)


def replay_game(
    game: Game, space: StateSpace, player: Callable[[Card], Player], seed: int, index: int, card: Card, seat: int = 0
) -> tuple[Card, int, list[Entry]]:
    """Final card, extra-five points, and the entry of every turn of one addressed game."""
    extra = 0
    entries = []
    for turn in range(card.count(None)):
        _, entry = replay_turn(player(card), Draws(space, seed, index, turn, seat))
        card, extra = game.fill(card, entry), extra + entry[2]
        entries.append(entry)
    return card, extra, entries


def future_values(space: StateSpace, column: int) -> NDArray[np.float64]:
    """Values as `solve` has them, but only of the columns that can follow one; cheap for late positions."""
    t = space.tables
    layers = [{column}]
    while True:
        following = set()
        for here in layers[-1]:
            state = int(space.column_state[here])
            lane = here - int(t.column_start[state])
            for line, step, upper in zip(t.move_line, t.move_step, t.move_upper, strict=True):
                if t.state_open[state] >> np.uint32(line) & 1:
                    at = t.lane_start[t.state_upper[state]] + lane
                    to = t.column_start[state + step] + (lane if upper < 0 else t.lane_next[upper, at])
                    following.add(int(to))
        if not following:
            break
        layers.append(following)
    values = np.zeros(space.columns)
    objective = Objective(np.stack([t.entry_points, t.entry_points]), -1, True, values)
    for layer in reversed(layers[:-1]):
        columns = np.array(sorted(layer))
        values[columns] = turn_values(space, objective, columns)
    return values
