"""Advice for a position of President: every legal play with the place it leads to, in deals that may be."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from analyzer.analysis.arguments import level, whole
from analyzer.analysis.president.policies import bind_all
from analyzer.analysis.president.position import PresidentPosition, read_position
from analyzer.analysis.result import Sampled, records
from analyzer.engine.blocks import Block, plan
from analyzer.engine.executors import run_blocks
from analyzer.engine.provenance import Provenance
from analyzer.engine.tallies import Tally
from analyzer.errors import UsageError
from analyzer.games.president.endgame import solve_endgame
from analyzer.games.president.lowering import lower
from analyzer.games.president.own_policy import choices_in_words
from analyzer.games.president.rollouts import known_endgame, play_worlds
from analyzer.stats.estimates import mean_estimate, mean_estimate_from_sums, proportion_estimate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import TypeAlias

    from numpy.typing import NDArray

    from analyzer.games.president.play import Table
    from analyzer.games.president.rules import President

    Words: TypeAlias = str | Iterable[object]

WORLDS = 2_000
"""Deals in which every choice is played on if no number is given."""
BLOCK = 1 << 6


@dataclass(frozen=True, eq=False, repr=False)
class PresidentAdvice(Sampled):
    """The choices of a position, ranked. Made by `analyzer.advise`.

    Attributes
    ----------
    position : PresidentPosition
    policy : str
        By which everybody plays on.
    choices : tuple of str
        All that may be done, in words.
    exact : bool
        Whether all cards are known and the search tells who goes out first with best play; there is one deal then.
    confidence : float
        Of intervals.
    """

    position: PresidentPosition
    policy: str
    choices: tuple[str, ...]
    exact: bool
    tally: Tally = field(repr=False)
    provenance: Provenance = field(repr=False)
    confidence: float

    @property
    def rules(self) -> President:
        """The rules."""
        return self.position.rules

    @property
    def worlds(self) -> int:
        """Deals in which every choice was played on."""
        return int(self.tally["places"][0].sum())

    def options(self) -> pd.DataFrame:
        """The choices, best first.

        Returns
        -------
        pandas.DataFrame
            choice; place (mean) with lower and upper; loss (places behind the best choice, in the same deals) with
            loss_error (its standard error); for each place place_1, place_1_lower, place_1_upper and so on (chance to
            come there), without those that are taken.
        """
        n = self.rules.players
        places = np.arange(1, n + 1)
        totals = self.tally["places"] @ places
        best = int(np.argmin(totals))
        rows = []
        for k, counts in enumerate(self.tally["places"]):
            found = mean_estimate(places, counts, self.confidence)
            loss = self._behind(k, best)
            row: dict[str, Any] = {"choice": self.choices[k], "place": found.value}
            row |= {"lower": found.lower, "upper": found.upper, "loss": loss[0], "loss_error": loss[1]}
            if self.exact:
                row |= {"lower": found.value, "upper": found.value, "loss_error": 0.0}
            for place in places.tolist():
                if self.tally["places"][:, place - 1].any():
                    chance = proportion_estimate(int(counts[place - 1]), self.worlds, self.confidence)
                    row[f"place_{place}"] = chance.value
                    row[f"place_{place}_lower"] = chance.value if self.exact else chance.lower
                    row[f"place_{place}_upper"] = chance.value if self.exact else chance.upper
            rows.append(row)
        order = np.lexsort((np.arange(len(rows)), totals))
        return pd.DataFrame([rows[k] for k in order])

    def _behind(self, k: int, best: int) -> tuple[float, float]:
        """By how many places a choice is behind another in the same deals, and the standard error of that."""
        products, places = self.tally["products"], np.arange(1, self.rules.players + 1)
        total = int(self.tally["places"][k] @ places) - int(self.tally["places"][best] @ places)
        squares = int(products[k, k]) + int(products[best, best]) - 2 * int(products[k, best])
        found = mean_estimate_from_sums(self.worlds, total, squares, self.confidence)
        return found.value, found.standard_error

    @property
    def best(self) -> str:
        """The choice of the best mean place."""
        return str(self.options()["choice"].iloc[0])

    def main_table(self) -> pd.DataFrame:
        """See `Shown`."""
        return self.options()

    def tables(self) -> dict[str, pd.DataFrame]:
        """All tables by name, as they are saved."""
        return {"options": self.options()}

    def printed(self) -> dict[str, pd.DataFrame]:
        """The tables that the command prints, by title."""
        frame = self.options()
        chances = [name for name in map(str, frame) if name.startswith("place_") and name.endswith(("lower", "upper"))]
        return {"Choices": frame.drop(columns=chances)}

    def to_dict(self) -> dict[str, Any]:
        """Plain values, fit for JSON; what ``analyzer advise president --json`` prints."""
        return {
            "game": self.rules.name,
            "rules_id": self.rules.id,
            "policy": self.policy,
            "position": self.position.text,
            "exact": self.exact,
            "worlds": self.worlds,
            "seed": self.seed,
            "task_id": self.task_id,
            "confidence": self.confidence,
            "options": records(self.options()),
            "provenance": self.provenance.to_dict(),
        }

    def __str__(self) -> str:
        best = self.options().iloc[0]
        if self.exact:
            told = f"place {best['place']:.0f}, exact: all cards are known"
            return f"{self.rules.title}, {self.position.text}: {best['choice']} ({told})"
        return (
            f"{self.rules.title}, {self.position.text}: {best['choice']} (mean place {best['place']:.2f};"
            f" {self.worlds:,} deals, everybody plays {self.policy})"
        )


def _text(words: Words) -> str:
    """Cards or numbers as text.

    Examples
    --------
    >>> _text([6, 4, 9]), _text("6,4,9")
    ('6 4 9', '6,4,9')
    """
    return words if isinstance(words, str) else " ".join(map(str, words))


def advise_play(
    rules: President,
    *,
    hand: Words = "",
    counts: Words = "",
    pile: Words = "",
    last: int | None = None,
    passed: Words = "",
    played: Words = "",
    reversed_order: bool = False,
    offices: Words = "",
    gave: Words = "",
    got: Words = "",
    give_back: bool = False,
    policy: str | Callable[..., Any] = "rules",
    worlds: int = WORLDS,
    seed: int = 0,
    confidence: float = 0.95,
    workers: int | None = None,
    progress: bool = False,
    cache: bool = True,  # noqa: ARG001  every game is asked alike; nothing of this one is kept
) -> PresidentAdvice:
    """Rank every legal play in a round of President, or what to give back in the exchange.

    Deals are drawn evenly from all that agree with what the player has seen. In each of them every choice is made, and
    everybody plays on by the policy, without a look at hidden cards. Where two are left and all cards are known, the
    answer is exact.

    Parameters
    ----------
    rules : President
    hand, counts, pile, last, passed, played, reversed_order, offices, gave, got, give_back
        See `analyzer.analysis.president.position.read_position`; cards and numbers as text, or as a list of them.
    policy : str or callable
        One that kernels play: `rules`, with or without slips, `lowest` or `random`.
    worlds : int
        Deals.
    seed, confidence, workers, progress, cache
        As for `analyzer.simulate`.

    Returns
    -------
    PresidentAdvice

    Raises
    ------
    PositionError
        A position that cannot be.
    UsageError, PolicyError
        Arguments that do not fit; one line says which.

    Examples
    --------
    >>> from analyzer.games.president.rules import President
    >>> advice = advise_play(President(players=3), hand="3H 4H 5H 2S 2D", counts="3,4", worlds=200)
    >>> advice.options()["choice"].nunique() == len(advice.choices)
    True
    """
    number, seed = whole("worlds", worlds, 2, 10**6), whole("seed", seed, 0, 2**64 - 1)
    confidence = level(confidence)
    position = read_position(
        rules,
        hand=_text(hand),
        counts=_text(counts),
        pile=_text(pile),
        last=last,
        passed=_text(passed),
        played=_text(played),
        reversed_order=reversed_order,
        offices=_text(offices),
        gave=_text(gave),
        got=_text(got),
        give_back=give_back,
    )
    (bound,), table = bind_all(rules, [policy])
    if bound.asked is not None:
        raise UsageError(f"policy '{bound.text}' is none to play on by; choose rules, lowest or random")
    words = choices_in_words(rules, position.own.hand, position.seen)
    choices = np.array(list(words.values()), np.int64)
    told = [*position.own, *position.seen.tolist()]
    exact = _exact(position, words)
    if exact is not None:
        provenance = Provenance(
            rules_id=rules.id, policy="best play", job=f"endgame of {told}", seed=seed, block_size=1
        )
        return PresidentAdvice(position, "best play", tuple(words), True, exact, provenance, confidence)
    provenance = Provenance(rules_id=rules.id, policy=bound.text, job=f"advice for {told}", seed=seed, block_size=BLOCK)
    tally = run_blocks(
        plan(number, BLOCK),
        lambda block: _worlds_block(table, position, choices, seed, block),
        workers=workers,
        progress=progress,
        label=f"{rules.title}: deals",
    )
    return PresidentAdvice(position, bound.text, tuple(words), False, tally, provenance, confidence)


def _exact(position: PresidentPosition, words: Mapping[str, int]) -> Tally | None:
    """What follows every choice if two are left and all cards are known; None if not, or where the search gives up."""
    ending = known_endgame(position.rules, position.own, position.seen)
    if ending is None:
        return None
    wins = solve_endgame(ending).wins
    if None in wins.values():
        return None
    n = position.rules.players
    places = np.array([n - 1 if wins[text] else n for text in words], np.int64)
    return Tally({"places": np.eye(n, dtype=np.int64)[places - 1], "products": np.outer(places, places)})


def _worlds_block(
    table: Table, position: PresidentPosition, choices: NDArray[np.int64], seed: int, block: Block
) -> Tally:
    """Play on from every choice in a block of deals, by their numbers.

    Returns
    -------
    Tally
        ``places`` by choice and place, and ``products`` of the places of two choices in the same deal, added up.
    """
    places = np.empty((choices.size, block.size), np.int8)
    own, seen = position.own, position.seen
    zero = np.uint64(0)
    players = table.players
    play_worlds(lower(table.rules), players, *own, seen, choices, np.uint64(seed), zero, 0, block.start, places)
    n = table.rules.players
    counts = np.stack([np.bincount(row, minlength=n + 1)[1:] for row in places])
    wide = places.astype(np.int64)
    return Tally({"places": counts, "products": wide @ wide.T})
