"""Everything about a game in one folder: tables, charts, and a page that leads through them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from analyzer.analysis.match import can_match, match
from analyzer.analysis.simulate import simulate
from analyzer.analysis.solve import Solution, line_values, solve
from analyzer.dice.policies import Optimal
from analyzer.engine.provenance import versions_in_use
from analyzer.engine.store import write_atomically
from analyzer.errors import UsageError
from analyzer.report import charts
from analyzer.report.served import served_table
from analyzer.report.tables import to_markdown, write_table
from analyzer.report.writable import check_writable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.analysis.advise import Advice
    from analyzer.analysis.match import MatchResult
    from analyzer.analysis.simulate import GamesResult
    from analyzer.dice.scorecard import ScorecardRules

POLICIES = ("optimal", "greedy", "par", "random")
WIN_POLICIES = ("optimal", "points", "greedy", "par", "instant", "random")
WINS_NOTE = (
    "A game that is won at once ends there and counts the points on its scorecard so far. Best play is here for points"
    " alone, and shuns a win that ends the game early; `instant` plays for the chance of a win instead."
)
COLUMN_NOTE = "A sheet has several columns; exact results are of one column played alone, matches use all of them."
WIN_TABLE_NOTE = "Shares of games that end so, exact, and simulated with 95% intervals:"
SERVED_NOTE = "Shares of games that fill a line served, plain or with 0 points, or are won before it is filled:"
CLOSE_CALLS = 3
"""First rolls shown whose two best keeps are nearly as good."""
COSTLY_ROLLS = 3
"""First rolls shown where the second-best keep costs most, by the roll's frequency."""


def write_report(
    rules: ScorecardRules,
    out: str | Path,
    *,
    policies: Sequence[str] | None = None,
    games: int = 100_000,
    seed: int = 0,
    workers: int | None = None,
    progress: bool = False,
    cache: bool = True,
    command: str = "",
) -> list[Path]:
    """Write every table and chart of a game into a folder.

    Parameters
    ----------
    rules : ScorecardRules
        The game, from `analyzer.game`.
    out : str or Path
        Folder; it is made if it does not exist.
    policies : sequence of str, optional
        Policies that are evaluated exactly and simulated; `optimal` is always among them. Otherwise `POLICIES`, and in
        games with instant wins `WIN_POLICIES`.
    games : int
        Games simulated for each policy, beside its exact evaluation.
    seed : int
        Seed of the simulation.
    workers, progress, cache
        As for `solve`.
    command : str
        Command line to name in the report.

    Returns
    -------
    list of Path
        Files written; the first is the page to start with.

    Raises
    ------
    StorageError
        The folder cannot be written; said before anything is computed.
    """
    check_writable(out)
    folder = Path(out)
    if policies is None:
        policies = WIN_POLICIES if rules.instant_wins else POLICIES
    names = list(dict.fromkeys(("optimal", *policies)))
    solutions = [solve(rules, policy=name, workers=workers, progress=progress, cache=cache) for name in names]
    if len({solution.policy for solution in solutions}) < len(names):
        raise UsageError(f"policies {', '.join(names)} name one policy twice; give each once")
    results: list[GamesResult] = [
        simulate(rules, policy=name, games=games, seed=seed, workers=workers, progress=progress, cache=cache)
        for name in names
    ]
    matches = [
        match(rules, players, games=games, seed=seed, workers=workers, progress=progress, cache=cache)
        for players in _pairings(rules)
    ]
    tables = _tables(rules, solutions, results)
    for one in matches:
        tables[f"match_{_file_name(' '.join(one.players))}"] = one.payoffs()
    files = [path for name, frame in tables.items() for path in write_table(frame, folder / "tables", name)]
    pictures = _charts(solutions, results, matches, tables.get("opening"), folder / "charts")
    page = folder / "report.md"
    text = _page(rules, solutions, results, matches, tables, pictures, command)
    write_atomically(page, text.encode())
    return [page, *files, *(path for _, paths in pictures for path in paths)]


