"""What commands ask of a hand of cards, and what they print and save of card games."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any, Protocol

from cyclopts import Parameter

from analyzer.cli.arguments import number, whole
from analyzer.cli.output import print_json, print_table, save_tables
from analyzer.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd

    from analyzer.cli.arguments import Run


@Parameter(name="*", group="Card games")
@dataclass(frozen=True)
class Hand:
    """Where a hand of cards stands."""

    hand: Annotated[str, Parameter(help="Your cards, such as 'JH AH KH 9S 9C'; * is the joker.")] = ""
    upcard: Annotated[str, Parameter(help="The card that was turned up.")] = ""
    seat: Annotated[str, Parameter(help="dealer, or the dealer's left, partner or right; of two players other.")] = ""
    score: Annotated[str, Parameter(help="Points of your side and the others before the hand: 6-9.")] = ""
    second_round: Annotated[bool, Parameter(negative=(), help="All have passed in the first round.")] = False
    said: Annotated[
        str,
        Parameter(
            help="What was said from the dealer's left on, such as 'pass order' or in the second round 'pass s alone';"
            " then take or leave. What is not told is a pass up to your turn, and the dealer takes what was ordered."
        ),
    ] = ""
    alone: Annotated[str, Parameter(help="Who plays alone: me, left, partner, right, dealer.")] = ""
    discard: Annotated[str, Parameter(help="What you, the dealer, have discarded.")] = ""
    play: Annotated[bool, Parameter(negative=(), help="You are to lead to the first trick.")] = False
    played: Annotated[str, Parameter(help="The cards played so far, in their order; you are to play.")] = ""
    worlds: Annotated[
        int | None, Parameter(converter=whole, help="Deals in which each choice is played on; 20,000 by default.")
    ] = None
    seed: Annotated[int, Parameter(converter=whole, help="Of the deals that are drawn.")] = 0
    confidence: Annotated[float, Parameter(converter=number, help="Level of the intervals.")] = 0.95

    def given(self) -> dict[str, Any]:
        """What is not as it is by default."""
        default = Hand()
        return {name: value for name, value in asdict(self).items() if value != getattr(default, name)}

    def position(self) -> dict[str, Any]:
        """The arguments of `analyzer.advise`.

        Raises
        ------
        UsageError
            If the hand, the turn-up or the seat is missing.
        """
        missing = [f"--{name}" for name in ("hand", "upcard", "seat") if not getattr(self, name)]
        if missing:
            example = "--hand 'JH AH KH 9S 9C' --upcard TH --seat dealer"
            raise UsageError(f"{', '.join(missing)} is missing; write {example}, and --score 6-9 if it matters")
        return {name: value for name, value in asdict(self).items() if value is not None}


class CardResult(Protocol):
    """A result of a card game."""

    def tables(self) -> dict[str, pd.DataFrame]:
        """All tables by name, as they are saved."""

    def printed(self) -> dict[str, pd.DataFrame]:
        """The tables that are printed, by title."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values, fit for JSON."""


def show_result(result: CardResult, out: str | None, run: Run, note: str = "") -> None:
    """Save the tables of a result if a folder is given, and print it."""
    save_tables(out, result.tables())
    if run.json:
        print_json(result.to_dict())
        return
    print(f"{result}\n{note}")
    for title, table in result.printed().items():
        print_table(table, title)
