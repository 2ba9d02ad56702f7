"""What hands of Euchre come to under a policy: calls, euchres, marches and points, by seat, turn-up and hand class."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from analyzer.analysis.arguments import level, whole
from analyzer.analysis.euchre.policies import bind_all
from analyzer.analysis.result import Sampled, records
from analyzer.cards.notation import RANKS
from analyzer.engine.blocks import plan
from analyzer.engine.executors import run_blocks
from analyzer.engine.provenance import Provenance
from analyzer.engine.tallies import Tally
from analyzer.games.euchre.hand_log import (
    BIDDING_ROUND,
    CLASSES,
    DEFENDER_ALONE,
    HAND_CLASS,
    MAKER_ALONE,
    MAKERS_POINTS,
    MAKERS_TRICKS,
    MAKERS_TRUMPS,
    POSITION_OF_MAKER,
    TURN_UP_RANK,
    class_counts,
)
from analyzer.games.euchre.play import play_hands
from analyzer.games.euchre.rules import TRICKS
from analyzer.stats.estimates import Estimate, mean_estimate, proportion_estimate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from analyzer.engine.blocks import Block
    from analyzer.games.euchre.play import Table
    from analyzer.games.euchre.rules import Euchre

HANDS = 1_000_000
"""Hands simulated if no number is given."""
BLOCK = 1 << 15
"""Hands in a block, where nobody is asked outside of kernels."""
ASKED_BLOCK = 1 << 6
MOST_POINTS = 4
POINTS = np.arange(-MOST_POINTS, MOST_POINTS + 1)
ROUNDS = {1: "1", 2: "2", 0: "blind"}
TURN_UPS = (*("10" if rank == "T" else rank for rank in RANKS), "joker")
POSITIONS = {
    4: ("dealer's left", "dealer's partner", "dealer's right", "dealer"),
    3: ("dealer's left", "dealer's right", "dealer"),
    2: ("non-dealer", "dealer"),
}
"""Positions in the order of the bidding, by the number of players."""


@dataclass(frozen=True, eq=False, repr=False)
class HandsResult(Sampled):
    """Simulated hands of Euchre. Made by `analyzer.simulate`.

    Attributes
    ----------
    rules : Euchre
    policy : str
        Of everybody at the table.
    confidence : float
        Of intervals, each by itself.
    """

    rules: Euchre
    policy: str
    tally: Tally = field(repr=False)
    provenance: Provenance = field(repr=False)
    confidence: float

    exact = False
    unit = "hands"

    @property
    def hands(self) -> int:
        """Number of hands."""
        return int(self.tally["hands"].sum())

    @property
    def title(self) -> str:
        """The game."""
        return self.rules.title

    @property
    def label(self) -> str:
        """What charts call it: the policy."""
        return self.policy

    @property
    def positions(self) -> tuple[str, ...]:
        """Names of the positions."""
        return POSITIONS[int(self.rules.players)]

    @property
    def estimate(self) -> Estimate:
        """Points of the dealer's side less those of the others, per hand (with three players per pair of players)."""
        return self._points(self.tally["seats"][len(self.positions) - 1])

    def outcomes(self) -> pd.DataFrame:
        """How hands end, by who made trump.

        Returns
        -------
        pandas.DataFrame
            One row for each round and position that made trump, and one for all: round, position, hands, share (of all
            hands), points (mean, the makers' less the defenders'), points_lower, points_upper, euchred (share of these
            hands) with euchred_lower and euchred_upper, made (3 or 4 tricks), march, alone (share in which a maker
            played alone), lone_march (share of those hands in which he took all tricks), lone_defence.
        """
        rows = []
        for number, name in ROUNDS.items():
            for place, position in enumerate(self.positions):
                counts = self.tally["hands"][number, place]
                if counts.sum():
                    rows.append({"round": name, "position": position, **self._outcome(counts)})
        counts = self.tally["hands"][:3, : len(self.positions)].sum(axis=(0, 1))
        rows.append({"round": "all", "position": "all", **self._outcome(counts)})
        return pd.DataFrame(rows)

    def calls(self) -> pd.DataFrame:
        """How often each position makes trump when it is asked.

        Returns
        -------
        pandas.DataFrame
            One row for each round and position: round, position, asked (hands), called (share of these) with
            called_lower and called_upper, alone (share of the calls).
        """
        rows = []
        hands = self.tally["hands"].sum(axis=4)
        made = hands.sum(axis=(2, 3))
        left = self.hands - int(made[0].sum())
        for number in (1, 2):
            for place, position in enumerate(self.positions):
                called = int(made[number, place])
                share = proportion_estimate(called, left, self.confidence)
                alone = int(hands[number, place, 1].sum())
                rows.append(
                    {
                        "round": ROUNDS[number],
                        "position": position,
                        "asked": left,
                        "called": share.value,
                        "called_lower": share.lower,
                        "called_upper": share.upper,
                        "alone": alone / called if called else np.nan,
                    }
                )
                left -= called
        return pd.DataFrame(rows)

    def seats(self) -> pd.DataFrame:
        """What each position earns: position, points (mean, own less the other's), standard_error, lower, upper."""
        rows = []
        for position, counts in zip(self.positions, self.tally["seats"], strict=False):
            rows.append({"position": position, **_numbers(self._points(counts))})
        return pd.DataFrame(rows)

    def turn_ups(self) -> pd.DataFrame:
        """What each position earns by the rank that is turned up.

        Returns
        -------
        pandas.DataFrame
            turn_up, position, hands, points, standard_error, lower, upper, and ordered (share of hands in which the
            turn-up made trump).
        """
        rows = []
        for rank, name in enumerate(TURN_UPS):
            for place, position in enumerate(self.positions):
                counts = self.tally["turn_ups"][rank, place]
                if counts.sum():
                    row = {"turn_up": name, "position": position, "hands": int(counts.sum())}
                    ordered = int(self.tally["ordered"][rank]) / int(counts.sum())
                    rows.append(row | _numbers(self._points(counts)) | {"ordered": ordered})
        return pd.DataFrame(rows)

    def classes(self) -> pd.DataFrame:
        """What each position earns by the class of the hand it is dealt, for the suit that is proposed.

        Returns
        -------
        pandas.DataFrame
            position, trumps, bowers, off_aces, voids, hands, points (own less the other side's, mean),
            standard_error, lower, upper, asked (hands in which it was asked in the first round), called (share of
            these in which it made trump).
        """
        rows = []
        for place, position in enumerate(self.positions):
            for code in np.flatnonzero(self.tally["classes"][place].any(axis=(1, 2))):
                counts = self.tally["classes"][place, code]
                trumps, bowers, aces, voids = class_counts(int(code))
                asked, called = int(counts[1:].sum()), int(counts[2].sum())
                row = {"position": position, "trumps": trumps, "bowers": bowers, "off_aces": aces, "voids": voids}
                row |= {"hands": int(counts.sum()), **_numbers(self._points(counts.sum(axis=0)))}
                rows.append(row | {"asked": asked, "called": called / asked if asked else np.nan})
        return pd.DataFrame(rows)

    def trumps(self) -> pd.DataFrame:
        """How hands end by the trumps that who made trump held in the play.

        Returns
        -------
        pandas.DataFrame
            trumps, hands, share, euchred, made, march, lone_march (shares of these hands; a march alone counts as
            lone_march only).
        """
        rows = []
        for count, tricks in enumerate(self.tally["trumps"]):
            total = int(tricks.sum())
            if total:
                by_tricks = tricks.sum(axis=0)
                row: dict[str, Any] = {"trumps": count, "hands": total, "share": total / self.hands}
                row |= {"euchred": by_tricks[:3].sum() / total, "made": by_tricks[3:5].sum() / total}
                row |= {"march": tricks[0, 5] / total, "lone_march": tricks[1, 5] / total}
                rows.append(row)
        return pd.DataFrame(rows)

    def distribution(self) -> pd.DataFrame:
        """Points of the dealer's side less the other's: points, probability, count; 0 where all passed."""
        counts = self.tally["seats"][len(self.positions) - 1]
        kept = counts > 0
        return pd.DataFrame(
            {"points": POINTS[kept], "probability": counts[kept] / self.hands, "count": counts[kept]}
        ).reset_index(drop=True)

    def main_table(self) -> pd.DataFrame:
        """See `Shown`."""
        return self.outcomes()

    def tables(self) -> dict[str, pd.DataFrame]:
        """All tables by name, as they are saved."""
        names = ("outcomes", "calls", "seats", "turn_ups", "classes", "trumps", "distribution")
        return {name: getattr(self, name)() for name in names}

    def printed(self) -> dict[str, pd.DataFrame]:
        """The tables that the command prints, by title."""
        error = ["standard_error"]
        return {
            "How hands end, by who made trump": self.outcomes().drop(columns=["points_lower", "points_upper"]),
            "How often trump is made by who is asked": self.calls(),
            "What each position earns: own points less the other side's": self.seats().drop(columns=error),
            "By the trumps of who made trump": self.trumps(),
        }

    def to_dict(self) -> dict[str, Any]:
        """Plain values, fit for JSON; what ``analyzer simulate euchre --json`` prints."""
        return {
            "game": self.rules.name,
            "rules_id": self.rules.id,
            "policy": self.policy,
            "exact": False,
            "hands": self.hands,
            "seed": self.seed,
            "task_id": self.task_id,
            "confidence": self.confidence,
            "dealer_points": self.estimate.value,
            "interval": [self.estimate.lower, self.estimate.upper],
            **{name: records(table) for name, table in self.tables().items() if name != "classes"},
            "provenance": self.provenance.to_dict(),
        }

    def __str__(self) -> str:
        passed = int(self.tally["hands"][3].sum()) / self.hands
        if passed == 1:
            return f"{self.title}, {self.policy}: everybody passes in all {self.hands:,} hands, seed {self.seed}"
        told = self.outcomes().iloc[-1]
        return (
            f"{self.title}, {self.policy}: makers score {told['points']:+.3f} a hand, euchred {told['euchred']:.1%},"
            f" march {told['march']:.1%}; all pass {passed:.1%}; dealer's side {self.estimate}, seed {self.seed}"
        )

    def _points(self, counts: NDArray[np.int64]) -> Estimate:
        return mean_estimate(POINTS, counts, self.confidence)

    def _outcome(self, counts: NDArray[np.int64]) -> dict[str, Any]:
        """A row of `outcomes` from counts (maker alone, defender alone, tricks)."""
        total = int(counts.sum())
        if not total:
            return {"hands": 0, "share": 0.0, **dict.fromkeys(_OUTCOME, np.nan)}
        points = np.zeros(len(POINTS), np.int64)
        for alone, defended, tricks in np.ndindex(counts.shape):
            made = self.rules.points(tricks, lone_maker=bool(alone), lone_defender=bool(defended))
            points[made + MOST_POINTS] += counts[alone, defended, tricks]
        mean, euchred = self._points(points), proportion_estimate(int(counts[:, :, :3].sum()), total, self.confidence)
        lone = int(counts[1].sum())
        return {
            "hands": total,
            "share": total / self.hands,
            "points": mean.value,
            "points_lower": mean.lower,
            "points_upper": mean.upper,
            "euchred": euchred.value,
            "euchred_lower": euchred.lower,
            "euchred_upper": euchred.upper,
            "made": int(counts[:, :, 3:5].sum()) / total,
            "march": int(counts[:, :, 5].sum()) / total,
            "alone": lone / total,
            "lone_march": int(counts[1, :, 5].sum()) / lone if lone else np.nan,
            "lone_defence": int(counts[:, 1].sum()) / total,
        }


