"""Fixtures for everything that writes to the cache folder."""

from pathlib import Path

import pytest

from analyzer.engine import store


@pytest.fixture
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder; an edit of the source while the tests run does not disturb."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("ANALYZER_CACHE_DIR", str(folder))
    monkeypatch.setattr(store, "source_unchanged", lambda: True)
    store._warn_once.cache_clear()
    return folder
