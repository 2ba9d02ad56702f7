"""The command line. It does no arithmetic: commands call the API and print what it returns."""

from __future__ import annotations

import io
import os
import sys

from cyclopts import CycloptsError

from analyzer.cli.commands import app
from analyzer.errors import AnalyzerError

__all__ = ["app", "main"]


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; wrong input and a full disk end with one line on standard error and exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without ± shows a question mark
    try:
        app(arguments, exit_on_error=False, print_error=False, result_action="return_none")
        print(end="", flush=True)
    except CycloptsError as error:
        _fail(f"{' '.join(str(error).split()).removesuffix('.')}; see 'analyzer --help' or add --help to the command")
    except AnalyzerError as error:
        _fail(str(error))
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        raise SystemExit(130) from None
    except BrokenPipeError:
        _drop_output()
        raise SystemExit(141) from None
    except OSError as error:
        if error.filename is not None:
            raise  # output is a stream; what has a name is something else
        _drop_output()
        _fail(f"the output cannot be written ({error.strerror or type(error).__name__}); send it elsewhere")


def _drop_output() -> None:
    """What is still to be written to standard output goes nowhere, so that its end is no further error."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str) -> None:
    print(f"analyzer: {message}", file=sys.stderr)
    raise SystemExit(2)
