"""What a report may remove: its own earlier files, unchanged, and nothing else."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from analyzer.report.manifest import MANIFEST, remove_stale, write_manifest


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with three listed files and one that is not listed."""
    here = tmp_path / "report"
    for name in ("index.html", "tables/a.csv", "tables/b.csv", "tables/mine.csv"):
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        (here / name).write_text(name)
    write_manifest(here, [here / "index.html", here / "tables" / "b.csv", here / "tables" / "a.csv"])
    return here


def names(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_what_is_not_written_again_goes_and_all_else_stays(folder: Path) -> None:
    assert remove_stale(folder, [folder / "index.html", folder / "tables" / "a.csv"]) == [folder / "tables" / "b.csv"]
    assert names(folder) == {"index.html", "tables/a.csv", "tables/mine.csv", MANIFEST}


def test_what_somebody_changed_stays(folder: Path) -> None:
    (folder / "tables" / "b.csv").write_text("changed by hand")
    assert remove_stale(folder, [folder / "index.html"]) == [folder / "tables" / "a.csv"]
    assert (folder / "tables" / "b.csv").read_text() == "changed by hand"


def test_a_folder_without_a_list_or_with_nonsense_in_it_loses_nothing(folder: Path) -> None:
    for content in (None, b"", b"\xff\xfe", b"nonsense\n", b"0" * 64 + b"  tables/a.csv\n"):
        (folder / MANIFEST).unlink(missing_ok=True)
        if content is not None:
            (folder / MANIFEST).write_bytes(content)
        assert remove_stale(folder, []) == []
    assert {"index.html", "tables/a.csv", "tables/b.csv", "tables/mine.csv"} <= names(folder)


@pytest.mark.parametrize("way", ["../outside", "tables/../../outside", "link", "linked/outside"])
def test_nothing_outside_is_reached(folder: Path, way: str) -> None:
    outside = folder.parent / "outside"
    outside.write_text("outside")
    (folder / "link").symlink_to(outside)
    (folder / "linked").symlink_to(folder.parent)
    listed = write_manifest(folder, [folder / "index.html"])
    digest = write_manifest(folder.parent, [outside]).read_text().split()[0]
    listed.write_text(f"{digest}  {way}\n{digest}  {outside}\n")
    assert remove_stale(folder, []) == []
    assert outside.read_text() == "outside"
    assert (folder / "link").is_symlink()


def test_the_list_is_in_order_and_can_be_checked(folder: Path) -> None:
    lines = (folder / MANIFEST).read_text().splitlines()
    assert [line.split("  ")[1] for line in lines] == ["index.html", "tables/a.csv", "tables/b.csv"]
    if shutil.which("sha256sum"):
        subprocess.run(["sha256sum", "--check", "--strict", "--quiet", MANIFEST], cwd=folder, check=True)
