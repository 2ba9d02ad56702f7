import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analyzer.errors import StorageError, UsageError
from analyzer.report.charts import (
    chance_of_at_least,
    keep_costs,
    line_round_heatmap,
    line_values,
    save_chart,
    score_distribution,
    simulation_against_exact,
)
from analyzer.report.style import axes_for, dress, legend_beside, plain

DRAW_APART = """
import sys
import pandas as pd
from types import SimpleNamespace as Result
import analyzer.report.tables
assert "matplotlib" not in sys.modules
from analyzer.report.charts import save_chart, score_distribution
scores = pd.DataFrame({"score": range(200), "probability": 1 / 200})
result = Result(label="par", title="Coins", exact=True, distribution=lambda: scores)
for name in sys.argv[1:]:
    save_chart(score_distribution([result, result]), name)
assert "matplotlib.pyplot" not in sys.modules
"""


@pytest.fixture
def draw_all(make_result: Callable[..., Any], make_keeps: Callable[..., Any]) -> Callable[[], Iterator[Axes]]:
    def draw() -> Iterator[Axes]:
        results = [make_result("optimal"), make_result("greedy", 0.8), make_result("random", 0.4, games=1000)]
        yield line_values(results[0])
        yield line_values(results)
        yield line_round_heatmap(results[0])
        yield score_distribution(results)
        yield score_distribution(results * 2)
        yield chance_of_at_least(results)
        yield keep_costs(make_keeps())
        yield simulation_against_exact(make_result(games=1000), results[0])

    return draw


@pytest.mark.parametrize("suffix", [".png", ".svg"])
def test_same_chart_gives_same_bytes(tmp_path: Path, draw_all: Callable[[], Iterator[Axes]], suffix: str) -> None:
    for number, (first, second) in enumerate(zip(draw_all(), draw_all(), strict=True)):
        one = save_chart(first, tmp_path / f"one{number}{suffix}").read_bytes()
        save_chart(first, tmp_path / f"between{'.svg' if suffix == '.png' else '.png'}")
        again = save_chart(first, tmp_path / f"again{number}{suffix}").read_bytes()
        other = save_chart(second, tmp_path / f"other{number}{suffix}").read_bytes()
        assert one == again == other


def test_other_processes_save_the_same_bytes_without_pyplot(tmp_path: Path) -> None:
    for seed in ("1", "2"):
        names = [str(tmp_path / f"{seed}{suffix}") for suffix in (".png", ".svg")]
        subprocess.run(
            [sys.executable, "-c", DRAW_APART, *names],
            check=True,
            env={"PYTHONHASHSEED": seed, "MPLBACKEND": "TkAgg", "MPLCONFIGDIR": str(tmp_path), "DISPLAY": ""},
            cwd=Path(__file__).parents[2],
        )
    for suffix in (".png", ".svg"):
        assert (tmp_path / f"1{suffix}").read_bytes() == (tmp_path / f"2{suffix}").read_bytes()


def test_files_are_what_they_say(tmp_path: Path, make_result: Callable[..., Any]) -> None:
    ax = line_values(make_result())
    png = save_chart(ax, str(tmp_path / "new" / "folder" / "chart.PNG"))
    assert png == tmp_path / "new" / "folder" / "chart.PNG"
    assert png.read_bytes().startswith(b"\x89PNG")
    svg = save_chart(ax, tmp_path / "chart.svg").read_text()
    assert "<svg" in svg
    assert "dc:date" not in svg
    assert sorted(path.name for path in tmp_path.iterdir()) == ["chart.svg", "new"]


def test_png_has_150_dots_per_inch(tmp_path: Path) -> None:
    path = save_chart(axes_for(None, 4, 3), tmp_path / "chart.png")
    header = path.read_bytes()[:24]
    width = int.from_bytes(header[16:20], "big")
    assert 0.9 * 600 < width < 1.1 * 600


@pytest.mark.parametrize("name", ["chart", "chart.jpg", "chart.pdf", ".png"])
def test_unknown_formats_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match=r"end its name with \.png or \.svg"):
        save_chart(axes_for(None, 4, 3), tmp_path / name)


def test_folders_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StorageError, match="cannot be written"):
        save_chart(axes_for(None, 4, 3), tmp_path / "file" / "chart.png")


def test_global_settings_do_not_change(tmp_path: Path, draw_all: Callable[[], Iterator[Axes]]) -> None:
    before, open_figures = dict(mpl.rcParams), pyplot.get_fignums()
    for number, ax in enumerate(draw_all()):
        save_chart(ax, tmp_path / f"{number}.svg")
    assert dict(mpl.rcParams) == before
    assert pyplot.get_fignums() == open_figures


def test_charts_do_not_take_over_the_users_style(draw_all: Callable[[], Iterator[Axes]]) -> None:
    with mpl.rc_context({"axes.facecolor": "black", "figure.facecolor": "black", "text.color": "white"}):
        for ax in draw_all():
            assert ax.get_facecolor() == ax.figure.get_facecolor() == (1, 1, 1, 1)
            assert all(text.get_color() != "white" for text in ax.get_yticklabels())


class NotebookShell:
    """As much of IPython's shell as pyplot asks for."""

    events = SimpleNamespace(register=lambda name, function: None)

    def enable_gui(self, gui: str | None = None) -> None:
        pass


def test_a_notebook_shows_the_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=NotebookShell, version_info=(9, 0)))
    monkeypatch.setattr(pyplot, "switch_backend", pyplot.switch_backend)
    with mpl.rc_context({"backend": "agg"}):
        ax = axes_for(None, 4, 3)
    try:
        assert ax.figure in [pyplot.figure(number) for number in pyplot.get_fignums()]
    finally:
        pyplot.close(ax.figure)  # type: ignore[arg-type]


def test_outside_a_notebook_pyplot_knows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: None))
    assert type(axes_for(None, 4, 3).figure) is Figure
    assert not pyplot.get_fignums()


def test_charts_in_one_figure_are_saved_together(tmp_path: Path, make_result: Callable[..., Any]) -> None:
    figure = Figure(figsize=(16, 5), layout="constrained")
    sides = np.ravel(np.asarray(figure.subfigures(1, 2)))
    ax = line_values(make_result(), sides[0].subplots())
    score_distribution(make_result(), sides[1].subplots())
    text = save_chart(ax, tmp_path / "both.svg").read_text()
    assert "Dice Poker: points per line" in text
    assert "Dice Poker: distribution of the total score" in text


def test_long_text_is_wrapped_and_dollars_start_no_formula() -> None:
    assert plain("four of a kind", width=9) == "four of a\nkind"
    assert plain("Full $5 for $10$", width=9) == "Full \\$5\nfor \\$10\\$"
    assert plain("", width=9) == ""


def test_notes_and_legends_take_room_only_if_there_are_any() -> None:
    ax = axes_for(None, 4, 3)
    dress(ax, "Title")
    assert not ax.texts
    ax.plot([1, 2], label="optimal")
    legend_beside(ax, title="Policy")
    legend = ax.get_legend()
    assert legend is not None
    assert legend.get_title().get_text() == "Policy"
