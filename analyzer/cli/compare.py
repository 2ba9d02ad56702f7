"""The command that compares variants and policies."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from analyzer.cli.arguments import Game, Run, name_value, number, whole
from analyzer.cli.output import announced, check_out, print_json, print_table
from analyzer.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd

    from analyzer.analysis.arms import Arm
    from analyzer.analysis.comparison import Comparison
    from analyzer.analysis.play_changes import PlayChanges


RATES = ("base_mean", "arm_mean", "difference", "lower", "upper", "exact_difference")


def compare(
    game: Game | None = None,
    *,
    arm: Annotated[
        tuple[str, ...],
        Parameter(
            negative=(), help="What is compared, such as base, straight=25 or greedy; may be repeated. See below."
        ),
    ] = (),
    arms: Annotated[Path | None, Parameter(help="TOML file of arms instead.")] = None,
    policy: Annotated[str, Parameter(help="Policy of arms that name none; see 'analyzer policies'.")] = "",
    players: Annotated[str, Parameter(help="Players of arms that name none: matches are compared.")] = "",
    games: Annotated[
        int | None,
        Parameter(
            converter=whole,
            help="Games of each arm, in Euchre hands, in President matches: 100,000 by default; with --precision the"
            " most.",
        ),
    ] = None,
    precision: Annotated[
        float | None,
        Parameter(converter=number, help="Play until intervals reach at most so far to either side."),
    ] = None,
    against: Annotated[str, Parameter(help="first: each arm against the first; all: each against each.")] = "first",
    margin: Annotated[
        float | None,
        Parameter(converter=number, help="Differences up to this do not matter; adds tests for equivalence."),
    ] = None,
    independent: Annotated[
        bool, Parameter(negative=(), help="Give each arm its own random numbers, instead of the same to all.")
    ] = False,
    exact: Annotated[bool, Parameter(help="Give exact values too, where they can be had.")] = True,
    play: Annotated[bool, Parameter(help="Tell how best play changes, where all arms play best.")] = True,
    seed: Annotated[int, Parameter(converter=whole, help="Same seed, same dice or cards in all arms.")] = 0,
    confidence: Annotated[float, Parameter(converter=number, help="Of all intervals of a table together.")] = 0.95,
    out: Annotated[str | None, Parameter(help="Folder to write a page, tables and charts to.")] = None,
    run: Run | None = None,
) -> None:
    """Compare variants of rules, or policies, on the same dice or cards.

    An arm is 'base' for the game as it is, an option of its rules (straight=25/30), a policy (greedy, my.py:name), or
    several of these with commas between: --arm straight=25,policy=greedy. It may also name another game=, a rules file
    with rules=, players= of matches, or its name=. A single arm is compared with base. A TOML file of arms has the
    keys game, policy and options at its top, and a table [[arm]] with name, policy and options for each arm.
    """
    game, run = game or Game(), run or Run()
    found = _arms(game, arm, arms, policy, players)
    given = {"--arms": arms, "--policy": policy, "--players": players, "--games": games, "--precision": precision}
    given |= {"--against": against, "--margin": margin, "--confidence": confidence, "--seed": seed, "--out": out}
    chosen = [part for name, value in given.items() if value not in (None, "") for part in (name, str(value))]
    switches = ["--independent"] * independent + ["--no-exact"] * (not exact) + ["--no-play"] * (not play)
    texts = [part for text in arm for part in ("--arm", text)]
    command = shlex.join(
        ["analyzer", "compare", *(game.arguments() if arms is None else []), *texts, *chosen, *switches]
    )
    check_out(out)
    with announced():
        from analyzer.analysis.compare import compare

        result = compare(
            found,
            games=games,
            precision=precision,
            against=against,
            margin=margin,
            common=not independent,
            exact=exact,
            play=play,
            seed=seed,
            confidence=confidence,
            workers=run.workers,
            progress=not run.json,
            cache=run.cache,
        )
        content = result.to_dict() if run.json else {}
        changes = result.play_changes  # computed here, where compilation is announced
        if out is not None:
            from analyzer.report.folder import write_comparison

            files = write_comparison(result, out, command=command)
            print(f"{len(files)} files written to {out}; start with {files[0]}", file=sys.stderr)
    if run.json:
        print_json(content)
        return
    _print(result, changes)


def _arms(game: Game, texts: tuple[str, ...], path: Path | None, policy: str, players: str) -> list[Arm]:
    """The arms that the arguments tell of."""
    from analyzer.analysis.arms import ArmDefaults, load_arms, read_arms
    from analyzer.analysis.seating import split_players

    if policy and players:
        raise UsageError("--policy and --players are both given; give one of them")
    if path is not None:
        if texts or game.game or game.rules or game.set_ or policy or players:
            raise UsageError(f"--arms '{path}' says everything itself; leave game, --arm, --set and --policy out")
        return load_arms(path)
    if not texts:
        raise UsageError("no arms are given; write --arm base --arm name=value, or --arm optimal --arm greedy")
    game.load()  # what is wrong with game, rules file or options is told as in other commands
    options = dict(name_value(text, "--set") for text in game.set_)
    plays: Any = tuple(split_players(players)) if players else policy
    return read_arms(texts, ArmDefaults(game.game, options, game.rules or "", plays))


def _print(result: Comparison, changes: Mapping[tuple[str, str], PlayChanges]) -> None:
    from analyzer.games.card_rules import CardRules
    from analyzer.report.tables import heading

    print(f"{result}\ntask {result.task_id}\n")
    together = " together" if len(result.pairs) > 1 else ""
    always = ", at all looks" if result.precision is not None else ""
    cards = isinstance(result.contests[0].rules, CardRules)
    share = "z.2%" if result.measure.kind == "rate" else ""
    _print_known(
        result.differences().drop(columns=["standard_error", "p_value"]),
        f"Differences, intervals at {result.confidence:.11g}{together}{always}",
        dict.fromkeys(("difference", "lower", "upper"), share or "z.4f"),
    )
    means = dict.fromkeys(("mean", "lower", "upper"), share or "z.3f")
    _print_known(result.means().drop(columns=["standard_error", "game"]), "Each arm", means)
    varying = f"How much {result.unit if cards else 'scores'} vary"
    _print_known(result.spread().drop(columns="standard_error"), varying)
    measured = result.measures()
    changed = measured[measured["adjusted_p_value"] <= 1 - result.confidence]
    for kinds, title, formats in (
        (("points", "rounds"), "Means that change" if cards else "Lines that change", {}),
        (("rate",), "Rates that change", dict.fromkeys(RATES, "z.3%")),
    ):
        part = changed[changed["kind"].isin(kinds)]
        if not part.empty:
            shown = part.drop(columns=["measure", "standard_error", "p_value", "kind"])
            _print_known(shown, f"{title}, intervals for all {len(measured)} measures together", formats)
    for (arm, base), change in changes.items():
        print(f"{change}\n")
        top = change.top().drop(columns=["throws_left", "base_cost", "not_allowed", "round"])
        if top.empty:
            continue
        named = {str(column): heading(str(column)) for column in top.columns}
        named |= {"base": f"{base} plays", "other": f"{arm} plays", "chance": "Times a game"}
        formats = {"chance": "z.4f"}  # as on the page
        print_table(top, f"What {arm} plays otherwise than {base}: the most costly differences", named, formats)
    if not result.reached:
        print(f"The precision {result.precision:g} was not reached within {result.games:,} {result.unit}.")


def _print_known(frame: pd.DataFrame, title: str, formats: Mapping[str, str] | None = None) -> None:
    """Print a table without the columns that have no value, such as exact ones where nothing is exact."""
    print_table(frame.dropna(axis="columns", how="all"), title, None, formats)
