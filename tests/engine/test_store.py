import json
import logging
import os
import shutil
import subprocess
import sys
import threading
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays, boolean_dtypes, floating_dtypes, integer_dtypes

from analyzer.engine import store
from analyzer.engine.store import cache_directory, load_arrays, save_arrays

VALUES = np.arange(12.0).reshape(3, 4)
META = {"game": "dice poker", "mean": 12.25, "lines": ["aces", "twos"]}


def save_one(folder: Path) -> Path:
    assert save_arrays("key", "solution", {"values": VALUES, "keep": np.arange(5, dtype=np.uint16)}, META)
    (file,) = (folder / "solution").iterdir()
    return file


def loads() -> bool:
    return load_arrays("key", "solution") is not None


def test_round_trip(cache_folder: Path) -> None:
    save_one(cache_folder)
    loaded = load_arrays("key", "solution")
    assert loaded is not None
    found, meta = loaded
    assert list(found) == ["values", "keep"]
    assert np.array_equal(found["values"], VALUES)
    assert found["keep"].dtype == np.uint16
    assert meta == META


dtypes = st.one_of(boolean_dtypes(), integer_dtypes(), floating_dtypes())


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(arrays(dtypes, array_shapes(min_dims=0, min_side=0)), max_size=4))
def test_any_arrays_come_back_bit_for_bit(cache_folder: Path, given_arrays: list[np.ndarray]) -> None:
    named = {f"array {place}": array for place, array in enumerate(given_arrays)}
    assert save_arrays("key", "solution", named, {})
    loaded = load_arrays("key", "solution")
    assert loaded is not None
    for name, array in named.items():
        found = loaded[0][name]
        assert (found.dtype, found.shape, found.tobytes()) == (array.dtype, array.shape, array.tobytes())
        assert found.flags.c_contiguous
        assert found.flags.aligned
        assert found.flags.writeable


def test_any_memory_order_is_kept_by_value(cache_folder: Path) -> None:
    assert save_arrays("key", "solution", {"turned": VALUES.T, "every_other": VALUES[:, ::2]}, {})
    found, _ = load_arrays("key", "solution") or ({}, {})
    assert np.array_equal(found["turned"], VALUES.T)
    assert np.array_equal(found["every_other"], VALUES[:, ::2])


def test_writing_into_loaded_arrays_does_not_change_the_file(cache_folder: Path) -> None:
    save_one(cache_folder)
    first, _ = load_arrays("key", "solution") or ({}, {})
    first["values"][:] = -1
    second, _ = load_arrays("key", "solution") or ({}, {})
    assert np.array_equal(second["values"], VALUES)


def test_saving_again_replaces_and_leaves_loaded_arrays_alone(cache_folder: Path) -> None:
    save_one(cache_folder)
    before, _ = load_arrays("key", "solution") or ({}, {})
    assert save_arrays("key", "solution", {"values": VALUES + 1}, {})
    after, meta = load_arrays("key", "solution") or ({}, {})
    assert np.array_equal(before["values"], VALUES)
    assert np.array_equal(after["values"], VALUES + 1)
    assert meta == {}


def test_nothing_is_there_before_it_is_saved(cache_folder: Path) -> None:
    assert not loads()
    assert not cache_folder.exists()


def test_a_truncated_or_extended_file_is_refused(cache_folder: Path) -> None:
    file = save_one(cache_folder)
    whole = file.read_bytes()
    for length in range(len(whole)):
        file.write_bytes(whole[:length])
        assert not loads(), length
    file.write_bytes(whole + b"\0")
    assert not loads()
    file.write_bytes(whole)
    assert loads()


def test_a_flip_of_any_bit_is_refused(cache_folder: Path) -> None:
    file = save_one(cache_folder)
    whole = file.read_bytes()
    for place in range(len(whole)):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << place % 8
        file.write_bytes(damaged)
        assert not loads(), place


def test_foreign_files_are_refused(cache_folder: Path) -> None:
    file = save_one(cache_folder)
    rng = np.random.default_rng(1)
    np.savez(cache_folder / "foreign.npz", values=VALUES)
    foreign = [
        b"hello\n",
        rng.bytes(1000),
        (cache_folder / "foreign.npz").read_bytes(),
        store.MAGIC,
        store.MAGIC + b"\xff" * 100,
        *(store._preamble(text) for text in (b"[]", b"{}", b"not json", b"\xff\xfe", b'{"key": "key"}')),
    ]
    for content in foreign:
        file.write_bytes(content)
        assert not loads()
    file.unlink()
    file.mkdir()
    assert not loads()


def test_a_file_for_another_key_or_kind_is_refused(cache_folder: Path) -> None:
    file = save_one(cache_folder)
    shutil.copy(file, file.with_name("other.arrays"))
    assert load_arrays("other", "solution") is None
    (cache_folder / "table").mkdir()
    shutil.copy(file, cache_folder / "table" / file.name)
    assert load_arrays("key", "table") is None


