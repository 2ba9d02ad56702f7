"""Policies of Euchre by name, and who sits at a table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.analysis.families import EUCHRE_FAMILIES
from analyzer.errors import PolicyError, UsageError
from analyzer.fields import shown, slug, unknown
from analyzer.games.euchre.chart import NAME_OF_POLICY, ChartSettings, with_charts
from analyzer.games.euchre.chart_run import compute_chart
from analyzer.games.euchre.layout import PLAYING, STAGE
from analyzer.games.euchre.own_policy import OwnPolicy
from analyzer.games.euchre.pimc import Pimc
from analyzer.games.euchre.play import Table
from analyzer.games.euchre.players import ASK, CHART, NO_PARAMETERS, RANDOM, RULES, STRENGTH, Players
from analyzer.games.euchre.rules import Euchre
from analyzer.games.euchre.strength import Strength
from analyzer.own_function import function_or_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from analyzer.games.euchre.chart import Chart
    from analyzer.games.euchre.play import Asked


@dataclass(frozen=True, eq=False)
class BoundPolicy:
    """A policy of Euchre, ready to play.

    Attributes
    ----------
    text : str
        Name and parameters, the same for equal policies.
    bidding, playing : int
        How it bids and plays, see `analyzer.games.euchre.players`.
    asked : Asked or None
        What answers outside of kernels.
    chart : Chart or None
        By which it bids.
    strength : Strength or None
        The parameters by which it bids.
    """

    text: str
    bidding: int
    playing: int
    asked: Asked | None = None
    chart: Chart | None = None
    strength: Strength | None = None


def check_euchre(rules: object, what: str) -> None:
    """Raise UsageError unless rules are those of Euchre.

    Examples
    --------
    >>> check_euchre("euchre", "win_table")
    Traceback (most recent call last):
    analyzer.errors.UsageError: win_table is for Euchre, not 'euchre'; make its rules with analyzer.game("euchre")
    """
    if not isinstance(rules, Euchre):
        title = getattr(rules, "title", None)
        given = title if isinstance(title, str) else shown(rules)
        raise UsageError(f'{what} is for Euchre, not {given}; make its rules with analyzer.game("euchre")')


def bind_policy(
    rules: Euchre,
    policy: str | Callable[..., Any],
    *,
    workers: int | None = None,
    progress: bool = False,
    cache: bool = True,
) -> BoundPolicy:
    """Bind a policy to the rules.

    Parameters
    ----------
    rules : Euchre
    policy : str or callable
        A family of `EUCHRE_FAMILIES` with its parameters, ``bidding/play`` of two of them, ``path.py:function``, or a
        function of a `View`.
    workers, progress, cache
        For the chart that `computed` needs.

    Raises
    ------
    PolicyError
        An unknown policy, or parameters that it does not take.

    Examples
    --------
    >>> from analyzer.games.euchre.rules import Euchre
    >>> bind_policy(Euchre(), "random").text
    'random'
    """
    given = function_or_text(policy, "rules")
    if not isinstance(given, str):
        return _asked(given[1], OwnPolicy(*given))
    if "/" in given:
        first, _, second = given.partition("/")
        if "/" in second:
            raise PolicyError(
                f"policy {shown(given)} has more than two halves; write BIDDING/PLAY, such as computed/pimc"
            )
        run: dict[str, Any] = {"workers": workers, "progress": progress, "cache": cache}
        return _both(bind_policy(rules, first.strip(), **run), bind_policy(rules, second.strip(), **run))
    family, _, parameters = given.partition(":")
    family = slug(family)
    simple = {"random": RANDOM, "rules": RULES}
    if family in simple:
        if parameters:
            raise PolicyError(f"policy '{family}' takes no parameters but got '{parameters}'; write {family} alone")
        return BoundPolicy(family, simple[family], simple[family])
    if family == NAME_OF_POLICY:
        chart = compute_chart(rules, ChartSettings.parse(given), workers=workers, progress=progress, cache=cache)
        return BoundPolicy(chart.settings.text, CHART, RULES, chart=chart)
    if family == "pimc":
        pimc = Pimc.parse(parameters)
        return _asked(pimc.text, pimc)
    if family == "strength":
        strength = Strength.parse(given)
        return BoundPolicy(str(strength), STRENGTH, RULES, strength=strength)
    raise PolicyError(unknown("policy", given, tuple(EUCHRE_FAMILIES)))


def _asked(text: str, asked: Asked) -> BoundPolicy:
    return BoundPolicy(text, ASK, ASK, asked)


def _both(first: BoundPolicy, second: BoundPolicy) -> BoundPolicy:
    """A policy that bids by one and plays by another."""
    asked = _Halves(first.asked, second.asked) if first.asked or second.asked else None
    return replace(first, text=f"{first.text}/{second.text}", playing=second.playing, asked=asked)


@dataclass(frozen=True, eq=False)
class _Halves:
    """What answers for a policy of two halves, each of which may be asked outside of kernels or not."""

    bidding: Asked | None
    playing: Asked | None

    def choose(
        self, rules: Euchre, legal: int, hand: int, discard: int, seen: NDArray[np.int64], address: tuple[int, int, int]
    ) -> int:
        """See `analyzer.games.euchre.play.Asked`."""
        half = self.playing if seen[STAGE] == PLAYING else self.bidding
        assert half is not None
        return half.choose(rules, legal, hand, discard, seen, address)


def table_of(rules: Euchre, policies: Sequence[BoundPolicy]) -> Table:
    """The table of some policies: one for all seats, or one for each party.

    Parameters
    ----------
    rules : Euchre
    policies : sequence of BoundPolicy

    Raises
    ------
    UsageError
        If there are neither one nor as many as there are parties.
    """
    parties = 2 if rules.players == "4" else int(rules.players)
    if len(policies) not in (1, parties):
        sides = "one for each side" if rules.players == "4" else "one for each player"
        raise UsageError(f"players are {len(policies)}; give {parties} policies, {sides}")
    n = len(policies)
    who = np.array([seat % n for seat in range(4)], np.int64)
    players = Players(
        who,
        np.array([one.bidding for one in policies], np.int64),
        np.array([one.playing for one in policies], np.int64),
        parameters=_parameters(policies),
    )
    return Table(rules, with_charts(players, [one.chart for one in policies]), [one.asked for one in policies])


def _parameters(policies: Sequence[BoundPolicy]) -> NDArray[np.float64]:
    if all(one.strength is None for one in policies):
        return NO_PARAMETERS
    return np.stack([(one.strength or Strength()).lower() for one in policies])


def bind_all(
    rules: Euchre, policies: Sequence[str | Callable[..., Any]], **solving: Any
) -> tuple[list[BoundPolicy], Table]:
    """Bind several policies, equal ones once, and seat them; see `bind_policy` and `table_of`."""
    bound: dict[Any, BoundPolicy] = {}
    for policy in policies:
        if policy not in bound:
            bound[policy] = bind_policy(rules, policy, **solving)
    found = [bound[policy] for policy in policies]
    return found, table_of(rules, found)
