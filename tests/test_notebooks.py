"""Notebooks as they are kept: valid, run from top to bottom, and nothing in them of the machine that ran them.

`.ci/run` runs them and compares what they show; these tests need no kernel.
"""

import copy
import importlib.util
import json
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest

ROOT = Path(__file__).parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
MOST_BYTES = 3_000_000
A_PATH = re.compile(r"(?<![\w.:/~<])/(?:\w[\w.-]*/)+|[A-Za-z]:\\\\|site-packages|ipykernel_\d")

_spec = importlib.util.spec_from_file_location("ci_notebooks", ROOT / ".ci" / "notebooks.py")
assert _spec is not None
assert _spec.loader is not None
ci: Any = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(ci)


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=nbformat.NO_CONVERT)


def code_cells(notebook: Any) -> list[Any]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def small(*outputs: Any) -> Any:
    cell = nbformat.v4.new_code_cell("print(1)", execution_count=1, outputs=list(outputs))
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# One"), cell])


def printed(text: str, name: str = "stdout") -> Any:
    return nbformat.v4.new_output("stream", name=name, text=text)


def drawn(data: str) -> Any:
    return nbformat.v4.new_output("display_data", data={"image/png": data, "text/plain": "<Figure>"})


def test_there_are_eight() -> None:
    assert [path.name[:2] for path in NOTEBOOKS] == ["1_", "2_", "3_", "4_", "5_", "6_", "7_", "8_"]
    assert sum(path.stat().st_size for path in NOTEBOOKS) < MOST_BYTES


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
class TestNotebook:
    def test_is_valid_and_stripped(self, path: Path) -> None:
        notebook = read(path)
        nbformat.validate(notebook)
        stripped = copy.deepcopy(notebook)
        ci.strip(stripped)
        assert stripped == notebook

    def test_asks_something_and_ends_with_something_to_try(self, path: Path) -> None:
        cells = read(path).cells
        assert cells[0].cell_type == cells[-1].cell_type == "markdown"
        assert cells[0].source.startswith("# ")
        assert "?" in cells[0].source
        assert "## Try it\n" in cells[-1].source

    def test_was_run_from_top_to_bottom(self, path: Path) -> None:
        cells = code_cells(read(path))
        assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))

    def test_every_cell_shows_something(self, path: Path) -> None:
        for cell in code_cells(read(path)):
            assert cell.outputs, cell.source
            if "analyzer.plot." in cell.source or "plt." in cell.source:
                assert any("image/png" in output.get("data", {}) for output in cell.outputs), cell.source

    def test_nothing_failed_or_warned(self, path: Path) -> None:
        outputs = [output for cell in code_cells(read(path)) for output in cell.outputs]
        assert {output.output_type for output in outputs} <= {"stream", "display_data", "execute_result"}
        assert {output.name for output in outputs if output.output_type == "stream"} <= {"stdout"}

    def test_has_no_path_of_a_machine(self, path: Path) -> None:
        for cell in read(path).cells:
            shown = [dict(output.get("data", {}), text=output.get("text", "")) for output in cell.get("outputs", [])]
            texts = [cell.source, *(str(text) for data in shown for kind, text in data.items() if kind != "image/png")]
            for text in texts:
                found = A_PATH.search(re.sub(r"</?\w[^>]*>", "", text))
                assert found is None, found


def test_streams_that_came_in_pieces_are_joined() -> None:
    notebook = small(printed("1\n"), printed("2\n"), drawn("AAAA"), printed("3\n"), printed("4\n", "stderr"))
    notebook.metadata.language_info = {"name": "python", "version": "3.99"}
    notebook.cells[1].metadata.execution = {"iopub.execute_input": "now"}
    ci.strip(notebook)
    outputs = notebook.cells[1].outputs
    assert [output.get("text") for output in outputs] == ["1\n2\n", None, "3\n", "4\n"]
    assert json.loads(json.dumps(notebook.metadata)) == ci.METADATA
    assert notebook.cells[1].metadata == {}


def test_runs_that_show_the_same_do_not_differ() -> None:
    assert ci.differences(small(printed("a  1.5\n"), drawn("AAAA")), small(printed("a 1.5"), drawn("BBBB"))) == []


@pytest.mark.parametrize(
    "other",
    [
        small(printed("a 1.6"), drawn("AAAA")),
        small(printed("b 1.5"), drawn("AAAA")),
        small(printed("a 1.5")),
        small(printed("a 1.5"), nbformat.v4.new_output("error", ename="ValueError", evalue="no", traceback=[])),
        nbformat.v4.new_notebook(),
    ],
)
def test_runs_that_differ_are_told_apart(other: Any) -> None:
    assert ci.differences(small(printed("a 1.5"), drawn("AAAA")), other)


def test_comparing_folders_fails_where_a_notebook_differs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for folder, text in (("kept", "1.5"), ("same", "1.5"), ("run", "1.6")):
        (tmp_path / folder).mkdir()
        nbformat.write(small(printed(text)), tmp_path / folder / "one.ipynb")
    assert ci.main(["compare", str(tmp_path / "kept"), str(tmp_path / "same")]) == 0
    assert ci.main(["compare", str(tmp_path / "kept"), str(tmp_path / "run")]) == 1
    assert "one.ipynb: -1.5\none.ipynb: +1.6\n" in capsys.readouterr().out
