"""What `analyzer.compare` compares of Euchre: hands that one policy plays in all seats, and mirrored matches.

See `analyzer.analysis.contests`. The address of a hand or a match is its number, so that all arms meet the same cards
as far as their decks are the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.analysis.contests import Measure
from analyzer.analysis.euchre.hands import ASKED_BLOCK, BLOCK, own_points
from analyzer.analysis.euchre.matches import SHARES, bind_players, play_groups, win_shares
from analyzer.analysis.euchre.policies import bind_all
from analyzer.engine.executors import map_threads
from analyzer.games.euchre.hand_log import (
    BIDDING_ROUND,
    DEFENDER_ALONE,
    MAKER_ALONE,
    MAKERS_POINTS,
    MAKERS_TRICKS,
    POSITION_OF_MAKER,
    ROW,
)
from analyzer.games.euchre.play import EUCHRED, GAMES_WON, MOST_HANDS, POINTS_MADE, TRUMPS_MADE, play_hands

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analyzer.analysis.arms import Arm
    from analyzer.engine.blocks import Block
    from analyzer.games.euchre.play import Table
    from analyzer.games.euchre.rules import Euchre


@dataclass(frozen=True, eq=False)
class HandContest:
    """Single hands at no score, in which one policy sits in all seats."""

    rules: Euchre
    policy: str
    table: Table

    job = "hands"

    @cached_property
    def measures(self) -> tuple[Measure, ...]:
        """See `Contest`."""
        most, dealer = 4, "the dealer's side" if self.rules.players == "4" else "the dealer"
        found = [
            Measure("dealer_points", f"Net points of {dealer}", "points", -most, most),
            Measure("maker_points", "Net points of the makers", "points", -most, most),
            Measure("scored", "Points scored", "points", 0, most),
            Measure("passed", "All pass", "rate", 0, 1),
            Measure("first_round", "Trump in round 1", "rate", 0, 1),
            Measure("second_round", "Trump in round 2", "rate", 0, 1),
            Measure("euchre", "Euchre", "rate", 0, 1),
            Measure("march", "March", "rate", 0, 1),
        ]
        if self.rules.players == "4":
            found += [
                Measure("lone_maker", "Maker alone", "rate", 0, 1),
                Measure("lone_march", "March alone", "rate", 0, 1),
                Measure("lone_defender", "Defender alone", "rate", 0, 1),
            ]
        return tuple(found)

    def play(self, seed: int, block: Block, workers: int | None) -> NDArray[np.integer]:
        """See `Contest`."""
        parts = block.cut(BLOCK if self.table.in_kernels else ASKED_BLOCK)
        rows = np.concatenate(map_threads(lambda part: play_hands(self.table, seed, part), parts, workers))
        players = int(self.rules.players)
        points, tricks = rows[:, MAKERS_POINTS], rows[:, MAKERS_TRICKS]
        made, alone = rows[:, POSITION_OF_MAKER] >= 0, rows[:, MAKER_ALONE]
        march = made & (tricks == 5)
        found = [
            own_points(rows, players - 1, players),
            points,
            np.abs(points),
            ~made,
            rows[:, BIDDING_ROUND] == 1,
            rows[:, BIDDING_ROUND] == 2,
            made & (tricks < 3),
            march,
        ]
        if players == 4:
            found += [alone, march & (alone == 1), rows[:, DEFENDER_ALONE]]
        assert rows.shape[1] == ROW
        return np.stack(found).astype(np.int32)

    def exact(self) -> None:
        """See `Contest`: nothing computes hands exactly."""

    def best_play(self) -> None:
        """See `Contest`: nobody plays best."""


@dataclass(frozen=True, eq=False)
class DealContest:
    """Groups of matches with the same cards, in which the policies sit in every way, seen by the first of them."""

    rules: Euchre
    names: tuple[str, ...]
    table: Table

    @property
    def policy(self) -> str:
        """See `Contest`."""
        return " against ".join(self.names)

    @property
    def job(self) -> str:
        """See `Contest`."""
        return f"deals of {len(self.names)} mirrored matches"

    @cached_property
    def measures(self) -> tuple[Measure, ...]:
        """See `Contest`."""
        n, games = len(self.names), self.rules.games * (2 if self.rules.slam else 1)
        most = n * games * (self.rules.target + 4)
        return (
            Measure("won", "Matches won", "rate", 0, n * SHARES, 1 / (n * SHARES)),
            Measure("games_won", "Games won", "points", 0, n * games, 1 / n),
            Measure("points", "Points in a match", "points", 0, most, 1 / n),
            Measure("made_trump", "Trump made in a match", "points", 0, n * MOST_HANDS, 1 / n),
            Measure("euchred", "Euchred in a match", "points", 0, n * MOST_HANDS, 1 / n),
            Measure("hands", "Hands in a match", "points", 0, n * MOST_HANDS, 1 / n),
        )

    def play(self, seed: int, block: Block, workers: int | None) -> NDArray[np.integer]:
        """See `Contest`."""
        n = len(self.names)

        def sums_of(part: Block) -> NDArray[np.int64]:
            rows = play_groups(self.table, seed, part)
            won, first = win_shares(rows)[:, 0], rows.sums[:, 0]
            columns = (
                won,
                first[:, GAMES_WON],
                first[:, POINTS_MADE],
                first[:, TRUMPS_MADE],
                first[:, EUCHRED],
                rows.hands,
            )
            found: NDArray[np.int64] = np.stack([column.reshape(-1, n).sum(axis=1) for column in columns], axis=1)
            return found

        parts = block.cut(BLOCK >> 4 if self.table.in_kernels else ASKED_BLOCK)
        return np.concatenate(map_threads(sums_of, parts, workers)).T

    def exact(self) -> None:
        """See `Contest`: nothing computes matches exactly."""

    def best_play(self) -> None:
        """See `Contest`: what is best depends on the other players."""


def contest_of(arm: Arm, solving: dict[str, Any]) -> HandContest | DealContest:
    """Bind an arm; `solving` is what policies are told."""
    rules: Any = arm.rules
    if arm.players:
        bound, table = bind_players(rules, arm.players, **solving)
        return DealContest(rules, tuple(one.text for one in bound), table)
    policy: Any = arm.policy
    (one,), table = bind_all(rules, [policy], **solving)
    return HandContest(rules, one.text, table)
