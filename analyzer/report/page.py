"""Pages that need nothing but themselves: one HTML file with its tables, charts, style and script inside.

A page is a title with its main figures, and sections made of prose, tables, charts, facts and code::

    page = Page("Dice Poker", figures=[("245.87", "expected final score, exact")])
    section = page.section("Policies", "Each row is one policy; more is better.")
    section.table(frame, "Scores by policy", intervals={"mean": ("lower", "upper")}, notes={"mean": "simulated, 95%"})
    section.chart(axes, "Distribution of the score")
    page.write("report/index.html")

All text is plain: it is escaped, and what stands between backticks is shown as code. The same calls give the same
bytes. How it looks is in `page.css`, what it does in `page.js`, its elements in `page_parts.html` and `page.html`.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from analyzer.engine.store import write_atomically
from analyzer.errors import StorageError
from analyzer.report.cells import columns_of
from analyzer.report.inline import inline_svg

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

__all__ = ["Page", "Part"]


class Part:
    """What stands in a section, or in details that are opened by a click: elements from top to bottom.

    Made by `Page.section` and `Part.details`.
    """

    def __init__(self, page: Page) -> None:
        self._page = page
        self._content: list[Markup | Details] = []

    def prose(self, text: str) -> None:
        """Add a paragraph."""
        self._add("prose", _pieces(text))

    def items(self, lines: Iterable[str]) -> None:
        """Add a list of lines of text."""
        self._add("items", [_pieces(line) for line in lines])

    def subheading(self, text: str) -> None:
        """Add a heading below that of the section."""
        self._add("subheading", text, self._page.new_id(text))

    def table(
        self,
        frame: pd.DataFrame,
        caption: str,
        *,
        columns: Mapping[str, str] | Iterable[str] | None = None,
        formats: Mapping[str, str] | None = None,
        intervals: Mapping[str, tuple[str, str]] | None = None,
        notes: Mapping[str, str] | None = None,
    ) -> None:
        """Add a table that can be sorted by each of its columns; the first one names the rows.

        Parameters
        ----------
        frame : pandas.DataFrame
            The table; its index is left out.
        caption : str
            What it shows.
        columns, formats, intervals, notes
            As for `analyzer.report.cells.columns_of`: which columns and their headings, formats of numbers, which
            columns are the ends of an interval, and a few words under a heading.

        Raises
        ------
        KeyError
            If the DataFrame has no such column.

        Examples
        --------
        >>> import pandas as pd
        >>> page = Page("Coins")
        >>> section = page.section("Policies")
        >>> section.table(pd.DataFrame({"policy": ["<b>"], "mean": [2.0]}), "Means", notes={"mean": "exact"})
        >>> '<th scope="row">&lt;b&gt;</th><td data-value="2.0">2.00</td>' in page.html()
        True
        """
        found = columns_of(frame, columns, formats, intervals, notes)
        self._add("table", caption, found, list(zip(*(column.cells for column in found), strict=True)))

    def chart(self, ax: Axes, name: str, note: str = "", files: Mapping[str, str] | None = None) -> None:
        """Add the figure of a chart, which follows the theme of the page and scrolls where the screen is narrow.

        Parameters
        ----------
        ax : matplotlib.axes.Axes
            The chart.
        name : str
            What it shows: its caption, and what is said to those who do not see it.
        note : str, optional
            What follows in the caption.
        files : mapping of str to str, optional
            Addresses of the chart or its numbers as files, by what the links are called.
        """
        svg = inline_svg(ax, name, self._page.new_id("chart"))
        self._add("chart", Markup(svg), name, _pieces(note), files or {})

    def facts(self, pairs: Mapping[str, str]) -> None:
        """Add names and what they are."""
        self._add("facts", [(name, _pieces(text)) for name, text in pairs.items()])

    def files(self, groups: Mapping[str, Mapping[str, str]]) -> None:
        """Add links to files: their addresses by what the links are called, in named groups."""
        self._add("files", groups)

    def code(self, text: str, name: str) -> None:
        """Add text that is shown letter by letter and can be copied by a click; the name says what it is."""
        self._add("code", text, name)

    def details(self, summary: str) -> Details:
        """Add details that open by a click and are left out in print while they are closed; returned to be filled."""
        found = Details(self._page, summary)
        self._content.append(found)
        return found

    def _add(self, element: str, *content: Any) -> None:
        self._content.append(_element(element, *content))

    def _inside(self) -> Markup:
        """All elements."""
        return Markup().join(part if isinstance(part, Markup) else part.markup() for part in self._content)


class Details(Part):
    """Part of a page that opens by a click."""

    def __init__(self, page: Page, summary: str) -> None:
        super().__init__(page)
        self._summary = summary

    def markup(self) -> Markup:
        """The element."""
        return _element("details", self._summary, self._inside())


class Section(Part):
    """Part of a page with a heading, listed in its contents."""

    def __init__(self, page: Page, heading: str, reading: str) -> None:
        super().__init__(page)
        self.id, self.heading, self._reading = page.new_id(heading), heading, reading

    def markup(self) -> Markup:
        """The element."""
        return _element("section", self.id, self.heading, _pieces(self._reading), self._inside())


class Page:
    """A page, filled section by section.

    Parameters
    ----------
    title : str
        What the page is about.
    figures : iterable of (str, str), optional
        The main figures with what they are; the first one is shown large.
    summary : str, optional
        A paragraph below them.

    Examples
    --------
    >>> page = Page("Coins & more", figures=[("0.50", "chance of heads, exact")])
    >>> section = page.section("Tosses", "Each toss is fair.")
    >>> section.prose("Run `analyzer games`.")
    >>> '<h1>Coins &amp; more</h1>' in page.html(), '<p>Run <code>analyzer games</code>.</p>' in page.html()
    (True, True)
    """

    def __init__(self, title: str, *, figures: Iterable[tuple[str, str]] = (), summary: str = "") -> None:
        self.title = title
        self._figures = list(figures)
        self._summary = _element("prose", _pieces(summary)) if summary else Markup()
        self._sections: list[Section] = []
        self._ids = {"contents", "main"}

    def section(self, heading: str, reading: str = "") -> Section:
        """Add a section: its heading, and a sentence on how to read it. Returned to be filled."""
        self._sections.append(Section(self, heading, reading))
        return self._sections[-1]

    def new_id(self, text: str) -> str:
        """An identifier made of a text, another one at each call."""
        plain = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "part"
        names = (plain if number == 1 else f"{plain}-{number}" for number in range(1, len(self._ids) + 2))
        found = next(name for name in names if name not in self._ids)
        self._ids.add(found)
        return found

    def html(self) -> str:
        """The whole page."""
        script = _file("page.js")
        return (
            _templates()
            .get_template("page.html")
            .render(
                title=self.title,
                figures=self._figures,
                summary=self._summary,
                contents=[(section.id, section.heading) for section in self._sections],
                content=Markup().join(section.markup() for section in self._sections),
                css=Markup(_file("page.css")),
                js=Markup(script),
                policy=_security_policy(script),
            )
        )

    def write(self, path: str | Path) -> Path:
        """Write the page to a file.

        Parameters
        ----------
        path : str or path
            Folders are made if they do not exist.

        Returns
        -------
        pathlib.Path

        Raises
        ------
        StorageError
            If the file cannot be written.
        """
        path = Path(path)
        content = self.html().encode()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, content)
        except OSError as problem:
            reason = problem.strerror or type(problem).__name__
            raise StorageError(f"page cannot be written to {path}: {reason}; choose another folder") from problem
        return path


def _element(name: str, *content: Any) -> Markup:
    macro = getattr(_templates().get_template("page_parts.html").module, name)
    return Markup(macro(*content))


def _pieces(text: str) -> list[tuple[str, bool]]:
    """Text in pieces, with whether each is code: what stands between two backticks."""
    parts = text.split("`")
    if len(parts) % 2 == 0:  # one backtick has no partner
        return [(text, False)]
    return [(part, place % 2 == 1) for place, part in enumerate(parts) if part]


@cache
def _file(name: str) -> str:
    return (resources.files("analyzer.report") / name).read_text(encoding="utf-8")


@cache
def _templates() -> Environment:
    return Environment(
        loader=FunctionLoader(_file),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _security_policy(script: str) -> str:
    """What a browser may do with the page: run this script and no other, and ask for nothing."""
    digest = base64.b64encode(hashlib.sha256(f"\n{script}".encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:;"
        " base-uri 'none'; form-action 'none'"
    )
