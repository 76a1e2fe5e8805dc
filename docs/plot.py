"""The README's plot, drawn from a benchmark's JSON: `python docs/plot.py figures.json docs/foundation.svg`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

WIDTH, LEFT, BAR, GAP, TOP = 760, 330, 20, 12, 46
_STYLE = "text{font:13px system-ui,sans-serif;fill:#57606a}.name{fill:#24292f}.dark .name{fill:#e6edf3}"


def ratios(figures: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the figures that say how many times faster something is."""
    return [figure for figure in figures if figure["unit"] == "x"]


def svg(report: dict[str, Any]) -> str:
    """Return the plot: one bar per ratio, on a scale of doublings, the length of a peer marked."""
    rows = ratios(report["figures"])
    most = max(figure["measured"] for figure in rows)
    doublings = max(1, int(most).bit_length())
    unit = (WIDTH - LEFT - 70) / doublings
    height = TOP + len(rows) * (BAR + GAP) + 34
    machine = report["machine"]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}">',
        f"<style>{_STYLE}</style>",
        '<text class="name" x="0" y="18" style="font-weight:600">Times faster than the peer named (log scale)</text>',
    ]
    for i, figure in enumerate(rows):
        y = TOP + i * (BAR + GAP)
        length = max(2.0, unit * _log2(figure["measured"]))
        parts.append(f'<text class="name" x="{LEFT - 10}" y="{y + 15}" text-anchor="end">{figure["what"]}</text>')
        parts.append(f'<rect x="{LEFT}" y="{y}" width="{length:.1f}" height="{BAR}" rx="3" fill="#2f81f7"/>')
        parts.append(f'<text x="{LEFT + length + 8:.1f}" y="{y + 15}">{figure["measured"]:.1f}x</text>')
    bottom = TOP + len(rows) * (BAR + GAP)
    parts.append(f'<line x1="{LEFT}" y1="{TOP - 8}" x2="{LEFT}" y2="{bottom}" stroke="#8c959f"/>')
    parts.append(f'<text x="{LEFT}" y="{TOP - 12}" text-anchor="middle">1x</text>')
    caption = f"{machine['processor']}, {machine['cores']} cores, Python {machine['python']}; pathfront bench"
    parts.append(f'<text x="0" y="{bottom + 22}">{caption}</text></svg>\n')
    return "\n".join(parts)


def _log2(value: float) -> float:
    import math

    return math.log2(max(value, 1.0))


if __name__ == "__main__":
    figures, picture = map(Path, sys.argv[1:3])
    picture.write_text(svg(json.loads(figures.read_text())))
