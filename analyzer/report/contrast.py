"""Contrast of colours as WCAG 2 measures it, and the turning over of shades for a dark page."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["contrast", "luminance", "readable_on", "turned_over"]

WEIGHTS = (0.2126, 0.7152, 0.0722)
FLARE = 0.05
"""Light that a screen reflects, in the ratio of two luminances."""


def luminance(colour: Sequence[float]) -> float:
    """Relative luminance of a colour, from 0 (black) to 1 (white).

    Parameters
    ----------
    colour : sequence of float
        Red, green and blue in sRGB, from 0 to 1; what follows is left out.

    Returns
    -------
    float

    Examples
    --------
    >>> luminance((1.0, 1.0, 1.0)), luminance((0.0, 1.0, 0.0))
    (1.0, 0.7152)
    """
    return round(sum(weight * _linear(channel) for weight, channel in zip(WEIGHTS, colour[:3], strict=True)), 12)


def contrast(one: Sequence[float], other: Sequence[float]) -> float:
    """Contrast ratio of two colours, from 1 to 21.

    Text needs 4.5, lines and markers need 3 (WCAG 2.2, criteria 1.4.3 and 1.4.11).

    Parameters
    ----------
    one, other : sequence of float
        As for `luminance`.

    Returns
    -------
    float

    Examples
    --------
    >>> round(contrast((0.0, 0.0, 0.0), (1.0, 1.0, 1.0)), 6)
    21.0
    """
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + FLARE) / (dark + FLARE)


def readable_on(colour: Sequence[float]) -> str:
    """Black or white text, whichever contrasts more: the ratio is at least 4.5 on any colour.

    Parameters
    ----------
    colour : sequence of float
        As for `luminance`.

    Returns
    -------
    str

    Examples
    --------
    >>> readable_on((1.0, 1.0, 1.0)), readable_on((0.0, 0.0, 0.5))
    ('black', 'white')
    """
    return "white" if luminance(colour) < 0.179 else "black"


def turned_over(colour: Sequence[float]) -> tuple[float, float, float]:
    """The colour of the same hue that stands to black as this one stands to white.

    Every contrast ratio between two colours stays what it was: text on a shade is as legible as before.

    Parameters
    ----------
    colour : sequence of float
        As for `luminance`.

    Returns
    -------
    tuple of float
        Red, green and blue.

    Examples
    --------
    >>> turned_over((1.0, 1.0, 1.0)), turned_over((0.0, 0.0, 0.0))
    ((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    """
    wanted = min(1.0, max(0.0, FLARE * (1 + FLARE) / (luminance(colour) + FLARE) - FLARE))
    linear = [_linear(channel) for channel in colour[:3]]
    most = max(linear)
    pure = [channel / most for channel in linear] if most > 0 else [1.0, 1.0, 1.0]
    reach = sum(weight * channel for weight, channel in zip(WEIGHTS, pure, strict=True))
    if wanted <= reach:  # the hue at its strongest is bright enough
        mixed = [channel * wanted / reach for channel in pure]
    else:
        white = (wanted - reach) / (1 - reach)
        mixed = [channel + (1 - channel) * white for channel in pure]
    red, green, blue = (round(_encoded(channel), 12) for channel in mixed)
    return red, green, blue


def _linear(channel: float) -> float:
    """Light of a channel of sRGB (IEC 61966-2-1)."""
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)


def _encoded(light: float) -> float:
    return 12.92 * light if light <= 0.0031308 else float(1.055 * light ** (1 / 2.4) - 0.055)
