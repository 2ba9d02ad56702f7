"""Settings of the whole test suite."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

TESTS = Path(__file__).parent
LONGEST = ("test_compare.py", "test_conformance.py", "test_cli.py", "test_compare_charts.py")
"""Of the files that need kernels of several games."""


def pytest_configure(config: pytest.Config) -> None:
    """Keep pytest-xdist, where it is used, from sorting files by their number of tests."""
    if hasattr(config.option, "loadscopereorder"):
        config.option.loadscopereorder = False


@pytest.hookimpl(tryfirst=True)  # pytest-xdist looks at groups in the same hook
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Share files out so that two processes seldom compile the same code.

    With two processes one has all files of dice games and one all of card games; with more every file is for itself.
    Those of all games follow, when most kernels are on disk; the longest of these come first, so that no process has
    one of them to do when the others have nothing left.
    """
    files: dict[Path, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.path, []).append(item)
    groups = {path: _group_of(path) for path in files}
    order = sorted(files, key=lambda path: (groups[path] is None, groups[path] is None and path.name not in LONGEST))
    items[:] = [item for path in order for item in files[path]]
    if config.pluginmanager.hasplugin("xdist"):
        two = getattr(config, "workerinput", {}).get("workercount") == 2
        for item in items:
            item.add_marker(pytest.mark.xdist_group((two and groups[item.path]) or str(item.path)))


def _group_of(path: Path) -> str | None:
    """Whose kernels a file needs, if it is of some games only."""
    if path.parent == TESTS / "dice":
        return "dice"
    return "cards" if path.is_relative_to(TESTS) and path.parent.name in {"euchre", "president"} else None


# The first call of a kernel compiles it, so a deadline would fail by chance. Examples are the same each time.
settings.register_profile("fixed", deadline=None, derandomize=True)
settings.load_profile("fixed")
