"""Policies of President by name, and who sits at a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.analysis.families import PRESIDENT_FAMILIES
from analyzer.errors import PolicyError, UsageError
from analyzer.fields import shown, slug, unknown
from analyzer.games.president.layout import SEATS
from analyzer.games.president.own_policy import OwnPolicy
from analyzer.games.president.play import Table
from analyzer.games.president.players import ASK, LOWEST, RANDOM, RULES, Players
from analyzer.games.president.rollouts import Rollout
from analyzer.games.president.rules import President
from analyzer.own_function import function_or_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from analyzer.games.president.play import Asked

_SIMPLE = {"random": RANDOM, "lowest": LOWEST, "rules": RULES}


@dataclass(frozen=True, eq=False)
class BoundPolicy:
    """A policy of President, ready to play.

    Attributes
    ----------
    text : str
        Name and parameters, the same for equal policies.
    kind : int
        How it decides, see `analyzer.games.president.players`.
    slips : float
        The share of decisions in which it makes a random choice instead.
    asked : Asked or None
        What answers outside of kernels.
    """

    text: str
    kind: int
    slips: float = 0.0
    asked: Asked | None = None


def check_president(rules: object, what: str) -> None:
    """Raise UsageError unless rules are those of President.

    Examples
    --------
    >>> check_president("president", "option_worth")
    Traceback (most recent call last):
    analyzer.errors.UsageError: option_worth is for President, not 'president'; use analyzer.game("president")
    """
    if not isinstance(rules, President):
        title = getattr(rules, "title", None)
        given = title if isinstance(title, str) else shown(rules)
        raise UsageError(f'{what} is for President, not {given}; use analyzer.game("president")')


def bind_policy(policy: str | Callable[..., Any]) -> BoundPolicy:
    """Bind a policy.

    Parameters
    ----------
    policy : str or callable
        A family of `PRESIDENT_FAMILIES` with its parameters, ``path.py:function``, or a function of a `View`.

    Raises
    ------
    PolicyError
        An unknown policy, or parameters that it does not take.

    Examples
    --------
    >>> bind_policy("random").text, bind_policy("rules:slips=0.10").text
    ('random', 'rules:slips=0.1')
    """
    given = function_or_text(policy, "rules")
    if not isinstance(given, str):
        return BoundPolicy(given[1], ASK, asked=OwnPolicy(*given))
    family, _, parameters = given.partition(":")
    family = slug(family)
    if family in {"random", "lowest"} and parameters:
        raise PolicyError(f"policy '{family}' takes no parameters but got '{parameters}'; write {family} alone")
    if family in _SIMPLE:
        slips = _slips(parameters) if parameters else 0.0
        return BoundPolicy(family + f":slips={slips!r}" * bool(slips), _SIMPLE[family], slips)
    if family == "rollout":
        rollout = Rollout.parse(parameters)
        return BoundPolicy(rollout.text, ASK, asked=rollout)
    raise PolicyError(unknown("policy", given, tuple(PRESIDENT_FAMILIES)))


def _slips(text: str) -> float:
    """The share of slips that a text such as ``slips=0.1`` gives."""
    name, _, value = (part.strip() for part in text.partition("="))
    if name != "slips":
        raise PolicyError(f"parameter {shown(name)} of rules is unknown; write such as rules:slips=0.1")
    try:
        slips = float(value)
    except ValueError:
        slips = -1.0
    if not 0 <= slips <= 1:
        raise PolicyError(f"slips of rules is {shown(value)}; give a share from 0 to 1, such as rules:slips=0.1")
    return slips


def table_of(rules: President, policies: Sequence[BoundPolicy]) -> Table:
    """The table of some policies, which sit in turn: of two for four players each has two seats.

    Parameters
    ----------
    rules : President
    policies : sequence of BoundPolicy

    Raises
    ------
    UsageError
        If the players cannot be shared out equally.
    """
    n = len(policies)
    if n == 0 or rules.players % n:
        fits = ", ".join(str(k) for k in range(2, rules.players + 1) if rules.players % k == 0)
        raise UsageError(f"policies are {n} for {rules.players} players, who cannot be shared out; give one of {fits}")
    who = np.array([seat % n for seat in range(SEATS)], np.int64)
    kinds = np.array([one.kind for one in policies], np.int64)
    slips = np.array([round(one.slips * 2**32) for one in policies], np.int64)
    return Table(rules, Players(who, kinds, slips), [one.asked for one in policies])


def bind_all(rules: President, policies: Sequence[str | Callable[..., Any]]) -> tuple[list[BoundPolicy], Table]:
    """Bind several policies and seat them; see `bind_policy` and `table_of`."""
    found = [bind_policy(policy) for policy in policies]
    return found, table_of(rules, found)


def with_slips(table: Table, slips: float) -> Table:
    """A table at which everybody slips at least so often."""
    least = np.maximum(table.players.slips, round(slips * 2**32))
    return Table(table.rules, table.players._replace(slips=least), table.asked)
