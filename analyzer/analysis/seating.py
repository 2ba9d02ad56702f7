"""Who sits at the table of a match: policies by name, bound to what plays them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.analysis.binding import bind_policy
from analyzer.dice.lattice import Lattice
from analyzer.dice.match import Table
from analyzer.dice.match_policies import ByColumn, Sum
from analyzer.dice.match_sheets import SeparateSheets
from analyzer.dice.match_values import columns_policy, learn_cells, race_policy, sum_policy
from analyzer.dice.policies import Greedy, Optimal, Par
from analyzer.dice.solver import solve as solve_values
from analyzer.dice.states import StateSpace
from analyzer.engine.progress import progress_bar
from analyzer.engine.store import load_arrays, save_arrays
from analyzer.errors import PolicyError, UsageError
from analyzer.fields import shown, slug, unknown

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from analyzer.dice.scorecard import ScorecardRules

MOST_PLAYERS = 8

MATCH_FAMILIES = {
    "optimal": "maximises the expected final score of its own sheet (single column)",
    "points": "as if nobody could win at once (games with instant wins)",
    "mixed": "so many points more for an instant win: mixed:win_value=50",
    "instant": "the chance of an instant win, of any kind or of one: instant:dormida",
    "greedy": "the points of the turn",
    "par": "the points of the turn above the par of the line",
    "line": "the points of one line first: line:chance (single column)",
    "random": "nothing: every legal decision is equally likely (single column)",
    "FILE.py:NAME": "what your own function is after (single column)",
    "sum": "the expected total of all columns (several columns)",
    "columns": "the expected settlement of several columns against the others' sheets",
    "race": "the chance to win against the others' sheets, at once or by the higher total (games with served points or"
    " flips)",
}
"""Policies of players in matches, and what they maximise."""
ACROSS_ONLY = ("sum", "columns", "race")
"""Policies that look further than one column."""
ALONE_ONLY = ("line", "random", "FILE.py:NAME")
"""Policies that only play a sheet of one column alone."""


def can_match(rules: ScorecardRules) -> bool:
    """Whether matches of a game can be played."""
    return can_look_across(rules) or (rules.settlement.columns == 1 and not rules.settlement.two_attempts)


def can_look_across(rules: ScorecardRules) -> bool:
    """Whether a turn can be played with a look at all columns and sheets, and in two attempts."""
    valued = rules.settlement.columns > 1 or not rules.upper_bonus
    tabulated = Lattice.of(rules.dice, rules.faces).tabulated
    return rules.by_throw and tabulated and valued and not rules.declare and not rules.extra_five


def seat_players(
    rules: ScorecardRules,
    players: Sequence[str | Callable[..., Any]],
    *,
    pairs: bool = False,
    workers: int | None = None,
    progress: bool = False,
    cache: bool = True,
) -> tuple[list[str], Table | SeparateSheets]:
    """Bind players to a game.

    Parameters
    ----------
    rules, players, pairs, workers, progress, cache
        As for `analyzer.match`.

    Returns
    -------
    list of str
        Their names.
    Table or SeparateSheets
        What `analyzer.dice.match.play_matches` plays. Players who only look at their own sheets sit at a `Table` too
        where the rules let others look further, so that it makes no difference who else is there.

    Raises
    ------
    UsageError, PolicyError, RulesError
        Players or rules that matches cannot be played with.
    """
    if isinstance(players, str):
        players = split_players(players)
    if not 2 <= len(players) <= MOST_PLAYERS:
        raise UsageError(f"players {shown(list(players))} are {len(players)}; give 2..{MOST_PLAYERS} policies")
    families = [_family(player) for player in players]
    across = can_look_across(rules) and not any(family in ALONE_ONLY for family in families)
    for family in families:
        _check_family(rules, family)
    if not across:
        _check_alone(rules, families, pairs)
    solving: dict[str, Any] = {"workers": workers, "progress": progress, "cache": cache}
    bound: dict[Any, tuple[str, Any]] = {}
    for player in players:
        if player not in bound:
            bound[player] = _bind_across(rules, player, **solving) if across else _bind_alone(rules, player, **solving)
    names, policies = [bound[player][0] for player in players], [bound[player][1] for player in players]
    space = StateSpace.of(rules)
    return names, Table(space, policies, pairs) if across else SeparateSheets(space, policies, workers)


def split_players(text: str) -> list[str]:
    """Policies in a text with commas, which also stand between the parameters of one.

    Examples
    --------
    >>> split_players("optimal, par:chance=22,sixes=18, greedy")
    ['optimal', 'par:chance=22,sixes=18', 'greedy']
    """
    players: list[str] = []
    for part in map(str.strip, text.split(",")):
        if players and "=" in part and ":" not in part:
            players[-1] += f",{part}"
        else:
            players.append(part)
    return players


def _family(player: str | Callable[..., Any]) -> str:
    """The name in `MATCH_FAMILIES`."""
    if callable(player):
        return "FILE.py:NAME"
    text = str(player)
    family = text.partition(":")[0]
    if family.strip().endswith(".py") or text.rpartition(":")[0].endswith(".py"):
        return "FILE.py:NAME"
    if slug(family) not in MATCH_FAMILIES:
        raise PolicyError(unknown("policy of a player", text, tuple(MATCH_FAMILIES)))
    return slug(family)


def _check_family(rules: ScorecardRules, family: str) -> None:
    """Refuse a policy that is for another number of columns or another settlement."""
    several = rules.settlement.columns > 1
    if family in ("sum", "columns") and not several:
        raise PolicyError(f"policy '{family}' is for games of several columns; choose optimal, par or greedy")
    if family == "race" and rules.settlement.kind != "highest":
        raise PolicyError("policy 'race' is for games that the highest total wins; choose columns, sum or optimal")
    if family in ALONE_ONLY and several:
        raise PolicyError(f"policy '{family}' is for games of one column; choose sum, columns, par or greedy")


def _check_alone(rules: ScorecardRules, families: list[str], pairs: bool) -> None:
    """Refuse what sheets that are played alone do not know."""
    further = [family for family in families if family in ACROSS_ONLY]
    alone = [family for family in families if family in ALONE_ONLY]
    needs = "served points or flips, and no jokers, upper bonus or announced line"
    if rules.settlement.columns > 1:
        raise UsageError(f"matches of {rules.title} have several columns, which needs {needs}; choose one column")
    if further and can_look_across(rules):
        raise PolicyError(f"policies '{further[0]}' and '{alone[0]}' cannot play one match; leave one of them out")
    if further:
        raise PolicyError(f"policy '{further[0]}' is for games with {needs}; choose optimal, par or greedy")
    if not (pairs or rules.settlement.two_attempts):
        return
    if can_look_across(rules):
        raise PolicyError(f"policy '{alone[0]}' cannot play in two attempts; choose optimal, par or greedy")
    raise UsageError(f"two attempts in a turn of {rules.title} need {needs}; play without pairs and team turns")


def _bind_alone(rules: ScorecardRules, player: str | Callable[..., Any], **solving: Any) -> tuple[str, Any]:
    """A player's policy for a sheet alone."""
    policy = bind_policy(rules, player, **solving)
    return policy.text, policy


