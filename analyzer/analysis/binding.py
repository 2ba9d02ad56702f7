"""Policies by name: from text such as ``par:chance=22``, or a Python function, to a policy bound to a game."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.analysis.families import FAMILIES
from analyzer.dice.own_policy import OwnPolicy
from analyzer.dice.policies import (
    Chase,
    Greedy,
    Instant,
    Mixed,
    Optimal,
    Par,
    Points,
    Policy,
    Random,
    check_line,
    parse_pars,
)
from analyzer.dice.solver import solve as solve_values
from analyzer.dice.states import StateSpace
from analyzer.engine.progress import progress_bar
from analyzer.engine.provenance import stable_id
from analyzer.engine.store import load_arrays, save_arrays
from analyzer.errors import PolicyError
from analyzer.fields import slug, unknown
from analyzer.own_function import function_or_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from analyzer.dice.scorecard import ScorecardRules


def optimal_values(
    rules: ScorecardRules,
    *,
    point: float = 1.0,
    win_values: tuple[float, ...] = (),
    workers: int | None = None,
    progress: bool = False,
    cache: bool = True,
) -> NDArray[np.float64]:
    """Maximal expected points still to be gained from every column, solved or taken from the disk cache.

    With `point` and `win_values` something else is maximised, see `analyzer.dice.solver.solve`.
    """
    space = StateSpace.of(rules)
    key = rules.id if point == 1.0 and not win_values else stable_id([rules.id, point, list(win_values)])
    if cache:
        stored = load_arrays(key, "values")
        if stored is not None and stored[0].keys() == {"values"} and stored[0]["values"].shape == (space.columns,):
            return stored[0]["values"]
    with progress_bar(f"solving {rules.title}", space.columns, progress) as bar:
        values = solve_values(space, point=point, win_values=win_values, workers=workers, progress=bar)
    if cache:
        save_arrays(key, "values", {"values": values}, {"rules": rules.name})
    return values


def values_without_wins(rules: ScorecardRules, **solving: Any) -> NDArray[np.float64]:
    """Maximal expected points of the full scorecard if nobody could win at once, for every column of the real game.

    In a column that a throw won, what the scorecard would be worth if the turn had not been.
    """
    plain = replace(rules, instant_wins=())
    space, other = StateSpace.of(rules), StateSpace.of(plain)
    values = optimal_values(plain, **solving)
    state = np.zeros(space.columns, dtype=np.int64)
    for line, cuts in enumerate(space.cuts):
        held = np.array([0, 0, *cuts])[space.status_at(line)]
        filled = 1 + (held[:, None] >= np.array(other.cuts[line], dtype=np.int64)).sum(axis=1)
        state += np.where(space.status_at(line) > 0, filled, 0) * other.weight[line]
    found: NDArray[np.float64] = values[other.tables.column_start[state]]
    return found


def bind_policy(
    rules: ScorecardRules,
    policy: str | Callable[..., Any],
    *,
    workers: int | None = None,
    progress: bool = False,
    cache: bool = True,
) -> Policy:
    """Bind a policy to a game.

    Parameters
    ----------
    rules : ScorecardRules
    policy : str or callable
        A built-in policy with its parameters, ``path.py:function``, or a function (see `OwnPolicy`).
    workers, progress, cache
        For the solution that `optimal` needs.

    Raises
    ------
    PolicyError
        An unknown policy, or parameters that it does not take.
    RulesError
        An unknown line.
    """
    given = function_or_text(policy, "greedy")
    if not isinstance(given, str):
        return OwnPolicy(StateSpace.of(rules, merged=False), *given)
    family, _, parameters = given.partition(":")
    family = slug(family)
    space = StateSpace.of(rules)
    if family == "par":
        return Par(space, parse_pars(space, parameters) if parameters else {})
    solving: dict[str, Any] = {"workers": workers, "progress": progress, "cache": cache}
    if family in ("points", "mixed", "instant"):
        return _bind_wins(space, family, parameters, solving)
    if family == "line":
        if not parameters:
            raise PolicyError(f"policy 'line' needs a line; write line:{rules.line_names[0]}, or another line")
        return Chase(space, check_line(space, parameters))
    if family not in ("optimal", "greedy", "random"):
        raise PolicyError(unknown("policy", given, tuple(FAMILIES)))
    if parameters:
        raise PolicyError(f"policy '{family}' takes no parameters but got '{parameters}'; write {family} alone")
    if family == "optimal":
        return Optimal(space, optimal_values(rules, **solving))
    return Greedy(space) if family == "greedy" else Random(space)


def _bind_wins(space: StateSpace, family: str, parameters: str, solving: dict[str, Any]) -> Policy:
    """Bind a policy that looks at instant wins."""
    rules = space.rules
    wins = [win.name for win in rules.instant_wins]
    if not wins:
        raise PolicyError(f"policy '{family}' is for games with instant wins, which {rules.title} has not; use optimal")
    if family == "points":
        if parameters:
            raise PolicyError(f"policy 'points' takes no parameters but got '{parameters}'; write points alone")
        return Points(space, values_without_wins(rules, **solving))
    if family == "instant":
        win = slug(parameters)
        if win and win not in wins:
            raise PolicyError(unknown("instant win", parameters, wins))
        worth = tuple(float(win in ("", name)) for name in wins)
        return Instant(space, optimal_values(rules, point=0.0, win_values=worth, **solving), win)
    name, _, text = parameters.partition("=")
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if slug(name) != "win_value" or not abs(value) < 1e5:
        raise PolicyError(f"policy 'mixed' needs the points of a win, not '{parameters}'; write mixed:win_value=50")
    return Mixed(space, optimal_values(rules, win_values=(value,) * len(wins), **solving), value)