_OUTCOME = (
    *("points", "points_lower", "points_upper", "euchred", "euchred_lower", "euchred_upper"),
    *("made", "march", "alone", "lone_march", "lone_defence"),
)


def simulate_hands(
    rules: Euchre,
    policy: str | Callable[..., Any] = "rules",
    *,
    games: int | None = None,
    seed: int = 0,
    confidence: float = 0.95,
    workers: int | None = None,
    progress: bool = False,
    cache: bool = True,
) -> HandsResult:
    """Simulate hands in which everybody plays the same policy, at no score; hand i is dealt by seat i in turn.

    Parameters
    ----------
    rules : Euchre
    policy : str or callable
        See `analyzer.analysis.euchre.policies.bind_policy`.
    games : int, optional
        Hands; a million by default.
    seed : int
        From 0 to 2**64 - 1. The same task gives the same result, bit for bit, with any number of workers.
    confidence, workers, progress, cache
        As for `analyzer.simulate`.

    Returns
    -------
    HandsResult

    Raises
    ------
    UsageError, PolicyError
        Arguments that do not fit; one line says which.

    Examples
    --------
    >>> from analyzer.games.euchre.rules import Euchre
    >>> result = simulate_hands(Euchre(), "random", games=1000, seed=7)
    >>> result.hands, len(result.seats())
    (1000, 4)
    """
    number = whole("hands", HANDS if games is None else games, 1, 10**12)
    seed, confidence = whole("seed", seed, 0, 2**64 - 1), level(confidence)
    (bound,), table = bind_all(rules, [policy], workers=workers, progress=progress, cache=cache)
    size = BLOCK if table.in_kernels else ASKED_BLOCK
    provenance = Provenance(rules_id=rules.id, policy=bound.text, job="hands", seed=seed, block_size=size)
    tally = run_blocks(
        plan(number, size),
        lambda block: hands_block(table, seed, block),
        workers=workers,
        progress=progress,
        label=f"{rules.title}: hands",
    )
    return HandsResult(rules, bound.text, tally, provenance, confidence)