def test_a_file_of_other_source_code_is_refused(cache_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_one(cache_folder)
    with monkeypatch.context() as patch:
        patch.setattr(store, "LOADED", "0" * 40)
        assert not loads()
    assert loads()


def test_source_edited_meanwhile_neither_writes_nor_reads(cache_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = save_one(cache_folder)
    monkeypatch.setattr(store, "source_unchanged", lambda: False)
    assert not loads()
    file.unlink()
    assert not save_arrays("key", "solution", {}, {})
    assert not file.exists()


@pytest.mark.parametrize(
    "entry",
    [
        {"name": "values", "dtype": "|O", "shape": [1], "offset": 0},
        {"name": "values", "dtype": "<f8", "shape": [3], "offset": 0},
        {"name": "values", "dtype": "<f8", "shape": [-1], "offset": 0},
        {"name": "values", "dtype": "<f8", "shape": [1], "offset": 8},
        {"name": "values", "dtype": "<f8", "shape": [1], "offset": 64},
        {"name": "values", "dtype": "<f8", "shape": [1], "offset": -64},
        {"name": "values", "dtype": "[('a', '<f8')]", "shape": [1], "offset": 0},
        {"name": "values", "dtype": "<f8", "shape": "x", "offset": 0},
        {"name": "values", "dtype": "<f8"},
    ],
)
def test_a_header_that_lies_about_its_arrays_is_refused(cache_folder: Path, entry: dict[str, Any]) -> None:
    file = save_one(cache_folder)
    data = bytes(16)
    header = store._stamp("key", "solution") | {
        "meta": {},
        "arrays": [entry],
        "size": len(data),
        "checksum": zlib.crc32(data),
    }
    file.write_bytes(store._preamble(json.dumps(header).encode()) + data)
    assert not loads()


@pytest.mark.parametrize("name", ["", "../escape", "a/b", ".hidden", "a b", "x" * 129, "k\n"])
def test_keys_and_kinds_are_plain_file_names(cache_folder: Path, name: str) -> None:
    for key, kind in ((name, "solution"), ("key", name)):
        with pytest.raises(ValueError, match="plain file name"):
            save_arrays(key, kind, {}, {})
        with pytest.raises(ValueError, match="plain file name"):
            load_arrays(key, kind)


@pytest.mark.parametrize("array", [np.array(["a"]), np.array([None]), np.zeros(1, [("a", int)]), np.array(1j)])
def test_only_booleans_and_numbers_are_kept(cache_folder: Path, array: np.ndarray) -> None:
    with pytest.raises(TypeError, match="only booleans and numbers"):
        save_arrays("key", "solution", {"values": array}, {})
    with pytest.raises(TypeError, match="JSON"):
        save_arrays("key", "solution", {}, {"value": object()})


def test_concurrent_writers_and_readers_see_whole_files_only(cache_folder: Path) -> None:
    stop, problems, seen = threading.Event(), [], set()

    def write(value: int) -> None:
        array = np.full(20_000, value)
        saved = [save_arrays("key", "solution", {"values": array}, {"value": value}) for _ in range(40)]
        if not all(saved):
            problems.append("not saved")

    def read() -> None:
        while not stop.is_set():
            loaded = load_arrays("key", "solution")
            if loaded is None:
                problems.append("not whole")
            elif not np.all(loaded[0]["values"] == loaded[1]["value"]):
                problems.append("mixed")
            else:
                seen.add(loaded[1]["value"])

    write(0)
    readers = [threading.Thread(target=read) for _ in range(2)]
    writers = [threading.Thread(target=write, args=(value,)) for value in range(1, 5)]
    for thread in readers + writers:
        thread.start()
    for thread in writers:
        thread.join()
    stop.set()
    for thread in readers:
        thread.join()
    assert not problems
    assert seen
    assert [file.name for file in (cache_folder / "solution").iterdir()] == ["key.arrays"]


def test_an_unwritable_folder_costs_one_warning(
    tmp_path: Path, cache_folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("a file, where a folder should be")
    monkeypatch.setenv("ANALYZER_CACHE_DIR", str(blocker / "cache"))
    with caplog.at_level(logging.WARNING):
        assert not save_arrays("key", "solution", {"values": VALUES}, {})
        assert not save_arrays("key", "solution", {"values": VALUES}, {})
        assert not loads()
    (record,) = caplog.records
    assert "ANALYZER_CACHE_DIR" in record.getMessage()


FULL_DISK = """
import logging, resource, signal
import numpy as np
from analyzer.engine import store

logging.basicConfig(format="%(levelname)s %(message)s")
store.source_unchanged = lambda: True
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
assert store.save_arrays("key", "solution", {"values": np.zeros(10)}, {})
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
assert not store.save_arrays("key", "solution", {"values": np.ones(100_000)}, {})
arrays, _ = store.load_arrays("key", "solution")
assert not arrays["values"].any()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")
def test_a_full_disk_costs_a_warning_and_leaves_the_old_file(tmp_path: Path) -> None:
    environment = {**os.environ, "ANALYZER_CACHE_DIR": str(tmp_path)}
    ended = subprocess.run(
        [sys.executable, "-c", FULL_DISK], env=environment, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stderr.count("WARNING results cannot be kept") == 1
    assert [file.name for file in (tmp_path / "solution").iterdir()] == ["key.arrays"]


@pytest.mark.skipif(sys.platform == "win32", reason="permissions of POSIX")
def test_files_have_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "usual").write_bytes(b"")
    store.write_atomically(tmp_path / "new", b"content")
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_what_killed_processes_left_behind_is_removed_after_a_day(cache_folder: Path) -> None:
    file = save_one(cache_folder)
    old, young = (file.with_name(f".{name}{store.PARTIAL}") for name in ("old", "young"))
    for partial in (old, young):
        partial.write_bytes(b"half")
    os.utime(old, (0, 0))
    assert save_arrays("key", "solution", {}, {})
    assert not old.exists()
    assert young.exists()


def test_the_environment_decides_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANALYZER_CACHE_DIR", str(tmp_path / "here"))
    assert cache_directory() == tmp_path / "here"
    monkeypatch.setenv("ANALYZER_CACHE_DIR", "")
    assert cache_directory().name == "strategy-analyzer"
    monkeypatch.delenv("ANALYZER_CACHE_DIR")
    assert cache_directory().is_absolute()
