"""Scandinavian Yatzy, the game that yatzy-solver is named for, as rules that the analyzer plays."""

from __future__ import annotations

import analyzer
from analyzer import Line, ScorecardRules, UpperBonus

NAME = "yatzy"


def scandinavian_yatzy() -> ScorecardRules:
    """Fifteen lines, 50 points for an upper total of 63; pairs and the like score the dice that make them."""
    faces = ("ones", "twos", "threes", "fours", "fives", "sixes")
    lines = (
        *(Line(name=name, kind="face", face=face) for face, name in enumerate(faces, start=1)),
        Line(name="one_pair", kind="of_a_kind", n=2, value="matching_dice"),
        Line(name="two_pairs", kind="two_pairs", value="matching_dice"),
        Line(name="three_of_a_kind", kind="of_a_kind", n=3, value="matching_dice"),
        Line(name="four_of_a_kind", kind="of_a_kind", n=4, value="matching_dice"),
        Line(name="small_straight", kind="straight", sets=((1, 2, 3, 4, 5),), points=15),
        Line(name="large_straight", kind="straight", sets=((2, 3, 4, 5, 6),), points=20),
        Line(name="full_house", kind="full_house"),
        Line(name="chance", kind="chance"),
        Line(name="yatzy", kind="all_alike", points=50),
    )
    bonus = UpperBonus(points=50, threshold=63, strict=False)
    return ScorecardRules(name=NAME, title="Scandinavian Yatzy", lines=lines, upper_bonus=bonus)


def rules_of(game: str) -> ScorecardRules:
    """Rules of Scandinavian Yatzy or of any game that the analyzer knows."""
    rules: ScorecardRules = scandinavian_yatzy() if game == NAME else analyzer.game(game)
    return rules
