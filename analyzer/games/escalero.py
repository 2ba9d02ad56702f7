"""Escalero: poker dice, ten rows, and more points for what is served. One column of the sheet is the scorecard."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from analyzer.dice.clauses import MOST_STAKE, AlikeAs, Settlement
from analyzer.dice.lines import Line
from analyzer.dice.scorecard import ScorecardRules
from analyzer.games.options import check_options, option

FACES = ("nines", "tens", "jacks", "queens", "kings", "aces")


@dataclass(frozen=True, slots=True, kw_only=True)
class Escalero:
    """The options of Escalero.

    Five dice with the faces 9, 10, J, Q, K, A (1 to 6 here), three throws. Six rows for the faces, then straight,
    full house, poker and grande, which are worth more served: if the last throw threw all five dice.

    Parameters
    ----------
    straight
        What a straight is worth, plain and served: ``20/25`` or ``25/30``.
    double_grande_row
        True: an eleventh row, for a served grande only, worth 100; the grande row then pays what `served_in_plain_g`
        says.
    served_in_plain_g
        What a served grande is worth in the grande row beside a double-grande row: 50 or 80.
    five_as_poker_full
        When five alike may be entered as a poker or a full house: once the grande of that column, or of any column, is
        struck; once that of the column is closed; always; never.
    served
        What is served: any throw of all five dice, or only the first throw.
    columns
        Columns of a sheet: 3, or 1, when the winner receives the difference in points.
    column_values
        What the columns are worth, by points.
    sweep_total
        What all three columns together are worth.
    column_tie
        Who wins a tied column, or a tied game of one column: nobody, or those who tie share what the others pay.
    stake
        What a point of the settlement is worth.
    pair_choice
        Partners choose between their two results after both have thrown, or before the second throws.

    Raises
    ------
    RulesError
        If an option has a value that is not allowed.

    Examples
    --------
    >>> rules = Escalero().scorecard()
    >>> rules.score([4, 4, 4, 4, 2], "poker", served=True), rules.score([4, 4, 4, 4, 2], "poker")
    (45, 40)
    """

    name: ClassVar[str] = "escalero"
    title: ClassVar[str] = "Escalero"

    straight: Literal["20/25", "25/30"] = option("20/25", "What a straight is worth, plain and served.")
    double_grande_row: bool = option(False, "Whether there is an eleventh row, for a served grande, worth 100.")
    served_in_plain_g: Literal["50", "80"] = option(
        "50", "What a served grande is worth in the grande row where there is a double-grande row."
    )
    five_as_poker_full: Literal["struck_same_column", "struck_any_column", "closed_same_column", "always", "never"] = (
        option(
            "struck_same_column",
            "When five alike may be entered as poker or full house, by the state of the grande row.",
        )
    )
    served: Literal["any_full_throw", "first_throw_only"] = option(
        "any_full_throw", "Which throws of all five dice are served."
    )
    columns: Literal["3", "1"] = option("3", "Columns of a sheet; a single one pays the difference in points.")
    column_values: Literal["1,2,4", "1,2,3"] = option("1,2,4", "What the three columns are worth.")
    sweep_total: int = option(9, "What all three columns together are worth.", low=6, high=12)
    column_tie: Literal["nobody", "split"] = option("nobody", "Who wins what is tied.")
    stake: int = option(1, "What a point of the settlement is worth.", low=1, high=MOST_STAKE)
    pair_choice: Literal["after_both", "immediate"] = option(
        "after_both", "When partners choose which of their two results is entered."
    )

    def __post_init__(self) -> None:
        check_options(self, self.name)

    def scorecard(self) -> ScorecardRules:
        """Return the rules of one column with these options."""
        plain, served = (int(points) for points in self.straight.split("/"))
        served_grande = int(self.served_in_plain_g) if self.double_grande_row else 80
        lines = [
            *(
                Line(name=name, kind="face", face=face, section="lower", label=name.capitalize())
                for face, name in enumerate(FACES, start=1)
            ),
            Line(name="straight", kind="straight", length=5, points=plain, served_points=served),
            Line(name="full_house", kind="full_house", points=30, served_points=35),
            Line(name="poker", kind="of_a_kind", n=4, exactly=True, points=40, served_points=45),
            Line(name="grande", kind="all_alike", points=50, served_points=served_grande),
        ]
        if self.double_grande_row:
            lines.append(Line(name="double_grande", kind="all_alike", points=0, served_points=100))
        when: dict[str, Literal["zero", "filled", "always"]] = {
            "struck_same_column": "zero",
            "struck_any_column": "zero",
            "closed_same_column": "filled",
            "always": "always",
        }
        alike_as = None
        if self.five_as_poker_full != "never":
            alike_as = AlikeAs(line="grande", lines=("full_house", "poker"), when=when[self.five_as_poker_full])
        single = self.columns == "1"
        settlement = Settlement(
            kind="difference" if single else "columns",
            columns=int(self.columns),
            column_values=() if single else tuple(int(value) for value in self.column_values.split(",")),
            sweep_total=0 if single else self.sweep_total,
            tie=self.column_tie,
            stake=self.stake,
            alike_any_column=self.five_as_poker_full == "struck_any_column",
            pair_choice=self.pair_choice,
        )
        return ScorecardRules(
            name=self.name,
            title=self.title,
            lines=tuple(lines),
            served=self.served,
            alike_as=alike_as,
            settlement=settlement,
        )