def _bind_across(rules: ScorecardRules, text: Any, **solving: Any) -> tuple[str, Any]:
    """A player's policy: its name, and what kernels see of it."""
    space = StateSpace.of(rules)
    family = slug(text.partition(":")[0])
    if family in ("sum", "columns"):
        joint = _joint_policy(rules, **solving)
        if family == "sum":
            return family, joint
        return family, columns_policy(space, *_cells(rules, joint, **solving))
    if family == "race":
        base = bind_policy(rules, "points" if rules.instant_wins else "optimal", **solving)
        assert isinstance(base, Optimal)
        return family, race_policy(space, base)
    policy = bind_policy(rules, text, **solving)
    if isinstance(policy, Optimal):
        if rules.settlement.columns > 1:
            raise PolicyError(f"policy '{policy.text}' is for games of one column; choose sum or columns")
        return policy.text, ByColumn(space.column_state, policy.objective.worth[0], policy.values)
    assert isinstance(policy, Greedy | Par)
    return policy.text, ByColumn(space.column_state, policy.objective.worth[0], np.zeros(space.columns))


def _joint_policy(rules: ScorecardRules, *, workers: int | None, progress: bool, cache: bool) -> Sum:
    """The solution of all columns together, computed or taken from the disk cache."""
    space, columns = StateSpace.of(rules), rules.settlement.columns
    joint = StateSpace.of(rules, cells=columns)
    stored = load_arrays(rules.id, "sum") if cache else None
    if stored is not None and stored[0].keys() == {"values"} and stored[0]["values"].shape == (joint.columns,):
        return sum_policy(space, joint, stored[0]["values"])
    with progress_bar(f"solving {columns} columns of {rules.title}", joint.columns, progress) as bar:
        values = solve_values(joint, workers=workers, progress=bar)
    if cache:
        save_arrays(rules.id, "sum", {"values": values}, {"rules": rules.name})
    return sum_policy(space, joint, values)


def _cells(
    rules: ScorecardRules, joint: Sum, *, workers: int | None, progress: bool, cache: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean and variance of open cells, learnt or taken from the disk cache."""
    del workers  # one sheet after another
    columns, lines = rules.settlement.columns, len(rules.lines)
    shape = (lines * columns + 1, lines, columns + 1)
    stored = load_arrays(rules.id, "cells") if cache else None
    if stored is not None and stored[0].keys() == {"mean", "variance"} and stored[0]["mean"].shape == shape:
        return stored[0]["mean"], stored[0]["variance"]
    with progress_bar(f"learning what cells of {rules.title} bring", lines * columns, progress) as bar:
        mean, variance = learn_cells(StateSpace.of(rules), joint, columns, bar)
    if cache:
        save_arrays(rules.id, "cells", {"mean": mean, "variance": variance}, {"rules": rules.name})
    return mean, variance
