"""Random rounds of President of five players from deal to places, on one core, and rounds played by `rules`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.analysis.president.policies import bind_all
from analyzer.engine.blocks import Block
from analyzer.games.president.play import play_matches
from analyzer.games.president.rules import President
from benchmarks.measure import Bar, Effort, Row, race, rate

if TYPE_CHECKING:
    from collections.abc import Iterator

NOTE = (
    "Rounds of President: one core, five players, the deal and a record of each round and hand included; random ones"
    " choose uniformly among all legal plays, a pass among them."
)
PLAIN = {"runs": False}
FULL = {"jokers": 2, "revolution": True, "eight_stop": True}
ROUNDS = 10_000
JOBS = (
    ("Random rounds of President, runs off", PLAIN, "random", 150_000.0),
    ("Random rounds of President, runs, two jokers, 8-stop and revolution", FULL, "random", 100_000.0),
    ("Rounds of President by rules, runs off", PLAIN, "rules", 0.0),
    ("Rounds of President by rules, runs, two jokers, 8-stop and revolution", FULL, "rules", 0.0),
)


def rows(effort: Effort) -> Iterator[Row]:
    """Play rounds by their numbers."""
    for job, options, policy, wanted in JOBS:
        _, table = bind_all(President(players=5, rounds=1, **options), [policy])
        count = ROUNDS if policy == "random" else ROUNDS // 5
        play_matches(table, 1, Block(0, 0, 10))
        runs = {"analyzer": lambda table=table, count=count: play_matches(table, 1, Block(0, 0, count))}
        here = count / race(runs, effort.pick(40, 5))["analyzer"].seconds
        bars = (Bar(f"≥ {wanted:,.0f}/s", here >= wanted),) if wanted else ()
        yield Row(job=job, analyzer=rate(here, "rounds"), bars=bars)
