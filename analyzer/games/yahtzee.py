"""Yahtzee: thirteen lines, an upper bonus, and two readings of the joker rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from analyzer.dice.clauses import ExtraFive, UpperBonus
from analyzer.dice.lines import Line
from analyzer.dice.scorecard import MOST_THROWS, ScorecardRules
from analyzer.games.options import check_options, option


@dataclass(frozen=True, slots=True, kw_only=True)
class Yahtzee:
    """The options of Yahtzee.

    Five dice, up to three throws, thirteen lines. Three and four of a kind score the sum of all dice.

    Parameters
    ----------
    joker
        How five alike are entered once the yahtzee line is filled, be it with 50 or 0. ``forced``: in the
        upper line of their face if it is open, else in any lower line, where they are worth 25, 30, 40 or the
        sum of the dice, else as 0 in an upper line. ``free``: in any open line, with these values if the
        upper line of their face is filled. ``none``: like any other dice.
    extra_five
        True: five alike score 100 points beside their entry while the yahtzee line holds 50.
    upper_bonus
        ``gte63``: 35 points for an upper total of 63 or more. ``gt63``: for more than 63.
    lock_kept
        True: dice once kept may not be thrown again in the same turn.
    throws
        Throws per turn, 1..10.

    Raises
    ------
    RulesError
        If an option has a value that is not allowed.

    Examples
    --------
    >>> rules = Yahtzee(joker="free").scorecard()
    >>> len(rules.lines), rules.score([2, 3, 4, 5, 5], "small straight")
    (13, 30)
    """

    name: ClassVar[str] = "yahtzee"
    title: ClassVar[str] = "Yahtzee"

    joker: Literal["forced", "free", "none"] = option(
        "forced", "How five alike are entered once the yahtzee line is filled."
    )
    extra_five: bool = option(True, "Whether five alike score 100 more while the yahtzee line holds 50.")
    upper_bonus: Literal["gte63", "gt63"] = option("gte63", "Upper total that earns 35 points: from 63, or over 63.")
    lock_kept: bool = option(False, "Whether dice once kept stay for the rest of the turn.")
    throws: int = option(3, "Throws per turn, the first one included.", low=1, high=MOST_THROWS)

    def __post_init__(self) -> None:
        check_options(self, self.name)

    def scorecard(self) -> ScorecardRules:
        """Return the rules with these options."""
        faces = ("aces", "twos", "threes", "fours", "fives", "sixes")
        lines = (
            *(Line(name=name, kind="face", face=face) for face, name in enumerate(faces, start=1)),
            Line(name="three_of_a_kind", kind="of_a_kind", n=3),
            Line(name="four_of_a_kind", kind="of_a_kind", n=4),
            Line(name="full_house", kind="full_house", points=25),
            Line(name="small_straight", kind="straight", length=4, points=30),
            Line(name="large_straight", kind="straight", length=5, points=40),
            Line(name="yahtzee", kind="all_alike", points=50),
            Line(name="chance", kind="chance"),
        )
        extra_five = None
        if self.extra_five or self.joker != "none":
            points = 100 if self.extra_five else 0
            extra_five = ExtraFive(line="yahtzee", points=points, joker=self.joker, joker_when_zero=True)
        return ScorecardRules(
            name=self.name,
            title=self.title,
            lines=lines,
            throws=self.throws,
            lock_kept=self.lock_kept,
            upper_bonus=UpperBonus(points=35, threshold=63, strict=self.upper_bonus == "gt63"),
            extra_five=extra_five,
        )