def _pairings(rules: ScorecardRules) -> list[tuple[str, str]]:
    """Players whose matches are worth a look: none in games that several do not play in a way of their own."""
    if not can_match(rules):
        return []
    if rules.settlement.kind == "columns":
        return [("columns", "sum"), ("sum", "greedy")]
    if rules.settlement.kind == "difference":
        return [("optimal", "greedy")]
    return [("race", "points"), ("points", "greedy")] if rules.instant_wins else [("race", "greedy")]


def _file_name(policy: str) -> str:
    """A policy's text as part of a file name."""
    return re.sub(r"[^A-Za-z0-9.-]+", "_", policy)


def _tables(rules: ScorecardRules, solutions: list[Solution], results: list[GamesResult]) -> dict[str, pd.DataFrame]:
    best = solutions[0]
    summary = pd.DataFrame(
        [
            {
                "policy": solution.policy,
                "expected_score": solution.expected_score,
                "standard_deviation": solution.standard_deviation,
                "median": int(solution.quantiles([0.5])["score"].iloc[0]),
                "simulated_mean": result.mean,
                "standard_error": result.standard_error,
                "lower": result.interval[0],
                "upper": result.interval[1],
                "games": result.games,
            }
            for solution, result in zip(solutions, results, strict=True)
        ]
    )
    if rules.instant_wins:
        summary.insert(3, "instant_win", [float(solution.wins()["chance"].sum()) for solution in solutions])
    means = best.lines()[["line", "label", "section"]]
    for solution in solutions:
        means = means.assign(**{solution.policy: solution.lines()["mean"].to_numpy()})
    tables = {"policies": summary, "line_means": means, "turn_values": line_values(rules)}
    for solution, result in zip(solutions, results, strict=True):
        name = _file_name(solution.policy)
        tables[f"lines_{name}"] = solution.lines()
        tables[f"simulated_lines_{name}"] = result.lines()
        tables[f"line_rounds_{name}"] = solution.line_rounds()
        tables[f"distribution_{name}"] = solution.distribution()
        tables[f"quantiles_{name}"] = solution.quantiles()
    served = {solution.policy: served_table(solution) for solution in solutions}
    if not served[best.policy].empty:
        tables["served"] = _by_policy(served)
    if rules.instant_wins:
        wins = {
            solution.policy: solution.wins().assign(
                simulated_chance=result.wins()["chance"], lower=result.wins()["lower"], upper=result.wins()["upper"]
            )
            for solution, result in zip(solutions, results, strict=True)
        }
        tables["wins"] = _by_policy(wins)
        tables["win_rounds"] = _by_policy({solution.policy: solution.win_rounds() for solution in solutions})
    if rules.throws > 1:
        tables["opening"] = best.opening().table
    return tables


