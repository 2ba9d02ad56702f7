"""Slow referee of Escalero in plain Python: real dice, sheets of points, and nothing of the compiled code.

Dice are tuples of faces 1..6 (9, 10, J, Q, K, A), sorted when they are shown to a player. A sheet is a list of
columns, a column a dict from row to points that holds the filled cells only; a struck cell holds 0. Players must
not change the sheets they are shown. Every thrown die is one call of `rng.randint(1, 6)`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Literal, Protocol

Dice = tuple[int, ...]
Sheet = list[dict[str, int]]
Cell = tuple[int, str]
"""Column (from 0) and row."""
Result = tuple[Dice, bool]
"""Final dice of a turn and whether they are served."""

PICTURES = ("nines", "tens", "jacks", "queens", "kings", "aces")
COMBINATIONS = ("straight", "full_house", "poker", "grande")
STRAIGHTS = ((1, 2, 3, 4, 5), (2, 3, 4, 5, 6))
DICE = 5
THROWS = 3


@dataclass(frozen=True)
class EscaleroOptions:
    """Switches of the rules.

    Attributes
    ----------
    double_grande_row
        An eleventh row, worth 100 for a served grande and nothing for any other dice, so a grande that is not
        served strikes it. Every column has one. The plain grande row then pays `served_in_plain_g` for a served
        grande and 50 for any other.
    straight
        Points of a plain and of a served straight.
    served
        Dice are served if the last throw of the turn was of all five, or only if the first throw was also the
        last. Stopping keeps the flag, throwing fewer dice clears it, whatever the dice then show.
    five_as_poker_full
        When five alike score as poker and as full house: if the grande cell of the column of the entry, or of
        any column, holds 0; if the grande cell of the column of the entry is filled, with 0 or with points;
        always; never. Only the plain grande row counts, the double grande row does not. Such a poker or full
        house keeps the served bonus.
    served_in_plain_g
        Points of a served grande in the plain grande row; read only if there is a double grande row.
    columns
        Three columns that are won one by one, or a single column that is settled by the difference.
    column_values
        What the winner of each of three columns gets from each other party; a single column has no value.
    sweep_total
        What a party that wins all three columns, none of them tied, gets from each other party instead of the
        sum of the values. It is not adapted to other column values.
    column_tie
        Several parties lead a column: nobody pays for it, or every other party pays as it would pay a sole
        winner, and the leaders share that equally. It governs a single column of three or more parties too (in
        a single column every other party pays its own difference). A tied column never counts for a sweep.
    pair_choice
        Partners in turn take a full turn each. After the first turn they may enter its result and leave the
        second turn out. Otherwise the second is played: with `after_both` they then enter one of the two
        results, with `immediate` the first was given up and the second must be entered.
    """

    double_grande_row: bool = False
    straight: Literal["20/25", "25/30"] = "20/25"
    served: Literal["any_full_throw", "first_throw_only"] = "any_full_throw"
    five_as_poker_full: Literal["struck_same_column", "struck_any_column", "closed_same_column", "always", "never"] = (
        "struck_same_column"
    )
    served_in_plain_g: Literal[50, 80] = 50
    columns: Literal[3, 1] = 3
    column_values: tuple[int, int, int] = (1, 2, 4)
    sweep_total: int = 9
    column_tie: Literal["nobody", "split"] = "nobody"
    pair_choice: Literal["after_both", "immediate"] = "after_both"

    @property
    def rows(self) -> tuple[str, ...]:
        """Rows of a column, from the top."""
        return (*PICTURES, *COMBINATIONS, *(("double_grande",) if self.double_grande_row else ()))

    @property
    def cells(self) -> list[Cell]:
        """All cells of a sheet, which is the number of rounds too."""
        return [(column, row) for column in range(self.columns) for row in self.rows]


class EscaleroPlayer(Protocol):
    """Who decides."""

    def keep(self, dice: Dice, throws_left: int, served: bool, sheet: Sheet) -> Dice:
        """Dice that stay; all five end the turn, none throws all five again."""
        ...

    def enter(self, dice: Dice, served: bool, sheet: Sheet) -> Cell:
        """Open cell for the dice."""
        ...


@dataclass(frozen=True)
class Partners:
    """Two who share a sheet; the one whose result is entered picks its cell.

    Attributes
    ----------
    first, second
        Partners in the order of their turns; one person may play both.
    accept
        Whether to enter the first result, given by its dice, its served flag and the sheet, and to leave the
        second turn out.
    choose
        Which of two results to enter, 0 or 1; asked only where the choice is made after both.
    """

    first: EscaleroPlayer
    second: EscaleroPlayer
    accept: Callable[[Dice, bool, Sheet], bool]
    choose: Callable[[tuple[Result, Result], Sheet], int]


def blank_sheet(options: EscaleroOptions) -> Sheet:
    """Sheet without entries."""
    return [{} for _ in range(options.columns)]


def five_allowed(options: EscaleroOptions, sheet: Sheet, column: int) -> bool:
    """Whether five alike count as poker and as full house in a column."""
    match options.five_as_poker_full:
        case "always":
            return True
        case "never":
            return False
        case "struck_same_column":
            return sheet[column].get("grande") == 0
        case "struck_any_column":
            return any(filled.get("grande") == 0 for filled in sheet)
        case "closed_same_column":
            return "grande" in sheet[column]
    raise ValueError(options.five_as_poker_full)


def cell_points(options: EscaleroOptions, dice: Dice, served: bool, row: str, sheet: Sheet, column: int) -> int:
    """Points of dice in a cell, 0 if they do not fit; `served` is taken as given, whatever the option says."""
    if len(dice) != DICE or not all(1 <= die <= 6 for die in dice):
        raise ValueError(f"not five dice: {dice}")
    counts = sorted(Counter(dice).values(), reverse=True)
    five_counts = counts == [5] and five_allowed(options, sheet, column)
    if row in PICTURES:
        face = PICTURES.index(row) + 1
        return face * dice.count(face)
    match row:
        case "straight":
            plain, from_cup = (20, 25) if options.straight == "20/25" else (25, 30)
            fits = tuple(sorted(dice)) in STRAIGHTS
        case "full_house":
            plain, from_cup = 30, 35
            fits = counts == [3, 2] or five_counts
        case "poker":
            plain, from_cup = 40, 45
            fits = counts == [4, 1] or five_counts
        case "grande":
            plain, from_cup = 50, options.served_in_plain_g if options.double_grande_row else 80
            fits = counts == [5]
        case "double_grande" if options.double_grande_row:
            plain, from_cup = 0, 100
            fits = counts == [5]
        case _:
            raise ValueError(f"no such row: {row}")
    if not fits:
        return 0
    return from_cup if served else plain


def legal_cells(options: EscaleroOptions, dice: Dice, served: bool, sheet: Sheet) -> dict[Cell, int]:
    """Every open cell and what the dice score there; 0 is a strike, which is always allowed."""
    return {
        (column, row): cell_points(options, dice, served, row, sheet, column)
        for column, row in options.cells
        if row not in sheet[column]
    }


def check_keep(dice: Dice, kept: Dice) -> None:
    """Raise if the kept dice are not among the dice."""
    if Counter(kept) - Counter(dice):
        raise ValueError(f"cannot keep {kept} of {dice}")


class EscaleroTurn:
    """One turn of a player; `sheet` is changed by `enter` only."""

    def __init__(self, options: EscaleroOptions, player: EscaleroPlayer, sheet: Sheet, rng: Random) -> None:
        self.options = options
        self.player = player
        self.sheet = sheet
        self.rng = rng

    def throw(self) -> Result:
        """Throw up to three times."""
        kept: Dice = ()
        dice: Dice = ()
        served = False
        for number in range(1, THROWS + 1):
            missing = DICE - len(kept)
            dice = tuple(sorted((*kept, *(self.rng.randint(1, 6) for _ in range(missing)))))
            served = missing == DICE and (number == 1 or self.options.served == "any_full_throw")
            if number == THROWS:
                break
            kept = tuple(self.player.keep(dice, THROWS - number, served, self.sheet))
            check_keep(dice, kept)
            if len(kept) == DICE:
                break
        return dice, served

    def enter(self, dice: Dice, served: bool) -> tuple[Cell, int]:
        """Write the dice into the cell that the player picks; gives the cell and its points."""
        cell = self.player.enter(dice, served, self.sheet)
        legal = legal_cells(self.options, dice, served, self.sheet)
        if cell not in legal:
            raise ValueError(f"not an open cell: {cell}")
        column, row = cell
        self.sheet[column][row] = legal[cell]
        return cell, legal[cell]

    def play(self) -> tuple[Cell, int]:
        """Throw, then enter."""
        return self.enter(*self.throw())


def play_round(options: EscaleroOptions, party: EscaleroPlayer | Partners, sheet: Sheet, rng: Random) -> None:
    """Let a party fill one cell."""
    if not isinstance(party, Partners):
        EscaleroTurn(options, party, sheet, rng).play()
        return
    turns = [EscaleroTurn(options, player, sheet, rng) for player in (party.first, party.second)]
    first = turns[0].throw()
    if party.accept(*first, sheet):
        turns[0].enter(*first)
        return
    second = turns[1].throw()
    choice = party.choose((first, second), sheet) if options.pair_choice == "after_both" else 1
    if choice not in {0, 1}:
        raise ValueError(f"not one of two results: {choice}")
    turns[choice].enter(*(first, second)[choice])


def play_solitaire(options: EscaleroOptions, player: EscaleroPlayer | Partners, rng: Random) -> Sheet:
    """Sheet of one party after a whole game."""
    sheet = blank_sheet(options)
    for _ in options.cells:
        play_round(options, player, sheet, rng)
    return sheet


def column_totals(sheet: Sheet) -> list[int]:
    """Total of every column."""
    return [sum(column.values()) for column in sheet]


def leaders(totals: Sequence[Sequence[int]], column: int) -> list[int]:
    """Parties with the highest total of a column."""
    best = max(own[column] for own in totals)
    return [party for party, own in enumerate(totals) if own[column] == best]


def settle(options: EscaleroOptions, totals: Sequence[Sequence[int]]) -> list[Fraction]:
    """What every party receives, from its column totals; the sum is zero."""
    parties = range(len(totals))
    if any(len(own) != options.columns for own in totals):
        raise ValueError("every party needs a total of each column")
    payoffs = [Fraction(0) for _ in parties]

    def pay(winners: list[int], amounts: dict[int, int]) -> None:
        for loser, amount in amounts.items():
            payoffs[loser] -= amount
            for winner in winners:
                payoffs[winner] += Fraction(amount, len(winners))

    won = [leaders(totals, column) for column in range(options.columns)]
    if options.columns == 3 and len(won[0]) == 1 and won[0] == won[1] == won[2]:
        pay(won[0], {party: options.sweep_total for party in parties if party not in won[0]})
        return payoffs
    for column, winners in enumerate(won):
        if len(winners) > 1 and options.column_tie == "nobody":
            continue
        best = totals[winners[0]][column]
        pay(
            winners,
            {
                party: options.column_values[column] if options.columns == 3 else best - totals[party][column]
                for party in parties
                if party not in winners
            },
        )
    return payoffs


@dataclass(frozen=True)
class EscaleroMatch:
    """A match that is over.

    Attributes
    ----------
    sheets, totals, payoffs
        Sheet, column totals and settlement of every party, by seat.
    winners
        Parties that share the win: those with the most settlement points, or with a single column those with
        the highest total.
    """

    sheets: list[Sheet]
    totals: list[list[int]]
    payoffs: list[Fraction]
    winners: list[int]


def play_match(options: EscaleroOptions, players: Sequence[EscaleroPlayer | Partners], rng: Random) -> EscaleroMatch:
    """Play a whole game of any number of parties, round by round in the order of the seats."""
    sheets = [blank_sheet(options) for _ in players]
    for _ in options.cells:
        for party, sheet in zip(players, sheets, strict=True):
            play_round(options, party, sheet, rng)
    totals = [column_totals(sheet) for sheet in sheets]
    payoffs = settle(options, totals)
    if options.columns == 1:
        winners = leaders(totals, 0)
    else:
        winners = [party for party, payoff in enumerate(payoffs) if payoff == max(payoffs)]
    return EscaleroMatch(sheets, totals, payoffs, winners)
