"""What commands ask of a hand of cards, and what they print and save of card games."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Protocol

from cyclopts import Parameter

from analyzer.cli.arguments import number, whole
from analyzer.cli.output import print_json, print_table, save_tables
from analyzer.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd

    from analyzer.cli.arguments import Run
    from analyzer.games.card_rules import CardRules


_EUCHRE = "Card games: Euchre"
_PRESIDENT = "Card games: President"


@Parameter(name="*", group="Card games")
@dataclass(frozen=True)
class Hand:
    """Where a hand of cards stands."""

    hand: Annotated[str, Parameter(help="Your cards, such as 'JH AH KH 9S 9C'; * is the joker.")] = ""
    played: Annotated[
        str,
        Parameter(
            help="The cards played so far. In Euchre in their order, and you are to play; in President in any, and if"
            " they are not told, all others may be out."
        ),
    ] = ""
    worlds: Annotated[
        int | None,
        Parameter(
            converter=whole,
            help="Deals in which each choice is played on; by default 20,000 in Euchre, 2,000 in President.",
        ),
    ] = None
    seed: Annotated[int, Parameter(converter=whole, help="Of the deals that are drawn.")] = 0
    confidence: Annotated[float, Parameter(converter=number, help="Level of the intervals.")] = 0.95
    upcard: Annotated[str, Parameter(group=_EUCHRE, help="The card that was turned up.")] = ""
    seat: Annotated[
        str,
        Parameter(group=_EUCHRE, help="dealer, or the dealer's left, partner or right; of two players other."),
    ] = ""
    score: Annotated[str, Parameter(group=_EUCHRE, help="Points of your side and the others before the hand: 6-9.")] = (
        ""
    )
    second_round: Annotated[bool, Parameter(group=_EUCHRE, negative=(), help="All have passed in the first round.")] = (
        False
    )
    said: Annotated[
        str,
        Parameter(
            group=_EUCHRE,
            help="What was said from the dealer's left on, such as 'pass order' or in the second round 'pass s alone';"
            " then take or leave. What is not told is a pass up to your turn, and the dealer takes what was ordered.",
        ),
    ] = ""
    alone: Annotated[str, Parameter(group=_EUCHRE, help="Who plays alone: me, left, partner, right, dealer.")] = ""
    discard: Annotated[str, Parameter(group=_EUCHRE, help="What you, the dealer, have discarded.")] = ""
    play: Annotated[bool, Parameter(group=_EUCHRE, negative=(), help="You are to lead to the first trick.")] = False
    counts: Annotated[
        str,
        Parameter(
            group=_PRESIDENT,
            help="How many cards the others hold, clockwise from your left: 6,4,9; 0 for who is out. Not needed before"
            " the first play.",
        ),
    ] = ""
    pile: Annotated[
        str,
        Parameter(
            group=_PRESIDENT, help="The play on top, such as '7C 8C 9C' or '5H * 7H'; without it you are to lead."
        ),
    ] = ""
    last: Annotated[
        int | None,
        Parameter(
            group=_PRESIDENT,
            converter=whole,
            help="Who made it: 1 is on your left, and so on clockwise; by default the nearest on your right who may.",
        ),
    ] = None
    passed: Annotated[str, Parameter(group=_PRESIDENT, help="Who has passed on this pile, in the same way: 1,3.")] = ""
    reversed_order: Annotated[
        bool,
        Parameter(
            name="--reversed", group=_PRESIDENT, negative=(), help="A revolution is on, the play on top counted."
        ),
    ] = False
    offices: Annotated[
        str,
        Parameter(
            group=_PRESIDENT,
            help="Places of the round before, yours first, then clockwise: 1,4,2,3. Needed for an exchange.",
        ),
    ] = ""
    gave: Annotated[str, Parameter(group=_PRESIDENT, help="The cards you gave away in the exchange.")] = ""
    got: Annotated[str, Parameter(group=_PRESIDENT, help="The cards you were given in the exchange.")] = ""
    give_back: Annotated[
        bool,
        Parameter(
            group=_PRESIDENT, negative=(), help="You are to give cards back; your hand has those you were given."
        ),
    ] = False

    def given(self) -> dict[str, Any]:
        """What is not as it is by default."""
        default = Hand()
        return {name: value for name, value in asdict(self).items() if value != getattr(default, name)}

    def position(self, rules: CardRules) -> dict[str, Any]:
        """The arguments of `analyzer.advise`.

        Raises
        ------
        UsageError
            If something is given that is of another game, or what the game needs is missing.
        """
        game = type(rules).name
        for name in self.given():
            if name in _OF and _OF[name] != game:
                typed = "reversed" if name == "reversed_order" else name.replace("_", "-")
                raise UsageError(f"--{typed} means nothing in {rules.title}; leave it out")
        needed, example = _NEEDED[game]
        missing = [f"--{name}" for name in needed if not getattr(self, name)]
        if missing:
            raise UsageError(f"{', '.join(missing)} is missing; write {example}")
        return {
            name: value for name, value in asdict(self).items() if value is not None and _OF.get(name, game) == game
        }


_OF: Mapping[str, str] = MappingProxyType(
    dict.fromkeys(("upcard", "seat", "score", "second_round", "said", "alone", "discard", "play"), "euchre")
    | dict.fromkeys(
        ("counts", "pile", "last", "passed", "reversed_order", "offices", "gave", "got", "give_back"), "president"
    )
)
"""The game of what only one game asks for."""
_NEEDED: Mapping[str, tuple[tuple[str, ...], str]] = MappingProxyType(
    {
        "euchre": (
            ("hand", "upcard", "seat"),
            "--hand 'JH AH KH 9S 9C' --upcard TH --seat dealer, and --score 6-9 if it matters",
        ),
        "president": (("hand",), "--hand '3H 4H 5H 9S 2D' --pile '7C 8C 9C' --counts 6,4,9"),
    }
)
"""What each game must be told, and an example."""


class CardResult(Protocol):
    """A result of a card game."""

    def tables(self) -> dict[str, pd.DataFrame]:
        """All tables by name, as they are saved."""

    def printed(self) -> dict[str, pd.DataFrame]:
        """The tables that are printed, by title."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values, fit for JSON."""


def show_result(result: CardResult, out: str | None, run: Run, note: str = "", show: int | None = None) -> None:
    """Save the tables of a result if a folder is given, and print it, of each table so many rows if that is given."""
    save_tables(out, result.tables())
    if run.json:
        print_json(result.to_dict())
        return
    print(f"{result}\n{note}")
    most = 0
    for title, table in result.printed().items():
        print_table(table if show is None else table.head(show), title)
        most = max(most, len(table))
    if show is not None and most > show:
        print(f"More with --show {most}.")
