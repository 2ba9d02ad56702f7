"""The folder with everything about a game: what is in it, that it fits together, and that it is the same each time."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from analyzer.analysis.simulate import simulate
from analyzer.analysis.solve import line_values, solve
from analyzer.engine import store
from analyzer.errors import AnalyzerError, PolicyError, StorageError, UsageError
from analyzer.games.registry import make_rules, notes_of, rules_from_toml, settings_of
from analyzer.report import charts
from analyzer.report.folder import write_report
from analyzer.report.manifest import MANIFEST
from analyzer.report.tables import default_formats, show_value
from analyzer.report.writable import check_writable
from tests.dice.reference import SMALL_GAMES, WINNING

RULES = SMALL_GAMES["forced"]
POLICIES = ("optimal", "greedy", "par:chance=7")
NAMES = ("optimal", "greedy", "par_chance_7")
PER_POLICY = ("lines", "simulated_lines", "line_rounds", "distribution", "quantiles")


@pytest.fixture(autouse=True)
def _own_store(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Results of one test are not those of another."""
    monkeypatch.setattr(store, "cache_directory", lambda: tmp_path_factory.getbasetemp() / "report-cache")


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Path]]:
    """A report that several tests look at."""
    folder = tmp_path_factory.mktemp("report") / "forced"
    command = "analyzer report --rules forced.toml"
    return folder, write_report(RULES, folder, policies=POLICIES, games=2000, seed=3, cache=False, command=command)


