"""Settings of the whole test suite."""

from __future__ import annotations

from itertools import chain, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from hypothesis import settings

if TYPE_CHECKING:
    import pytest

TESTS = Path(__file__).parent
LONGEST = ("test_conformance.py", "test_cli.py")
"""Of the files that need kernels of all games."""


def pytest_configure(config: pytest.Config) -> None:
    """Keep pytest-xdist, where it is used, from sorting files by their number of tests."""
    if hasattr(config.option, "loadscopereorder"):
        config.option.loadscopereorder = False


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sort files so that two processes seldom compile the same kernel at the same time.

    Files of dice games and of card games take turns, and those of all games follow, when most kernels are on disk; the
    longest of these come first, so that no process has one of them to do when the others have nothing left.
    """
    files: dict[Path, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.path, []).append(item)
    dice = [path for path in files if path.parent == TESTS / "dice"]
    cards = [path for path in files if path.is_relative_to(TESTS) and path.parent.name in {"euchre", "president"}]
    others = sorted((path for path in files if path not in {*dice, *cards}), key=lambda path: path.name not in LONGEST)
    first = [path for pair in zip_longest(dice, cards) for path in pair if path]
    items[:] = chain.from_iterable(files[path] for path in first + others)


# The first call of a kernel compiles it, so a deadline would fail by chance. Examples are the same each time.
settings.register_profile("fixed", deadline=None, derandomize=True)
settings.load_profile("fixed")
