"""Do played games agree with an exact evaluation? Distances in standard errors, the worst of them to be looked at."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from scipy.stats import binom, norm

from analyzer.analysis.simulate import GamesResult
from analyzer.analysis.solve import Solution


@dataclass
class Distances:
    """Distances of what was found from what is exact, by name, in standard errors."""

    games: int
    z: dict[str, float] = field(default_factory=dict)

    def mean(self, name: str, found: float, exact: float, deviation: float) -> None:
        """Compare a mean; `deviation` is that of one game."""
        error = deviation / self.games**0.5
        self.z[name] = (found - exact) / error if error > 0 else (0.0 if abs(found - exact) < 1e-9 else float("inf"))

    def share(self, name: str, count: int, exact: float) -> None:
        """Compare a number of games with the binomial distribution, by the tail that it lies in."""
        chance = min(max(exact, 0.0), 1.0)
        if min(chance, 1 - chance) < 1e-14:
            self.z[name] = 0.0 if count == round(chance) * self.games else float("inf")
            return
        below, above = binom.cdf(count, self.games, chance), binom.sf(count - 1, self.games, chance)
        self.z[name] = float(max(norm.isf(min(above, 0.5)), 0.0) - max(norm.isf(min(below, 0.5)), 0.0))

    @property
    def worst(self) -> tuple[str, float]:
        """The largest distance."""
        name = max(self.z, key=lambda one: abs(self.z[one]))
        return name, self.z[name]

    def __str__(self) -> str:
        name, z = self.worst
        return f"{self.games:,} games, {len(self.z)} figures, worst {name} {z:+.2f}"

    def check(self, limit: float) -> None:
        """Raise if a distance is above the limit."""
        far = {name: round(z, 2) for name, z in self.z.items() if not abs(z) <= limit}
        assert not far, far


def played(
    solution: Solution, games: int, written: Mapping[tuple[str, int], int], wins: Mapping[str, int]
) -> Distances:
    """Distances of games played one by one: how often a line was written with some points, and instant wins."""
    found = Distances(games)
    total = sum(points * number for (_, points), number in written.items())
    found.mean("mean", total / games, solution.expected_score, solution.standard_deviation)
    for row in solution.lines().to_dict("records"):
        line = solution.rules.line(row["line"])
        mine = {points: number for (name, points), number in written.items() if name == line.name}
        total = sum(points * number for points, number in mine.items())
        found.mean(f"mean of {line.name}", total / games, row["mean"], row["standard_deviation"])
        found.share(f"zero_rate of {line.name}", mine.get(0, 0), row["zero_rate"])
        if line.served_points is not None and not math.isnan(row["served_rate"]):
            found.share(f"served_rate of {line.name}", mine.get(line.served_points, 0), row["served_rate"])
        if "filled_rate" in row:
            found.share(f"filled_rate of {line.name}", sum(mine.values()), row["filled_rate"])
    for row in solution.wins().to_dict("records"):
        found.share(f"share of {row['win']}", wins.get(row["win"], 0), row["chance"])
    return found


def simulated(solution: Solution, result: GamesResult) -> Distances:
    """Distances of simulated games."""
    games = result.games
    found = Distances(games)
    mean, deviation = solution.expected_score, solution.standard_deviation
    found.mean("mean", result.mean, mean, deviation)
    frame = solution.distribution()
    kurtosis = float((((frame["score"] - mean) / deviation) ** 4 * frame["probability"]).sum())
    found.mean("deviation", result.standard_deviation, deviation, deviation * ((kurtosis - 1) / 4) ** 0.5)
    ours_and_exact = zip(result.lines().to_dict("records"), solution.lines().to_dict("records"), strict=True)
    for ours, exact in ours_and_exact:
        assert ours["line"] == exact["line"]
        found.mean(f"mean of {exact['line']}", ours["mean"], exact["mean"], exact["standard_deviation"])
        for rate in ("zero_rate", "served_rate", "filled_rate"):
            if not math.isnan(exact.get(rate, math.nan)):
                found.share(f"{rate} of {exact['line']}", round(ours[rate] * games), exact[rate])
    for ours, exact in zip(result.wins().to_dict("records"), solution.wins().to_dict("records"), strict=True):
        found.share(f"share of {exact['win']}", round(ours["chance"] * games), exact["chance"])
    return found
