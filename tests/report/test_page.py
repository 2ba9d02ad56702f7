"""Pages: their structure, that nothing in them is taken for markup, and that they need nothing else."""

from __future__ import annotations

import base64
import hashlib
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from html.parser import HTMLParser
from importlib import resources
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from matplotlib.colors import to_rgb

from analyzer.errors import StorageError
from analyzer.report.charts import chance_of_at_least
from analyzer.report.contrast import contrast
from analyzer.report.inline import VARIABLES
from analyzer.report.page import Page

HOSTILE = "</title></style><script>alert('1')</script><img src=x onerror=\"alert(2)\"> & `code"
VOID = {"meta", "link", "wbr"}
FRAME = pd.DataFrame({"policy": ["optimal", HOSTILE], "mean": [2.5, None], "lower": [2.0, None], "upper": [3.0, None]})


@dataclass
class Node:
    """An element of a page."""

    tag: str
    attributes: dict[str, str | None]
    children: list[Node | str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(child if isinstance(child, str) else child.text for child in self.children)

    def all(self, tag: str, **attributes: str) -> list[Node]:
        """Every element below with a tag and attributes (``class_`` is class)."""
        wanted = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
        nodes = [child for child in self.children if isinstance(child, Node)]
        mine = [node for node in nodes if node.tag == tag and wanted.items() <= node.attributes.items()]
        return mine + [found for node in nodes for found in node.all(tag, **attributes)]

    def one(self, tag: str, **attributes: str) -> Node:
        (found,) = self.all(tag, **attributes)
        return found


class Tree(HTMLParser):
    """A page as a tree; an element that is not closed, or closed twice, fails."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.root = Node("", {})
        self._open = [self.root]
        self.feed(html)
        self.close()
        assert [node.tag for node in self._open] == [""]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs), f"an attribute of {tag} is given twice"
        node = Node(tag, dict(attrs))
        self._open[-1].children.append(node)
        if tag not in VOID:
            self._open.append(node)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open[-1].children.append(Node(tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop().tag == tag

    def handle_data(self, data: str) -> None:
        self._open[-1].children.append(data)


def tree(page: Page) -> Node:
    return Tree(page.html()).root


@pytest.fixture
def make_page(make_result: Callable[..., Any]) -> Callable[[str], Page]:
    """Make a page with an element of every kind, in which a text is everywhere where text can be."""

    def make(text: str) -> Page:
        page = Page(text, figures=[(text, text)], summary=text)
        for _ in range(2):
            section = page.section(text, text)
            section.prose(text)
            section.items([text])
            section.subheading(text)
            notes, intervals = {"mean": text}, {"mean": ("lower", "upper")}
            columns = {"policy": text, "mean": text}
            section.table(FRAME, text, columns=columns, intervals=intervals, notes=notes)
            section.chart(chance_of_at_least(make_result(label=text)), text, text, {text: text})
            section.facts({text: text})
            section.files({text: {text: text}})
            section.code(text, text)
            section.details(text).prose(text)
        return page

    return make


def test_a_page_in_order() -> None:
    page = Page("Coins", figures=[("0.5", "heads"), ("2", "sides")], summary="All `exact`.")
    section = page.section("One", "Read me.")
    section.prose("First.")
    section.facts({"Seed": "`7`"})
    page.section("Two").code("a <b>\n", "Command")
    root = tree(page)
    html = root.one("html")
    assert html.attributes == {"lang": "en"}
    assert root.one("title").text == root.one("h1").text == "Coins"
    assert [(node.one("dt").text, node.one("dd").text) for node in root.one("dl", class_="figures").all("div")] == [
        ("heads", "0.5"),
        ("sides", "2"),
    ]
    assert root.one("header").one("code").text == "exact"
    assert [link.attributes["href"] for link in root.one("nav").all("a")] == ["#one", "#two"]
    first, second = root.one("main").all("section")
    assert [node.text for node in first.all("p")] == ["Read me.", "First."]
    assert (first.one("dt").text, first.one("dd").one("code").text) == ("Seed", "7")
    assert second.one("pre").text == "a <b>\n"
    assert [node.text for node in root.all("h2")] == ["Contents", "One", "Two"]


def test_text_is_never_markup(make_page: Callable[[str], Page]) -> None:
    root, plain = tree(make_page(HOSTILE)), tree(make_page("harmless"))

    def shape(node: Node) -> Counter[str]:
        counts = Counter({node.tag: 1})
        for child in node.children:
            if isinstance(child, Node):
                counts += shape(child)
        return counts

    ours = shape(root)
    # Underscores may break lines; nothing else depends on the text.
    assert {tag for tag in ours if tag != "wbr"} == {tag for tag in shape(plain) if tag != "wbr"}
    assert ours["script"] == ours["title"] == ours["style"] == 1
    assert ours["img"] == 0
    assert root.one("title").text == root.one("h1").text == HOSTILE
    assert all(node.text == HOSTILE for tag in ("h3", "caption", "pre", "summary") for node in root.all(tag))
    assert {node.text for node in root.all("th", scope="row")} == {"optimal", HOSTILE}
    assert [node.attributes["aria-label"] for node in root.all("svg")] == [HOSTILE] * 2
    handlers = [name for node in root.all("div") + root.all("svg") for name in node.attributes if name.startswith("on")]
    assert handlers == []


def test_identifiers_are_unique_and_references_find_them(make_page: Callable[[str], Page]) -> None:
    for text in ("Chart", "main", "contents", "chart_1", "!", "Ä"):
        html = make_page(text).html()
        names = re.findall(r' id="([^"]*)"', html)
        assert len(set(names)) == len(names)
        found = re.findall(r'(?:href|aria-labelledby)="#?([^"]*)"', html) + re.findall(r"url\(#([^)]*)\)", html)
        assert set(found) - {"data:,", text} <= set(names)
        assert all(re.fullmatch(r"[a-z0-9_-]+", name) for name in names)


def test_tables_say_what_they_are_sorted_by() -> None:
    page = Page("Coins")
    page.section("One").table(
        FRAME, "Means", intervals={"mean": ("lower", "upper")}, notes={"mean": "simulated"}, formats={"mean": ".1f"}
    )
    table = tree(page).one("table")
    assert table.one("caption").text == "Means"
    policy, mean = table.one("thead").all("th")
    assert "data-numeric" not in policy.attributes
    assert "data-numeric" in mean.attributes
    assert (mean.one("span").text, mean.one("small").text) == ("Mean", "simulated")
    first, second = table.one("tbody").all("tr")
    assert first.one("th").attributes == {"scope": "row"}
    assert (first.one("td").attributes, first.one("td").text) == ({"data-value": "2.5"}, "2.5 ± 0.5")
    assert (second.one("td").attributes, second.one("td").text) == ({"class": "none"}, "-")


def test_charts_have_a_name_a_caption_and_links(make_result: Callable[..., Any]) -> None:
    page = Page("Coins")
    for number in (1, 2):
        axes = chance_of_at_least(make_result())
        page.section("Charts").chart(axes, f"Chart {number}", "See `it`", {"PNG": f"charts/{number}.png"})
    figures = tree(page).all("figure")
    assert [figure.one("svg").attributes["aria-label"] for figure in figures] == ["Chart 1", "Chart 2"]
    assert [figure.one("figcaption").text for figure in figures] == ["Chart 1. See it PNG", "Chart 2. See it PNG"]
    assert [figure.one("a").attributes["href"] for figure in figures] == ["charts/1.png", "charts/2.png"]


def test_code_in_prose_needs_two_backticks() -> None:
    page = Page("Coins")
    section = page.section("One")
    for text in ("`a` and `b`", "a ` alone", "``", "plain"):
        section.prose(text)
    paragraphs = tree(page).one("section").all("p")
    assert [node.text for node in paragraphs] == ["a and b", "a ` alone", "", "plain"]
    assert [[code.text for code in node.all("code")] for node in paragraphs] == [["a", "b"], [], [], []]


def test_the_same_calls_give_the_same_bytes(make_page: Callable[[str], Page], tmp_path: Path) -> None:
    paths = [make_page("Ä & co").write(tmp_path / name / "deep" / "index.html") for name in ("one", "other")]
    assert paths[0] == tmp_path / "one" / "deep" / "index.html"
    assert paths[0].read_bytes() == paths[1].read_bytes()
    page = make_page("Ä & co")
    assert page.html() == page.html() == paths[0].read_text(encoding="utf-8")


def test_a_page_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StorageError, match=r"page cannot be written to .*: File exists; choose another folder"):
        Page("Coins").write(tmp_path / "file" / "index.html")


def test_only_the_script_of_the_package_may_run() -> None:
    root = tree(Page("Coins"))
    policy = root.one("meta", http_equiv="Content-Security-Policy").attributes["content"]
    script = root.one("script")
    assert script.attributes == {}
    digest = base64.b64encode(hashlib.sha256(script.text.encode()).digest()).decode()
    assert policy is not None
    assert f"script-src 'sha256-{digest}';" in policy
    assert policy.startswith("default-src 'none';")


def test_nothing_is_asked_for(make_page: Callable[[str], Page]) -> None:
    html = make_page("text").html()
    assert not re.findall(r"https?:|@import|<[^>]*\s(?:src|srcset|poster)=|//\w+\.", html)
    assert set(re.findall(r"url\(([^)#]*)", html)) <= {""}
    root = tree(Page("Coins"))
    assert root.one("meta", name="viewport").attributes["content"] == "width=device-width, initial-scale=1"
    assert [node.attributes["href"] for node in root.all("link")] == ["data:,"]


def themes() -> dict[str, dict[str, str]]:
    """The colours of the light and of the dark page."""
    css = (resources.files("analyzer.report") / "page.css").read_text(encoding="utf-8")
    light, dark = (
        dict(re.findall(r"(--\w+): (#\w{6});", part)) for part in re.findall(r":root \{(.*?)\}", css, re.DOTALL)[:2]
    )
    return {"light": light, "dark": light | dark}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_is_legible_on_every_ground_and_lines_on_paper(theme: str) -> None:
    colours = {name: to_rgb(value) for name, value in themes()[theme].items()}
    assert set(VARIABLES.values()) | {"--paper", "--good", "--link"} == set(colours)
    for text in ("--ink", "--muted", "--link", "--good"):
        for ground in ("--paper", "--stripe", "--band"):
            assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)
    for drawn in ("#0072B2", "#D55E00", "#009E73"):
        assert contrast(to_rgb(drawn), colours["--paper"]) >= 3
    if theme == "dark":
        assert contrast(to_rgb("#0072B2"), colours["--band"]) >= 3
    assert len(set(themes()["light"].items()) & set(themes()["dark"].items())) == 0
