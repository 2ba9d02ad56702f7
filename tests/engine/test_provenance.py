import json
from dataclasses import replace
from typing import Any

import pytest

from analyzer.engine.provenance import Provenance, canonical_json, stable_id, task_id
from analyzer.engine.streams import STREAM_VERSION
from analyzer.errors import StorageError, UsageError

PROVENANCE = Provenance(rules_id="cafe", policy="optimal", job="games", seed=1, block_size=1000)
CHANGES: dict[str, Any] = {
    "rules_id": "beef",
    "policy": "greedy",
    "seed": 2,
    "block_size": 999,
    "stream_version": STREAM_VERSION + 1,
}


def test_golden_task_id() -> None:
    """Files on users' disks carry task ids, so their computation must never change by accident."""
    assert (
        task_id(rules_id="cafe", policy="optimal", job="games", seed=1, block_size=1000, stream_version=1)
        == "6864f33ac5faa1f8"
    )


@pytest.mark.parametrize("field", CHANGES)
def test_everything_that_decides_the_result_changes_the_task(field: str) -> None:
    other = replace(PROVENANCE, **{field: CHANGES[field]})
    assert other.task_id != PROVENANCE.task_id
    for first, second in ((PROVENANCE, other), (other, PROVENANCE)):
        with pytest.raises(UsageError, match="cannot be merged"):
            first.require_same_task(second)


def test_versions_do_not_change_the_task() -> None:
    other = replace(PROVENANCE, versions={**PROVENANCE.versions, "numpy": "1.0"})
    assert other.task_id == PROVENANCE.task_id
    PROVENANCE.require_same_task(other)


def test_results_of_different_versions_of_this_package_are_not_merged() -> None:
    other = replace(PROVENANCE, versions={**PROVENANCE.versions, "analyzer": "0.0.0"})
    with pytest.raises(UsageError, match=r"analyzer 0\.0\.0"):
        PROVENANCE.require_same_task(other)


def test_defaults_tell_what_is_running() -> None:
    assert PROVENANCE.stream_version == STREAM_VERSION
    assert set(PROVENANCE.versions) == {"analyzer", "numpy", "numba", "python"}
    assert PROVENANCE.versions["numba"] != "unknown"


def test_round_trip_through_json() -> None:
    assert Provenance.from_dict(json.loads(json.dumps(PROVENANCE.to_dict()))) == PROVENANCE


@pytest.mark.parametrize("field", [*CHANGES, "versions", "task_id"])
def test_a_missing_field_is_refused(field: str) -> None:
    content = PROVENANCE.to_dict()
    del content[field]
    with pytest.raises(StorageError, match="it must have"):
        Provenance.from_dict(content)


def test_an_unknown_field_or_a_changed_one_is_refused() -> None:
    with pytest.raises(StorageError, match="it must have"):
        Provenance.from_dict({**PROVENANCE.to_dict(), "mood": "good"})
    with pytest.raises(StorageError, match="does not fit"):
        Provenance.from_dict({**PROVENANCE.to_dict(), "seed": 2})


def test_canonical_json_does_not_depend_on_order_or_kind_of_sequence() -> None:
    assert canonical_json({"b": (1, 2), "a": None}) == canonical_json({"a": None, "b": [1, 2]})


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_canonical_json_refuses_what_is_no_number(value: float) -> None:
    with pytest.raises(ValueError, match="JSON"):
        canonical_json(value)


def test_stable_ids_differ_for_different_values() -> None:
    values: list[Any] = [None, 0, 1, "1", [1], {"1": 1}, True, 1.5]
    assert len({stable_id(value) for value in values}) == len(values)