def written(path: Path) -> Path:
    """A chart that takes no time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return path


def table(folder: Path, name: str) -> pd.DataFrame:
    return pd.read_csv(folder / "tables" / f"{name}.csv")


def test_every_file_is_there_and_no_other(report: tuple[Path, list[Path]]) -> None:
    folder, files = report
    assert files[0] == folder / "index.html"
    assert files[-1] == folder / MANIFEST
    listed = [line.split("  ")[1] for line in files[-1].read_text().splitlines()]
    assert {folder / name for name in listed} == set(files[:-1])
    assert len(set(files)) == len(files)
    assert {path for path in folder.rglob("*") if path.is_file()} == set(files)
    assert all(path.stat().st_size > 0 for path in files)
    names = {"policies", "line_means", "turn_values", "opening", "match_optimal_greedy"}
    names |= {f"{kind}_{policy}" for kind in PER_POLICY for policy in NAMES}
    assert {path.name for path in files if path.parent.name == "tables"} == {
        f"{name}.{kind}" for name in names for kind in default_formats()
    }
    charts = [path for path in files if path.parent.name == "charts"]
    assert {path.suffix for path in charts} == {".png", ".svg"}
    assert {path.stem for path in charts if path.suffix == ".png"} == {
        path.stem for path in charts if path.suffix == ".svg"
    }
    stems = {path.stem for path in charts}
    common = {"score_distributions", "chance_of_at_least", "line_values", "line_rounds", "line_round_means"}
    assert common | {f"simulation_{policy}" for policy in NAMES} <= stems
    assert 1 <= len([stem for stem in stems if stem.startswith("keeps_")]) <= 6


def test_the_page_shows_every_chart_and_leads_to_every_file(report: tuple[Path, list[Path]]) -> None:
    folder, files = report
    text = files[0].read_text()
    linked = [link for link in re.findall(r'href="([^"]+)"', text) if not link.startswith(("#", "data:"))]
    assert len(linked) == len(set(linked))
    assert {folder / link for link in linked} == set(files[1:-1])
    pictures = {path.stem for path in files if path.parent.name == "charts"}
    names = re.findall(r'<svg [^>]*aria-label="([^"]*)"', text)
    assert len(names) == len(set(names)) == len(pictures)


def test_the_page_says_what_was_computed_and_how(report: tuple[Path, list[Path]]) -> None:
    _, files = report
    text = files[0].read_text()
    best = solve(RULES, cache=False)
    headline = f"<dt>expected final score of best play, exact</dt><dd>{best.expected_score:.2f}</dd>"
    assert headline in text
    assert "<h1>Forced</h1>" in text
    for task in (simulate(RULES, policy=policy, games=1, seed=3, cache=False) for policy in POLICIES):
        assert f"<dt>Task of {task.policy}</dt><dd><code>{task.task_id}</code></dd>" in text
    assert "<dt>Seed</dt><dd>3</dd>" in text
    assert "<code>analyzer report --rules forced.toml</code>" in text
    assert f"<dt>Rules</dt><dd><code>{RULES.id}</code></dd>" in text
    (toml,) = re.findall(r'<pre [^>]*aria-label="Rules file"><code>(.*?)</code>', text, re.DOTALL)
    assert rules_from_toml(unescape(toml)) == RULES


def test_simulated_figures_stand_with_their_intervals(report: tuple[Path, list[Path]]) -> None:
    _, files = report
    text = files[0].read_text()
    for policy in POLICIES:
        result = simulate(RULES, policy=policy, games=2000, seed=3, cache=False)
        low, high = result.interval
        assert f'<td data-value="{result.mean!r}">{result.mean:.2f} ± {(high - low) / 2:.2f}</td>' in text
        exact = solve(RULES, policy=policy, cache=False).expected_score
        assert f'<td data-value="{exact!r}">{exact:.2f}</td>' in text
        for row in result.lines().to_dict("records"):
            zero = f"{show_value(row['zero_rate'], 'zero_rate')} ({show_value(row['zero_rate_lower'], 'zero_rate')} to"
            known = not pd.isna(row["lower"])  # that of extra fives is not
            half = f"± {(row['upper'] - row['lower']) / 2:z.2f}" if known else "(interval unknown)"
            assert f'data-value="{row["mean"]!r}">{row["mean"]:.2f} {half}</td>' in text
            assert zero in text or not known
    heads = re.findall(r'<span class="head">([^<]*)</span><small>([^<]*)</small>', text)
    assert ("Expected score", "exact") in heads
    assert ("Simulated mean", "simulated, 95% interval") in heads


def test_the_numbers_are_those_of_the_verbs(report: tuple[Path, list[Path]]) -> None:
    folder, _ = report
    summary = table(folder, "policies").set_index("policy")
    assert list(summary.index) == list(POLICIES)
    means = table(folder, "line_means").set_index("line")
    for policy, name in zip(POLICIES, NAMES, strict=True):
        solution = solve(RULES, policy=policy, cache=False)
        result = simulate(RULES, policy=policy, games=2000, seed=3, cache=False)
        assert summary["expected_score"][policy] == pytest.approx(solution.expected_score, rel=1e-12)
        assert summary["standard_deviation"][policy] == pytest.approx(solution.standard_deviation)
        assert summary["median"][policy] == solution.quantiles([0.5])["score"][0]
        assert summary["simulated_mean"][policy] == result.mean
        assert (summary["lower"][policy], summary["upper"][policy]) == result.interval
        assert summary["games"][policy] == 2000
        assert means[policy].tolist() == pytest.approx(solution.lines()["mean"].tolist())
        assert means[policy].sum() == pytest.approx(solution.expected_score)
        for kind, frame in (
            ("lines", solution.lines()),
            ("simulated_lines", result.lines()),
            ("line_rounds", solution.line_rounds()),
            ("distribution", solution.distribution()),
            ("quantiles", solution.quantiles()),
        ):
            pd.testing.assert_frame_equal(table(folder, f"{kind}_{name}"), frame, check_dtype=False)
    pd.testing.assert_frame_equal(table(folder, "turn_values"), line_values(RULES), check_dtype=False)
    opening = json.loads((folder / "tables" / "opening.json").read_text())
    expected = solve(RULES, cache=False).opening().table
    assert [row["keep"] for row in opening] == [list(keep) for keep in expected["keep"]]


def test_the_same_report_has_the_same_bytes(report: tuple[Path, list[Path]], tmp_path: Path) -> None:
    """Whatever the workers, and over an older report."""
    folder, files = report
    (tmp_path / "again").mkdir()
    (tmp_path / "again" / "index.html").write_text("an older one")
    again = write_report(
        RULES,
        tmp_path / "again",
        policies=POLICIES,
        games=2000,
        seed=3,
        workers=1,
        cache=False,
        command="analyzer report --rules forced.toml",
    )
    assert [path.relative_to(tmp_path / "again") for path in again] == [path.relative_to(folder) for path in files]
    for one, other in zip(files, again, strict=True):
        assert one.read_bytes() == other.read_bytes(), one.name


@pytest.mark.parametrize("name", ["one_throw", "no_bonus"])
def test_small_and_odd_games(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No opening without a second throw; locked dice. Charts are drawn but not rendered, which takes longest."""
    monkeypatch.setattr(charts, "save_chart", lambda axes, path: written(path))
    rules = SMALL_GAMES[name]
    files = write_report(rules, tmp_path, policies=["random"], games=50, cache=False)
    names = {path.name for path in files}
    assert ("opening.csv" in names) == (rules.throws > 1)
    assert any(name.startswith("keeps_") for name in names) == (rules.throws > 1)
    assert table(tmp_path, "policies")["policy"].tolist() == ["optimal", "random"]