def _by_policy(frames: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """One table of several, with the policy in the first column."""
    return pd.concat(frames, names=["policy"]).reset_index("policy").reset_index(drop=True)


def _telling_rolls(best: Solution, table: pd.DataFrame | None) -> list[Advice]:
    """Advice on first rolls: the closest calls among the frequent ones, and the costliest where a keep is missed.

    Of rolls that cost the same, such as the straights, one is enough.
    """
    if table is None:
        return []
    often = table["probability"].median()
    table = table.dropna(subset="loss")  # without a second keep there is nothing to choose
    table = table[~table["loss"].round(9).duplicated()]
    frequent = table[table["probability"] >= often]
    close = frequent[frequent["loss"] > 1e-9].sort_values("loss", kind="stable")
    weight = (table["probability"] * table["loss"]).sort_values(ascending=False, kind="stable")
    rolls = dict.fromkeys([*close["roll"].head(CLOSE_CALLS), *table["roll"].loc[weight.index].head(COSTLY_ROLLS)])
    return [best.advise(roll, throws_left=best.rules.throws - 1) for roll in rolls]


def _charts(
    solutions: list[Solution],
    results: list[GamesResult],
    matches: list[MatchResult],
    opening: pd.DataFrame | None,
    folder: Path,
) -> list[tuple[str, list[Path]]]:
    best = solutions[0]
    drawn = {
        "score_distributions": ("Distribution of the final score", charts.score_distribution(solutions)),
        "chance_of_at_least": ("Chance of at least a score", charts.chance_of_at_least(solutions)),
        "line_values": ("What each line brings, by policy", charts.line_values(solutions)),
        "line_rounds": ("When each line is filled", charts.line_round_heatmap(best)),
        "line_round_means": ("At what mean each line is filled", charts.line_round_heatmap(best, value="mean")),
    }
    if not served_table(best).empty:
        drawn["served_values"] = ("What served results bring", charts.served_values(best))
    if best.rules.instant_wins:
        drawn["win_ways"] = ("How games are won at once, by policy", charts.win_ways(solutions))
        for solution in solutions:
            if solution is best or _plays_for_wins(solution):
                title = f"When games are won at once: {solution.policy}"
                drawn[f"win_rounds_{_file_name(solution.policy)}"] = (title, charts.win_rounds(solution))
    for solution, result in zip(solutions, results, strict=True):
        name = _file_name(solution.policy)
        title = f"Simulation against the exact values: {solution.policy}"
        drawn[f"simulation_{name}"] = (title, charts.simulation_against_exact(result, solution))
    for one in matches:
        title = f"Matches: {' against '.join(one.players)}"
        drawn[f"match_{_file_name(' '.join(one.players))}"] = (title, charts.settlements(one))
    for advice in _telling_rolls(best, opening):
        title = f"{best.title}: what each keep of the first roll {advice.label} costs"
        drawn[f"keeps_{'_'.join(map(str, advice.dice))}"] = (title, charts.keep_costs(advice, title=title))
    return [
        (title, [charts.save_chart(axes, folder / f"{name}.{kind}") for kind in ("png", "svg")])
        for name, (title, axes) in drawn.items()
    ]


def _plays_for_wins(solution: Solution) -> bool:
    return isinstance(solution.bound, Optimal) and solution.bound.worth != Optimal.worth


def _page(
    rules: ScorecardRules,
    solutions: list[Solution],
    results: list[GamesResult],
    matches: list[MatchResult],
    tables: dict[str, pd.DataFrame],
    pictures: list[tuple[str, list[Path]]],
    command: str,
) -> str:
    best = solutions[0]
    assert isinstance(best.bound, Optimal)
    parts = [
        f"# {rules.title}",
        (
            f"Best play expects **{best.expected_score:.4f}** points, standard deviation {best.standard_deviation:.2f}."
            " Expected scores, deviations and line means are exact;"
            " simulated means stand beside them with 95% intervals."
        ),
        *([WINS_NOTE] if rules.instant_wins else []),
        *([COLUMN_NOTE] if rules.settlement.columns > 1 else []),
        "## Policies",
        to_markdown(tables["policies"]),
        "## What each line brings",
        to_markdown(
            tables["line_means"].drop(columns="line"), formats=dict.fromkeys(tables["line_means"].columns, "z.2f")
        ),
        "## One turn played for one line alone",
        to_markdown(tables["turn_values"].drop(columns="line")),
    ]
    if "served" in tables:
        parts += ["## Served results", SERVED_NOTE, to_markdown(tables["served"].drop(columns="line"))]
    if "wins" in tables:
        ways = "\n".join(f"- {win.text}" for win in rules.instant_wins)
        parts += ["## Instant wins", ways, WIN_TABLE_NOTE, to_markdown(tables["wins"].drop(columns="win"))]
    for one in matches:
        parts += [f"## Matches: {' against '.join(one.players)}", to_markdown(one.payoffs())]
    parts.append("## Charts")
    parts += [f"### {title}\n\n![{title}](charts/{paths[0].name})" for title, paths in pictures]
    parts += ["## Tables", "Every table as CSV, Markdown and JSON (and Parquet, where pyarrow is installed):"]
    parts.append("\n".join(f"- [{name}](tables/{name}.csv)" for name in tables))
    versions = ", ".join(f"{name} {version}" for name, version in versions_in_use().items())
    facts = [
        f"- rules: `{rules.id}`",
        *(f"- task of {result.policy}: `{result.task_id}`, seed {result.seed}" for result in results),
        *(f"- task of {' against '.join(one.players)}: `{one.task_id}`, seed {one.seed}" for one in matches),
        f"- versions: {versions}",
    ]
    if command:
        facts.append(f"- command: `{command}`")
    parts += ["## Provenance", "\n".join(facts), "## Rules", f"```toml\n{rules.to_toml().strip()}\n```"]
    return "\n\n".join(parts) + "\n"
