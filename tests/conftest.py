"""Settings of the whole test suite."""

from __future__ import annotations

import gc
from pathlib import PurePosixPath
from typing import Any

import pytest
from hypothesis import settings

LONGEST = ("test_compare.py", "test_conformance.py", "test_cli.py", "test_compare_charts.py")
"""Of the files that need kernels of several games."""


def pytest_configure(config: pytest.Config) -> None:
    """Keep pytest-xdist, where it is used, from sorting files by their number of tests; collect garbage less often."""
    if hasattr(config.option, "loadscopereorder"):
        config.option.loadscopereorder = False
    gc.set_threshold(100_000)  # compiling leaves millions of objects, and to look through them takes a second


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put files of one kind of games first, and of the others, when most kernels are on disk, the longest ones."""

    def place(item: pytest.Item) -> tuple[bool, bool]:
        path = PurePosixPath(item.nodeid.partition("::")[0])
        return _kind_of(path) is None, path.name not in LONGEST

    items.sort(key=place)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """With two processes give one all files of dice games and one all of card games; they share no compiled code."""
    if len(config.option.tx) != 2 or config.option.dist != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class ByKind(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            path: str = super()._split_scope(nodeid)
            return _kind_of(PurePosixPath(path)) or path

    return ByKind(config, log)


def _kind_of(path: PurePosixPath) -> str | None:
    """Of what kind the games are whose kernels a file of tests needs; None for those of all games."""
    if path.parent.parts == ("tests", "dice"):
        return "dice"
    return "cards" if path.parts[0] == "tests" and path.parent.name in {"euchre", "president"} else None


# The first call of a kernel compiles it, so a deadline would fail by chance. Examples are the same each time.
settings.register_profile("fixed", deadline=None, derandomize=True)
settings.load_profile("fixed")
