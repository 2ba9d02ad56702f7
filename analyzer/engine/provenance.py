"""Where a result comes from: the task that it answers, and the versions that computed it."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from analyzer.errors import StorageError, UsageError

__all__ = ["Provenance", "canonical_json", "stable_id", "task_id", "versions_in_use"]


def canonical_json(value: Any) -> str:
    """JSON text that is the same for equal values, on every machine and in every run.

    Parameters
    ----------
    value : dict, list, tuple, str, int, float, bool or None
        Nested as JSON allows; the keys of dicts are str.

    Returns
    -------
    str
        Sorted keys, no spaces, ASCII only.

    Raises
    ------
    TypeError
        If something is no JSON.
    ValueError
        If a number is infinite or not a number.

    Examples
    --------
    >>> canonical_json({"throws": 3, "dice": (5, 6)})
    '{"dice":[5,6],"throws":3}'
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def stable_id(value: Any) -> str:
    """Short name of a value: the first 16 hexadecimal digits of the SHA-256 of its canonical JSON.

    Parameters
    ----------
    value : dict, list, tuple, str, int, float, bool or None
        As in `canonical_json`.

    Returns
    -------
    str

    Raises
    ------
    TypeError, ValueError
        As `canonical_json`.

    Examples
    --------
    >>> stable_id({"throws": 3, "dice": 5}) == stable_id({"dice": 5, "throws": 3})
    True
    >>> stable_id("dice poker")
    '754183a0df22caff'
    """
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()[:16]


def task_id(*, rules_id: str, policy: str, job: str, seed: int, block_size: int, stream_version: int) -> str:
    """Id of everything that decides the result of block *i*, for every *i*.

    Parameters
    ----------
    rules_id : str
        Id of the rules.
    policy : str
        Name and parameters of the policy, written so that equal policies have equal text.
    job : str
        What a block does with them, such as ``games``, and where it starts.
    seed : int
        The user's seed.
    block_size : int
        Games in a block.
    stream_version : int
        Version of the random streams.

    Returns
    -------
    str
        Sixteen hexadecimal digits.

    Examples
    --------
    >>> task = dict(rules_id="cafe", policy="optimal", job="games", seed=1, block_size=1000, stream_version=1)
    >>> task_id(**task) == task_id(**{**task, "seed": 2})
    False
    """
    return stable_id(
        {
            "rules_id": rules_id,
            "policy": policy,
            "job": job,
            "seed": int(seed),
            "block_size": int(block_size),
            "stream_version": int(stream_version),
        }
    )


def versions_in_use() -> dict[str, str]:
    """Versions of what computes: this package, numpy, numba and Python.

    Returns
    -------
    dict of str to str

    Examples
    --------
    >>> sorted(versions_in_use())
    ['analyzer', 'numba', 'numpy', 'python']
    """
    names = {"analyzer": "strategy-analyzer", "numpy": "numpy", "numba": "numba"}
    found = {name: _version(distribution) for name, distribution in names.items()}
    return {**found, "python": platform.python_version()}


def _version(distribution: str) -> str:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return "unknown"


def _stream_version() -> int:
    from analyzer.engine.streams import STREAM_VERSION  # numba comes with it, so only when it is needed

    return STREAM_VERSION


@dataclass(frozen=True, kw_only=True)
class Provenance:
    """The task that a result answers, and the versions that computed it.

    Parameters
    ----------
    rules_id : str
        Id of the rules.
    policy : str
        Name and parameters of the policy, written so that equal policies have equal text.
    job : str
        What a block does with them, such as ``games``, and where it starts.
    seed : int
        The user's seed.
    block_size : int
        Games in a block.
    stream_version : int, optional
        Version of the random streams; by default the one in use.
    versions : dict of str to str, optional
        Versions of analyzer, numpy, numba and python; by default those in use.

    Examples
    --------
    >>> first = Provenance(rules_id="cafe", policy="optimal", job="games", seed=1, block_size=1000)
    >>> other = Provenance(rules_id="cafe", policy="optimal", job="games", seed=2, block_size=1000)
    >>> first.require_same_task(first)
    >>> first.require_same_task(other)
    Traceback (most recent call last):
    ...
    analyzer.errors.UsageError: results with seed 1 and seed 2 cannot be merged; use results of the same task
    """

    rules_id: str
    policy: str
    job: str
    seed: int
    block_size: int
    stream_version: int = field(default_factory=_stream_version)
    versions: dict[str, str] = field(default_factory=versions_in_use)

    @property
    def task_id(self) -> str:
        """Id of everything that decides the result; see `task_id`."""
        return task_id(
            rules_id=self.rules_id,
            policy=self.policy,
            job=self.job,
            seed=self.seed,
            block_size=self.block_size,
            stream_version=self.stream_version,
        )

    def require_same_task(self, other: Provenance) -> None:
        """Refuse to merge results of different tasks, or of different versions of this package.

        Parameters
        ----------
        other : Provenance
            Where the other result comes from.

        Raises
        ------
        UsageError
            If anything that decides the result differs.
        """
        for name in ("rules_id", "policy", "job", "seed", "block_size", "stream_version"):
            mine, theirs = getattr(self, name), getattr(other, name)
            if mine != theirs:
                words = name.replace("_", " ")
                raise UsageError(
                    f"results with {words} {mine} and {words} {theirs} cannot be merged; use results of the same task"
                )
        mine, theirs = self.versions.get("analyzer"), other.versions.get("analyzer")
        if mine != theirs:
            raise UsageError(
                f"results of analyzer {mine} and analyzer {theirs} cannot be merged; compute both with the same version"
            )

    def to_dict(self) -> dict[str, Any]:
        """Plain values, fit for JSON, with the task id.

        Examples
        --------
        >>> provenance = Provenance(rules_id="cafe", policy="optimal", job="games", seed=1, block_size=1000)
        >>> Provenance.from_dict(provenance.to_dict()) == provenance
        True
        """
        return {"task_id": self.task_id, **asdict(self)}

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Provenance:
        """The provenance that `to_dict` wrote.

        Parameters
        ----------
        content : mapping of str

        Returns
        -------
        Provenance

        Raises
        ------
        StorageError
            If a field is missing or unknown, or the task id does not follow from the others.
        """
        expected = {"task_id", *(each.name for each in fields(cls))}
        if set(content) != expected:
            raise StorageError(
                f"a provenance has the fields {', '.join(sorted(content))}; it must have {', '.join(sorted(expected))}"
            )
        given = dict(content)
        stored = given.pop("task_id")
        provenance = cls(**given)
        if provenance.task_id != stored:
            raise StorageError(f"task id {stored} does not fit its provenance; compute the result anew")
        return provenance
