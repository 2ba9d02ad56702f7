from pathlib import Path

import pytest

from analyzer.engine import source


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "dice").mkdir()
    (tmp_path / "__init__.py").write_text("one = 1\n")
    (tmp_path / "dice" / "lattice.py").write_text("two = 2\n")
    monkeypatch.setattr(source, "ROOT", tmp_path)
    monkeypatch.setattr(source, "LOADED", source.package_digest())
    return tmp_path


def test_the_digest_stays_while_the_source_stays(package: Path) -> None:
    (package / "notes.txt").write_text("not source")
    (package / "__pycache__").mkdir()
    (package / "__pycache__" / "stray.py").write_text("not source either")
    assert source.source_unchanged()


def test_any_edit_changes_the_digest(package: Path) -> None:
    file = package / "dice" / "lattice.py"
    digests = {source.package_digest()}
    file.write_text("two = 3\n")
    digests.add(source.package_digest())
    (package / "dice" / "new.py").write_text("")
    digests.add(source.package_digest())
    file.rename(package / "lattice.py")
    digests.add(source.package_digest())
    assert len(digests) == 4
    assert not source.source_unchanged()


def test_undoing_an_edit_brings_the_digest_back(package: Path) -> None:
    file = package / "dice" / "lattice.py"
    file.write_text("two = 3\n")
    assert not source.source_unchanged()
    file.write_text("two = 2\n")
    assert source.source_unchanged()


def test_content_cannot_move_between_files_unnoticed(package: Path) -> None:
    before = source.package_digest()
    (package / "__init__.py").write_text("two = 2\n")
    (package / "dice" / "lattice.py").write_text("one = 1\n")
    assert source.package_digest() != before


def test_without_source_nothing_counts_as_unchanged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "ROOT", tmp_path / "archive.zip" / "analyzer")
    monkeypatch.setattr(source, "LOADED", source.package_digest())
    assert not source.source_unchanged()
