"""Grading a played game: it is checked against the rules, and every throw and decision of it is valued exactly."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from analyzer.analysis.advise import advise_keep, advise_line, faces
from analyzer.analysis.arguments import check_rules
from analyzer.analysis.binding import bind_policy
from analyzer.analysis.grading import DECISIONS, THROWS, TURNS, Grading
from analyzer.analysis.position import Position
from analyzer.dice.entries import final_score
from analyzer.dice.played import PlayedTurn, check_record, column_at
from analyzer.dice.policies import Optimal
from analyzer.dice.record import read_record
from analyzer.dice.states import StateSpace
from analyzer.dice.turn import TIE
from analyzer.dice.turn_detail import TurnDetail, turn_detail
from analyzer.engine.executors import worker_count
from analyzer.errors import PositionError, UsageError
from analyzer.fields import slug
from analyzer.games.registry import game_names, make_rules

if TYPE_CHECKING:
    from collections.abc import Mapping
    from os import PathLike

    from analyzer.analysis.advise import Advice
    from analyzer.dice.record import Dice, GameRecord
    from analyzer.dice.scorecard import ScorecardRules


def grade(
    rules: ScorecardRules,
    record: GameRecord | Mapping[str, Any] | str | PathLike[str],
    *,
    policy: str | None = None,
    workers: int | None = None,
    progress: bool = False,
    cache: bool = True,
) -> Grading:
    """Check a played game against the rules and grade it: what every decision lost, how lucky every throw was.

    Parameters
    ----------
    rules : ScorecardRules
        The game, from `analyzer.game`.
    record : mapping, or path of a JSON file
        One player's game from an empty scorecard on; see ``analyzer grade --schema`` and ``analyzer grade GAME
        --example``.
    policy : str, optional
        What the game was played for: ``optimal``, or in games with instant wins ``points`` (the default there),
        ``mixed:win_value=50``, ``instant``, ``instant:dormida``. Decisions are measured against the best for that.
        Graded for ``points``, a game is one in which nobody wins at once: one that was won is worth what the scorecard
        could still bring.
    workers : int, optional
        Threads; by default one per processor.
    progress : bool
        Show a bar on a terminal.
    cache : bool
        Keep solutions on disk, in the platform's cache folder.

    Returns
    -------
    Grading

    Raises
    ------
    PositionError
        A record of another game, or of what the rules do not allow; the message names the turn.
    StorageError
        A file that cannot be read or holds no JSON.
    UsageError
        A policy that maximises nothing to the end of the game.

    Examples
    --------
    >>> import analyzer
    >>> throws = [[5, 5, 3, 2, 1], [5, 5, 5, 2, 6], [1, 2, 5, 5, 5]]
    >>> record = {"turns": [{"throws": throws, "keeps": [[5, 5], [5, 5, 5]], "line": "chance"}]}
    >>> grading = analyzer.grade(analyzer.game("yahtzee"), record)
    >>> grading.costliest()[["throw", "chosen", "best"]].to_dict("records")
    [{'throw': 3, 'chosen': 'enter Chance', 'best': 'enter Fives'}]
    """
    check_rules(rules)
    worker_count(workers)
    read = read_record(record)
    _check_game(rules, read)
    played = check_record(StateSpace.of(rules), read)
    wanted = policy or ("points" if rules.instant_wins else "optimal")
    graded = rules
    if slug(wanted) == "points" and rules.instant_wins:
        # The values of that policy let a win by a throw stand for the turn before it, which does not add up.
        graded, wanted = replace(rules, instant_wins=()), "optimal"
    bound = bind_policy(graded, wanted, workers=workers, progress=progress, cache=cache)
    if not isinstance(bound, Optimal):
        raise UsageError(
            f"grading measures against best play, not {bound.text!r}; choose optimal, or where games have instant wins"
            " also points, mixed or instant"
        )
    return _Grader(rules, bound, bound.text if graded is rules else "points").grade(played)


def _check_game(rules: ScorecardRules, record: GameRecord) -> None:
    """Refuse a record that says it is of another game, or of other options."""
    name = slug(record.game)
    if record.game and name != rules.name:
        raise PositionError(
            f"the record is of {record.game!r}, not of {rules.title}; grade it by the rules of its game"
        )
    if record.options is None:
        return
    if rules.name not in game_names():
        raise PositionError(f"the record has options, but {rules.title} is no game with options; leave them out")
    if make_rules(rules.name, **record.options).id != rules.id:
        given = ", ".join(f"{key} = {value}" for key, value in record.options.items()) or "no options set"
        raise PositionError(f"the record is of {rules.name} with {given}, not of {rules.title}; set the same options")


class _Grader:
    """Grades turn by turn; `space` is that of the game as it is graded, whose entries may be others than the game's."""

    def __init__(self, rules: ScorecardRules, bound: Optimal, policy: str) -> None:
        self.rules = rules
        self.bound = bound
        self.policy = policy
        self.space = bound.space
        self.decisions: list[dict[str, Any]] = []
        self.throws: list[dict[str, Any]] = []
        self.turns: list[dict[str, Any]] = []

    def grade(self, played: list[PlayedTurn]) -> Grading:
        card, extra = played[-1].after if played else ({}, 0)
        value = start = self._value({}, 0)
        for number, turn in enumerate(played, start=1):
            value = self._grade_turn(number, turn)
        win = next((win for win in self.rules.instant_wins if played and win.name == played[-1].win), None)
        return Grading(
            self.rules,
            self.policy,
            self.bound.worth,
            start,
            value if win and win.throw else self._value(card, extra),
            final_score(self.rules, card, extra),
            win is not None or len(card) == len(self.rules.lines),
            win.title if win else "",
            pd.DataFrame(self.decisions, columns=DECISIONS),
            pd.DataFrame(self.throws, columns=THROWS),
            pd.DataFrame(self.turns, columns=TURNS),
        )

    def _value(self, card: Mapping[str, int], extra_points: int) -> float:
        """What best play expects from a scorecard on, at the start of a turn."""
        future = self.bound.values[column_at(self.space, card)]  # noqa: PD011 (an array, not of pandas)
        return float(future) + self.bound.point * final_score(self.rules, card, extra_points)

    def _grade_turn(self, number: int, played: PlayedTurn) -> float:
        """Add the rows of a turn; returns the value after it."""
        position = Position(self.space.rules, played.card, played.extra_points)
        detail = turn_detail(self.space, position.column(self.space), self.bound.objective)
        start = value = self._value(played.card, played.extra_points)
        first_throw, first_decision = len(self.throws), len(self.decisions)
        turn, won_by_throw = played.turn, bool(played.win and not played.turn.line)
        for throw, dice in enumerate(turn.throws):
            at = {"turn": number, "throw": throw + 1}
            advice = self._advice(position, detail, played, throw)
            best = float(advice.options()[self.bound.worth].max())
            kept = turn.keeps[throw - 1] if throw else ()
            self.throws.append(
                at | {"kept": kept, "dice": dice, "value_before": value, "value_after": best, "luck": best - value}
            )
            value = best
            stops = throw == len(turn.throws) - 1
            if stops and won_by_throw:
                break
            if advice.throws_left:
                value = self._decide(at, "keep", advice, *self._keep(position, detail, played, throw))
            if stops:
                if advice.throws_left:
                    advice = self._advice(position, detail, played, throw, stop=True)
                value = self._decide(at, "entry", advice, *self._entry(advice, played))
        after, extra = played.after
        score = final_score(self.rules, after, extra)
        line = turn.line or played.win
        self.turns.append(
            {
                "turn": number,
                "line": line,
                "label": self.rules.line(line).label if turn.line else self._title(line),
                "points": score - position.score,
                "value_start": start,
                "luck": float(sum(row["luck"] for row in self.throws[first_throw:])),
                "lost": float(sum(row["lost"] for row in self.decisions[first_decision:])),
                "value_end": value,
            }
        )
        return value

    def _title(self, win: str) -> str:
        return next(one.title for one in self.rules.instant_wins if one.name == win)

    def _decide(self, at: dict[str, Any], kind: str, advice: Advice, chosen: str, value: float) -> float:
        """Add a decision and return its value."""
        options = advice.options()
        best = float(options[self.bound.worth].max())
        words = chosen if best - value <= TIE else _words(advice, 0)
        row = {"kind": kind, "dice": advice.dice, "chosen": chosen, "best": words}
        self.decisions.append(at | row | {"value_chosen": value, "value_best": best, "lost": best - value})
        return value

    def _advice(
        self, position: Position, detail: TurnDetail, played: PlayedTurn, throw: int, *, stop: bool = False
    ) -> Advice:
        """All decisions after a throw (from 0): what to keep, or where to enter the dice once the throws are over."""
        turn, left = played.turn, self.rules.throws - 1 - throw
        declared = turn.declared if throw else ""
        how: dict[str, Any] = {"served": played.full(throw), "declared": declared, "value_name": self.bound.worth}
        if left and not stop:
            locked = turn.keeps[throw - 1] if throw and self.rules.lock_kept else ()
            return advise_keep(position, detail, turn.throws[throw], left, locked=locked, **how)
        return advise_line(position, detail, turn.throws[throw], throw=throw, **how)

    def _keep(self, position: Position, detail: TurnDetail, played: PlayedTurn, throw: int) -> tuple[str, float]:
        """The keep after a throw in words, and its value."""
        space, turn, left = self.space, played.turn, self.rules.throws - 1 - throw
        base = self.bound.point * position.score
        group = space.rules.line_index(turn.declared) if turn.declared else 0
        node = space.lattice.index(turn.keeps[throw] if throw < len(turn.keeps) else turn.throws[throw])
        if throw < len(turn.keeps):
            announced = self.rules.line(turn.declared).label if turn.declared and throw == 0 else ""
            words = _keep_words(turn.keeps[throw], announced, stop=False)
            return words, float(detail.keep_values[left][group * space.lattice.first_roll + node]) + base
        words = _keep_words((), "", stop=True)
        if not space.endings.options:
            return words, float(detail.keep_values[left][node]) + base
        ending = space.ending(node - space.lattice.first_roll, throw, played.full(throw), group if throw else 0)
        return words, float(detail.end_values[ending]) + base

    def _entry(self, advice: Advice, played: PlayedTurn) -> tuple[str, float]:
        """The entry of a turn in words, and its value."""
        options = advice.options()
        wanted = options["line"] == played.turn.line
        if self.rules.flips:
            wanted &= np.array([laid == played.laid for laid in options["laid"]]) & (options["served"] == played.served)
        place = int(np.flatnonzero(wanted)[0])
        return _words(advice, place), float(options[self.bound.worth].iloc[place])


def _words(advice: Advice, place: int) -> str:
    """One of the decisions in words."""
    option = advice.options().iloc[place]
    if advice.throws_left:
        return _keep_words(option["keep"], option.get("declare", ""), stop=len(option["keep"]) == len(advice.dice))
    laid = option.get("laid", advice.dice)
    flip = "" if laid == advice.dice else f"flip to {faces(laid)}, "
    return f"{flip}enter {option['label']}"


def _keep_words(keep: Dice, announced: str, *, stop: bool) -> str:
    return "stop" if stop else f"keep {faces(keep)}" + (f", announce {announced}" if announced else "")