def test_a_single_game_of_a_single_line_makes_a_report_too(tmp_path: Path) -> None:
    files = write_report(SMALL_GAMES["one_line"], tmp_path, policies=[], games=1, cache=False)
    assert table(tmp_path, "policies")["games"].tolist() == [1]
    assert all(path.stat().st_size > 0 for path in files)


WRONG: list[tuple[dict[str, Any], type[AnalyzerError], str]] = [
    ({"policies": ["greed"]}, PolicyError, "policy 'greed' is unknown; did you mean 'greedy'?"),
    ({"policies": ["par", "par:"]}, UsageError, "policies optimal, par, par: name one policy twice; give each once"),
    ({"games": 0}, UsageError, "games = 0 cannot be; give a whole number in 1..1000000000000"),
    ({"seed": -1}, UsageError, "seed = -1 cannot be"),
    ({"workers": 0}, UsageError, "the number of workers is 0; it must be at least 1"),
]


@pytest.mark.parametrize(("given", "error", "message"), WRONG)
def test_nothing_is_left_of_a_report_that_cannot_be(
    tmp_path: Path, given: dict[str, Any], error: type[AnalyzerError], message: str
) -> None:
    with pytest.raises(error) as caught:
        write_report(RULES, tmp_path / "all", **{"games": 10, "cache": False} | given)
    assert message in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("place", ["file", "file/all", "file/all/deep"])
