"""What a trace shows: charts of one search or of several, and when each vertex was settled.

A trace has one row per iteration; an asynchronous method has rows of time instead. Which columns there are is said by
`pathfront.problem.TRACE_ROW`; a method that cannot know one leaves it out, and so do the charts. The horizontal axis is
the time since the search began, where the trace has it, else the number of the row. Of a long trace as many rows are
drawn as one as leave some hundreds: their mean, with the range from the least to the greatest.

*Settled.* No trace says which vertices an iteration made final. But with weights that are not negative a vertex can
only change while something at least as near is processed. So it counts as settled at the end of the first row after
which nothing is processed whose distance is at most its own: the first row such that every later window of distances
begins beyond it. For a label-setting method, whose windows never go back, this is the row in which the vertex was
settled; for a label-correcting one it is the row from which on its distance can be known to be final.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from pathfront.report.elements import Axis, Chart, Mark, Panels, Series
from pathfront.validation import Array

MOST_PLACES = 300
"""Rows, or groups of rows, that a chart shows of a trace."""

_FEWEST = 0.5
"""What stands for 0 on logarithmic axes of counts."""

Traces = Mapping[str, Array]
"""Traces of several searches on one graph, by name."""


def column(trace: Array, name: str) -> Array | None:
    """Return a column as float64, or None if the trace does not have it or it is not known in any row."""
    if name not in (trace.dtype.names or ()):
        return None
    values = trace[name].astype(np.float64)
    return None if values.size and bool(np.isnan(values).all()) else values


def cumulated(trace: Array, name: str) -> Array | None:
    """Return the sums of a column up to each row."""
    values = column(trace, name)
    return None if values is None else np.cumsum(np.nan_to_num(values))


def times(trace: Array) -> Array | None:
    """Return the seconds at the end of each row, or None if the trace does not have them."""
    return column(trace, "seconds")


def axis_of(traces: Traces) -> Axis:
    """Return the horizontal axis of charts: time if every trace has it, else the number of the row."""
    timed = all(times(trace) is not None for trace in traces.values())
    return Axis("time", "ms") if timed else Axis("row of the trace")


def _groups(length: int) -> Array:
    """Return where each group of rows begins, and the end of the last."""
    return np.unique(np.linspace(0, length, min(length, MOST_PLACES) + 1).astype(np.int64))


def _places(trace: Array, axis: Axis) -> list[float]:
    """Return the horizontal places of the groups: those of their last rows."""
    found = times(trace) if axis.unit else None
    every = np.arange(len(trace), dtype=np.float64) if found is None else found * 1e3
    return [float(place) for place in every[_groups(len(trace))[1:] - 1]]


def settled_rows(trace: Array, distance: Array, reached: Array) -> Array:
    """Return the row at whose end each vertex was settled; -1 for vertices that were not reached.

    >>> trace = np.array([(1, 0.0), (2, 3.0), (1, 5.0)], [("frontier", "u8"), ("distance_low", "f8")])
    >>> settled_rows(trace, np.array([0, 3, 4, 9]), np.array([True, True, True, False])).tolist()
    [0, 1, 1, -1]
    """
    rows = np.full(distance.size, -1, np.int64)
    if not len(trace):
        return rows
    low = column(trace, "distance_low")
    if low is None:
        low = column(trace, "head_distance")
    if low is None:  # nothing is known to be final before the end
        low = np.zeros(len(trace))
    work = column(trace, "frontier")
    busy = np.ones(len(trace), bool) if work is None else work > 0
    low = np.where(busy, np.nan_to_num(low, nan=-np.inf), np.inf)
    after = np.append(np.minimum.accumulate(low[::-1])[::-1][1:], np.inf)  # the least window of all later rows
    first = np.searchsorted(after, distance[reached].astype(np.float64), side="right")
    rows[reached] = np.minimum(first, len(trace) - 1)
    return rows


# ---- charts --------------------------------------------------------------------------------------------------------


def charts(traces: Traces, arcs: int, *, prefix: str = "trace") -> list[Chart | Panels]:
    """Return what the traces of searches show: frontiers, work, settled vertices, queues, windows and widths.

    `arcs` is the number of arcs that a search would relax that relaxes each one once.
    """
    axis = axis_of(traces)
    found: list[Chart | Panels | None] = [
        frontier(traces, axis, prefix),
        work(traces, arcs, axis, prefix),
        _labels(traces, axis, prefix),
        _queues(traces, axis, prefix),
        _windows(traces, axis, prefix),
        _widths(traces, axis, prefix),
    ]
    return [each for each in found if each is not None]


def frontier(traces: Traces, axis: Axis, prefix: str) -> Chart:
    """Return the vertices processed in each row."""
    series = [_series(name, trace, axis, "frontier", least=_FEWEST) for name, trace in traces.items()]
    return Chart(
        f"{prefix}-frontier",
        "The frontier",
        axis,
        Axis("vertices processed", log=True),
        _known(series),
        caption="How many vertices each row processed. Rows are iterations; an asynchronous method has rows of time. "
        "Nothing processed is drawn at 0.5.",
    )


def work(traces: Traces, arcs: int, axis: Axis, prefix: str) -> Chart:
    """Return the arcs relaxed so far."""
    series = []
    for name, trace in traces.items():
        done = cumulated(trace, "edges_relaxed")
        if done is not None:
            ends = _groups(len(trace))[1:] - 1
            series.append(Series(name, _places(trace, axis), _plain(done[ends])))
    return Chart(
        f"{prefix}-work",
        "The work",
        axis,
        Axis("arcs relaxed so far"),
        series,
        marks=[Mark("every arc once", y=float(arcs))],
        caption="Dijkstra's method relaxes each arc of a reached vertex once; more is work done again.",
    )


def _labels(traces: Traces, axis: Axis, prefix: str) -> Panels | None:
    captions = (("labelled", "has a distance"), ("final", "its distance is known to be final"))
    return _panels(traces, axis, prefix, "labels", "Vertices with a distance", captions, Axis("vertices"))


def _queues(traces: Traces, axis: Axis, prefix: str) -> Panels | None:
    named = (("near", "waiting within the window"), ("far", "waiting beyond it"), ("discarded", "dropped as stale"))
    title = "The queues, at the start of each row"
    return _panels(traces, axis, prefix, "queues", title, named, Axis("vertices", log=True), least=_FEWEST)


def _windows(traces: Traces, axis: Axis, prefix: str) -> Panels | None:
    named = (("distance_low", "nearest processed"), ("distance_high", "farthest processed"))
    return _panels(traces, axis, prefix, "window", "The window of distances", named, Axis("distance"))


def _widths(traces: Traces, axis: Axis, prefix: str) -> Chart | None:
    series = []
    for name, trace in traces.items():
        delta = column(trace, "delta")
        if delta is not None and np.unique(delta[np.isfinite(delta)]).size > 1:
            series.append(Series(name, _places(trace, axis), _plain(delta[_groups(len(trace))[1:] - 1]), "step"))
    if not series:
        return None
    y = Axis("delta", log=True)
    caption = "Methods that keep one width are left out."
    return Chart(f"{prefix}-delta", "The width of the buckets", axis, y, series, caption=caption)


def _panels(
    traces: Traces,
    axis: Axis,
    prefix: str,
    id: str,
    title: str,
    columns: Iterable[tuple[str, str]],
    y: Axis,
    *,
    least: float | None = None,
) -> Panels | None:
    """Return a chart of some columns for each trace that has any of them."""
    made = []
    for i, (name, trace) in enumerate(traces.items()):
        found = [_series(said, trace, axis, column, least=least, ranges=False) for column, said in columns]
        if known := _known(found):
            made.append(Chart(f"{prefix}-{id}-{i}", name, axis, y, known))
    return Panels(f"{prefix}-{id}", title, made) if made else None


def _series(
    said: str, trace: Array, axis: Axis, name: str, *, least: float | None = None, ranges: bool = True
) -> Series | None:
    values = column(trace, name)
    if values is None or not np.isfinite(values).any():
        return None
    if least is not None:
        values = np.maximum(values, least)
    groups, places = _groups(len(trace)), _places(trace, axis)
    if len(places) == len(trace):
        return Series(said, places, _plain(values), "step")
    parts = [values[begin:end] for begin, end in pairwise(groups.tolist())]
    mean, low, high = ([_over(part, how) for part in parts] for how in (np.mean, np.min, np.max))
    return Series(said, places, mean, low=low if ranges else (), high=high if ranges else ())


def _over(values: Array, how: Callable[[Array], Any]) -> float | None:
    known = values[np.isfinite(values)]
    return float(how(known)) if known.size else None


def _known(series: Iterable[Series | None]) -> list[Series]:
    return [each for each in series if each is not None]


def _plain(values: Array) -> list[float | None]:
    return [float(value) if np.isfinite(value) else None for value in values.tolist()]


def summary(trace: Array) -> dict[str, Any]:
    """Return the totals of a trace."""
    frontiers = column(trace, "frontier")
    relaxed = column(trace, "edges_relaxed")
    discarded = column(trace, "discarded")
    return {
        "rows": len(trace),
        "largest_frontier": None if frontiers is None or not len(trace) else int(np.nanmax(frontiers)),
        "vertices_processed": None if frontiers is None else int(np.nansum(frontiers)),
        "edges_relaxed": None if relaxed is None else int(np.nansum(relaxed)),
        "discarded": None if discarded is None else int(np.nansum(discarded)),
    }
