"""Cacho Alalay, the Bolivian tournament form: two throws, then dice are flipped, and four ways to win."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from analyzer.dice.clauses import Flips, InstantWin, Settlement
from analyzer.dice.lines import Line
from analyzer.dice.scorecard import FirstStop, ScorecardRules, Strike
from analyzer.errors import RulesError
from analyzer.games.options import check_options, option

NUMBERS = ("ones", "twos", "threes", "fours", "fives", "sixes")
GRANDES = ("grande_1", "grande_2")


@dataclass(frozen=True, slots=True, kw_only=True)
class CachoAlalay:
    """The options of Cacho Alalay.

    Five dice, eleven cells: six numbers, straight, full house, poker and two grandes. A combination lies *de mano* if
    it is as a throw of all five dice left it, else *de huevo*. After the second throw a die is flipped (v to 7 - v),
    and a second one may be; a cell may be struck only if nothing scores.

    Parameters
    ----------
    throws
        Throws per turn, 2 or 3 (the family variant).
    first_flip
        Whether one die must be flipped after the last throw, or may.
    max_flips
        How many different dice may be flipped: 1 or 2.
    flips_from_throw
        The first throw after which dice are flipped; flips end the turn's throwing.
    flip_after_throw1
        Whether one die may be flipped after throw 1: no, or one.
    flip_waiver
        Whether a combination in a throw of all five dice waives the flip always, or only if its cell is open.
    natural_waives_flip
        True: a combination waives the flip also when fewer dice were thrown.
    second_flip
        Whether a second die may be flipped at will, or only if the best open cell gains by it.
    strike_ban
        A cell may be struck only if the dice score nothing: judged by the final dice, or over all flips that the player
        could have made; off: at any time.
    stop_after_throw1
        What may be entered after throw 1: anything that scores, or combinations only.
    declare_after_throw1
        True: who throws again after throw 1 announces an open cell then, and must enter the turn there, if only as a
        strike. Other cells count as filled from then on.
    poker_accepts_five
        True: five alike are a poker too.
    dormida
        Which throws of five alike win at once: any of all five dice, or the first only.
    grandes_needed
        Scored grandes that panza de oro and four of every number need: 1 or 2.
    team_turn
        Whether a turn is one attempt, or two, of which the first may be held.
    instant_wins
        False: nobody wins at once; the game always goes on to the full sheet.

    Raises
    ------
    RulesError
        If an option has a value that is not allowed, or flips start after the last throw.

    Examples
    --------
    >>> rules = CachoAlalay().scorecard()
    >>> rules.score([3, 4, 5, 6, 1], "straight", served=True), [win.name for win in rules.instant_wins]
    (25, ['dormida', 'panza_de_oro', 'four_of_every_number'])
    """

    name: ClassVar[str] = "cacho_alalay"
    title: ClassVar[str] = "Cacho Alalay"

    throws: int = option(2, "Throws per turn; 3 is the family variant.", low=2, high=3)
    first_flip: Literal["compulsory", "optional"] = option(
        "compulsory", "Whether one die must be flipped after the last throw."
    )
    max_flips: int = option(2, "How many different dice may be flipped.", low=1, high=2)
    flips_from_throw: int = option(2, "The first throw after which dice are flipped.", low=1, high=3)
    flip_after_throw1: Literal["no", "one"] = option("no", "Whether one die may be flipped after throw 1.")
    flip_waiver: Literal["pattern_shown", "cell_open"] = option(
        "pattern_shown", "When a combination in a throw of all five dice waives the flip."
    )
    natural_waives_flip: bool = option(False, "Whether a combination waives it also if fewer dice were thrown.")
    second_flip: Literal["free", "must_improve"] = option(
        "free", "Whether a second flip must make the best open cell worth more."
    )
    strike_ban: Literal["final_dice", "any_reachable", "off"] = option(
        "final_dice", "What must score nothing before a cell may be struck."
    )
    stop_after_throw1: Literal["any_scoring", "centre_only"] = option(
        "any_scoring", "What may be entered after throw 1."
    )
    declare_after_throw1: bool = option(False, "Whether who throws again after throw 1 announces the cell to fill.")
    poker_accepts_five: bool = option(True, "Whether five alike are a poker too.")
    dormida: Literal["any_full_throw", "first_throw_only"] = option(
        "any_full_throw", "Which throws of five alike win at once."
    )
    grandes_needed: int = option(1, "Scored grandes that a win by the sheet needs.", low=1, high=2)
    team_turn: Literal["off", "two_attempts"] = option("off", "Whether a turn of a team has two attempts.")
    instant_wins: bool = option(True, "Whether dormida, panza de oro and four of every number win at once.")

    def __post_init__(self) -> None:
        check_options(self, self.name)
        if self.flips_from_throw > self.throws:
            raise RulesError(
                f"{self.name}: flips_from_throw = {self.flips_from_throw} is after the last of {self.throws} throws;"
                f" choose 1..{self.throws}"
            )

    def scorecard(self) -> ScorecardRules:
        """Return the rules of one sheet with these options."""
        sets = ((1, 2, 3, 4, 5), (2, 3, 4, 5, 6), (1, 3, 4, 5, 6))
        numbers = enumerate(NUMBERS, start=1)
        strike: dict[str, Strike] = {"final_dice": "banned", "any_reachable": "banned_if_avoidable", "off": "free"}
        first_stop: FirstStop = "scoring" if self.stop_after_throw1 == "any_scoring" else "patterns"
        return ScorecardRules(
            name=self.name,
            title=self.title,
            throws=self.throws,
            lines=(
                *(Line(name=name, kind="face", face=face, section="lower") for face, name in numbers),
                Line(name="straight", kind="straight", sets=sets, points=20, served_points=25),
                Line(name="full_house", kind="full_house", points=30, served_points=35),
                Line(
                    name="poker",
                    kind="of_a_kind",
                    n=4,
                    exactly=not self.poker_accepts_five,
                    points=40,
                    served_points=45,
                ),
                *(Line(name=name, kind="all_alike", points=50, label=f"Grande {name[-1]}") for name in GRANDES),
            ),
            flips=Flips(
                first=self.first_flip,
                most=self.max_flips,
                from_throw=self.flips_from_throw,
                early=int(self.flip_after_throw1 == "one"),
                waiver=self.flip_waiver,
                natural_waives=self.natural_waives_flip,
                second=self.second_flip,
            ),
            strike=strike[self.strike_ban],
            first_stop=first_stop,
            declare=self.declare_after_throw1,
            instant_wins=self._wins() if self.instant_wins else (),
            settlement=Settlement(two_attempts=self.team_turn == "two_attempts", tie="split"),
        )

    def _wins(self) -> tuple[InstantWin, ...]:
        centre = (("straight", 25), ("full_house", 35), ("poker", 45))
        numbers = tuple((name, 4 * face) for face, name in enumerate(NUMBERS, start=1))
        return (
            InstantWin(name="dormida", throw=self.dormida),
            InstantWin(
                name="panza_de_oro", title="Panza de oro", needs=centre, any_of=GRANDES, count=self.grandes_needed
            ),
            InstantWin(name="four_of_every_number", needs=numbers, any_of=GRANDES, count=self.grandes_needed),
        )
