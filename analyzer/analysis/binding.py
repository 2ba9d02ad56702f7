"""Policies by name: from text such as ``par:chance=22``, or a Python function, to a policy bound to a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer.analysis.families import FAMILIES
from analyzer.dice.own_policy import OwnPolicy, load_function, name_of
from analyzer.dice.policies import Chase, Greedy, Optimal, Par, Policy, Random, check_line, parse_pars
from analyzer.dice.solver import solve as solve_values
from analyzer.dice.states import StateSpace
from analyzer.engine.progress import progress_bar
from analyzer.engine.store import load_arrays, save_arrays
from analyzer.errors import PolicyError
from analyzer.fields import slug, unknown

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from analyzer.dice.scorecard import ScorecardRules


def optimal_values(
    rules: ScorecardRules, *, workers: int | None = None, progress: bool = False, cache: bool = True
) -> NDArray[np.float64]:
    """Maximal expected points still to be gained from every column, solved or taken from the disk cache."""
    space = StateSpace.of(rules)
    if cache:
        stored = load_arrays(rules.id, "values")
        if stored is not None and stored[0].keys() == {"values"} and stored[0]["values"].shape == (space.columns,):
            return stored[0]["values"]
    with progress_bar(f"solving {rules.title}", space.columns, progress) as bar:
        values = solve_values(space, workers=workers, progress=bar)
    if cache:
        save_arrays(rules.id, "values", {"values": values}, {"rules": rules.name})
    return values


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
    if callable(policy):
        return OwnPolicy(StateSpace.of(rules, merged=False), policy, name_of(policy))
    family, _, parameters = policy.partition(":")
    if family.strip().endswith(".py") or policy.rpartition(":")[0].endswith(".py"):
        function, name = load_function(policy)
        return OwnPolicy(StateSpace.of(rules, merged=False), function, name)
    family = slug(family)
    space = StateSpace.of(rules)
    if family == "par":
        return Par(space, parse_pars(space, parameters) if parameters else {})
    if family == "line":
        if not parameters:
            raise PolicyError(f"policy 'line' needs a line; write line:{rules.line_names[0]}, or another line")
        return Chase(space, check_line(space, parameters))
    if family not in ("optimal", "greedy", "random"):
        raise PolicyError(unknown("policy", policy, tuple(FAMILIES)))
    if parameters:
        raise PolicyError(f"policy '{family}' takes no parameters but got '{parameters}'; write {family} alone")
    if family == "optimal":
        return Optimal(space, optimal_values(rules, workers=workers, progress=progress, cache=cache))
    return Greedy(space) if family == "greedy" else Random(space)
