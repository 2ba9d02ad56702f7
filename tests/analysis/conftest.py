"""Fixtures for what is kept on disk."""

from pathlib import Path

import pytest

from analyzer.engine import store


@pytest.fixture
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for results; compiled kernels stay in the usual one. An edit while tests run does not disturb."""
    folder = tmp_path / "cache"
    monkeypatch.setattr(store, "cache_directory", lambda: folder)
    monkeypatch.setattr(store, "source_unchanged", lambda: True)
    store._warn_once.cache_clear()
    return folder
