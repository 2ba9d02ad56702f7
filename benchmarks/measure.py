"""What a figure is: the best of several repetitions, in turn with those of the peer, in one run."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Bar:
    """What a figure has to reach."""

    text: str
    met: bool

    def __str__(self) -> str:
        return f"{self.text}: {'met' if self.met else 'NOT MET'}"


@dataclass(frozen=True, kw_only=True)
class Row:
    """One line of the table: a job, how the analyzer does it, how a peer does it.

    `ratio` is how many times faster the analyzer is.
    """

    job: str
    analyzer: str
    peer: str = ""
    ratio: float | None = None
    bars: tuple[Bar, ...] = ()


@dataclass(frozen=True)
class Effort:
    """How much is run: `quick` is for a look, the full run for figures to be quoted."""

    quick: bool

    def pick(self, full: int, quick: int) -> int:
        """The number for this run."""
        return quick if self.quick else full


class Timed(NamedTuple):
    """Best time of a run in seconds, and what it returned last."""

    seconds: float
    result: Any


def race(runs: Mapping[str, Callable[[], Any]], repeats: int) -> dict[str, Timed]:
    """Time each run; the runs take turns, so that a busy machine slows all of them alike."""
    timed = dict.fromkeys(runs, Timed(float("inf"), None))
    for _ in range(repeats):
        for name, run in runs.items():
            start = time.perf_counter()
            result = run()
            timed[name] = Timed(min(timed[name].seconds, time.perf_counter() - start), result)
    return timed


def installed(module: str) -> bool:
    """Whether a peer is there."""
    return importlib.util.find_spec(module) is not None


def check(what: str, here: float, there: float, tolerance: float) -> None:
    """Stop unless both sides found the same figure: a fast wrong answer is no benchmark."""
    if not abs(here - there) <= tolerance:
        raise SystemExit(f"{what}: {here!r} here and {there!r} there differ by more than {tolerance:g}")


def run_python(*arguments: str) -> str:
    """Run a new Python interpreter in the repository and return what it prints."""
    done = subprocess.run([sys.executable, *arguments], cwd=ROOT, check=False, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"python {' '.join(arguments)} failed:\n{done.stderr}")
    return done.stdout


def seconds(value: float) -> str:
    """A duration with three significant digits."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if value >= size:
            return f"{three_digits(value / size)} {unit}"
    return f"{three_digits(value * 1e6)} µs"


def rate(value: float, what: str) -> str:
    """So many a second, with three significant digits."""
    if value >= 1e6:
        return f"{three_digits(value / 1e6)} million {what}/s"
    return f"{float(three_digits(value)):,.0f} {what}/s"


def three_digits(value: float) -> str:
    """Three significant digits, never an exponent."""
    digits = 0 if value >= 100 else 1 if value >= 10 else 2
    return f"{value:.{digits}f}" if value < 1000 else f"{float(f'{value:.3g}'):.0f}"
