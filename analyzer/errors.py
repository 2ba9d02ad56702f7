"""What can go wrong, in one line each: the value, the constraint, the remedy."""

__all__ = [
    "AnalyzerError",
    "PolicyError",
    "PositionError",
    "RulesError",
    "StorageError",
    "UsageError",
]


class AnalyzerError(Exception):
    """Base of every error that a user can cause and mend.

    Parameters
    ----------
    message : str
        The value, the constraint and the remedy. Line breaks become spaces, so that the message is one line
        whatever the offending value holds; what else cannot be printed, such as codes that steer a terminal,
        becomes a question mark.

    Examples
    --------
    >>> str(AnalyzerError("keep '5 5 5' is not part of the roll 5 5 3 2 1; choose dice from the roll"))
    "keep '5 5 5' is not part of the roll 5 5 3 2 1; choose dice from the roll"
    """

    def __init__(self, message: str) -> None:
        line = " ".join(message.splitlines())
        super().__init__("".join(sign if sign.isprintable() else "?" for sign in line))


class RulesError(AnalyzerError):
    """The rules of a game do not make sense, or name something that does not exist."""


class PositionError(AnalyzerError):
    """A situation of a game cannot arise under the rules."""


class PolicyError(AnalyzerError):
    """A policy is unknown, is badly described or makes an illegal decision."""


class UsageError(AnalyzerError):
    """An argument of a command or of a function is out of range or contradicts another."""


class StorageError(AnalyzerError):
    """A file cannot be read or written, or does not belong to this task."""
