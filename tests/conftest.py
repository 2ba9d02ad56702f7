"""Settings of the whole test suite."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import settings

if TYPE_CHECKING:
    import pytest

LONGEST = ("test_conformance.py",)
"""Files that begin first, so that no process has one of them to do when the others have nothing left."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest files first."""
    items.sort(key=lambda item: item.path.name not in LONGEST)


# The first call of a kernel compiles it, so a deadline would fail by chance. Examples are the same each time.
settings.register_profile("fixed", deadline=None, derandomize=True)
settings.load_profile("fixed")
