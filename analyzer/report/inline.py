"""Charts as SVG inside a page: they follow its theme, and nothing of one touches another."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from matplotlib.colors import to_hex, to_rgb

from analyzer.report.contrast import turned_over
from analyzer.report.style import BAND, FAINT, GOOD, INK, MUTED, SHADE, STRIPE, THREAD, render

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["VARIABLES", "inline_svg"]

VARIABLES = {
    INK: "--ink",
    MUTED: "--muted",
    FAINT: "--rule",
    BAND: "--band",
    STRIPE: "--stripe",
    THREAD: "--thread",
}
"""Colours of charts that a page replaces by its own, in text and in shapes; `page.css` has both themes of them."""
_OF_TEXT = {GOOD: "--good"}
_OF_SHAPES = {"#FFFFFF": "--paper", "#000000": "--ink"}

_SVG = "{http://www.w3.org/2000/svg}"
_HREF = "{http://www.w3.org/1999/xlink}href"
_FIGURES = re.compile(r"-?\d+\.\d+")
_REFERENCE = re.compile(r"url\(#([^)]+)\)")
_LENGTHS = ("d", "x", "y", "width", "height", "viewBox")
_DROPPED = (f"{_SVG}metadata", f"{_SVG}style")


def inline_svg(ax: Axes, name: str, prefix: str) -> str:
    """A chart as an ``<svg>`` element for a page.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        The chart; it is not changed.
    name : str
        What it shows, for those who do not see it.
    prefix : str
        Start of all identifiers, another one for each chart of a page; an underscore and a number follow.

    Returns
    -------
    str
        The neutral colours of `analyzer.report.style` are variables of the page (`VARIABLES`). Shades have their
        counterpart on a dark page as ``--dark``. Text is text. The natural width in points is ``--width``.

    Examples
    --------
    >>> from analyzer.report.style import axes_for
    >>> svg = inline_svg(axes_for(None, 4, 3), "Nothing <yet>", "chart")
    >>> svg.startswith("<svg viewBox="), 'role="img" aria-label="Nothing &lt;yet&gt;"' in svg
    (True, True)
    """
    root = ET.fromstring(render(ax, "svg", text="none"))
    for parent in list(root.iter()):
        for child in [child for child in parent if child.tag in _DROPPED]:
            parent.remove(child)
    _rename(root, prefix)
    for element, shade in _with_shade(root, shade=False):
        _restyle(element, shade)
    width = float(root.attrib["width"].removesuffix("pt"))
    box = _rounded(root.attrib["viewBox"])
    root.attrib.clear()
    root.attrib |= {"viewBox": box, "preserveAspectRatio": "xMinYMin", "role": "img", "aria-label": name}
    root.attrib["style"] = f"--width:{width:.0f}"
    return ET.tostring(root, encoding="unicode").replace(" />", "/>")


def _rename(root: ET.Element, prefix: str) -> None:
    """Give what is referred to names of its own, and take the names of all else."""
    used: dict[str, str] = {}
    for element in root.iter():
        values = [*element.attrib.values()]
        found = [name for value in values for name in _REFERENCE.findall(value)]
        found += [element.attrib[_HREF].removeprefix("#")] if _HREF in element.attrib else []
        for name in found:
            used.setdefault(name, f"{prefix}_{len(used) + 1}")
    for element in root.iter():
        for key, value in list(element.attrib.items()):
            if key == _HREF:
                del element.attrib[key]
                element.attrib["href"] = f"#{used[value.removeprefix('#')]}"
            else:
                element.attrib[key] = _REFERENCE.sub(lambda match: f"url(#{used[match[1]]})", value)
        name = element.attrib.pop("id", "")
        if name in used:
            element.attrib["id"] = used[name]
        elif name.startswith(f"{SHADE}-"):
            element.attrib["class"] = SHADE


def _with_shade(element: ET.Element, shade: bool) -> Iterator[tuple[ET.Element, bool]]:
    """Every element, and whether it is part of what shows numbers as shades."""
    shade = shade or element.attrib.get("class") == SHADE
    yield element, shade
    for child in element:
        yield from _with_shade(child, shade)


def _restyle(element: ET.Element, shade: bool) -> None:
    """Colours of the page, and no more digits than can be seen."""
    element.tag = element.tag.removeprefix(_SVG)  # HTML needs no namespace
    if element.tag not in ("text", "tspan"):
        element.text = None
    element.tail = None
    for key in _LENGTHS:
        if key in element.attrib:
            element.attrib[key] = _rounded(element.attrib[key])
    turn = element.attrib.pop("transform", "")
    if turn and not turn.startswith("rotate(-0 "):
        element.attrib["transform"] = turn if turn.startswith("matrix") else _rounded(turn)
    given = [part.partition(":") for part in element.attrib.get("style", "").split(";") if part.strip()]
    style = {key.strip(): value.strip() for key, _, value in given}
    style.pop("font-family", None)
    text = element.tag == "text"
    if shade and (text or style.get("fill", "none") != "none"):
        # matplotlib leaves out black
        style["--dark"] = to_hex(turned_over(to_rgb(style.setdefault("fill", "#000000"))))
    variables = {colour.lower(): name for colour, name in (VARIABLES | (_OF_TEXT if text else _OF_SHAPES)).items()}
    for key in ("stroke",) if shade else ("fill", "stroke"):
        if style.get(key) in variables:
            style[key] = f"var({variables[style[key]]})"
    if style:
        element.attrib["style"] = ";".join(f"{key}:{value}" for key, value in style.items())


def _rounded(text: str) -> str:
    """Numbers to a hundredth of a point, without the breaks of lines."""
    return _FIGURES.sub(lambda match: f"{float(match[0]):z.2f}".rstrip("0").rstrip("."), " ".join(text.split()))
