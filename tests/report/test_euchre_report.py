"""The report of Euchre, and the page of a comparison of it: what is in them, and that sentences follow the numbers."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from analyzer.analysis.arms import Arm
from analyzer.analysis.compare import compare
from analyzer.analysis.euchre.hands import simulate_hands
from analyzer.errors import PolicyError, UsageError
from analyzer.games.euchre.rules import Euchre
from analyzer.games.registry import make_rules, notes_of
from analyzer.report import charts
from analyzer.report.euchre_findings import EuchreFindings, find_out
from analyzer.report.euchre_sentences import findings_of, score_sentence
from analyzer.report.folder import write_comparison, write_report
from analyzer.report.tables import default_formats

POSITIONS = ("dealer_s_left", "dealer_s_partner", "dealer_s_right", "dealer")
OF_HANDS = ("outcomes", "calls", "seats", "turn_ups", "classes", "trumps", "distribution")
OF_CALLS = ("call_values", "best_calls")
SCORES = ("9_6", "6_9", "8_8", "9_9")
COMMAND = "analyzer report euchre --out 'a folder'"
OWN = "def first(view):\n    return view.legal[-1]\n"


def written(path: Path) -> Path:
    """A chart that takes no time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return path


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Charts are drawn but not rendered as files, which takes longest."""
    monkeypatch.setattr(charts, "save_chart", lambda axes, path: written(path))


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Path]]:
    """A report of two policies that several tests look at."""
    folder = tmp_path_factory.mktemp("report") / "euchre"
    rules = Euchre()
    how: dict[str, Any] = {"policies": ["rules", "random"], "games": 3000, "seed": 3, "settings": rules.settings}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(charts, "save_chart", lambda axes, path: written(path))
        return folder, write_report(rules, folder, command=COMMAND, **how)


@pytest.fixture(scope="module")
def found() -> EuchreFindings:
    return find_out(Euchre(), games=20_000, seed=3)


def table(folder: Path, name: str) -> pd.DataFrame:
    return pd.read_csv(folder / "tables" / f"{name}.csv")


def test_every_table_and_chart_is_there_and_no_other(report: tuple[Path, list[Path]]) -> None:
    folder, files = report
    names = {"policies", "win_table", "match_rules_random"} | {f"changed_at_{score}" for score in SCORES}
    names |= {f"{kind}_{policy}" for kind in (*OF_HANDS, *OF_CALLS) for policy in ("rules", "random")}
    assert {path.name for path in files if path.parent.name == "tables"} == {
        f"{name}.{kind}" for name in names for kind in default_formats()
    }
    drawn = {"position_points", "call_rates", "euchre_rates", "win_table_dealing", "win_table_not_dealing"}
    drawn |= {f"maker_outcomes_{policy}" for policy in ("rules", "random")}
    drawn |= {f"call_map_{policy}_{position}" for policy in ("rules", "random") for position in POSITIONS}
    assert {path.name for path in files if path.parent.name == "charts"} == {
        f"{name}.{kind}" for name in drawn for kind in ("png", "svg")
    }
    text = files[0].read_text()
    linked = [link for link in re.findall(r'href="([^"]+)"', text) if not link.startswith(("#", "data:"))]
    assert {folder / link for link in linked} == set(files[1:-1])
    titles = re.findall(r'<svg [^>]*aria-label="([^"]*)"', text)
    assert len(titles) == len(set(titles)) == len(drawn)


def test_the_page_tells_figures_rules_and_how_to_write_it_again(report: tuple[Path, list[Path]]) -> None:
    _, files = report
    text = files[0].read_text()
    result = simulate_hands(Euchre(), "rules", games=3000, seed=3)
    reach = (result.estimate.upper - result.estimate.lower) / 2
    assert f"<dd>{result.estimate.value:+.3f} ± {reach:.3f}</dd>" in text
    assert f"<code>{result.task_id}</code>" in text
    assert "analyzer report euchre --out &#39;a folder&#39;" in text
    assert "Trumps from the highest: jack of trumps (right bower)" in text
    assert re.search(r'<th scope="row">stick_dealer</th><td[^>]*>false</td>', text.replace("<wbr>", ""))
    assert "<code>rules</code>: a club player" in text
    assert "150 matches, the same cards with sides swapped: rules against random" in text


def test_the_numbers_are_those_of_the_verbs(report: tuple[Path, list[Path]]) -> None:
    folder, _ = report
    summary = table(folder, "policies").set_index("policy")
    for policy in ("rules", "random"):
        result = simulate_hands(Euchre(), policy, games=3000, seed=3)
        told = result.outcomes().iloc[-1]
        assert summary["dealer_points"][policy] == pytest.approx(result.estimate.value)
        assert summary["euchred"][policy] == pytest.approx(told["euchred"])
        assert summary["passed"][policy] == pytest.approx(1 - told["share"])
        for kind, frame in result.tables().items():
            saved = table(folder, f"{kind}_{policy}").astype({"round": str} if "round" in frame else {})
            pd.testing.assert_frame_equal(saved, frame.astype(saved.dtypes), check_dtype=False)


def test_the_same_report_has_the_same_bytes(report: tuple[Path, list[Path]], tmp_path: Path, quick: None) -> None:
    """Whatever the workers."""
    folder, files = report
    rules = Euchre()
    how: dict[str, Any] = {"policies": ["rules", "random"], "games": 3000, "seed": 3, "settings": rules.settings}
    again = write_report(rules, tmp_path, workers=1, command=COMMAND, **how)
    assert [path.relative_to(tmp_path) for path in again] == [path.relative_to(folder) for path in files]
    for one, other in zip(files, again, strict=True):
        assert one.read_bytes() == other.read_bytes(), one.name


def test_sentences_are_made_from_the_numbers(found: EuchreFindings) -> None:
    told = found.first.outcomes().iloc[-1]
    sentences = findings_of(found)
    assert sentences[0].startswith(f"The dealer's side scores {found.first.estimate.value:.3f} ± ")
    assert f"euchred in {told['euchred']:.1%} of hands" in sentences[1]
    first = found.first.calls().iloc[0]
    assert f"in round {first['round']} {first['position']} {first['called']:.1%}, dealer's partner" in sentences[2]
    best = found.first_calls.best() if found.first_calls else pd.DataFrame()
    alone = best[(best["best"] == "order alone") & (best["hands"] >= 100) & (best["position"] == "dealer")]
    (sentence,) = (one for one in sentences if one.startswith("Going alone is best"))
    assert f"dealer {alone['share'].sum():.1%}; most often for the dealer with" in sentence
    assert len([one for one in sentences if one.startswith("At ")]) == 4


def test_kinds_of_changes_are_told_with_their_shares(found: EuchreFindings) -> None:
    columns = ["position", "trumps", "bowers", "off_aces", "voids", "by_points", "at_score", "share"]
    rows = [
        ("dealer", 2, 1, 1, 1, "order alone", "order", 0.05),
        ("dealer", 3, 0, 1, 1, "order alone", "order", 0.01),
        ("dealer's left", 1, 0, 0, 2, "pass", "order", 0.02),
        ("dealer's partner", 1, 1, 1, 1, "pass", "order", 0.03),
        ("dealer's right", 2, 2, 0, 0, "order", "pass", 0.04),
    ]
    made = EuchreFindings(found.rules, found.results, [], [])
    made.__dict__["changes"] = {(9, 6): pd.DataFrame(rows, columns=columns), (9, 9): pd.DataFrame(columns=columns)}
    sentence = score_sentence(made, (9, 6))
    assert "play with the partner instead of alone (dealer 6.0% of deals; such as 2 trumps with 1 bower" in sentence
    assert "keeps the dealer from more: donating (dealer's left 2.0% of deals; such as 1 trump, no off-ace" in sentence
    assert "order hands that are passed by points (dealer's partner 3.0% of deals" in sentence
    assert "pass hands that are ordered by points (dealer's right 4.0% of deals" in sentence
    assert score_sentence(made, (9, 9)).startswith("At 9-9 (own points first) no hand class is known")


@pytest.mark.parametrize(
    ("options", "scores"),
    [
        ({"players": "3", "games": 3000}, set()),
        ({"players": "2", "deck": "25", "games": 400}, set(SCORES)),
        ({"deck": "33", "target": 2, "games": 3000}, {"0_0", "1_1"}),
    ],
)
def test_other_forms_of_the_game(options: dict[str, Any], scores: set[str], tmp_path: Path, quick: None) -> None:
    given = {name: value for name, value in options.items() if name != "games"}
    files = write_report(Euchre(**given), tmp_path, games=options["games"])
    names = {path.stem for path in files}
    assert ("win_table_dealing" in names) == (options.get("players") != "3")
    assert {name.removeprefix("changed_at_") for name in names if name.startswith("changed_at_")} == scores
    text = files[0].read_text()
    assert ("No hand class came up in 100 deals" in text) == (options["games"] < 1000)
    assert ("The chance to win at each score" in text) == (options.get("players") != "3")
    assert "nan" not in re.sub("<[^>]*>", " ", text).split()


def test_railroad_euchre_comes_with_its_notes(tmp_path: Path, quick: None) -> None:
    rules, notes = make_rules("railroad-euchre"), notes_of("railroad-euchre")
    page, *_ = write_report(rules, tmp_path, games=3000, notes=notes)
    text = page.read_text()
    assert "<h1>Railroad Euchre</h1>" in text
    assert f"<li>{notes[0]}</li>" in text
    assert "At 4-1: " in text or "At 4-1 (own points first) no hand class" in text


def test_calls_of_a_policy_that_is_asked_are_left_out(tmp_path: Path, quick: None) -> None:
    (tmp_path / "mine.py").write_text(OWN)
    page, *others = write_report(Euchre(), tmp_path / "all", policies=[f"{tmp_path}/mine.py:first"], games=40)
    text = page.read_text()
    assert "is too slow to try every call in every deal, and is left out here." in text
    assert "Calls that the score changes" not in text
    assert not any(path.stem.startswith(("call_map", "call_values")) for path in others)


@pytest.mark.parametrize(
    ("policies", "error", "message"),
    [
        (["rules", "rules"], UsageError, "policies rules, rules name one policy twice; give each once"),
        (["rule"], PolicyError, "policy 'rule' is unknown"),
    ],
)
def test_nothing_is_left_of_a_report_that_cannot_be(policies: Any, error: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(error, match=message):
        write_report(Euchre(), tmp_path / "all", policies=policies, games=10)
    assert list(tmp_path.iterdir()) == []


def test_a_comparison_of_hands_speaks_of_hands_and_cards(tmp_path: Path, quick: None) -> None:
    arms = [Arm(Euchre(), "random", "base"), Arm(Euchre(stick_dealer=True), "random", "stick")]
    result = compare(arms, games=20_000)
    files = write_comparison(result, tmp_path)
    names, text = {path.stem for path in files}, files[0].read_text()
    assert not names & {"lines", "line_changes"}
    assert "score_distributions" in names
    said = re.sub("<[^>]*>", " ", text)
    for words in ("dice", "Line by line", "lines filled", "scores vary", "exact"):
        assert words not in said.split("Provenance")[0].split("Rules and policies")[0], words
    for words in ("All arms meet the same cards", "How much hands vary", "single hand", "by equal cards", "All pass"):
        assert words in said, words
    assert "the mean net points of the dealer&#39;s side" in text


def test_a_comparison_of_matches_tells_shares_as_per_cent(tmp_path: Path, quick: None) -> None:
    arms = [Arm(Euchre(), ("rules", "random"), "base"), Arm(Euchre(target=3), ("rules", "random"), "short")]
    result = compare(arms, games=400)
    files = write_comparison(result, tmp_path)
    names, text = {path.stem for path in files}, files[0].read_text()
    assert "score_distributions" not in names
    (row,) = result.differences().to_dict("records")
    assert f"<dd>{row['difference']:+.2%} ± {(row['upper'] - row['lower']) / 2:.2%}</dd>" in text
    assert "the share of matches won" in text
    assert "400</dd>" in text
    assert "deals of each arm" in text
