"""How the best play changes between two variants of a game: which decisions differ, how often, and what they cost."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from analyzer.analysis.arguments import check_rules, whole
from analyzer.analysis.binding import bind_policy
from analyzer.analysis.result import Shown, records
from analyzer.dice.paired_turn import BARRED, BASE_COST, COST, DECISIONS, DIFFERENT, TIED_BARRED, TIED_COST
from analyzer.dice.play_change import Difference, PairedPlay, check_comparable, follow
from analyzer.dice.policies import Optimal
from analyzer.dice.states import SETTLED
from analyzer.engine.executors import worker_count
from analyzer.engine.progress import progress_bar
from analyzer.engine.provenance import versions_in_use
from analyzer.errors import PolicyError, UsageError
from analyzer.fields import shown

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analyzer.dice.scorecard import ScorecardRules
    from analyzer.dice.states import StateSpace

MOST_SHOWN = 10**6

RANKINGS = {"cost_per_game": "cost", "chance": "chance"}


@dataclass(frozen=True, eq=False, repr=False)
class PlayChanges(Shown):
    """Where best play differs between two variants, as a player of the base meets it.

    The base is played, by its own best play. At every decision the other variant's best play is asked what it would do
    with the same dice, the same throws left, and a sheet that holds the same results. Where both are asked and neither
    decision is as good as the other in one of the variants, they differ.

    Attributes
    ----------
    base, other : Optimal
        Best play of both variants.
    paired : PairedPlay
        Exact chances and costs.
    """

    base: Optimal
    other: Optimal
    paired: PairedPlay = field(repr=False)

    @property
    def figures(self) -> NDArray[np.float64]:
        """Chances and costs of the whole game by kind of decision, see `analyzer.dice.paired_turn`."""
        total: NDArray[np.float64] = self.paired.figures.sum(axis=0)
        return total

    @property
    def decisions_per_game(self) -> float:
        """Expected number of decisions that were compared, in a game of the base: keeps, and an entry a turn."""
        return float(self.figures[:, DECISIONS].sum())

    @property
    def differing_per_game(self) -> float:
        """Expected number of decisions that differ, in a game of the base."""
        return float(self.figures[:, DIFFERENT].sum())

    @property
    def share(self) -> float:
        """Share of decisions that differ, each as often as it comes up."""
        return self.differing_per_game / self.decisions_per_game if self.decisions_per_game else 0.0

    @property
    def cost_per_game(self) -> float:
        """What the decisions that differ lose under the other rules, each followed by best play, added up over a game.

        In what the other policy maximises, as a rule points. Decisions that the other rules forbid have no cost.
        """
        return float(self.figures[:, COST].sum())

    @property
    def base_cost_per_game(self) -> float:
        """What the other variant's decisions would lose under the base's rules, added up over a game of the base."""
        return float(self.figures[:, BASE_COST].sum())

    @property
    def not_allowed_per_game(self) -> float:
        """Expected number of decisions of the base that the other rules forbid."""
        return float(self.figures[:, BARRED].sum())

    @property
    def followed(self) -> float:
        """Chance that a game is compared to its end.

        Else it is over in the other variant before it is in the base, or its columns were dropped (`least_chance`).
        """
        return 1.0 - self.paired.over - self.paired.dropped

    @property
    def base_play_earns(self) -> float:
        """What the base's best play is worth under the other rules; NaN where that cannot be told.

        The best value there, less all that the base's decisions lose: those that differ, and those that the base's
        rules leave to the tie rule. It cannot be told if the variants have not the same lines, if the base's play is
        not always allowed, or if it was not followed to the end.
        """
        same = set(self.base.space.rules.line_names) == set(self.other.space.rules.line_names)
        forbidden = self.figures[:, [BARRED, TIED_BARRED]].sum()
        if not same or forbidden > 0 or self.paired.over > 0 or self.paired.dropped > 0:
            return float("nan")
        best = float(self.other.values[0])  # noqa: PD011 (an array, not of pandas)
        return best - float(self.figures[:, [COST, TIED_COST]].sum())

    def stages(self) -> pd.DataFrame:
        """How often decisions differ, by kind.

        Returns
        -------
        pandas.DataFrame
            One row for each kind: stage (``keep after throw 1``, ..., ``entry``), throws_left, decisions (expected
            number a game), differing, share, cost_per_game (under the other rules), base_cost_per_game (of the other
            variant's decisions, under the base's rules), not_allowed (expected number of the base's decisions that the
            other rules forbid; they have no cost).
        """
        throws = self.base.space.rules.throws
        frame = pd.DataFrame({"stage": [_stage(throws, kind) for kind in range(throws)]})
        frame["throws_left"] = np.arange(throws)[::-1]
        return self._shares(frame, self.figures)

    def rounds(self) -> pd.DataFrame:
        """How often decisions differ, by round: round (from 1), then the columns of `stages` from decisions on."""
        frame = pd.DataFrame({"round": np.arange(1, len(self.paired.figures) + 1)})
        return self._shares(frame, self.paired.figures.sum(axis=1))

    @staticmethod
    def _shares(frame: pd.DataFrame, figures: NDArray[np.float64]) -> pd.DataFrame:
        decisions, differing = figures[:, DECISIONS], figures[:, DIFFERENT]
        frame["decisions"] = decisions
        frame["differing"] = differing
        frame["share"] = np.divide(differing, decisions, out=np.zeros(len(frame)), where=decisions > 0)
        frame["cost_per_game"] = figures[:, COST]
        frame["base_cost_per_game"] = figures[:, BASE_COST]
        frame["not_allowed"] = figures[:, BARRED]
        return frame

    def top(self, n: int = 10, *, by: str = "cost_per_game") -> pd.DataFrame:
        """The differences that cost most, or that come up most often.

        The same two decisions with the same dice are one difference, on whatever sheets they come up.

        Parameters
        ----------
        n : int
            Rows at most.
        by : str
            ``cost_per_game`` or ``chance``.

        Returns
        -------
        pandas.DataFrame
            stage, throws_left, dice (ascending), thrown_together (whether the last throw threw all dice; only where
            that matters in a variant), base (the base's decision), other (the other variant's), chance (expected
            number of times a game), round (mean), cost (mean loss of the base's decision under the other rules; NaN if
            they forbid it), cost_per_game (chance times cost), base_cost (mean loss of the other variant's decision
            under the base's rules, where they allow it), not_allowed (expected number of times that the other rules
            forbid the base's decision), example (the likeliest sheet of the base, its filled lines).

        Raises
        ------
        UsageError
            An unknown ranking, or a number of rows that is none.
        """
        number = whole("n", n, 1, MOST_SHOWN)
        if by not in RANKINGS:
            raise UsageError(f"by = {shown(by)} cannot be; choose from {', '.join(RANKINGS)}")
        names = ["stage", "throws_left", "dice", "thrown_together", "base", "other", "chance", "round", "cost"]
        names += ["cost_per_game", "base_cost", "not_allowed", "example"]
        if not (self.base.space.rules.by_throw or self.other.space.rules.by_throw):
            names.remove("thrown_together")
        found = self.paired.differences(self.paired.ranked(RANKINGS[by])[:number])
        return pd.DataFrame([self._row(one) for one in found], columns=names)

    def entries(self) -> pd.DataFrame:
        """Differences of entries by lines alone, on whatever dice and sheets, those that cost most first.

        Returns
        -------
        pandas.DataFrame
            base, other (labels of the lines), chance (expected number of times a game), cost_per_game,
            base_cost_per_game, not_allowed.
        """
        kind, lines = self.base.space.rules.throws - 1, self.paired.lines
        names = ["base", "other", "chance", "cost_per_game", "base_cost_per_game", "not_allowed"]
        rows = [
            (lines[one.line].label, lines[one.other_line].label, one.chance, one.cost, one.base_cost, one.barred)
            for one in self.paired.differences(self.paired.ranked("cost"))
            if one.kind == kind
        ]
        frame = pd.DataFrame(rows, columns=names).groupby(["base", "other"], sort=False, as_index=False).sum()
        return frame.sort_values(["cost_per_game", "chance"], ascending=False, kind="stable", ignore_index=True)

    def _row(self, one: Difference) -> dict[str, Any]:
        lattice, throws = self.paired.lattice, self.base.space.rules.throws
        allowed, base_allowed = one.chance - one.barred, one.chance - one.base_barred
        return {
            "stage": _stage(throws, one.kind),
            "throws_left": throws - 1 - one.kind,
            "dice": lattice.faces_of(lattice.first_roll + one.roll)[::-1],
            "thrown_together": one.full,
            "base": self._decision(one, self.base.space.rules, one.node, one.line),
            "other": self._decision(one, self.other.space.rules, one.other_node, one.other_line),
            "chance": one.chance,
            "round": one.round,
            "cost": one.cost / allowed if allowed > 0 else np.nan,
            "cost_per_game": one.cost,
            "base_cost": one.base_cost / base_allowed if base_allowed > 0 else np.nan,
            "not_allowed": one.barred,
            "example": card_text(self.base.space, one.column),
        }

    def _decision(self, one: Difference, rules: ScorecardRules, node: int, line: int) -> str:
        """A decision in words: ``keep 5 5``, ``strike Straight``, ``turn to 4 4 4 4 3, enter Fours (16)``."""
        lattice = self.paired.lattice
        dice = lattice.faces_of(node)[::-1]
        text = " ".join(map(str, dice))
        if one.kind < rules.throws - 1:
            label = f", announce {self.paired.lines[line].label}" if line >= 0 else ""
            return ("stop" if node >= lattice.first_roll else f"keep {text or 'nothing'}") + label
        laid = "" if node == lattice.first_roll + one.roll else f"turn to {text}, "
        name, label = self.paired.lines[line].name, self.paired.lines[line].label
        plain, served = rules.score(dice, name), rules.score(dice, name, served=True)
        if len(set(dice)) == 1 and (rules.extra_five or rules.alike_as):
            return f"{laid}enter {label}"  # what they score depends on the sheet
        if one.full and not laid and rules.served == "any_full_throw":
            plain = served
        if plain == 0 and (served == 0 or laid or not one.full):
            return f"{laid}strike {label}"
        certain = plain == served or laid or not one.full or rules.served == "any_full_throw"
        return f"{laid}enter {label}" + (f" ({plain})" if certain else "")

    def main_table(self) -> pd.DataFrame:
        """See `Shown`."""
        return self.top()

    def to_dict(self) -> dict[str, Any]:
        """Plain values, fit for JSON."""
        top = self.top()
        top["dice"] = top["dice"].map(list)
        earned = self.base_play_earns
        return {
            "base": _arm_record(self.base),
            "other": _arm_record(self.other),
            "exact": True,
            "decisions_per_game": self.decisions_per_game,
            "differing_per_game": self.differing_per_game,
            "share": self.share,
            "cost_per_game": self.cost_per_game,
            "base_cost_per_game": self.base_cost_per_game,
            "not_allowed_per_game": self.not_allowed_per_game,
            "base_play_earns": earned if np.isfinite(earned) else None,
            "followed": self.followed,
            "stages": records(self.stages()),
            "rounds": records(self.rounds()),
            "entries": records(self.entries()),
            "top": records(top),
            "versions": versions_in_use(),
        }

    def __str__(self) -> str:
        base, other = self.base.space.rules.title, self.other.space.rules.title
        where = "under the other rules"
        if self.base.text != self.other.text:  # they play for different things, perhaps by the same rules
            base, other = f"{base}, {self.base.text}", f"{other}, {self.other.text}"
            where = "in what the other plays for"
        unit = "points" if self.other.worth != "chance" else "of the chance to win"
        text = (
            f"{base} against {other}: {self.share:.2%} of decisions differ, {self.differing_per_game:.3g} a game, which"
            f" cost {self.cost_per_game:.3g} {unit} {where}"
        )
        if self.not_allowed_per_game > 0:
            text += f"; {self.not_allowed_per_game:.3g} a game are not allowed there"
        if self.followed < 1 - 1e-9:
            text += f"; {100 * (1 - self.followed):.2g}% of games are not compared to the end"
        return text


def play_changes(
    base: ScorecardRules,
    other: ScorecardRules,
    *,
    base_policy: str | Optimal = "optimal",
    other_policy: str | Optimal = "optimal",
    least_chance: float = 0.0,
    workers: int | None = None,
    progress: bool = False,
    cache: bool = True,
) -> PlayChanges:
    """Compare the best play of two variants, exactly.

    Parameters
    ----------
    base : ScorecardRules
        The variant that is played, from `analyzer.game`.
    other : ScorecardRules
        The variant whose best play is asked at every decision. It has the same dice, faces and throws; a line that
        only one of them has stays as it is in the sheet of the other.
    base_policy, other_policy : str or Optimal
        What both play for: ``optimal``, in games with instant wins also ``points``, ``mixed:win_value=50``,
        ``instant``; or such a policy bound to the rules.
    least_chance : float
        Sheets that come up less often than this are dropped; by default none are. What is dropped is told by
        `PlayChanges.followed`.
    workers : int, optional
        Threads; by default one per processor. The result does not depend on it.
    progress : bool
        Show a bar on a terminal.
    cache : bool
        Keep solutions on disk, in the platform's cache folder.

    Returns
    -------
    PlayChanges

    Raises
    ------
    RulesError
        The variants cannot be compared.
    PolicyError
        A policy that does not maximise an expectation over the game.
    UsageError
        A chance below 0 or not below 1.

    Notes
    -----
    A cost is one decision's loss with best play afterwards. By the performance difference lemma (Kakade and Langford,
    Approximately optimal approximate reinforcement learning, 2002) these losses add up, over the decisions of a game,
    to what the whole play loses: see `PlayChanges.base_play_earns`.

    Examples
    --------
    >>> import analyzer
    >>> base, other = analyzer.game("escalero"), analyzer.game("escalero", straight="25/30")
    >>> changes = play_changes(base, other)
    >>> print(f"{changes.share:.1%}")
    2.4%
    >>> changes.top(1)[["dice", "base", "other"]].values.tolist()
    [[(1, 3, 4, 5, 6), 'keep nothing', 'keep 3 4 5']]
    """
    check_rules(base)
    check_rules(other)
    check_comparable(base, other)
    worker_count(workers)
    chance: object = least_chance
    if isinstance(chance, bool) or not isinstance(chance, int | float | np.number) or not 0 <= chance < 1:
        raise UsageError(f"least_chance = {shown(chance)} cannot be; give a number from 0 to below 1, such as 1e-9")
    solving: dict[str, Any] = {"workers": workers, "progress": progress, "cache": cache}
    ours = _bound(base, base_policy, solving)
    theirs = _bound(other, other_policy, solving)
    with progress_bar(f"comparing play of {base.title}", ours.space.columns, progress) as bar:
        paired = follow(ours, theirs, least=float(chance), workers=workers, progress=bar)
    return PlayChanges(ours, theirs, paired)


def _bound(rules: ScorecardRules, policy: object, solving: dict[str, Any]) -> Optimal:
    bound = policy if isinstance(policy, Optimal) else bind_policy(rules, str(policy), **solving)
    if not isinstance(bound, Optimal):
        raise PolicyError(
            f"policy '{bound.text}' looks no further than the turn; choose optimal, points, mixed or instant"
        )
    if bound.space.rules.id != rules.id:
        raise PolicyError(f"policy '{bound.text}' is bound to {bound.space.rules.title}; bind it to {rules.title}")
    return bound


def _stage(throws: int, kind: int) -> str:
    return f"keep after throw {kind + 1}" if kind < throws - 1 else "entry"


def _arm_record(policy: Optimal) -> dict[str, Any]:
    rules = policy.space.rules
    return {
        "game": rules.name,
        "title": rules.title,
        "rules_id": rules.id,
        "policy": policy.text,
        "worth": policy.worth,
        "value": float(policy.values[0]),  # noqa: PD011 (an array, not of pandas)
    }


def card_text(space: StateSpace, column: int) -> str:
    """The filled lines of a column, with what it tells of their points: ``Sixes, Grande 0; upper total 18``.

    Examples
    --------
    >>> from analyzer.games.registry import make_rules
    >>> from analyzer.dice.states import StateSpace
    >>> space = StateSpace.of(make_rules("escalero"))
    >>> card_text(space, 0), card_text(space, space.column_of(space.state_of({3: 12, 9: 0})))
    ('empty', 'Queens, Grande 0')
    """
    state = int(space.column_state[column])
    texts = []
    for number, line in enumerate(space.rules.lines):
        cuts = space.cuts[number]
        status = state // int(space.weight[number]) % (2 + len(cuts))
        if status == 0:
            continue
        note = f" {cuts[status - 2]} or more" if status > 1 else f" below {cuts[0]}" if cuts else ""
        note = {" 1 or more": " scored", " below 1": " 0"}.get(note, note)
        texts.append(line.label + note)
    lane = column - int(space.tables.column_start[state])
    total = int(space.totals[space.tables.lane_start[space.tables.state_upper[state]] + lane])
    upper = f"; upper total {total}" if total not in (0, SETTLED) else ""
    return (", ".join(texts) + upper) or "empty"
