"""The command line: it parses, calls the API, prints and saves. Slow libraries are imported when they are needed."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, CycloptsError, Parameter, Token

from analyzer.errors import AnalyzerError, PositionError, RulesError, StorageError, UsageError

if TYPE_CHECKING:
    import pandas as pd

    from analyzer.dice.scorecard import ScorecardRules

app = App(
    name="analyzer",
    help="Strategy analyzer for dice games: what to keep, what each line is worth, what a policy earns.",
    help_epilogue="Start with: analyzer advise dice-poker --dice 5,5,3,2,1 --throws-left 2",
    version_flags=["--version"],
    help_format="plaintext",
    suppress_keyboard_interrupt=False,
)


@Parameter(name="*")
@dataclass(frozen=True)
class Game:
    """Which game, with which rules."""

    game: Annotated[str, Parameter(help="Name of the game; see 'analyzer games'. Not with --rules.")] = ""
    rules: Annotated[Path | None, Parameter(help="Rules file (TOML) to play by; see 'analyzer rules GAME --toml'.")] = (
        None
    )
    set_: Annotated[
        tuple[str, ...],
        Parameter(name="--set", negative=(), help="Option of the rules, name=value; may be repeated."),
    ] = ()

    def load(self) -> ScorecardRules:
        """Rules of the game."""
        from analyzer.games.registry import game_names, load_rules, make_rules

        options = dict(_pair(text, "--set") for text in self.set_)
        if len(options) < len(self.set_):
            raise UsageError(f"--set {' '.join(self.set_)} gives an option twice; give each once")
        if self.rules is None:
            if not self.game:
                raise UsageError(f"no game is given; name one of {', '.join(game_names())}, or give --rules FILE")
            return make_rules(self.game, **options)
        if self.game:
            raise UsageError(f"game '{self.game}' and --rules '{self.rules}' are both given; give one of them")
        if options:
            raise UsageError("--set goes with a game's name; put options into the rules file under [options]")
        return load_rules(self.rules)


@Parameter(name="*")
@dataclass(frozen=True)
class Start:
    """Where the game stands."""

    card: Annotated[str, Parameter(help="Filled lines, such as 'sixes=18,poker=50'; all others are open.")] = ""
    extra_points: Annotated[int, Parameter(converter=_whole, help="Extra-five points earned so far.")] = 0

    def points(self) -> dict[str, int]:
        """Points by filled line."""
        card: dict[str, int] = {}
        for part in filter(None, (part.strip() for part in self.card.split(","))):
            name, value = _pair(part, "--card")
            if name in card:
                raise PositionError(f"line '{name}' is filled twice; give each line once")
            try:
                card[name] = int(value)
            except ValueError:
                raise PositionError(f"--card {part} is no score; give line=points, such as sixes=18") from None
        return card


@Parameter(name="*")
@dataclass(frozen=True)
class Run:
    """How it is computed and shown."""

    workers: Annotated[int | None, Parameter(converter=_whole, help="Threads; by default one per processor.")] = None
    cache: Annotated[bool, Parameter(help="Keep and use solutions on disk.")] = True
    json: Annotated[bool, Parameter(negative=(), help="Print one JSON object and nothing else.")] = False


def _pair(text: str, option: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip() or not value.strip():
        raise UsageError(f"{option} '{text}' is not name=value; write it as {name.strip() or 'name'}=...")
    return name.strip(), value.strip()


def _whole(_: Any, tokens: Sequence[Token]) -> int:
    """A whole number, never rounded from another one."""
    try:
        return int(tokens[0].value)
    except ValueError:
        raise UsageError(f"{tokens[0].keyword} '{tokens[0].value}' is no whole number; give one, such as 3") from None


def _number(_: Any, tokens: Sequence[Token]) -> float:
    try:
        return float(tokens[0].value)
    except ValueError:
        raise UsageError(f"{tokens[0].keyword} '{tokens[0].value}' is no number; give one, such as 0.95") from None


def _faces(text: str, option: str) -> list[int]:
    try:
        return [int(part) for part in text.replace(",", " ").split()]
    except ValueError:
        raise PositionError(f"{option} '{text}' are not dice; write faces such as 5,5,3,2,1") from None


@contextmanager
def _announced() -> Iterator[None]:
    """Say on standard error when kernels are compiled for their first use."""
    from analyzer.engine.jit import announce_compilation

    told = False

    def tell(_: str) -> None:
        nonlocal told
        if not told:
            told = True
            print("compiling for first use; this takes about half a minute, once ...", file=sys.stderr, flush=True)

    with announce_compilation(tell):
        yield


def _print_json(content: Any) -> None:
    def plain(value: Any) -> Any:
        return value.item() if hasattr(value, "item") else list(value)

    print(json.dumps(content, indent=2, default=plain, allow_nan=False))


def _show(frame: pd.DataFrame, title: str = "", columns: Any = None) -> None:
    from rich.console import Console

    from analyzer.report.tables import rich_table

    console = Console()
    if not console.is_terminal:
        console = Console(width=160)
    if title:
        console.print(title, style="bold", highlight=False)
    console.print(rich_table(frame, None, columns))
    console.print()


def _check_out(out: Path | None) -> None:
    from analyzer.report.writable import check_writable

    if out is not None:
        check_writable(out)


def _save(out: Path | None, frames: dict[str, pd.DataFrame]) -> None:
    from analyzer.report.tables import write_table

    if out is not None:
        for name, frame in frames.items():
            write_table(frame, out, name)
        print(f"tables written to {out}", file=sys.stderr)


@app.command
def games(*, json: Annotated[bool, Parameter(negative=(), help="Print one JSON object.")] = False) -> None:
    """List the games."""
    from analyzer.games.registry import game_names, make_rules

    found = [(name, make_rules(name)) for name in game_names()]
    rows = [
        {
            "game": name.replace("_", "-"),
            "title": rules.title,
            "dice": f"{rules.dice} x {rules.faces} faces",
            "throws": rules.throws,
            "lines": len(rules.lines),
        }
        for name, rules in found
    ]
    if json:
        _print_json({"games": rows})
        return
    import pandas as pd

    _show(
        pd.DataFrame(rows),
        columns={"game": "Game", "title": "Title", "dice": "Dice", "throws": "Throws", "lines": "Lines"},
    )
    print("'analyzer rules GAME' tells a game's lines and options.")


@app.command
def rules(
    game: Game | None = None,
    *,
    toml: Annotated[bool, Parameter(negative=(), help="Print a rules file, to edit and use with --rules.")] = False,
    json: Annotated[bool, Parameter(negative=(), help="Print one JSON object.")] = False,
) -> None:
    """Show the rules of a game: its lines, bonuses and options."""
    from dataclasses import asdict

    game = game or Game()
    found = game.load()
    if toml:
        print(found.to_toml(), end="")
        return
    from analyzer.games.registry import options_of

    options = [] if game.rules else list(options_of(game.game))
    if json:
        listed = [{"name": o.name, "default": o.default, "allowed": o.allowed, "meaning": o.meaning} for o in options]
        _print_json({"id": found.id, "rules": asdict(found), "options": listed})
        return
    import pandas as pd

    from analyzer.dice.entries import possible_scores

    rows = [
        {
            "name": line.name,
            "label": line.label,
            "section": line.section,
            "scores": f"{line.points} points" if line.value == "fixed" else line.value.replace("_", " "),
            "most": possible_scores(found, line.name)[-1],
        }
        for line in found.lines
    ]
    throws = f"{found.throws} throws" if found.throws > 1 else "1 throw"
    locked = ", kept dice stay kept" if found.lock_kept else ""
    print(f"{found.title}: {found.dice} dice with {found.faces} faces, {throws}{locked}, {len(found.lines)} lines\n")
    _show(pd.DataFrame(rows))
    if found.upper_bonus:
        bonus = found.upper_bonus
        print(f"Upper bonus: {bonus.points} points for an upper total of {bonus.least} or more.")
    if found.extra_five:
        five = found.extra_five
        print(f"Extra fives: {five.points} points once {five.line} holds points; joker rule: {five.joker}.")
    if options:
        print()
        rows = [
            {"option": o.name, "default": str(o.default).lower(), "allowed": o.allowed, "meaning": o.meaning}
            for o in options
        ]
        _show(pd.DataFrame(rows), "Options, set with --set name=value")


@app.command
def policies(*, json: Annotated[bool, Parameter(negative=(), help="Print one JSON object.")] = False) -> None:
    """List the policies."""
    import pandas as pd

    from analyzer.analysis.families import FAMILIES

    rows = [{"policy": name, "what it does": text} for name, text in FAMILIES.items()]
    if json:
        _print_json({"policies": [{"policy": name, "meaning": text} for name, text in FAMILIES.items()]})
        return
    _show(pd.DataFrame(rows))


@app.command
def solve(
    game: Game | None = None,
    *,
    policy: Annotated[str, Parameter(help="Policy to evaluate exactly; see 'analyzer policies'.")] = "optimal",
    target: Annotated[
        int | None,
        Parameter(converter=_whole, help="Maximise the chance to reach so many points instead (takes minutes)."),
    ] = None,
    start: Start | None = None,
    out: Annotated[Path | None, Parameter(help="Folder to write tables to.")] = None,
    run: Run | None = None,
) -> None:
    """Solve a game exactly: the best expected score, or what a policy earns, with its distribution."""
    start, run = start or Start(), run or Run()
    found = (game or Game()).load()
    _check_out(out)
    if target is not None and policy != "optimal":
        raise UsageError(f"--target goes with the policy optimal, not '{policy}'; leave --policy out")
    if target is not None and out is not None:
        raise UsageError(f"--out '{out}' has no tables to take with --target; leave one of them out")
    with _announced():
        from analyzer.analysis.solve import solve, solve_for_target

        common: dict[str, Any] = {
            "card": start.points(),
            "extra_points": start.extra_points,
            "workers": run.workers,
            "progress": not run.json,
            "cache": run.cache,
        }
        if target is not None:
            chance = solve_for_target(found, target, **common)
            if run.json:
                _print_json(chance.to_dict())
            else:
                print(chance)
            return
        solution = solve(found, policy=policy, **common)
        content = solution.to_dict()
    quantiles = solution.quantiles()
    tables = {"lines": solution.lines(), "line_rounds": solution.line_rounds(), "quantiles": quantiles}
    _save(out, tables | {"distribution": solution.distribution()})
    if run.json:
        _print_json(content)
        return
    print(f"{solution}\n")
    _show(solution.lines().drop(columns="line"), "What each line brings")
    _show(quantiles, "Quantiles of the score")


@app.command
def advise(
    game: Game | None = None,
    *,
    dice: Annotated[str, Parameter(help="All dice on the table, such as 5,5,3,2,1.")] = "",
    throws_left: Annotated[
        int, Parameter(converter=_whole, help="Throws that may still be made; 0 ranks the entries.")
    ] = 0,
    start: Start | None = None,
    locked: Annotated[str, Parameter(help="Dice that may not be thrown again, if the rules lock them.")] = "",
    target: Annotated[
        int | None, Parameter(converter=_whole, help="Rank by the chance to reach so many points.")
    ] = None,
    opening: Annotated[
        bool, Parameter(negative=(), help="Best keep of every first roll instead; needs no --dice.")
    ] = False,
    show: Annotated[int, Parameter(converter=_whole, help="Number of decisions to print.")] = 12,
    out: Annotated[Path | None, Parameter(help="Folder to write tables to.")] = None,
    run: Run | None = None,
) -> None:
    """Rank every legal decision in a position by exact value."""
    start, run = start or Start(), run or Run()
    found = (game or Game()).load()
    if not opening and not dice:
        raise UsageError("no dice are given; write --dice 5,5,3,2,1, or --opening for all first rolls")
    if show < 1:
        raise UsageError(f"--show {show} shows nothing; give 1 or more")
    _check_out(out)
    faces, held = _faces(dice, "--dice"), _faces(locked, "--locked")
    common: dict[str, Any] = {
        "card": start.points(),
        "extra_points": start.extra_points,
        "workers": run.workers,
        "progress": not run.json,
        "cache": run.cache,
    }
    with _announced():
        from analyzer.analysis.advise import check_turn
        from analyzer.analysis.solve import records, solve, solve_for_target

        if opening:
            if target is not None:
                raise UsageError(f"--opening and --target {target} are both given; give one of them")
            table = solve(found, **common).opening().table
            _save(out, {"opening": table})
            if run.json:
                _print_json({"game": found.name, "rules_id": found.id, "opening": records(table)})
                return
            _show(table, f"{found.title}: best keep of every first roll")
            return
        check_turn(found, faces, throws_left, held)
        problem = solve(found, **common) if target is None else solve_for_target(found, target, **common)
        advice = problem.advise(faces, throws_left=throws_left, locked=held)
    options, outcomes = advice.options(), advice.outcomes()
    _save(out, {"options": options, "outcomes": outcomes})
    if run.json:
        _print_json(advice.to_dict())
        return
    print(f"{advice}\n")
    shown = options.head(show).drop(columns="line", errors="ignore")
    _show(shown, f"Best {len(shown)} of {len(options)} decisions")
    if throws_left:
        _show(outcomes.head(show).drop(columns="line"), "How the turn ends after the best keep")


@app.command
def simulate(
    game: Game | None = None,
    *,
    policy: Annotated[str, Parameter(help="Policy to play; see 'analyzer policies'.")] = "optimal",
    games: Annotated[int | None, Parameter(converter=_whole, help="Number of whole games; 100,000 by default.")] = None,
    turns: Annotated[int | None, Parameter(converter=_whole, help="Number of single turns, instead of games.")] = None,
    seed: Annotated[
        int, Parameter(converter=_whole, help="Same seed, same dice, whatever the policy and the workers.")
    ] = 0,
    start: Start | None = None,
    confidence: Annotated[float, Parameter(converter=_number, help="Level of the intervals.")] = 0.95,
    out: Annotated[Path | None, Parameter(help="Folder to write tables to.")] = None,
    run: Run | None = None,
) -> None:
    """Simulate games or turns under a policy."""
    start, run = start or Start(), run or Run()
    found = (game or Game()).load()
    _check_out(out)
    with _announced():
        from analyzer.analysis.simulate import simulate

        result = simulate(
            found,
            policy=policy,
            games=games,
            turns=turns,
            seed=seed,
            card=start.points(),
            extra_points=start.extra_points,
            confidence=confidence,
            workers=run.workers,
            progress=not run.json,
            cache=run.cache,
        )
    frames = {"lines": result.lines(), "distribution": result.distribution(), "quantiles": result.quantiles()}
    if turns is None:
        frames["line_rounds"] = result.line_rounds()
    _save(out, frames)
    if run.json:
        _print_json(result.to_dict())
        return
    print(f"{result}\ntask {result.task_id}\n")
    columns = ["line", "zero_rate_standard_error", "standard_error"]
    _show(result.lines().drop(columns=columns, errors="ignore"), "What each line brings")
    _show(result.quantiles(), "Quantiles of the score")


@app.command
def report(
    game: Game | None = None,
    *,
    out: Annotated[Path, Parameter(help="Folder to write to; it is made if it does not exist.")],
    policy: Annotated[tuple[str, ...], Parameter(negative=(), help="Policies to compare; may be repeated.")] = (
        "optimal",
        "greedy",
        "par",
        "random",
    ),
    games: Annotated[int, Parameter(converter=_whole, help="Games simulated beside the exact results.")] = 100_000,
    seed: Annotated[int, Parameter(converter=_whole, help="Seed of the simulation.")] = 0,
    run: Run | None = None,
) -> None:
    """Write every table and chart of a game into a folder."""
    run = run or Run()
    found = (game or Game()).load()
    with _announced():
        from analyzer.report.folder import write_report

        files = write_report(
            found,
            out,
            policies=policy,
            games=games,
            seed=seed,
            workers=run.workers,
            progress=not run.json,
            cache=run.cache,
            command=" ".join(["analyzer", *sys.argv[1:]]),
        )
    if run.json:
        _print_json({"game": found.name, "rules_id": found.id, "files": [str(path) for path in files]})
    else:
        print(f"{len(files)} files written to {out}; start with {files[0]}")


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; wrong input ends with one line on standard error and exit code 2."""
    try:
        app(arguments, exit_on_error=False, print_error=False, result_action="return_none")
    except CycloptsError as error:
        _fail(f"{' '.join(str(error).split()).removesuffix('.')}; see 'analyzer --help' or add --help to the command")
    except (AnalyzerError, RulesError, StorageError) as error:
        _fail(str(error))
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        raise SystemExit(130) from None
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(141) from None


def _fail(message: str) -> None:
    print(f"analyzer: {message}", file=sys.stderr)
    raise SystemExit(2)