def test_a_folder_that_cannot_be_written_is_told_before_anything_is_computed(
    tmp_path: Path, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setattr("analyzer.report.findings.solve", lambda *_, **__: pytest.fail("it was computed"))
    with pytest.raises(StorageError) as caught:
        write_report(RULES, tmp_path / place)
    assert str(caught.value).startswith(f"folder '{tmp_path / place}' cannot be written (Not a directory); choose")
    assert (tmp_path / "file").read_text() == "in the way"


def test_a_folder_is_looked_at_without_a_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("here", "deep/deeper", ".", str(tmp_path / "absolute")):
        check_writable(folder)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(StorageError, match="File name too long"):
        check_writable("x" * 5000)


@pytest.fixture(scope="module")
def winning(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a game with served points and instant wins."""
    folder = tmp_path_factory.mktemp("report") / "winning"
    write_report(WINNING, folder, games=500, seed=3, cache=False)
    return folder


def test_policies_of_a_game_with_instant_wins(winning: Path) -> None:
    summary = table(winning, "policies").set_index("policy")
    assert list(summary.index) == ["optimal", "points", "greedy", "par", "instant", "random"]
    assert summary["instant_win"].idxmax() == "instant"
    assert summary["expected_score"].idxmax() == "optimal"
    for policy, chance in summary["instant_win"].items():
        assert chance == pytest.approx(solve(WINNING, policy=str(policy), cache=False).wins()["chance"].sum())


def test_wins_and_served_results_of_a_report(winning: Path) -> None:
    wins, rounds, served = (table(winning, name) for name in ("wins", "win_rounds", "served"))
    best = solve(WINNING, cache=False)
    result = simulate(WINNING, games=500, seed=3, cache=False)
    mine = wins[wins["policy"] == "optimal"].reset_index(drop=True)
    pd.testing.assert_frame_equal(mine[best.wins().columns], best.wins())
    assert mine["simulated_chance"].tolist() == result.wins()["chance"].tolist()
    assert mine["lower"].tolist() == result.wins()["lower"].tolist()
    mine = rounds[rounds["policy"] == "optimal"].drop(columns="policy").reset_index(drop=True)
    pd.testing.assert_frame_equal(mine, best.win_rounds())
    assert served["line"].tolist() == ["pair"] * 6
    shares = served[["served_rate", "plain_rate", "zero_rate", "open_rate"]].sum(axis=1)
    assert shares.tolist() == pytest.approx([1] * 6)
    text = (winning / "index.html").read_text()
    assert ">Served results</h2>" in text
    assert ">Instant wins</h2>" in text
    assert "<li>Triplet wins the game at once: dice all alike in a throw" in text
    for row in wins.to_dict("records"):
        chance = f"{row['simulated_chance']:.3%} ({row['lower']:.3%} to {row['upper']:.3%})"
        assert chance in text
    charts = {path.stem for path in (winning / "charts").iterdir()}
    assert {"served_values", "win_ways", "win_rounds_optimal", "win_rounds_instant"} <= charts
    assert {"win_rounds_points", "win_rounds_greedy"} & charts == set()


def test_rolls_that_leave_no_choice_are_not_told(winning: Path) -> None:
    opening = json.loads((winning / "tables" / "opening.json").read_text())
    alone = [row for row in opening if row["second_best_keep"] is None]
    assert [row["roll"] for row in alone] == [[face] * 3 for face in (1, 2, 3, 4)]
    assert all(row["loss"] is None for row in alone)
    keeps = {path.stem for path in (winning / "charts").glob("keeps_*.png")}
    assert keeps
    assert not keeps & {f"keeps_{face}_{face}_{face}" for face in (1, 2, 3, 4)}


@pytest.mark.parametrize("name", ["", " "])
def test_a_folder_without_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StorageError, match=f"folder '{name}' has no name; name one with --out"):
        write_report(RULES, name)
    assert list(tmp_path.iterdir()) == []


def test_options_in_force_are_listed_with_what_was_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(charts, "save_chart", lambda axes, path: written(path))
    settings = settings_of("yahtzee", throws=1)
    notes = notes_of("crag")
    page, *_ = write_report(
        SMALL_GAMES["one_line"], tmp_path, policies=[], games=10, cache=False, settings=settings, notes=notes
    )
    text = page.read_text()
    rows = [re.sub("<[^>]*>", "|", row) for row in re.findall(r'<tr>(<th scope="row">.*?)</tr>', text)]
    assert [row for row in rows if row.startswith("|throws|")] == [
        "|throws||1||3||changed||Throws per turn, the first one included.|"
    ]
    assert [row.split("||")[3] for row in rows if row.startswith("|joker|")] == ["default"]
    names = {row.replace("_|", "_").split("|")[1] for row in rows}
    assert {one.option.name for one in settings} <= names
    assert f"<li>{notes[0]}</li>" in text


def test_a_report_over_an_earlier_one_removes_what_that_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(charts, "save_chart", lambda axes, path: written(path))
    how: dict[str, Any] = {"games": 20, "cache": False}
    first = write_report(SMALL_GAMES["one_line"], tmp_path, policies=["greedy", "random"], **how)
    (tmp_path / "tables" / "mine.csv").write_text("mine")
    second = write_report(SMALL_GAMES["one_line"], tmp_path, policies=["random"], **how)
    left = {path for path in tmp_path.rglob("*") if path.is_file()}
    assert left == {*second, tmp_path / "tables" / "mine.csv"}
    gone = {path.stem for path in set(first) - left}
    assert "lines_greedy" in gone
    assert all("greedy" in name for name in gone)


def test_matches_have_intervals_of_all_their_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The single-column game: its matches need no joint solution of three columns."""
    monkeypatch.setattr(charts, "save_chart", lambda axes, path: written(path))
    page, *_ = write_report(make_rules("escalero", columns="1"), tmp_path, policies=[], games=300)
    found = table(tmp_path, "match_optimal_greedy")
    for figure, lower, upper in (
        ("payoff", "lower", "upper"),
        ("win_rate", "win_lower", "win_upper"),
        ("mean_points", "points_lower", "points_upper"),
    ):
        assert (found[lower] < found[figure]).all()
        assert (found[figure] < found[upper]).all()
    text = page.read_text()
    for points, low, high in zip(found["mean_points"], found["points_lower"], found["points_upper"], strict=True):
        assert f">{points:,.2f} ± {(high - low) / 2:,.2f}</td>" in text