def hands_block(table: Table, seed: int, block: Block) -> Tally:
    """Play a block of hands and count what came of them.

    Returns
    -------
    Tally
        ``hands`` by round (3 if all passed), position of the maker, maker alone, defender alone and tricks;
        ``seats`` by position and points; ``turn_ups`` by rank, position and points; ``ordered`` by rank; ``trumps`` by
        the maker's trumps, alone and tricks; ``classes`` by position, class, what was said in the first round (0 not
        asked, 1 pass, 2 call) and points.
    """
    rows = play_hands(table, seed, block, classes=True)
    players = int(table.rules.players)
    made = rows[:, POSITION_OF_MAKER] >= 0
    maker, of = rows[:, POSITION_OF_MAKER], rows[:, BIDDING_ROUND]
    alone, tricks = rows[:, MAKER_ALONE], rows[:, MAKERS_TRICKS]
    groups = (np.where(made, of, 3), np.where(made, maker, 0), alone, rows[:, DEFENDER_ALONE], tricks)
    hands = _count((4, 4, 2, 2, TRICKS + 1), groups)
    trumps = _count((TRICKS + 1, 2, TRICKS + 1), (rows[made, MAKERS_TRUMPS], alone[made], tricks[made]))
    seats, turn_ups = np.zeros((4, len(POINTS)), np.int64), np.zeros((len(TURN_UPS), 4, len(POINTS)), np.int64)
    classes = np.zeros((4, CLASSES, 3, len(POINTS)), np.int64)
    for place in range(players):
        points = own_points(rows, place, players) + MOST_POINTS
        seats[place] = np.bincount(points, minlength=len(POINTS))
        turn_ups[:, place] = _count((len(TURN_UPS), len(POINTS)), (rows[:, TURN_UP_RANK], points))
        known = rows[:, HAND_CLASS + place] >= 0
        said = np.where((of == 1) & (maker < place), 0, np.where((of == 1) & (maker == place), 2, 1))
        keys = (rows[known, HAND_CLASS + place], said[known], points[known])
        classes[place] = _count((CLASSES, 3, len(POINTS)), keys)
    ordered = np.bincount(rows[of == 1, TURN_UP_RANK], minlength=len(TURN_UPS))
    return Tally(
        {
            "hands": hands,
            "seats": seats,
            "turn_ups": turn_ups,
            "ordered": ordered,
            "trumps": trumps,
            "classes": classes,
        }
    )


def own_points(rows: NDArray[np.int64], place: int, players: int) -> NDArray[np.int64]:
    """Points of the side of a position less those of the other side, in hands as `play_hands` gives them.

    With three players the maker's points less those of a defender, and for a defender the reverse.
    """
    points, maker = rows[:, MAKERS_POINTS], rows[:, POSITION_OF_MAKER]
    if players == 4:
        return np.where((maker - place) % 2 == 0, points, -points)
    return np.where(maker == place, points, -points)


def _count(shape: tuple[int, ...], keys: Iterable[NDArray[np.int64]]) -> NDArray[np.int64]:
    """How often each combination of keys occurs."""
    flat = np.ravel_multi_index(tuple(keys), shape)
    return np.bincount(flat, minlength=int(np.prod(shape))).reshape(shape)


def _numbers(estimate: Estimate) -> dict[str, float]:
    return {
        "points": estimate.value,
        "standard_error": estimate.standard_error,
        "lower": estimate.lower,
        "upper": estimate.upper,
    }
