"""Escalero and Cacho Alalay: solutions, whole games, and matches of two players."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import analyzer
from analyzer.analysis.binding import bind_policy
from analyzer.dice.lattice import Lattice
from analyzer.dice.states import StateSpace
from benchmarks.games import check_mean
from benchmarks.measure import Bar, Effort, Row, race, rate, seconds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer import ScorecardRules

NOTE = (
    "Escalero and Cacho Alalay: solving from the rules on, as above; games and matches with solutions at hand. A match"
    " of three columns is 60 turns."
)
SOLUTIONS = (
    ("escalero", "optimal", "Escalero, one column", 0.5),
    ("cacho-alalay", "points", "Cacho Alalay, expected sheet", 5.0),
    ("cacho-alalay", "instant", "Cacho Alalay, chance of an instant win", 5.0),
    ("cacho-alalay", "mixed:win_value=50", "Cacho Alalay, 50 points for an instant win", 5.0),
)
GAMES = (("escalero", "optimal", 2e6), ("cacho-alalay", "points", 1e6))
MATCHES = (
    ("escalero", ("sum", "sum"), 5_000.0),
    ("escalero", ("columns", "sum"), None),
    ("cacho-alalay", ("race", "points"), None),
)


def bind_anew(rules: ScorecardRules, policy: str) -> Any:
    """A policy from nothing but the rules and compiled kernels."""
    StateSpace.of.cache_clear()
    Lattice.of.cache_clear()
    return bind_policy(rules, policy, cache=False)


def rows(effort: Effort) -> Iterator[Row]:
    """Solve, play games, play matches."""
    for name, policy, title, limit in SOLUTIONS:
        rules = analyzer.game(name)
        bind_anew(rules, policy)
        timed = race({"analyzer": lambda rules=rules, policy=policy: bind_anew(rules, policy)}, effort.pick(5, 2))
        took = timed["analyzer"].seconds
        yield Row(job=f"Solve {title}", analyzer=seconds(took), bars=(Bar(f"≤ {limit:g} s", took <= limit),))
    for name, policy, least in GAMES:
        rules, games = analyzer.game(name), effort.pick(8_000_000, 1_000_000)
        analyzer.simulate(rules, policy=policy, games=1_000)
        run = {"analyzer": lambda r=rules, p=policy, g=games: analyzer.simulate(r, policy=p, games=g)}
        found = race(run, effort.pick(3, 1))["analyzer"]
        if policy == "optimal":
            check_mean(rules, found.result.mean, found.result.standard_error)
        here = games / found.seconds
        bar = Bar(f"≥ {least / 1e6:g} million/s", here >= least)
        yield Row(job=f"Games of {rules.title}, {policy}", analyzer=rate(here, "games"), bars=(bar,))
    for name, players, wanted in MATCHES:
        rules, games = analyzer.game(name), effort.pick(60_000, 16_000)
        analyzer.match(rules, players, games=100)
        run = {"analyzer": lambda r=rules, p=players, g=games: analyzer.match(r, p, games=g)}
        here = games / race(run, effort.pick(2, 1))["analyzer"].seconds
        bars = () if wanted is None else (Bar(f"≥ {wanted:,.0f}/s", here >= wanted),)
        job = f"Matches of {rules.title}, {' against '.join(players)}"
        yield Row(job=job, analyzer=rate(here, "matches"), bars=bars)
