"""All benchmarks: ``python -m benchmarks.run [--quick] [--readme README.md]``."""

from __future__ import annotations

import argparse
from pathlib import Path

from rich.console import Console

from benchmarks import double_dummy, euchre, games, machine, one_turn, parties, president, solving, starting, turns
from benchmarks.measure import Effort, Row
from benchmarks.table import START, markdown, rich_table, write_readme

PARTS = {
    "solving": solving,
    "one_turn": one_turn,
    "turns": turns,
    "games": games,
    "parties": parties,
    "double_dummy": double_dummy,
    "euchre": euchre,
    "president": president,
    "starting": starting,
}
HOW = (
    "Best of several repetitions, which take turns with those of the peer; kernels are compiled beforehand. Memory is"
    " the peak of a process of its own, libraries included. A ratio is how many times faster the analyzer is."
)


def main() -> None:
    """Run the parts, print the table and write it into a file."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.run", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer jobs and repetitions; less than a minute")
    parser.add_argument("--only", choices=PARTS, action="append", help="run this part only; may be repeated")
    parser.add_argument("--readme", type=Path, metavar="FILE", help=f"write the table into a file, after {START}")
    arguments = parser.parse_args()

    errors = Console(stderr=True)
    rows: list[Row] = []
    before = machine.load()
    names = arguments.only or list(PARTS)
    for name in names:
        with errors.status(f"{name} ..."):
            rows += PARTS[name].rows(Effort(arguments.quick))
    facts = f"{machine.facts()}."
    if before is not None:
        facts += f" Load average at the start {before:.1f}."
    if arguments.quick:
        facts += " Quick run: not for quoting."
    notes = " ".join([HOW, *(PARTS[name].NOTE for name in names)])

    console = Console()
    console.print(rich_table(rows))
    for text in (facts, notes):
        console.print(text, highlight=False)
    if arguments.readme:
        write_readme(arguments.readme, f"\n{markdown(rows)}\n\n{facts}\n\n{notes}\n")


if __name__ == "__main__":
    main()
