"""The cache of compiled kernels, tested for real: fresh processes run an edited copy of the engine."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import analyzer
from analyzer.engine import kernel_cache

SHAPES = """
from typing import NamedTuple
from analyzer.engine.jit import device

class Square(NamedTuple):
    side: int

@device
def area(square):
    return square.side ** 2
"""

LAND = """
from analyzer.engine.jit import kernel
from analyzer.shapes import area

@kernel
def price(square, rate):
    return area(square) * rate

@kernel
def apply(function, value):
    return function(value)
"""

# One process: what it does comes as an argument, what it saw goes out as JSON.
SCRIPT = """
import json, logging, sys
from collections import namedtuple
from pathlib import Path

import numba
from analyzer.engine.jit import announce_compilation
from analyzer.land import apply, price
from analyzer.shapes import Square

logging.basicConfig(format="%(levelname)s %(message)s")
Foreign = namedtuple("Foreign", "side")
twice = numba.njit(lambda value: 2 * value)
exec(sys.argv[1])
names, results = [], []
with announce_compilation(names.append):
    for call in sys.argv[2:]:
        results.append(eval(call))
print(json.dumps({"compiled": names, "results": results}))
"""

PRICE = "price(Square(3), 2)"


class Copy:
    """A small package named analyzer: this engine, and two files with a kernel and what it calls."""

    def __init__(self, folder: Path) -> None:
        assert analyzer.__file__ is not None
        original = Path(analyzer.__file__).parent
        self.package = folder / "code" / "analyzer"
        self.cache = folder / "cache"
        shutil.copytree(original / "engine", self.package / "engine", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(original / "errors.py", self.package)
        (self.package / "__init__.py").touch()
        (self.package / "shapes.py").write_text(SHAPES)
        (self.package / "land.py").write_text(LAND)
        self.warnings = ""

    def run(self, *calls: str, before: str = "", **environment: str) -> dict[str, Any]:
        everything = {
            **os.environ,
            "PYTHONPATH": str(self.package.parent),
            "ANALYZER_CACHE_DIR": str(self.cache),
            **environment,
        }
        ended = subprocess.run(
            [sys.executable, "-c", SCRIPT, before, *calls],
            env=everything,
            cwd=self.package.parent,
            capture_output=True,
            text=True,
            check=False,
        )
        assert ended.returncode == 0, ended.stderr
        self.warnings = ended.stderr
        seen: dict[str, Any] = json.loads(ended.stdout)
        return seen

    def files(self) -> list[Path]:
        return sorted(self.cache.rglob("*.nbc"))


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    return Copy(tmp_path)


COMPILED = {"compiled": ["price"], "results": [18]}
LOADED = {"compiled": [], "results": [18]}


def test_an_edit_in_another_file_compiles_anew_and_undoing_it_loads_again(copy: Copy) -> None:
    assert copy.run(PRICE) == COMPILED
    assert copy.run(PRICE) == LOADED
    shapes = copy.package / "shapes.py"
    shapes.write_text(SHAPES.replace("** 2", "** 3"))
    assert copy.run(PRICE) == {"compiled": ["price"], "results": [54]}
    assert copy.run(PRICE) == {"compiled": [], "results": [54]}
    shapes.write_text(SHAPES)
    assert copy.run(PRICE) == LOADED
    assert not list(copy.package.rglob("*.nb?"))


def test_damaged_code_is_never_run(copy: Copy) -> None:
    assert copy.run(PRICE) == COMPILED
    (file,) = copy.files()
    whole = file.read_bytes()
    flipped = bytearray(whole)
    flipped[len(whole) // 2] ^= 1
    for content in (whole[: len(whole) // 2], bytes(flipped)):
        file.write_bytes(content)
        assert copy.run(PRICE) == COMPILED
        assert file.read_bytes() != content
    assert copy.run(PRICE) == LOADED


def test_options_that_change_the_code_do_not_share_it(copy: Copy) -> None:
    assert copy.run(PRICE) == COMPILED
    assert copy.run(PRICE, NUMBA_BOUNDSCHECK="1") == COMPILED
    assert copy.run(PRICE, NUMBA_BOUNDSCHECK="1") == LOADED
    assert copy.run(PRICE) == LOADED


def test_code_from_outside_the_package_is_never_kept(copy: Copy) -> None:
    calls = ("price(Foreign(3), 2)", "price((Foreign(3), 2)[0], 2)", "apply(twice, 4)")
    for _ in range(2):
        seen = copy.run(*calls)
        assert seen == {"compiled": ["price", "apply"], "results": [18, 18, 8]}
    assert copy.files() == []


def test_source_edited_while_the_process_runs_is_not_mixed_up(copy: Copy) -> None:
    edit = "import analyzer.land as land; Path(land.__file__).with_name('late.py').write_text('')"
    assert copy.run(PRICE, before=edit) == COMPILED
    assert copy.files() == []


def test_an_unwritable_folder_falls_back_to_the_package(copy: Copy) -> None:
    copy.cache.write_text("a file, where a folder should be")
    assert copy.run(PRICE) == COMPILED
    assert copy.run(PRICE) == LOADED
    assert copy.warnings == ""


def test_no_writable_folder_at_all_costs_one_warning(copy: Copy) -> None:
    copy.cache.write_text("a file, where a folder should be")
    shutil.rmtree(copy.package / "__pycache__", ignore_errors=True)
    (copy.package / "__pycache__").write_text("another one")
    seen = copy.run(PRICE, "price(Square(3), 2.0)", PYTHONDONTWRITEBYTECODE="1")
    assert seen == {"compiled": ["price", "price"], "results": [18, 18.0]}
    assert copy.warnings.count("WARNING compiled kernels cannot be kept") == 1


def test_old_states_of_the_source_are_forgotten(tmp_path: Path) -> None:
    for age in range(20):
        generation = tmp_path / f"{age:02d}"
        generation.mkdir()
        (generation / "kernel.nbc").touch()
        os.utime(generation, (1_000_000 - age, 1_000_000 - age))
    kernel_cache._forget_old_generations(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"{age:02d}" for age in range(kernel_cache.GENERATIONS)]
