"""Peak memory of a job, measured in a process of its own: ``python -m benchmarks.memory JOB ARGUMENT``."""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.measure import run_python

MIB = 1 << 20


def solve(game: str) -> None:
    import analyzer
    from benchmarks.yatzy import rules_of

    print(analyzer.solve(rules_of(game), cache=False).expected_score)


def games(number: str) -> None:
    import analyzer

    print(analyzer.simulate(analyzer.game("dice-poker"), games=int(number)).mean)


def peer(variant: str) -> None:
    import yatzy_solver

    print(yatzy_solver.Solver.build(yatzy_solver.Variant(variant)).state_value("upper 0 | filled -"))


JOBS = {"solve": solve, "games": games, "peer": peer}


def peak_bytes() -> int:
    """The most memory that this process has held so far."""
    status = Path("/proc/self/status")
    if status.exists():  # getrusage would give the parent's peak where that is higher, as Linux passes it on
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) * 1024
    if sys.platform == "win32":
        import psutil

        return int(psutil.Process().memory_info().peak_wset)
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def peak_of(job: str, argument: str) -> int:
    """Peak memory of a job in bytes: interpreter, libraries and all."""
    return int(run_python("-m", "benchmarks.memory", job, argument).splitlines()[-1])


def mebibytes(size: int) -> str:
    return f"{size / MIB:.0f} MiB"


if __name__ == "__main__":
    JOBS[sys.argv[1]](sys.argv[2])
    print(peak_bytes())
