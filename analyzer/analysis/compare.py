"""Variants of rules, or policies, compared statistically on the same random numbers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from analyzer.analysis.arguments import level, whole
from analyzer.analysis.arms import MOST_ARMS, Arm
from analyzer.analysis.comparison import Comparison
from analyzer.analysis.contests import contest_of
from analyzer.analysis.paired import ArmTally, PairTally
from analyzer.engine.blocks import growing_plan
from analyzer.engine.executors import worker_count
from analyzer.engine.progress import progress_bar
from analyzer.engine.provenance import Provenance, stable_id
from analyzer.errors import UsageError
from analyzer.fields import shown
from analyzer.stats.comparison import simultaneous_confidence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.analysis.contests import Contest
    from analyzer.engine.progress import Progress
    from analyzer.stats.estimates import Estimate

GAMES = 100_000
"""Games of each arm if no number is given."""
MOST_GAMES = 100_000_000
"""Games of each arm at most if a precision is asked for and no number is given."""
FIRST_BLOCK = 1 << 12
"""Games until the first look."""
LARGEST_BLOCK = 1 << 18
"""Games in a block at most: what every game earned is held at once."""


def compare(
    arms: Sequence[Arm],
    *,
    games: int | None = None,
    precision: float | None = None,
    against: str = "first",
    margin: float | None = None,
    common: bool = True,
    exact: bool = True,
    play: bool = True,
    seed: int = 0,
    confidence: float = 0.95,
    workers: int | None = None,
    progress: bool = False,
    cache: bool = True,
) -> Comparison:
    """Compare variants of rules, policies, or both.

    Parameters
    ----------
    arms : sequence of Arm
        Two to 20. Matches (arms with several players) are not compared with games played alone.
    games : int, optional
        Games of each arm; 100,000 if neither this nor a precision is given. With a precision the most that are played,
        100 million by default.
    precision : float, optional
        Play until the half width of every interval of the mean difference is at most this. The intervals are then those
        of a confidence sequence, valid though one looked again and again.
    against : str
        ``first``: every arm against the first one; ``all``: every arm against every other.
    margin : float, optional
        Differences up to this do not matter: tests for equivalence are added.
    common : bool
        Give all arms the same random numbers. Without it, each has its own.
    exact : bool
        Give exact values beside the simulated ones, where they can be had.
    play : bool
        Tell how best play changes, where both arms of a pair play best; computed when first asked for.
    seed : int
        From 0 to 2**64 - 1. The same task gives the same result, bit for bit, with any number of workers.
    confidence : float
        Of all intervals of a table together.
    workers : int, optional
        Threads; by default one per processor.
    progress : bool
        Show a bar on a terminal.
    cache : bool
        Keep solutions and exact evaluations on disk.

    Returns
    -------
    Comparison

    Raises
    ------
    UsageError, PolicyError, RulesError
        Arguments or arms that do not fit; one line says which.

    Examples
    --------
    >>> import analyzer
    >>> arms = [analyzer.Arm(analyzer.game("yahtzee"), policy) for policy in ("greedy", "par")]
    >>> found = analyzer.compare(arms, games=1000, exact=False)
    >>> found.games, len(found.differences())
    (1000, 1)
    """
    found = _checked_arms(arms)
    limit = whole("games", games if games is not None else GAMES if precision is None else MOST_GAMES, 2, 10**12)
    precision = _positive("precision", precision, "the half width of the interval, such as 0.1")
    margin = _positive("margin", margin, "the largest difference that does not matter, such as 0.5")
    if against not in ("first", "all"):
        raise UsageError(f"against = {shown(against)} cannot be; give first or all")
    seed, confidence = whole("seed", seed, 0, 2**64 - 1), level(confidence)
    worker_count(workers)
    solving: dict[str, Any] = {"workers": workers, "progress": progress, "cache": cache}
    contests = tuple(contest_of(arm, solving) for arm in found)
    _check_comparable(found, contests)
    exacts = tuple(contest.exact() if exact else None for contest in contests)
    sequential = precision is not None
    tallies = tuple(ArmTally(contest.measures, sequential) for contest in contests)
    measures = [contest.measures for contest in contests]
    pairs = tuple(PairTally.between(i, j, measures, sequential) for i, j in _pairs(len(found), against))
    unit = contests[0].measures[0].unit
    looks: list[tuple[int, tuple[Estimate, ...]]] = []
    each = simultaneous_confidence(confidence, len(pairs))
    seeds = [seed if common else seed_of(seed, arm) for arm in range(len(found))]
    with progress_bar("comparing", limit if precision is None else FIRST_BLOCK, progress) as bar:
        for block in growing_plan(limit, FIRST_BLOCK, LARGEST_BLOCK):
            played = [contest.play(own, block, workers) for own, contest in zip(seeds, contests, strict=True)]
            for tally, values in zip(tallies, played, strict=True):
                tally.add(values)
            for pair in pairs:
                pair.add(played)
            looks.append((block.stop, tuple(pair.sums.estimate(0, each).times(unit) for pair in pairs)))
            if precision is not None and _narrow(looks[-1], precision, limit, bar):
                break
            bar.advance(block.size)
    provenance = Provenance(
        rules_id=stable_id([contest.rules.id for contest in contests]),
        policy=" | ".join(contest.policy for contest in contests),
        job=_job(contests, common, precision, each),
        seed=seed,
        block_size=FIRST_BLOCK,
    )
    return Comparison(
        found,
        confidence,
        margin,
        precision,
        common,
        play,
        provenance,
        contests,
        tallies,
        pairs,
        tuple(looks),
        exacts,
        solving,
    )


def _pairs(arms: int, against: str) -> list[tuple[int, int]]:
    """Numbers of the arms of every pair, base first: each against the first, or each against each."""
    if against == "all":
        return [(i, j) for i in range(arms) for j in range(i + 1, arms)]
    return [(0, j) for j in range(1, arms)]


def seed_of(seed: int, arm: int) -> int:
    """Seed of an arm that has random numbers of its own."""
    return int(stable_id(["arm", seed, arm]), 16)


def _narrow(look: tuple[int, tuple[Estimate, ...]], precision: float, limit: int, bar: Progress) -> bool:
    """Whether all intervals are narrow enough; else tell the bar how many games it may take."""
    games, estimates = look
    widest = max(found.half_width for found in estimates)
    if widest <= precision:
        return True
    wanted = games * (widest / precision) ** 2 if widest / precision < math.sqrt(limit) else math.inf
    bar.expect(math.ceil(min(limit, wanted)))
    return False


def _job(contests: Sequence[Contest], common: bool, precision: float | None, confidence: float) -> str:
    job = f"comparison of {contests[0].job}"
    if not common:
        job += ", independent"
    return job if precision is None else f"{job}, until {precision!r} at {confidence!r}"


def _checked_arms(arms: Sequence[Arm]) -> tuple[Arm, ...]:
    found = tuple(arms)
    for arm in found:
        if not isinstance(arm, Arm):
            raise UsageError(f"{shown(arm)} is no arm; give analyzer.Arm(rules, policy)")
    if not 2 <= len(found) <= MOST_ARMS:
        raise UsageError(f"arms are {len(found)}; give 2..{MOST_ARMS} of them")
    names = [arm.label for arm in found]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"two arms are called '{name}'; give them different names")
    return found


def _check_comparable(arms: Sequence[Arm], contests: Sequence[Contest]) -> None:
    """Raise UsageError if matches are compared with games, or matches that differ in players or rounds."""
    first = contests[0]
    for arm, contest in zip(arms, contests, strict=True):
        decides, other = first.measures[0], contest.measures[0]
        if (contest.job, other.name, other.unit) != (first.job, decides.name, decides.unit):
            raise UsageError(
                f"arms '{arms[0].label}' ({first.job}) and '{arm.label}' ({contest.job}) cannot be compared; give all"
                " arms one policy, or all the same number of players, and matches of as many rounds"
            )


def _positive(name: str, value: float | None, what: str) -> float | None:
    if value is None:
        return None
    number: object = value
    if isinstance(number, bool) or not isinstance(number, int | float) or not 0 < number < math.inf:
        raise UsageError(f"{name} = {shown(value)} cannot be; give {what}")
    return float(value)
