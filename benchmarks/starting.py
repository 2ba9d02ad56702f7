"""How long a command takes from start to end, with kernels compiled and solutions cached."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.measure import Bar, Effort, Row, race, run_python, seconds

if TYPE_CHECKING:
    from collections.abc import Iterator

NOTE = "Starting: a whole process, from start to end, with kernels compiled and solutions kept on disk."
HELP_SECONDS = 0.4
ADVISE = ("advise", "dice-poker", "--dice", "5,5,3,2,1", "--throws-left", "2")


def rows(effort: Effort) -> Iterator[Row]:
    """Best of several starts; the first, not timed, fills the caches."""
    commands = {"--help": ("--help",), " ".join(ADVISE): ADVISE}
    for arguments in commands.values():
        run_python("-m", "analyzer", *arguments)
    runs = {name: lambda a=arguments: run_python("-m", "analyzer", *a) for name, arguments in commands.items()}
    for name, best in race(runs, effort.pick(10, 3)).items():
        bars = (Bar(f"≤ {HELP_SECONDS} s", best.seconds <= HELP_SECONDS),) if name == "--help" else ()
        yield Row(job=f"`analyzer {name}`", analyzer=seconds(best.seconds), bars=bars)
