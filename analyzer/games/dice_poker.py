"""Dice Poker: fifteen lines, an upper bonus, and jokers for every poker after the first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from analyzer.dice.clauses import ExtraFive, UpperBonus
from analyzer.dice.lines import Line
from analyzer.dice.scorecard import MOST_THROWS, ScorecardRules
from analyzer.games.options import check_options, option


@dataclass(frozen=True, slots=True, kw_only=True)
class DicePoker:
    """The options of Dice Poker.

    Five dice, up to three throws, fifteen lines. A pair, two pairs, three and four of a kind score the sum of
    all dice; a second poker scores 100 beside its entry, and its dice are a joker.

    Parameters
    ----------
    upper_bonus
        ``gt63``: 35 points for an upper total higher than 63. ``gte63``: for 63 or more.
    two_pairs_same_face
        True: four alike count as two pairs.
    joker_right
        What a joker scores in a lower line. ``fixed``: as if it made the pattern. ``natural``: what the dice
        show.
    joker_when_poker_zero
        True: five alike must be entered as a joker also when the poker line holds 0 (without the 100 points).
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
    >>> rules = DicePoker(upper_bonus="gte63").scorecard()
    >>> len(rules.lines), rules.score([2, 2, 2, 3, 3], "full house"), rules.score([2, 2, 2, 3, 3], "pair")
    (15, 25, 12)
    """

    name: ClassVar[str] = "dice_poker"
    title: ClassVar[str] = "Dice Poker"

    upper_bonus: Literal["gt63", "gte63"] = option("gt63", "Upper total that earns 35 points: over 63, or from 63.")
    two_pairs_same_face: bool = option(False, "Whether four alike count as two pairs.")
    joker_right: Literal["fixed", "natural"] = option(
        "fixed", "Whether a joker in a lower line makes its pattern or scores what the dice show."
    )
    joker_when_poker_zero: bool = option(False, "Whether the joker rule holds also when the poker line holds 0.")
    lock_kept: bool = option(False, "Whether dice once kept stay for the rest of the turn.")
    throws: int = option(3, "Throws per turn, the first one included.", low=1, high=MOST_THROWS)

    def __post_init__(self) -> None:
        check_options(self, self.name)

    def scorecard(self) -> ScorecardRules:
        """Return the rules with these options."""
        faces = ("aces", "twos", "threes", "fours", "fives", "sixes")
        lines = (
            *(Line(name=name, kind="face", face=face) for face, name in enumerate(faces, start=1)),
            Line(name="pair", kind="of_a_kind", n=2),
            Line(name="two_pairs", kind="two_pairs", same_face=self.two_pairs_same_face),
            Line(name="three_of_a_kind", kind="of_a_kind", n=3),
            Line(name="four_of_a_kind", kind="of_a_kind", n=4),
            Line(name="full_house", kind="full_house", points=25),
            Line(name="small_straight", kind="straight", length=4, points=30),
            Line(name="large_straight", kind="straight", length=5, points=40),
            Line(name="poker", kind="all_alike", points=50),
            Line(name="chance", kind="chance"),
        )
        return ScorecardRules(
            name=self.name,
            title=self.title,
            lines=lines,
            throws=self.throws,
            lock_kept=self.lock_kept,
            upper_bonus=UpperBonus(points=35, threshold=63, strict=self.upper_bonus == "gt63"),
            extra_five=ExtraFive(
                line="poker",
                points=100,
                joker="forced",
                joker_when_zero=self.joker_when_poker_zero,
                joker_values=self.joker_right,
            ),
        )
