"""What to do in a hand of Euchre: every choice, played on in deals that agree with what the player has seen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from analyzer.analysis.arguments import level, whole
from analyzer.analysis.euchre.policies import bind_all
from analyzer.analysis.euchre.position import choice_name, read_position
from analyzer.analysis.euchre.win_table import win_table
from analyzer.analysis.result import Sampled, records
from analyzer.cards.notation import SUITS, cards_text
from analyzer.engine.blocks import Block, plan
from analyzer.engine.executors import map_threads
from analyzer.engine.progress import progress_bar
from analyzer.engine.provenance import Provenance
from analyzer.errors import PositionError, UsageError
from analyzer.games.euchre.layout import (
    DEALER,
    DISCARDING,
    FIRST,
    HIDDEN,
    LONELY,
    NAME,
    NAME_ALONE,
    NO,
    ORDER,
    ORDER_ALONE,
    PASS,
    PROPOSED,
    SECOND,
    STAGE,
    TRUMP,
    TURN_UP,
    TURNING,
    YES,
)
from analyzer.games.euchre.likely_worlds import likely_worlds
from analyzer.games.euchre.lowering import ALONE_WITH_CALL, ASSIST_ALONE, LONE_HANDS, lower
from analyzer.games.euchre.plans import STAGES, roll_out
from analyzer.games.euchre.relabel import physical, relabel
from analyzer.stats.estimates import Estimate, mean_estimate_from_sums

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analyzer.analysis.euchre.position import EuchrePosition
    from analyzer.analysis.euchre.win_table import WinTable
    from analyzer.games.euchre.rules import Euchre

WORLDS = 20_000
"""Deals in which every choice is played on if no number is given."""
BLOCK = 1 << 10
TRIES = 200
"""Deals that are drawn at most for one that is kept."""
DOUBT = 0.1


@dataclass(frozen=True)
class Option:
    """A choice, and what it is followed by.

    Attributes
    ----------
    choice : str
        In words.
    discard : str
        What the dealer then discards, empty where he has no say.
    plan : tuple of int
        See `analyzer.games.euchre.plans`.
    """

    choice: str
    discard: str
    plan: tuple[int, ...]


@dataclass(frozen=True, eq=False, repr=False)
class EuchreAdvice(Sampled):
    """The choices of a position, ranked. Made by `advise_hand`.

    Attributes
    ----------
    position : EuchrePosition
    policy : str
        By which everybody plays on, and the others are taken to have bid.
    wins : WinTable or None
        Chances to win by score; none for three players.
    drawn : int
        Deals that were drawn to find so many in which the others would have said what they said.
    """

    position: EuchrePosition
    policy: str
    wins: WinTable | None = field(repr=False)
    options_given: tuple[Option, ...] = field(repr=False)
    points: NDArray[np.int64] = field(repr=False)
    made: NDArray[np.bool_] = field(repr=False)
    drawn: int
    confidence: float
    provenance: Provenance = field(repr=False)

    @property
    def rules(self) -> Euchre:
        """The rules."""
        return self.position.rules

    @property
    def worlds(self) -> int:
        """Deals in which every choice was played on."""
        return len(self.points)

    def every(self) -> pd.DataFrame:
        """Every choice with every discard: as `options`, best first."""
        rows = [
            {"choice": one.choice, "discard": one.discard, **self._row(k)} for k, one in enumerate(self.options_given)
        ]
        frame = pd.DataFrame(rows)
        order = np.argsort(-frame["points"].to_numpy(), kind="stable")
        best = int(order[0])
        losses = [self._mean(self.points[:, best] - self.points[:, k]) for k in range(len(rows))]
        place = list(frame.columns).index("upper") + 1
        frame.insert(place, "loss", [one.value for one in losses])
        frame.insert(place + 1, "loss_error", [one.standard_error for one in losses])
        frame = frame.iloc[order].reset_index(drop=True)
        return frame if frame["discard"].any() else frame.drop(columns="discard")

    def options(self) -> pd.DataFrame:
        """The choices, best first.

        Returns
        -------
        pandas.DataFrame
            choice; discard (the best, where the dealer has one); points (own less the other side's, mean) with lower
            and upper; loss (against the best choice, in the same deals) with loss_error (its standard error); win
            (chance to win the game at the score) with win_lower and win_upper; euchred (share of deals in which the own
            side makes trump and loses), one, two, four (in which it scores so many points; four are three or more),
            other_scores (in which the other side makes trump and scores), nobody.
        """
        return self.every().drop_duplicates("choice").reset_index(drop=True)

    def discards(self) -> pd.DataFrame:
        """Every discard of the choice whose best is best, as `every`; empty where nothing is discarded."""
        every = self.every()
        if "discard" not in every:
            return every.iloc[:0]
        with_card = every[every["discard"] != ""]
        found: pd.DataFrame = with_card[with_card["choice"] == with_card["choice"].iloc[0]].reset_index(drop=True)
        return found

    @property
    def best(self) -> str:
        """The choice of the highest expected points."""
        return str(self.options()["choice"].iloc[0])

    def main_table(self) -> pd.DataFrame:
        """See `Shown`."""
        return self.options()

    def tables(self) -> dict[str, pd.DataFrame]:
        """All tables by name, as they are saved."""
        tables = {"options": self.options()}
        discards = self.discards()
        return tables if discards.empty else tables | {"discards": discards}

    def printed(self) -> dict[str, pd.DataFrame]:
        """The tables that the command prints, by title."""
        hidden = ["nobody"] if (self.options()["nobody"] == 0).all() else []
        printed = {"Choices": self.options().drop(columns=hidden)}
        discards = self.discards()
        if len(discards) > 1 and len(self.options()) > 1:
            columns = ["discard", "points", "lower", "upper", "loss", "loss_error"]
            title = f"Discards after {discards['choice'].iloc[0]}"
            frame = discards[columns].copy()
            frame["loss"] -= frame["loss"].iloc[0]
            printed[title] = frame.drop(columns="loss_error")
        return printed

    def to_dict(self) -> dict[str, Any]:
        """Plain values, fit for JSON; what ``analyzer advise euchre --json`` prints."""
        return {
            "game": self.rules.name,
            "rules_id": self.rules.id,
            "policy": self.policy,
            "stage": self.position.stage,
            "score": list(self.position.scores),
            "worlds": self.worlds,
            "drawn": self.drawn,
            "seed": self.seed,
            "task_id": self.task_id,
            "confidence": self.confidence,
            **{name: records(table) for name, table in self.tables().items()},
            "provenance": self.provenance.to_dict(),
        }

    def __str__(self) -> str:
        best = self.options().iloc[0]
        discard = f", discard {best['discard']}" if best.get("discard") else ""
        score = "-".join(map(str, self.position.scores))
        win = f", wins {best['win']:.1%}" if "win" in best else ""
        return (
            f"{self.rules.title}, {self._hand()}, score {score}, {self.position.stage}: {best['choice']}{discard}"
            f" ({best['points']:+.3f} points{win}; {self.worlds:,} deals, everybody plays {self.policy})"
        )

    def _hand(self) -> str:
        hand, trump = self.position.hand, int(self.position.seen[TRUMP])
        return cards_text(hand if trump < 0 else int(physical(hand, trump))) or "no look at the hand"

    def _mean(self, values: NDArray[np.int64]) -> Estimate:
        total, squares = int(values.sum()), int((values * values).sum())
        return mean_estimate_from_sums(len(values), total, squares, self.confidence)

    def _row(self, k: int) -> dict[str, Any]:
        points, made = self.points[:, k], self.made[:, k]
        found = self._mean(points)
        row: dict[str, Any] = {"points": found.value, "lower": found.lower, "upper": found.upper}
        if self.wins is not None:
            own, other = self.position.scores
            dealing = (int(self.position.seen[DEALER]) - self.position.seat) % (4 if self.rules.players == "4" else 2)
            values = self.wins.after(own, other, deals=dealing in (0, 2))
            chances = values[points + 4]
            mean = float(chances.mean())
            reach = float(chances.std(ddof=1)) / len(chances) ** 0.5 if len(chances) > 1 else np.nan
            reach *= found.half_width / found.standard_error if found.standard_error > 0 else 0.0
            row |= {"win": mean, "win_lower": max(mean - reach, 0.0), "win_upper": min(mean + reach, 1.0)}
        n = len(points)
        return row | {
            "euchred": int((made & (points < 0)).sum()) / n,
            "one": int((points == 1).sum()) / n,
            "two": int((points == 2).sum()) / n,
            "four": int((points > 2).sum()) / n,
            "other_scores": int((~made & (points < 0)).sum()) / n,
            "nobody": int((points == 0).sum()) / n,
        }


def advise_hand(
    rules: Euchre,
    *,
    hand: str,
    upcard: str,
    seat: str,
    score: str = "",
    second_round: bool = False,
    said: str = "",
    alone: str = "",
    discard: str = "",
    play: bool = False,
    played: str = "",
    policy: str | Callable[..., Any] = "rules",
    worlds: int = WORLDS,
    seed: int = 0,
    confidence: float = 0.95,
    workers: int | None = None,
    progress: bool = False,
    cache: bool = True,
) -> EuchreAdvice:
    """Rank every choice in a hand of Euchre, in the bidding or in the play.

    Deals are drawn evenly from all that agree with what the player has seen, and kept by whether the others would have
    bid as they did, by the policy. In each of them every choice is made, and everybody plays on by the policy, without
    a look at hidden cards. So the values are those of real play by that policy, not of play with open cards.

    Parameters
    ----------
    rules : Euchre
    hand, upcard, seat, score, second_round, said, alone, discard, play, played
        See `analyzer.analysis.euchre.position.read_position`.
    policy : str or callable
        One that kernels play: `rules`, `strength`, `computed`.
    worlds : int
        Deals.
    seed, confidence, workers, progress, cache
        As for `analyzer.simulate`.

    Returns
    -------
    EuchreAdvice

    Raises
    ------
    PositionError
        A position that cannot be.
    UsageError, PolicyError
        Arguments that do not fit; one line says which.

    Examples
    --------
    >>> from analyzer.games.euchre.rules import Euchre
    >>> advice = advise_hand(Euchre(), hand="JH AH KH 9S 9C", upcard="TH", seat="dealer", worlds=1000)
    >>> advice.best, sorted(advice.options()["choice"])
    ('order alone', ['order', 'order alone', 'pass'])
    """
    number, seed = whole("worlds", worlds, 2, 10**7), whole("seed", seed, 0, 2**64 - 1)
    confidence = level(confidence)
    position = read_position(
        rules,
        hand=hand,
        upcard=upcard,
        seat=seat,
        score=score,
        second_round=second_round,
        said=said,
        alone=alone,
        discard=discard,
        play=play,
        played=played,
    )
    run: dict[str, Any] = {"workers": workers, "progress": progress, "cache": cache}
    (bound,), table = bind_all(rules, [policy], **run)
    if bound.asked is not None or bound.text == "random":
        raise UsageError(f"policy '{bound.text}' is none to play on by; choose rules, strength or computed")
    lowered, model, seen = lower(rules), table.players, position.seen
    found = np.empty((number, HIDDEN), np.int64)
    kept, drawn = likely_worlds(
        lowered,
        model,
        DOUBT,
        position.seat,
        position.hand,
        position.discard,
        seen,
        np.uint64(seed),
        TRIES * number,
        found,
    )
    if not drawn:
        raise PositionError("no deal agrees with what was said and played; look at the cards and seats again")
    if kept < 2:
        raise PositionError("what was said hardly ever happens in deals like these; give more worlds, or check it")
    options = tuple(_options(position))
    plans = np.array([one.plan for one in options], np.int64)
    points, made = np.empty((kept, len(options)), np.int64), np.empty((kept, len(options)), np.bool_)
    with progress_bar(f"{rules.title}: deals", kept, progress) as bar:

        def play_block(block: Block) -> int:
            of = slice(block.start, block.stop)
            roll_out(lowered, model, plans, position.seat, found[of], seen, np.uint64(seed), points[of], made[of])
            return block.size

        for size in map_threads(play_block, plan(kept, BLOCK), workers):
            bar.advance(size)
    wins = win_table(rules, policy, seed=seed, **run) if rules.players != "3" else None
    job = f"advice on {position.stage} of {position.hand} {seen.tolist()}"
    provenance = Provenance(rules_id=rules.id, policy=bound.text, job=job, seed=seed, block_size=BLOCK)
    return EuchreAdvice(position, bound.text, wins, options, points, made, int(drawn), confidence, provenance)


def _options(position: EuchrePosition) -> list[Option]:
    """All choices, with what follows them at once: playing alone or not, and each discard."""
    stage, legal = int(position.seen[STAGE]), position.legal
    found = []
    for choice in [1 << place for place in range(64) if legal >> place & 1]:
        name = choice_name(position, choice)
        if stage in (FIRST, SECOND) and choice != 1 << PASS:
            found += _calls(position, stage, choice, name)
        elif stage == TURNING and choice == 1 << YES:
            found += _with_discards(position, name, {stage: choice}, int(position.seen[TRUMP]), own=False)
        elif stage == DISCARDING:
            found.append(Option(f"discard {name}", "", _plan({stage: choice})))
        else:
            found.append(Option(name, "", _plan({stage: choice})))
    return found


def _calls(position: EuchrePosition, stage: int, choice: int, name: str) -> list[Option]:
    """A call, together and alone where that is said later."""
    rules = lower(position.rules)
    place = choice.bit_length() - 1
    dealer = position.seat == position.seen[DEALER]
    if stage == FIRST:
        trump, with_alone = int(position.seen[PROPOSED]), place == ORDER_ALONE
    else:
        trump, with_alone = (place - NAME) % 4, place >= NAME_ALONE
        name = SUITS[trump] + (" alone" if with_alone else "")
    assert ORDER < ORDER_ALONE
    if with_alone or rules[ALONE_WITH_CALL] or not rules[LONE_HANDS]:
        variants = [(name, {stage: choice})]
    else:
        variants = [(name, {stage: choice, LONELY: 1 << NO}), (f"{name} alone", {stage: choice, LONELY: 1 << YES})]
        if rules[ASSIST_ALONE] and stage == FIRST and position.seat == 1:
            variants = variants[1:]
    found = []
    for text, steps in variants:
        if stage == FIRST and dealer:
            found += _with_discards(position, text, steps, trump, own=True)
        else:
            found.append(Option(text, "", _plan(steps)))
    return found


def _with_discards(
    position: EuchrePosition, name: str, steps: dict[int, int], trump: int, *, own: bool
) -> list[Option]:
    """A way to take the turn-up, with every discard."""
    hand = int(position.hand) if not own else int(relabel(position.hand, trump))
    up = int(relabel(1 << int(position.seen[TURN_UP]), trump))
    cards = hand if own or position.rules.discard_turn_up == "forbidden" else hand | up
    return [
        Option(name, cards_text(int(physical(card, trump))), _plan({**steps, DISCARDING: card}))
        for card in (1 << place for place in range(64))
        if cards & card
    ]


def _plan(steps: dict[int, int]) -> tuple[int, ...]:
    return tuple(steps.get(stage, 0) for stage in range(STAGES))
