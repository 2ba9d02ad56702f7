"""What a notebook's file keeps of a run, and whether two runs of a notebook say the same.

After an edit of notebooks, or of what they show::

    jupyter execute --inplace notebooks/*.ipynb
    python .ci/notebooks.py strip notebooks/*.ipynb

leaves their fresh outputs without what differs from run to run. ``python .ci/notebooks.py compare OLD NEW`` tells
whether two folders of notebooks show the same words and numbers; pictures must be there, but their bytes belong to the
version of matplotlib.
"""

from __future__ import annotations

import argparse
import difflib
import sys
from pathlib import Path
from typing import Any

import nbformat

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def strip(notebook: Any) -> None:
    """Remove times, versions and the chance pieces in which a stream arrived."""
    notebook.metadata = nbformat.from_dict(METADATA)
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict({})
        if cell.cell_type != "code":
            continue
        joined: list[Any] = []
        for output in cell.outputs:
            stream = output.output_type == "stream"
            if stream and joined and joined[-1].output_type == "stream" and joined[-1].name == output.name:
                joined[-1].text += output.text
            else:
                joined.append(output)
        cell.outputs = joined


def shown(notebook: Any) -> list[list[str]]:
    """What the code cells show: for each its words, numbers as they are rounded, and ``<png>`` for a picture."""
    found = []
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        words = []
        for output in cell.outputs:
            if output.output_type == "stream":
                words += output.text.split()
            elif output.output_type == "error":
                words += [output.ename, *output.evalue.split()]
            else:
                words += output.data.get("text/plain", "").split()
                words += ["<png>"] if "image/png" in output.data else []
        found.append(words)
    return found


def differences(old: Any, new: Any) -> list[str]:
    """Lines that say where two runs of a notebook differ; none if they say the same."""
    before, after = shown(old), shown(new)
    if len(before) != len(after):
        return [f"{len(before)} code cells, now {len(after)}"]
    found = []
    for number, (a, b) in enumerate(zip(before, after, strict=True), start=1):
        if a != b:
            found += [f"code cell {number}:", *difflib.unified_diff(a, b, "kept", "run", n=1, lineterm="")]
    return found


def main(arguments: list[str]) -> int:
    """Run one of the two commands; 1 if notebooks differ."""
    parser = argparse.ArgumentParser(description="Strip notebooks, or compare two folders of them.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("strip").add_argument("files", nargs="+", type=Path)
    comparing = commands.add_parser("compare")
    comparing.add_argument("old", type=Path)
    comparing.add_argument("new", type=Path)
    given = parser.parse_args(arguments)
    if given.command == "strip":
        for file in given.files:
            notebook = nbformat.read(file, as_version=4)
            strip(notebook)
            nbformat.write(notebook, file)
        return 0
    wrong = 0
    for file in sorted(given.old.glob("*.ipynb")):
        old, new = (nbformat.read(folder / file.name, as_version=4) for folder in (given.old, given.new))
        found = differences(old, new)
        wrong += bool(found)
        sys.stdout.writelines(f"{file.name}: {line}\n" for line in found)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
