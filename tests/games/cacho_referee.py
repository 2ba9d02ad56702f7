"""Slow referee of Cacho Alalay in plain Python: real dice, sheets of points, and nothing of the compiled code.

Dice are sorted tuples of faces 1..6. A sheet is a dict from cell to points that holds the filled cells only; a
struck cell holds 0. Players must not change the sheets they are shown. Every thrown die is one call of
`rng.randint(1, 6)`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations
from random import Random
from typing import Literal, Protocol, TypedDict, runtime_checkable

Dice = tuple[int, ...]
Sheet = dict[str, int]
Flips = tuple[int, ...]
"""Places of the flipped dice among the sorted dice, in rising order."""
End = Literal["full", "dormida", "panza_de_oro", "four_of_every_number"]

NUMBERS = ("ones", "twos", "threes", "fours", "fives", "sixes")
GRANDES = ("grande_1", "grande_2")
CELLS = (*NUMBERS, "straight", "full_house", "poker", *GRANDES)
STRAIGHTS = ((1, 2, 3, 4, 5), (2, 3, 4, 5, 6), (1, 3, 4, 5, 6))
BEST_MIDDLE = {"straight": 25, "full_house": 35, "poker": 45}
DICE = 5


@dataclass(frozen=True)
class CachoOptions:
    """Switches of the rules.

    Attributes
    ----------
    throws
        Most throws of a turn. A third throw is an addition: the turn may end after the second exactly as in the
        game of two throws, also with a strike.
    first_flip
        Whether one die has to be flipped after the second or a later throw, unless the flip is waived. After
        the first throw no flip is ever compulsory, nor where flips are not allowed at all.
    max_flips
        Most dice that are flipped in a turn, each of them once.
    grandes_needed
        Scored grandes that a win by the middle cells or by all numbers takes; a struck one does not count.
    flip_after_throw1
        Whether one die may be flipped on stopping after the first throw.
    flip_waiver
        A throw of all five dice that shows a straight, full house, poker or five alike needs no flip, even if
        no cell is open for it; or only if an open cell other than a number scores the dice as they lie (for
        five alike a grande cell or, where it accepts them, poker). A waived flip may still be made.
    natural_waives_flip
        A combination that a throw of fewer dice completes waives the flip too, as `flip_waiver` has it. It is
        entered at the lower value all the same.
    second_flip
        Every flip after the first is free, or has to raise the best value of the dice over all open cells. The
        player may flip in any order, so dice may be flipped if some order raises the value every time; the
        first flip has no such condition, not even where it is voluntary.
    strike_ban
        A strike is allowed if the dice as they lie after the flips score in no open cell; or besides no other
        legal choice of flips may score, so flips that leave nothing are illegal if any legal ones score; or
        always. It is no matter what further throws could bring.
    stop_after_throw1
        A player who stops after the first throw has to enter something that scores, whatever `strike_ban` says:
        in any cell, or in any but the six numbers. Where a flip is allowed there, the dice after it count.
    poker_accepts_five
        Whether five alike score as poker.
    dormida
        Five alike in a throw of all five dice win at once whichever throw it is, or only in the first throw.
        Otherwise they are a combination like any other.
    flips_from_throw
        First throw after which dice may be flipped. Flips end the throwing. After the first throw
        `flip_after_throw1` allows one flip in any case.
    team_turn
        A turn is one attempt; or, after an attempt and the choice of its cell, the player writes it, which ends
        the turn, or holds cell and points (a strike too) for a second attempt, after which either the held
        points are written or the new dice are entered as usual. Every turn fills one cell.
    declare_after_throw1
        Who throws again after the first throw announces an open cell then. The turn is entered there, with what the
        dice after the flips score or as a strike; from then on all other cells count as filled, whatever is asked. Who
        stops after the first throw announces nothing, and a dormida wins whatever was announced.
    """

    throws: Literal[2, 3] = 2
    first_flip: Literal["compulsory", "optional"] = "compulsory"
    max_flips: int = 2
    grandes_needed: Literal[1, 2] = 1
    flip_after_throw1: Literal["no", "one"] = "no"
    flip_waiver: Literal["pattern_shown", "cell_open"] = "pattern_shown"
    natural_waives_flip: bool = False
    second_flip: Literal["free", "must_improve"] = "free"
    strike_ban: Literal["final_dice", "any_reachable", "off"] = "final_dice"
    stop_after_throw1: Literal["any_scoring", "centre_only"] = "any_scoring"
    poker_accepts_five: bool = True
    dormida: Literal["any_full_throw", "first_throw_only"] = "any_full_throw"
    flips_from_throw: Literal[2, 3, 1] = 2
    team_turn: Literal["off", "two_attempts"] = "off"
    declare_after_throw1: bool = False

    def __post_init__(self) -> None:
        if self.flips_from_throw > self.throws:
            raise ValueError("flips would never be allowed")
        if not (self.first_flip == "compulsory") <= self.max_flips <= DICE:
            raise ValueError(f"impossible number of flips: {self.max_flips}")


class CachoPlayer(Protocol):
    """Who decides."""

    def keep(self, dice: Dice, throw_number: int, full_throw: bool, sheet: Sheet) -> Dice:
        """Dice that stay; all five end the throwing, none throws all five again."""
        ...

    def flip(self, dice: Dice, throw_number: int, full_throw: bool, sheet: Sheet, legal: list[Flips]) -> Flips:
        """One of the legal flips; asked once the throwing is over, even if there is no choice."""
        ...

    def enter(self, dice: Dice, de_mano: bool, sheet: Sheet, legal: dict[str, int]) -> str:
        """Cell for the dice, out of the legal ones."""
        ...


@runtime_checkable
class CachoAnnouncer(CachoPlayer, Protocol):
    """Who decides where a cell is announced; afterwards the sheets shown have no other cell open."""

    def announce(self, dice: Dice, kept: Dice, sheet: Sheet) -> str:
        """Open cell that the turn will be entered in, for who throws again after the first throw."""
        ...


@runtime_checkable
class CachoTeamPlayer(CachoPlayer, Protocol):
    """Who decides where a turn has two attempts."""

    def hold(self, cell: str, points: int, sheet: Sheet) -> bool:
        """Whether the first attempt is held for a second one instead of written."""
        ...

    def take_held(self, cell: str, points: int, dice: Dice, de_mano: bool, sheet: Sheet) -> bool:
        """Whether the held points are written, and not the dice of the second attempt."""
        ...


def cell_points(options: CachoOptions, dice: Dice, de_mano: bool, cell: str) -> int:
    """Points of dice in a cell, 0 if they do not fit."""
    if len(dice) != DICE or not all(1 <= die <= 6 for die in dice):
        raise ValueError(f"not five dice: {dice}")
    counts = sorted(Counter(dice).values(), reverse=True)
    if cell in NUMBERS:
        face = NUMBERS.index(cell) + 1
        return face * dice.count(face)
    if cell in GRANDES:
        return 50 if counts == [5] else 0
    match cell:
        case "straight":
            fits, mano, huevo = tuple(sorted(dice)) in STRAIGHTS, 25, 20
        case "full_house":
            fits, mano, huevo = counts == [3, 2], 35, 30
        case "poker":
            fits, mano, huevo = counts == [4, 1] or (counts == [5] and options.poker_accepts_five), 45, 40
        case _:
            raise ValueError(f"no such cell: {cell}")
    if not fits:
        return 0
    return mano if de_mano else huevo


def open_points(options: CachoOptions, dice: Dice, de_mano: bool, sheet: Sheet) -> dict[str, int]:
    """Every open cell and what the dice score there."""
    return {cell: cell_points(options, dice, de_mano, cell) for cell in CELLS if cell not in sheet}


def announced_sheet(sheet: Sheet, cell: str) -> Sheet:
    """The sheet as it counts once a cell is announced: no other cell is open."""
    return {other: sheet.get(other, 0) for other in CELLS if other != cell}


def flipped(dice: Dice, flips: Flips) -> Dice:
    """Sorted dice after some of them, given by their places among the sorted dice, are turned upside down."""
    return tuple(sorted(7 - die if place in flips else die for place, die in enumerate(sorted(dice))))


def shows_combination(dice: Dice) -> bool:
    """Whether dice show a straight, full house, poker or five alike."""
    counts = sorted(Counter(dice).values(), reverse=True)
    return tuple(sorted(dice)) in STRAIGHTS or counts in ([3, 2], [4, 1], [5])


def flip_waived(options: CachoOptions, dice: Dice, full_throw: bool, sheet: Sheet) -> bool:
    """Whether dice may stay as the second or third throw left them."""
    if options.first_flip == "optional":
        return True
    if not (full_throw or options.natural_waives_flip) or not shows_combination(dice):
        return False
    if options.flip_waiver == "pattern_shown":
        return True
    points = open_points(options, dice, full_throw, sheet)
    return any(value > 0 for cell, value in points.items() if cell not in NUMBERS)


def flips_improve(options: CachoOptions, dice: Dice, flips: Flips, sheet: Sheet) -> bool:
    """Whether in some order every flip after the first raises the best value over the open cells."""

    def best(made: Flips) -> int:
        return max(open_points(options, flipped(dice, made), False, sheet).values())

    return any(
        all(best(order[:n]) > best(order[: n - 1]) for n in range(2, len(order) + 1)) for order in permutations(flips)
    )


def entries_after(
    options: CachoOptions, dice: Dice, throw_number: int, full_throw: bool, sheet: Sheet, flips: Flips
) -> dict[str, int]:
    """Entries that score on stopping after a throw and making some flips."""
    de_mano = full_throw and not flips
    points = open_points(options, flipped(dice, flips), de_mano, sheet)
    return {cell: value for cell, value in points.items() if value > 0 and allowed_cell(options, throw_number, cell)}


def allowed_cell(options: CachoOptions, throw_number: int, cell: str) -> bool:
    """Whether a cell may be filled on stopping after a throw."""
    return throw_number > 1 or options.stop_after_throw1 == "any_scoring" or cell not in NUMBERS


def legal_flips(options: CachoOptions, dice: Dice, throw_number: int, full_throw: bool, sheet: Sheet) -> list[Flips]:
    """Every choice of flips on stopping after a throw, () for none; an empty list if stopping is not allowed.

    After the first throw only choices that leave something to score are legal.
    """
    least, most = 0, 0
    if throw_number >= options.flips_from_throw:
        most = options.max_flips
        if throw_number > 1 and not flip_waived(options, dice, full_throw, sheet):
            least = 1
    elif throw_number == 1 and options.flip_after_throw1 == "one":
        most = min(1, options.max_flips)
    choices = [flips for size in range(least, most + 1) for flips in combinations(range(DICE), size)]
    if options.second_flip == "must_improve":
        choices = [flips for flips in choices if len(flips) < 2 or flips_improve(options, dice, flips, sheet)]
    scoring = [flips for flips in choices if entries_after(options, dice, throw_number, full_throw, sheet, flips)]
    if throw_number == 1 or (options.strike_ban == "any_reachable" and scoring):
        return scoring
    return choices


def can_stop(options: CachoOptions, dice: Dice, throw_number: int, full_throw: bool, sheet: Sheet) -> bool:
    """Whether the throwing may end after a throw; it always may after the second."""
    return bool(legal_flips(options, dice, throw_number, full_throw, sheet))


def legal_entries(
    options: CachoOptions,
    dice_after_flips: Dice,
    de_mano: bool,
    sheet: Sheet,
    reachable_scores: bool,
    throw_number: int = 2,
) -> dict[str, int]:
    """Every legal entry and its points, 0 for a strike.

    Parameters
    ----------
    options, dice_after_flips, de_mano, sheet
        Rules, dice as they lie, whether they lie unflipped in a throw of all five, and filled cells.
    reachable_scores
        Whether any legal choice of flips, the one made included, would have scored. Where that bans strikes and
        the dice made score nothing, there is no legal entry.
    throw_number
        Throw after which the player stopped; after the first there are no strikes, and maybe no numbers.
    """
    points = open_points(options, dice_after_flips, de_mano, sheet)
    scoring = {cell: value for cell, value in points.items() if value > 0}
    if throw_number == 1:
        return {cell: value for cell, value in scoring.items() if allowed_cell(options, throw_number, cell)}
    if options.strike_ban == "off":
        return points
    if scoring or (options.strike_ban == "any_reachable" and reachable_scores):
        return scoring
    return points


def is_dormida(options: CachoOptions, dice: Dice, throw_number: int, full_throw: bool) -> bool:
    """Whether a throw wins at once."""
    return full_throw and len(set(dice)) == 1 and (throw_number == 1 or options.dormida == "any_full_throw")


def sheet_win(options: CachoOptions, sheet: Sheet) -> Literal["panza_de_oro", "four_of_every_number"] | None:
    """Win by the entries of a sheet; the middle cells go first."""
    if sum(sheet.get(cell, 0) > 0 for cell in GRANDES) < options.grandes_needed:
        return None
    if all(sheet.get(cell) == value for cell, value in BEST_MIDDLE.items()):
        return "panza_de_oro"
    if all(sheet.get(cell, 0) >= 4 * face for face, cell in enumerate(NUMBERS, 1)):
        return "four_of_every_number"
    return None


@dataclass(frozen=True)
class Attempt:
    """Dice of an attempt after throwing and flipping.

    Attributes
    ----------
    dice, de_mano
        Final dice, and whether they lie unflipped in a throw of all five.
    entries
        Legal entries with their points; none after a dormida.
    dormida
        Whether the attempt won the game.
    """

    dice: Dice
    de_mano: bool
    entries: dict[str, int]
    dormida: bool = False


class CachoTurn:
    """One turn of a player; `ignore_wins` plays on after five alike."""

    def __init__(
        self, options: CachoOptions, player: CachoPlayer, sheet: Sheet, rng: Random, ignore_wins: bool = False
    ) -> None:
        self.options = options
        self.player = player
        self.sheet = sheet
        self.rng = rng
        self.ignore_wins = ignore_wins

    def attempt(self) -> Attempt:
        """Throw and flip."""
        kept: Dice = ()
        number = 0
        sheet = self.sheet
        while True:
            number += 1
            missing = DICE - len(kept)
            full_throw = missing == DICE
            dice = tuple(sorted((*kept, *(self.rng.randint(1, 6) for _ in range(missing)))))
            if not self.ignore_wins and is_dormida(self.options, dice, number, full_throw):
                return Attempt(dice, True, {}, dormida=True)
            if number == self.options.throws:
                break
            kept = tuple(self.player.keep(dice, number, full_throw, sheet))
            if Counter(kept) - Counter(dice):
                raise ValueError(f"cannot keep {kept} of {dice}")
            if len(kept) == DICE:
                break
            if self.options.declare_after_throw1 and number == 1:
                sheet = announced_sheet(self.sheet, self.announced(dice, kept))
        legal = legal_flips(self.options, dice, number, full_throw, sheet)
        if not legal:
            raise ValueError(f"cannot stop on {dice}")
        flips = self.player.flip(dice, number, full_throw, sheet, legal)
        if flips not in legal:
            raise ValueError(f"cannot flip {flips} of {dice}")
        reachable = any(entries_after(self.options, dice, number, full_throw, sheet, other) for other in legal)
        final, de_mano = flipped(dice, flips), full_throw and not flips
        return Attempt(final, de_mano, legal_entries(self.options, final, de_mano, sheet, reachable, number))

    def announced(self, dice: Dice, kept: Dice) -> str:
        """Cell that the player announces after the first throw."""
        if not isinstance(self.player, CachoAnnouncer):
            raise TypeError("a cell has to be announced by a player who can")
        cell = self.player.announce(dice, kept, self.sheet)
        if cell not in CELLS or cell in self.sheet:
            raise ValueError(f"cannot announce {cell}")
        return cell

    def choose(self, attempt: Attempt) -> tuple[str, int]:
        """Cell and points that the player picks for an attempt."""
        cell = self.player.enter(attempt.dice, attempt.de_mano, self.sheet, attempt.entries)
        if cell not in attempt.entries:
            raise ValueError(f"cannot enter {attempt.dice} as {cell}")
        return cell, attempt.entries[cell]

    def play(self) -> Literal["dormida", "panza_de_oro", "four_of_every_number"] | None:
        """Play the turn, fill a cell, and give how it won the game, if it did."""
        attempt = self.attempt()
        if attempt.dormida:
            return "dormida"
        cell, points = self.choose(attempt)
        if self.options.team_turn == "two_attempts":
            if not isinstance(self.player, CachoTeamPlayer):
                raise TypeError("two attempts need a player who can hold")
            if self.player.hold(cell, points, self.sheet):
                attempt = self.attempt()
                if attempt.dormida:
                    return "dormida"
                if not self.player.take_held(cell, points, attempt.dice, attempt.de_mano, self.sheet):
                    cell, points = self.choose(attempt)
        self.sheet[cell] = points
        return None if self.ignore_wins else sheet_win(self.options, self.sheet)


@dataclass(frozen=True)
class CachoMatch:
    """A match that is over.

    Attributes
    ----------
    sheets, totals
        Sheet and sum of every player, by seat.
    ended, round
        How and in which round it ended.
    winners, shares
        Who won, several after a tie, and the share of the win of every player.
    """

    sheets: list[Sheet]
    totals: list[int]
    ended: End
    round: int
    winners: list[int]
    shares: list[Fraction]


def play_match(
    options: CachoOptions, players: Sequence[CachoPlayer], rng: Random, ignore_wins: bool = False
) -> CachoMatch:
    """Play a whole game, round by round in the order of the seats, or up to the first instant win."""
    sheets: list[Sheet] = [{} for _ in players]

    def result(ended: End, number: int, winners: list[int]) -> CachoMatch:
        shares = [Fraction(seat in winners, len(winners)) for seat in range(len(players))]
        return CachoMatch(sheets, [sum(sheet.values()) for sheet in sheets], ended, number, winners, shares)

    for number in range(1, len(CELLS) + 1):
        for seat, player in enumerate(players):
            won = CachoTurn(options, player, sheets[seat], rng, ignore_wins).play()
            if won is not None:
                return result(won, number, [seat])
    best = max(sum(sheet.values()) for sheet in sheets)
    return result("full", len(CELLS), [seat for seat, sheet in enumerate(sheets) if sum(sheet.values()) == best])


class Solitaire(TypedDict):
    """Game of one player: the sheet, how the game ended and in which round."""

    sheet: Sheet
    ended: End
    round: int


def play_solitaire(options: CachoOptions, player: CachoPlayer, rng: Random, ignore_wins: bool = False) -> Solitaire:
    """Play the game of one player."""
    match = play_match(options, [player], rng, ignore_wins)
    return {"sheet": match.sheets[0], "ended": match.ended, "round": match.round}
