"""Tables on terminals of any width: no cell is cut, and every part says which rows it shows."""

from __future__ import annotations

import io

import pandas as pd
import pytest
import rich.console

from analyzer.cli.output import print_table

FRAME = pd.DataFrame(
    {
        "arm": ["straight=25", "double_grande=true"],
        "against": ["base", "base"],
        "difference": [3.4937, 6.9535],
        "lower": [3.432, 6.857],
        "significant": [True, True],
        "exact_difference": [3.4969, 6.9534],
        "variance_reduction": [10.9, 4.42],
        "example": ["Nines, Tens, Jacks", "Full house"],
    }
)
CELLS = ("straight=25", "double_grande=true", "3.4937", "6.9535", "3.432", "6.857", "3.4969", "6.9534", "10.9", "4.42")


def printed(width: int, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    stream = io.StringIO()
    console = rich.console.Console(file=stream, width=width, force_terminal=True, color_system=None)
    monkeypatch.setattr(rich.console, "Console", lambda **_: console)
    print_table(FRAME, "Differences")
    return stream.getvalue().splitlines()


@pytest.mark.parametrize("width", [200, 120, 80, 60, 44])
def test_no_cell_is_cut(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = printed(width, monkeypatch)
    text = "\n".join(lines)
    assert max(map(len, lines)) <= width
    assert "…" not in text
    for cell in CELLS:
        assert cell in text, cell
    rules = [line for line in lines if line.startswith("──")]
    assert len([line for line in lines if "double_grande=true" in line]) == len(rules)
    assert (len(rules) == 1) == (width >= 120)


def test_a_table_without_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    print_table(FRAME.head(0), "Nothing")
