"""Functions of the user's own: loaded from a file, and named by what they do."""

from __future__ import annotations

import hashlib
import inspect
import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from analyzer.errors import AnalyzerError, PolicyError
from analyzer.fields import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

MOST_TOLD = 12
"""Answers that a complaint lists."""


def function_or_text(policy: object, example: str) -> tuple[Callable[..., Any], str] | str:
    """What a policy is: a function of the user's with its name for results, or the text of a built-in policy.

    Parameters
    ----------
    policy
        A function, ``path.py:function``, or a name with parameters.
    example
        A name, for complaints.

    Raises
    ------
    PolicyError
        Something else, or a function that cannot be loaded.

    Examples
    --------
    >>> function_or_text("par:chance=22", "par")
    'par:chance=22'
    >>> function_or_text(7, "par")
    Traceback (most recent call last):
    analyzer.errors.PolicyError: policy 7 is neither a name nor a function; give one, such as 'par'
    """
    if callable(policy):
        return policy, name_of(policy)
    if not isinstance(policy, str):
        raise PolicyError(f"policy {shown(policy)} is neither a name nor a function; give one, such as '{example}'")
    if policy.partition(":")[0].strip().endswith(".py") or policy.rpartition(":")[0].endswith(".py"):
        return load_function(policy)
    return policy


def load_function(spec: str) -> tuple[Callable[..., Any], str]:
    """Load the function that ``path.py:name`` names; returns it and its name for results, with a digest of the file.

    Raises
    ------
    PolicyError
        The file cannot be read or run, or has no such function.
    """
    path_text, _, name = spec.rpartition(":")
    if not path_text.endswith(".py"):
        raise PolicyError(f"policy '{spec}' does not name a function in a file; write path.py:function")
    path = Path(path_text)
    try:
        source = path.read_bytes()
    except OSError as error:
        raise PolicyError(f"policy file '{path}' cannot be read ({error.strerror}); give path.py:function") from error
    digest = hashlib.sha256(source).hexdigest()[:8]
    module = ModuleType(f"analyzer_policy_{digest}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module  # dataclasses look there for their module
    try:
        exec(compile(source, path, "exec"), vars(module))  # not through the bytecode cache, which may be of old text
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise PolicyError(f"policy file '{path}' raised {type(error).__name__}: {error}; make it importable") from error
    function = getattr(module, name, None)
    if not callable(function):
        found = [key for key, value in vars(module).items() if inspect.isfunction(value)]
        raise PolicyError(f"policy file '{path}' has no function '{name}'; it has {', '.join(found) or 'no functions'}")
    return function, f"{path.name}:{name}@{digest}"


def name_of(function: Callable[..., Any]) -> str:
    """Name for results of a function given from Python, with a digest of its code and of the values it holds."""
    try:
        source = inspect.getsource(function).encode()
    except (OSError, TypeError):
        code = getattr(function, "__code__", None)
        source = code.co_code + repr(code.co_consts).encode() if code else repr(function).encode()
    held = [getattr(function, name, None) for name in ("__defaults__", "__kwdefaults__", "__self__")]
    held += inspect.getclosurevars(function).nonlocals.values() if inspect.isfunction(function) else ()
    source += repr([getattr(value, "__qualname__", value) for value in held]).encode()
    return f"{getattr(function, '__name__', 'policy')}@{hashlib.sha256(source).hexdigest()[:8]}"


def answer_of(function: Callable[[Any], Any], name: str, view: Any, choices: Mapping[str, int], where: str) -> int:
    """Ask a function of a view for one of some choices.

    Parameters
    ----------
    function, name
        The function, and what results call it.
    view
        What it is given.
    choices
        The number of each legal answer by its words.
    where
        The position in words, for complaints.

    Raises
    ------
    PolicyError
        An answer that is not among the choices, or an exception in the function.

    Examples
    --------
    >>> answer_of(lambda view: "pass", "shy", None, {"pass": 0, "5h": 7}, "play")
    0
    """
    try:
        answer = function(view)
        number, said = choices.get(answer) if isinstance(answer, str) else None, shown(answer)
    except KeyboardInterrupt:
        raise
    except AnalyzerError as problem:
        raise PolicyError(f"policy {name} failed at {where}: {problem}") from problem
    except BaseException as problem:
        raise PolicyError(
            f"policy {name} failed at {where}: {type(problem).__name__}: {problem}; correct the function"
        ) from problem
    if number is None:
        told = list(choices)[:MOST_TOLD]
        more = f" and {len(choices) - len(told)} more" * (len(choices) > len(told))
        raise PolicyError(f"policy {name} answered {said} at {where}; return one of: {', '.join(told)}{more}")
    return number
