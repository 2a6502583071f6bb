"""Packing: areas without relationships among each other are placed in rows."""

from __future__ import annotations

from collections.abc import Sequence

from puppet_kernel.rendering.graphs.areas import GAP, Area


def pack(areas: Sequence[Area], limit: float) -> tuple[float, float]:
    """Place areas in rows of at most this width, large ones first; return the size of all."""
    large = [area for area in areas if area.pieces or area.blocks[0].children]
    single = [area for area in areas if not (area.pieces or area.blocks[0].children)]
    large.sort(key=lambda area: -area.height)
    width = y = 0.0
    for row in [*_rows(large, limit), *_rows(_alike(single), limit)]:
        x = 0.0
        for area in row:
            area.x, area.y = x, y
            x += area.width + GAP
        width = max(width, x - GAP)
        y += max(area.height for area in row) + GAP
    return width, y - GAP


def _alike(areas: Sequence[Area]) -> list[Area]:
    """Return boxes of one type side by side, the types in order of appearance."""
    kinds: dict[str, int] = {}
    for area in areas:
        kinds.setdefault(_kind(area), len(kinds))
    return sorted(areas, key=lambda area: kinds[_kind(area)])


def _kind(area: Area) -> str:
    return area.blocks[0].name.partition("[")[0]


def _rows(areas: Sequence[Area], limit: float) -> list[list[Area]]:
    rows: list[list[Area]] = []
    used = 0.0
    for area in areas:
        if not rows or used + area.width > limit:
            rows.append([])
            used = 0.0
        rows[-1].append(area)
        used += area.width + GAP
    return rows
