"""Pages in a real browser: no complaint, tables that sort, nothing wider than the screen, and a print."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pandas as pd
import pytest

from analyzer.engine import store
from analyzer.games.euchre.rules import Euchre
from analyzer.games.president.rules import President
from analyzer.report import charts
from analyzer.report.folder import write_report
from analyzer.report.page import Page
from analyzer.report.style import axes_for, dress
from tests.dice.reference import WINNING

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
WIDTHS = (390, 768, 1280)
SCHEMES = ("light", "dark")
HOSTILE = "<script>window.struck = true</script>"
LONG = "averyverylongwordwithoutanyplacewhereitcouldbebroken" * 3


def without_browser(reason: str) -> NoReturn:
    """Skip, or fail where a browser is expected."""
    if os.environ.get("ANALYZER_REQUIRE_BROWSER"):
        pytest.fail(f"ANALYZER_REQUIRE_BROWSER is set, but {reason}")
    pytest.skip(reason)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        without_browser("playwright is not installed; pip install 'strategy-analyzer[browser]'")
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        without_browser(f"no browser is installed; install one of {', '.join(BROWSERS)}")
    with sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=found)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a game with served points and instant wins."""
    folder = tmp_path_factory.mktemp("browser")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "cache_directory", lambda: folder / "cache")
        patch.setattr(charts, "save_chart", lambda axes, path: write_nothing(path))
        command = "analyzer report --rules winning.toml --out 'the report'"
        return write_report(WINNING, folder / "report", games=500, seed=3, command=command)[0]


