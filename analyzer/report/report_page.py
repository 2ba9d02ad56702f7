"""What the pages of all reports share: charts with their files, where the numbers come from, and the files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from analyzer.engine.provenance import versions_in_use

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from analyzer.report.findings import Chart
    from analyzer.report.page import Page, Part

__all__ = ["ReportPage"]

Policied = TypeVar("Policied", bound=Any)
"""A result that has a policy."""


class ReportPage:
    """A page while its sections are written.

    Parameters
    ----------
    page : Page
        The page, without sections.
    charts : mapping of str to Chart
        Every chart, by the name of its file.
    tables, pictures : mapping of str to mapping of str to str
        Addresses of the tables and charts as files, by name and format.
    """

    def __init__(
        self,
        page: Page,
        charts: Mapping[str, Chart],
        tables: Mapping[str, Mapping[str, str]],
        pictures: Mapping[str, Mapping[str, str]],
    ) -> None:
        self.page, self.charts, self.tables, self.pictures = page, charts, tables, pictures

    def chart(self, part: Part, name: str) -> None:
        """Add a chart by the name of its file."""
        chart = self.charts[name]
        part.chart(chart.axes, chart.title, files=self.pictures[name])

    @staticmethod
    def of_each(part: Part, results: Sequence[Policied], what: str) -> Iterator[tuple[Part, Policied]]:
        """Where the tables of each policy go, one after another: those of the first one are open."""
        for place, one in enumerate(results):
            yield part if place == 0 else part.details(f"{what} under {one.policy}"), one

    def provenance(self, command: str, facts: Mapping[str, str]) -> None:
        """Add the section on where the numbers come from: the command, some facts, and the versions in use."""
        part = self.page.section(
            "Provenance", "The same command gives the same page, byte for byte, with any number of processors."
        )
        if command:
            part.code(command, "Command that writes this page again")
        versions = ", ".join(f"{name} {version}" for name, version in versions_in_use().items())
        part.facts({**facts, "Versions": versions})

    def files(self) -> None:
        """Add the section with links to the tables as files."""
        part = self.page.section(
            "Files", "Every table shown here, and more, with all digits. The page itself needs none of them."
        )
        part.files(self.tables)
