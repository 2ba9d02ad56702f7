"""Where the figures come from: processor, system and versions."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from analyzer.engine.executors import default_workers

PACKAGES = ("strategy-analyzer", "numpy", "numba", "yatzy-solver", "icepool", "endplay")


def processor() -> str:
    """Model name of the processor."""
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def versions() -> str:
    """Python and every package that takes part."""
    found = [f"Python {platform.python_version()}"]
    for name in PACKAGES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    return ", ".join(found)


def load() -> float | None:
    """How many processes wanted a processor in the last minute, where the system tells."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else None


def facts() -> str:
    """One line about the machine."""
    return f"{default_workers()} cores of {processor()}, {platform.system()}; {versions()}"