@pytest.fixture(scope="module")
def euchre(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a card game, with maps in shades of two colours."""
    folder = tmp_path_factory.mktemp("browser")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(charts, "save_chart", lambda axes, path: write_nothing(path))
        rules = Euchre()
        return write_report(rules, folder, games=3000, settings=rules.settings, command="analyzer report euchre")[0]


@pytest.fixture(scope="module")
def president(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a card game with a long title, bars of places and questions with two choices."""
    folder = tmp_path_factory.mktemp("browser")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(charts, "save_chart", lambda axes, path: write_nothing(path))
        rules = President(jokers=2, revolution=True, eight_stop=True, exchange=True)
        how: dict[str, Any] = {"policies": ["lowest", "random"], "games": 200, "settings": rules.settings}
        return write_report(rules, folder, command="analyzer report president", **how)[0]


def write_nothing(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return path


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with everything that is hard to show."""
    page = Page(f"{LONG} {HOSTILE}", figures=[(LONG, LONG), ("1", HOSTILE)], summary=LONG)
    section = page.section(LONG, HOSTILE)
    wide = pd.DataFrame({f"column_{number}_with_a_long_name": np.arange(5) * 1.5 for number in range(12)})
    wide.insert(0, "name", ["b 10", "b 9", HOSTILE, LONG, None])
    wide.insert(1, "value", [-1.0, np.nan, 1e-300, np.inf, 10.0])
    wide.insert(2, "count", [10, 9, 100, -3, 0])
    wide.insert(3, "dice", [(5, 5), (), (10, 1), (9,), None])
    section.table(wide, f"A table that is wide, {LONG}")
    section.table(wide.iloc[:1], "A single row")
    ax = axes_for(None, 9, 3)
    ax.plot([0, 1])
    dress(ax, HOSTILE)
    section.chart(ax, HOSTILE, LONG)
    section.code(f"analyzer {LONG}", "Command")
    section.facts({LONG: LONG})
    section.files({LONG: {"CSV": "tables/none.csv"}})
    section.items([LONG])
    inner = section.details("Closed")
    inner.subheading("Inside details")
    inner.table(wide, "Inside")
    return page.write(tmp_path_factory.mktemp("made") / "index.html")


@pytest.fixture(params=["report", "made", "euchre", "president"])
def address(request: pytest.FixtureRequest) -> str:
    path: Path = request.getfixturevalue(request.param)
    return path.as_uri()


class Visit:
    """An open page, with what it asked for and what it complained about."""

    def __init__(self, browser: Any, address: str, width: int = 1280, scheme: str = "light") -> None:
        self.context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        self.page = self.context.new_page()
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("requestfailed", lambda request: self.complaints.append(f"failed: {request.url}"))
        self.page.on("console", lambda message: self.complaints.append(f"{message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.goto(address)
        self.settle()

    def settle(self) -> None:
        """Wait until observers of sizes have run."""
        self.page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)))")

    def open_details(self) -> None:
        self.page.evaluate("() => document.querySelectorAll('details').forEach(box => { box.open = true; })")
        self.settle()

    def __enter__(self) -> Visit:
        return self

    def __exit__(self, *_: object) -> None:
        self.context.close()


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_wider_than_the_screen_and_nothing_complains(
    browser: Any, address: str, width: int, scheme: str
) -> None:
    with Visit(browser, address, width, scheme) as visit:
        for _ in range(2):
            scrolls, shows = visit.page.evaluate(
                "() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]"
            )
            assert shows == width
            assert scrolls <= shows
            outside = visit.page.evaluate(OUTSIDE)
            assert outside == []
            visit.open_details()
        ground = visit.page.evaluate("() => getComputedStyle(document.body).backgroundColor")
        assert (ground == "rgb(255, 255, 255)") == (scheme == "light")
        assert visit.page.evaluate("() => window.struck") is None
        assert visit.complaints == []
        assert [url for url in visit.requests if not url.startswith("data:")] == [address]


OUTSIDE = """() => [...document.querySelectorAll('body *')].filter(element => {
    const box = element.getBoundingClientRect();
    return box.width && box.right > innerWidth + 1 && !element.closest('.scroll, pre, .skip');
}).map(element => element.outerHTML.slice(0, 80))"""


@pytest.mark.parametrize("width", WIDTHS)
def test_letters_of_charts_are_never_tiny_and_boxes_that_scroll_say_so(browser: Any, address: str, width: int) -> None:
    with Visit(browser, address, width) as visit:
        visit.open_details()
        scales = visit.page.evaluate(
            "() => [...document.querySelectorAll('svg')].map(svg => svg.clientWidth / svg.viewBox.baseVal.width)"
        )
        assert scales
        assert min(scales) >= 1.09
        boxes = visit.page.evaluate(
            """() => [...document.querySelectorAll('.scroll')].map(box => [
                box.scrollWidth - box.clientWidth > 1, !box.nextElementSibling.hidden, box.tabIndex === 0])"""
        )
        assert all(scrolls == hints == focusable for scrolls, hints, focusable in boxes)
        assert any(scrolls for scrolls, *_ in boxes) or width > 390


def order_of(cells: list[tuple[str | None, str]], numeric: bool) -> list[Any]:
    """Keys of a column in their order: numbers by value, text with its numbers by value; None where it is missing."""
    if numeric:
        return [None if value is None else float(value) for value, _ in cells]
    return [
        None
        if text == "-"
        else [
            (0, int(part), "") if part.isdigit() else (1, 0, part.casefold()) for part in re.findall(r"\d+|\D+", text)
        ]
        for _, text in cells
    ]


def test_every_table_sorts_by_every_column_up_and_down(browser: Any, address: str) -> None:
    with Visit(browser, address) as visit:
        visit.open_details()
        sorted_columns = 0
        for table in visit.page.query_selector_all("table"):
            heads = table.query_selector_all("thead th")
            rows = len(table.query_selector_all("tbody tr"))
            for column, head in enumerate(heads):
                button = head.query_selector("button")
                assert (button is not None) == (rows > 1)
                if button is None:
                    continue
                numeric = head.get_attribute("data-numeric") is not None
                for turn, way in enumerate(("ascending", "descending", "ascending")):
                    button.click() if turn == 0 else button.dispatch_event("click")
                    assert head.get_attribute("aria-sort") == way
                    assert len(table.query_selector_all("[aria-sort]")) == 1
                    cells = table.evaluate(
                        """(table, column) => [...table.tBodies[0].rows].map(row => [
                            row.cells[column].dataset.value ?? null, row.cells[column].textContent])""",
                        column,
                    )
                    keys = order_of(cells, numeric)
                    known = [key for key in keys if key is not None]
                    assert keys == known + [None] * (len(keys) - len(known)), "what is missing is not last"
                    assert known == sorted(known, reverse=way == "descending")
                    assert len(keys) == rows
                sorted_columns += 1
        assert sorted_columns > 10
        assert visit.complaints == []


def test_rows_that_are_equal_keep_their_order_and_rows_stay_whole(browser: Any, report: Path) -> None:
    with Visit(browser, report.as_uri()) as visit:
        table = visit.page.query_selector("table:has(caption:has-text('Served results'))")
        read = "table => [...table.tBodies[0].rows].map(row => row.textContent)"
        before = table.evaluate(read)
        table.query_selector("th:nth-child(2) button").click()  # every row is of the same line
        assert table.evaluate(read) == before
        table.query_selector("th:nth-child(5) button").click()
        after = table.evaluate(read)
        assert after != before
        assert sorted(after) == sorted(before)


def test_tables_sort_by_keyboard_alone(browser: Any, made: Path) -> None:
    with Visit(browser, made.as_uri(), 390) as visit:
        head = visit.page.query_selector("thead th:nth-child(3)")
        for _ in range(40):
            visit.page.keyboard.press("Tab")
            if visit.page.evaluate("head => head.contains(document.activeElement)", head):
                break
        outline = visit.page.evaluate("() => getComputedStyle(document.activeElement).outlineStyle")
        assert outline == "solid"
        visit.page.keyboard.press("Enter")
        assert head.get_attribute("aria-sort") == "ascending"
        visit.page.keyboard.press("Space")
        assert head.get_attribute("aria-sort") == "descending"


def test_the_first_column_stays_in_view_while_a_table_scrolls(browser: Any, made: Path) -> None:
    with Visit(browser, made.as_uri(), 390) as visit:
        box = visit.page.query_selector(".table .scroll")
        left = "box => box.querySelector('tbody th').getBoundingClientRect().left"
        before = box.evaluate(left)
        box.evaluate("box => { box.scrollLeft = 300; }")
        assert box.evaluate(left) == before
        assert box.evaluate("box => box.querySelector('tbody td').getBoundingClientRect().left") < 0


def test_the_command_is_copied_by_a_click(browser: Any, report: Path) -> None:
    with Visit(browser, report.as_uri()) as visit:
        visit.context.grant_permissions(["clipboard-read", "clipboard-write"])
        button = visit.page.query_selector(".code:has(pre[aria-label^='Command']) button")
        button.click()
        visit.page.wait_for_function("button => button.textContent === 'Copied'", arg=button)
        copied = visit.page.evaluate("() => navigator.clipboard.readText()")
        assert copied == "analyzer report --rules winning.toml --out 'the report'"


def test_a_link_into_closed_details_opens_them(browser: Any, made: Path) -> None:
    with Visit(browser, f"{made.as_uri()}#inside-details") as visit:
        assert visit.page.evaluate("() => document.querySelector('details').open")
    with Visit(browser, made.as_uri()) as visit:
        assert not visit.page.evaluate("() => document.querySelector('details').open")


def test_in_dark_the_shades_are_turned_over(browser: Any, report: Path) -> None:
    for scheme, variable in (("light", "fill"), ("dark", "--dark")):
        with Visit(browser, report.as_uri(), scheme=scheme) as visit:
            cells = visit.page.evaluate(
                """variable => [...document.querySelectorAll('.shade text')].map(cell => {
                    const wanted = document.createElement('i');
                    wanted.style.color = cell.style.getPropertyValue(variable);
                    return [getComputedStyle(cell).fill, wanted.style.color];
                })""",
                variable,
            )
            assert len(cells) > 10
            assert all(shown == wanted for shown, wanted in cells)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_print_is_light_whole_and_without_buttons(browser: Any, address: str, scheme: str) -> None:
    with Visit(browser, address, scheme=scheme) as visit:
        printed = visit.page.pdf(format="A4")
        assert printed.startswith(b"%PDF")
        assert len(printed) > 20_000
        visit.page.emulate_media(media="print", color_scheme=scheme)
        visit.page.set_viewport_size({"width": 680, "height": 1000})  # A4 without its margins
        assert visit.page.evaluate("() => getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        for hidden in ("nav", ".skip", ".hint", "figcaption a", ".code button"):
            for element in visit.page.query_selector_all(hidden):
                assert not element.is_visible()
        cut = visit.page.evaluate(
            """() => [...document.querySelectorAll('svg')].filter(svg => svg.getBoundingClientRect().right > innerWidth)
                .length"""
        )
        assert cut == 0
