"""The contrast of two colours, as the Web Content Accessibility Guidelines define it."""

from __future__ import annotations

Colour = tuple[float, ...]  # red, green and blue, from 0 to 255


def compute_luminance(colour: Colour) -> float:
    """Return the relative luminance of a colour, from 0 to 1."""
    channels = [channel / 255 for channel in colour]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def compute_contrast(one: Colour, other: Colour) -> float:
    """Return the contrast of two colours, from 1 to 21."""
    dark, light = sorted((compute_luminance(one), compute_luminance(other)))
    return (light + 0.05) / (dark + 0.05)
