"""Charts inside a page: names that do not clash, colours of the page, text as text, and nothing from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_hex, to_rgb

from analyzer.report.charts import chance_of_at_least, line_round_heatmap, line_values
from analyzer.report.contrast import turned_over
from analyzer.report.inline import VARIABLES, inline_svg
from analyzer.report.style import GOOD, axes_for, dress, legend_beside, render

HOSTILE = "<script>alert('1')</script> & \"co\" ]]> $x$"


@pytest.fixture(params=["curves", "markers", "heatmap"])
def chart(request: pytest.FixtureRequest, make_result: Callable[..., Any]) -> Axes:
    results = [make_result(), make_result("greedy", 0.8)]
    if request.param == "curves":
        return chance_of_at_least(results)
    return line_values(results) if request.param == "markers" else line_round_heatmap(results[0])


def parsed(svg: str) -> ET.Element:
    return ET.fromstring(svg)


def names(root: ET.Element) -> list[str]:
    return [element.attrib["id"] for element in root.iter() if "id" in element.attrib]


def references(root: ET.Element) -> set[str]:
    found = set()
    for element in root.iter():
        for key, value in element.attrib.items():
            found |= {value.removeprefix("#")} if key == "href" else set(re.findall(r"url\(#([^)]+)\)", value))
    return found


def test_every_name_is_used_once_and_every_reference_finds_one(chart: Axes) -> None:
    root = parsed(inline_svg(chart, "one", "chart"))
    assert len(set(names(root))) == len(names(root)) > 0
    assert references(root) == set(names(root))
    assert all(name.startswith("chart_") for name in names(root))


def test_the_same_chart_twice_in_a_page_shares_no_name(chart: Axes) -> None:
    one, other = (parsed(inline_svg(chart, "one", prefix)) for prefix in ("chart", "chart-2"))
    assert not set(names(one)) & set(names(other))


def test_the_same_chart_gives_the_same_text_and_is_not_changed(chart: Axes) -> None:
    before = render(chart, "png"), render(chart, "svg")
    assert inline_svg(chart, "one", "chart") == inline_svg(chart, "one", "chart")
    assert (render(chart, "png"), render(chart, "svg")) == before


def test_neutral_colours_are_those_of_the_page(chart: Axes) -> None:
    svg = inline_svg(chart, "one", "chart")
    outside = re.sub(r'<g class="shade">.*?</g>', "", svg)
    assert not [colour for colour in VARIABLES if colour.lower() in outside.lower()]
    assert "#ffffff" not in "".join(re.findall(r"<(?:path|use)[^>]*>", outside))
    assert {"--ink", "--muted", "--paper"} <= set(re.findall(r"var\((--\w+)\)", svg))


def test_shades_know_their_counterpart(make_result: Callable[..., Any]) -> None:
    root = parsed(inline_svg(line_round_heatmap(make_result()), "one", "chart"))
    shades = [element for group in root.iter() if group.attrib.get("class") == "shade" for element in group.iter()]
    pairs = [
        (style["fill"], style["--dark"])
        for element in shades
        if element.tag in ("path", "text")
        for style in [dict(part.split(":") for part in element.attrib["style"].split(";"))]
        if "--dark" in style
    ]
    assert len(pairs) >= 2 * 16
    for fill, dark in pairs:
        assert dark == to_hex(turned_over(to_rgb(fill)))


def test_text_stays_text_whatever_it_says() -> None:
    ax = axes_for(None, 4, 3)
    ax.plot([1, 2], label=HOSTILE.replace("$", r"\$"))
    dress(ax, HOSTILE)
    legend_beside(ax)
    svg = inline_svg(ax, HOSTILE, "chart")
    root = parsed(svg)
    assert root.attrib["aria-label"] == HOSTILE
    assert root.attrib["role"] == "img"
    assert [element.text for element in root.iter("text")].count(HOSTILE) == 2
    assert "<script" not in svg


def test_good_news_is_legible_as_text_and_black_lines_are_of_the_page() -> None:
    ax = axes_for(None, 4, 3)
    ax.plot([1, 2], color="black")
    ax.text(0, 1, "best", color=GOOD)
    svg = inline_svg(ax, "one", "chart")
    assert "fill:var(--good)" in svg
    assert "stroke:#000000" not in svg


def test_nothing_comes_from_elsewhere_and_digits_are_few(chart: Axes) -> None:
    svg = inline_svg(chart, "one", "chart")
    assert "http" not in svg
    assert "font-family" not in svg
    assert not re.findall(r'(?: d| x| y| viewBox)="[^"]*\d\.\d{3}', svg)
    root = parsed(svg)
    width = float(root.attrib["viewBox"].split()[2])
    assert float(root.attrib["style"].removeprefix("--width:")) == pytest.approx(width, abs=0.5)
    assert len(svg) < len(render(chart, "svg", text="none"))


def test_rounding_moves_nothing(chart: Axes) -> None:
    """Every coordinate of a path is within a hundredth of a point of where matplotlib put it."""
    there = ET.fromstring(render(chart, "svg", text="none")).iter("{http://www.w3.org/2000/svg}path")
    here = parsed(inline_svg(chart, "one", "chart")).iter("path")
    number = r"-?\d+(?:\.\d+)?"
    for one, other in zip(there, here, strict=True):
        exact, rounded = ([float(x) for x in re.findall(number, path.attrib["d"])] for path in (one, other))
        assert rounded == pytest.approx(exact, abs=0.00501)
