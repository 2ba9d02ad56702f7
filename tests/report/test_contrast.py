"""Contrast ratios against published ones, and that turning colours over keeps every ratio."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.colors import to_rgb

from analyzer.report.charts import BLUES
from analyzer.report.contrast import contrast, luminance, readable_on, turned_over

CHANNELS = st.floats(0, 1)
COLOURS = st.tuples(CHANNELS, CHANNELS, CHANNELS)


@pytest.mark.parametrize(
    ("grey", "ratio"), [("#767676", 4.54), ("#777777", 4.48), ("#949494", 3.03), ("#595959", 7.00)]
)
def test_greys_on_white_that_guides_to_wcag_name(grey: str, ratio: float) -> None:
    assert contrast(to_rgb(grey), to_rgb("white")) == pytest.approx(ratio, abs=0.005)
    assert contrast(to_rgb("white"), to_rgb(grey)) == contrast(to_rgb(grey), to_rgb("white"))


def test_primary_colours_have_the_weights_of_the_standard() -> None:
    assert [luminance(to_rgb(name)) for name in ("#ff0000", "#00ff00", "#0000ff")] == [0.2126, 0.7152, 0.0722]


@given(COLOURS, COLOURS)
def test_turning_over_keeps_every_ratio_and_stays_a_colour(
    one: tuple[float, float, float], other: tuple[float, float, float]
) -> None:
    turned, also = turned_over(one), turned_over(other)
    assert all(0 <= channel <= 1 for channel in (*turned, *also))
    assert contrast(turned, also) == pytest.approx(contrast(one, other), rel=1e-6)
    assert luminance(turned_over(turned)) == pytest.approx(luminance(one), abs=1e-6)
    light, dark = (one, other) if luminance(one) > luminance(other) + 1e-9 else (other, one)
    if luminance(light) > luminance(dark) + 1e-9:
        assert luminance(turned_over(light)) < luminance(turned_over(dark))


@given(COLOURS)
def test_turning_over_keeps_the_order_of_the_channels(colour: tuple[float, float, float]) -> None:
    turned = turned_over(colour)
    for first in range(3):
        for second in range(3):
            if colour[first] >= colour[second]:
                assert turned[first] >= turned[second] - 1e-9


def test_numbers_on_the_shades_of_a_heatmap_are_legible_on_light_and_dark_pages() -> None:
    for share in np.linspace(0, 1, 501):
        shade = BLUES(share)
        text = to_rgb(readable_on(shade))
        assert contrast(text, shade) >= 4.5
        assert contrast(turned_over(text), turned_over(shade)) >= 4.5
