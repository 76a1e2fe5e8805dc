"""The operations of schedules, and how they are recorded.

A bulk-synchronous method is a *schedule*: a short function that calls the operations below. Calling it does not search;
it records a program, which the device then runs from the first operation to the last without returning to Python: the
CPU as a native loop, a GPU as one captured graph. So a schedule is called once, branches on no value, and reads none:
queues and scalars are handles whose contents are on the device.

The rules that make schedules short:

- A queue holds vertices, each with the distance it had when it was queued. Every improvement queues the vertex again,
  so only one entry of a vertex is current, the one with its present distance; operations drop the stale entries they
  read. A queue is therefore a set. (CPU threads that lower a vertex to the same distance at the same time queue it
  twice: see `cpp/engines/schedule/bag.hpp`.)
- An operation first empties its queue, so its results may go into the same queue.
- Distances are lowered in place, and a sum may be of a distance that has just been lowered, which is often the faster
  way. A `synchronous` device takes the distances at the beginning of the operation, and what it counts is the same for
  any number of threads and on any device.
- Limits are inclusive: up to a limit means <=. With < and floats a small delta would be absorbed (1e8 + 1 in float32),
  and a loop would never end.
- All memory is allocated for the recorded queues and scalars before a search, nothing inside loops.

Operations and operands are those of the native program (`cpp/engines/schedule/program.hpp`); devices translate them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple, NoReturn

import numpy as np

from pathfront import _core

OPS = tuple(op for op in _core.OPS if op not in ("again", "jump"))
"""All operations, from the list in `cpp/engines/schedule/program.hpp`; every device has an implementation of each. The
two that are left out end loops and branches in native programs."""

TRAVERSALS = ("load_balanced", "cta_warp_scan", "cooperative_blocks", "thread_per_list")
"""How the arcs of a queue are divided among threads (Davidson et al. 2014, section IV.B); the default is the first."""


SYNCHRONOUS = 256
"""In the number of an operation that relaxes: see `cpp/engines/schedule/program.hpp`."""


class ScheduleError(TypeError):
    """A schedule read a value that exists only on the device, and only when the program runs."""


class Handle:
    """An object on a device; it can only be passed to operations."""

    def __init__(self, number: int) -> None:
        self.number = number

    def _refuse(self, *_: object) -> NoReturn:
        raise ScheduleError(
            f"a {type(self).__name__.lower()} has no value while a schedule is recorded; "
            "use device.repeat and device.when for decisions that depend on it."
        )

    __bool__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __len__ = __iter__ = __getitem__ = __contains__ = __int__ = __float__ = __index__ = _refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _refuse
    __hash__ = object.__hash__


class Queue(Handle):
    """A queue of vertices."""


class Flag(Queue):
    """A flag, raised or not; `repeat` takes it for a queue that is not empty, or empty."""


class Scalar(Handle):
    """A distance."""


Queues = Queue | Sequence[Queue]
Scalars = Scalar | Sequence[Scalar]


@dataclass(frozen=True, slots=True)
class Step:
    """A recorded operation; a loop or branch also has the steps inside it."""

    op: str
    index: int
    """The number of steps recorded before it."""
    queues: tuple[int, ...]
    """First the queue that is taken out, then the destinations."""
    scalars: tuple[int, ...]
    number: int
    """A count, the index of a traversal, or a flag."""
    body: list[Step] = field(default_factory=list)
    otherwise: list[Step] = field(default_factory=list)


class TraceForm(NamedTuple):
    """What the operands of a `trace` are: first the end of the window and its width among the scalars, and the near
    queues and the far ones among the queues; the rest are columns."""

    has_limit: bool
    has_delta: bool
    threads: bool
    near: int
    far: int

    def packed(self) -> int:
        """Return it as a step's number: see `TraceForm` in `cpp/engines/schedule/program.hpp`."""
        return self.has_limit | self.has_delta << 1 | self.threads << 2 | self.near << 8 | self.far << 16

    @classmethod
    def of(cls, number: int) -> TraceForm:
        """Return the form that a step's number stands for."""
        return cls(bool(number & 1), bool(number & 2), bool(number & 4), number >> 8 & 255, number >> 16 & 255)


class Device:
    """The operations. Each call records a step; all devices record alike."""

    def __init__(self, busy_from: int, first_scalar: int = 0, *, synchronous: bool = False) -> None:
        self.busy_from = busy_from
        """The number of queued vertices that keeps the device busy."""
        self.synchronous = synchronous
        """Whether sums are of the distances at the beginning of an operation, not of those that it has improved."""
        self._first_scalar = first_scalar
        self.steps: list[Step] = []
        self.step_count = self.queues = 0
        self.values: list[float] = []
        """The initial values of the scalars."""
        self.columns: list[tuple[str, Any]] | None = None
        """The schedule's own columns of a trace, and their types."""
        self.threads_traced = self.pulls = self.weighs_lightest = False
        self._open_when: Step | None = None

    # ---- queues and scalars --------------------------------------------------------------------------------------

    def queue(self) -> Queue:
        """Return a new, empty queue."""
        self.queues += 1
        return Queue(self.queues - 1)

    def flag(self) -> Flag:
        """Return a new flag, not raised."""
        return Flag(self.queue().number)

    def scalar(self, value: float) -> Scalar:
        """Return a new scalar with an initial value, rounded down if distances are whole numbers."""
        self.values.append(value)
        return Scalar(self._first_scalar + len(self.values) - 1)

    def start(self, into: Queue) -> None:
        """Set the sources' distances to 0, all others to unreached, and queue the sources (or raise a flag)."""
        self._add("start", [into])

    # ---- control -------------------------------------------------------------------------------------------------

    @contextmanager
    def repeat(self, *queues: Queue) -> Iterator[None]:
        """Repeat the body while any of the queues is not empty."""
        with self._inside(self._add("repeat", queues).body):
            yield

    @contextmanager
    def when(self, queue: Queue, *, at_least: int) -> Iterator[None]:
        """Run the body only if a queue holds at least so many entries."""
        step = self._add("when", [queue], number=at_least)
        with self._inside(step.body):
            yield
        self._open_when = step

    @contextmanager
    def otherwise(self) -> Iterator[None]:
        """Run the body if that of the `when` just before was not run."""
        if self._open_when is None:
            raise ScheduleError("otherwise must follow a when at once.")
        with self._inside(self._open_when.otherwise):
            yield
        self._open_when = None

    def settled(self, *, up_to: Scalar | None = None, below: Scalar | None = None) -> None:
        """Declare all distances up to a limit, or below one, final; if all targets are among them, the search ends."""
        assert (up_to is None) != (below is None)
        self._add("settled", scalars=[up_to if below is None else below], number=int(below is not None))

    def stop_at_cycle(self) -> None:
        """End the search if the parents form a cycle, which is then a negative one."""
        self._add("cycle")

    # ---- work ----------------------------------------------------------------------------------------------------

    def relax(
        self,
        queue: Queue,
        *,
        into: Queues,
        up_to: Scalars = (),
        beyond: Queue | None = None,
        traversal: str = TRAVERSALS[0],
    ) -> None:
        """Relax all arcs that leave the queue's vertices: one iteration.

        Vertices whose distance falls are queued: in the first queue of `into` whose limit in `up_to` is not below the
        new distance, or `beyond` all limits. Without limits all go `into` one queue.
        """
        queues = _as_list(into) + ([] if beyond is None else [beyond])
        assert len(queues) == len(_as_list(up_to)) + 1
        self._add("relax", [queue, *queues], _as_list(up_to), TRAVERSALS.index(traversal) + self._mode)

    def relax_edges(self, changed: Flag) -> None:
        """Relax all arcs of the graph: one iteration. The flag is raised if a distance fell."""
        self._add("relax_edges", [changed], number=self._mode)

    def relax_vertices(self, changed: Flag) -> None:
        """Relax all arcs that leave reached vertices, a thread for each: one iteration. Else as `relax_edges`."""
        self._add("relax_vertices", [changed], number=self._mode)

    def pull(self, queue: Queue, *, into: Queue) -> None:
        """Relax the same arcs as `relax`, from their heads: one iteration.

        Every vertex that has never been in the queue scans its in-arcs for the queue's vertices, whose distances must
        be final.
        """
        self.pulls = True
        self._add("pull", [queue, into])

    def unique(self, queue: Queue) -> None:
        """Drop all entries of a queue but the current one of each vertex."""
        self._add("unique", [queue, queue])

    def split(self, queue: Queue, *, into: Queues, up_to: Scalars, ordered: bool = False) -> None:
        """Move the vertices up to limits into other queues, one for each limit; the others remain.

        With `ordered` the queue is sorted and there is one limit: only its prefix is read.
        """
        self._add("split", [queue, *_as_list(into), queue], _as_list(up_to), int(ordered))

    def sort(self, queue: Queue) -> None:
        """Sort a queue by distance."""
        self._add("sort", [queue])

    def merge(self, queue: Queue, *, into: Queue) -> None:
        """Merge a sorted queue into another that is sorted."""
        self._add("merge", [queue, into])

    def lowest(self, queue: Queue, *, plus_lightest: bool = False) -> Scalar:
        """Return the lowest distance in a queue, and drop its stale entries.

        With `plus_lightest` the lowest sum of a vertex's distance and its lightest out-arc.
        """
        found = self.scalar(0)
        self.weighs_lightest |= plus_lightest
        self._add("lowest", [queue, queue], [found], int(plus_lightest))
        return found

    def raise_(self, limit: Scalar, *, to: Scalar, by: Scalar) -> None:
        """Set a limit to the sum of two scalars."""
        self._add("raise", scalars=[limit, to, by])

    def trace(
        self,
        *,
        near: Queues = (),
        far: Queues = (),
        up_to: Scalar | None = None,
        delta: Scalar | None = None,
        threads: bool = False,
        **columns: Queue | Scalar,
    ) -> None:
        """Begin a row of the trace; the next operation that relaxes completes it.

        `near` are the queues of the vertices that wait within the iteration's distance window, all vertices if there is
        none; `far` those beyond it. `up_to` is the end of the window, `delta` its width. `threads` adds the number of
        threads that a device with one per vertex would launch, of those that would find work, and of whole warps that
        would find none. Each further column is the number of vertices that wait in a queue, or the value of a scalar.
        All rows have the same columns.
        """
        nears, fars = _as_list(near), _as_list(far)
        queues = {name: handle for name, handle in columns.items() if isinstance(handle, Queue)}
        scalars = {name: handle for name, handle in columns.items() if isinstance(handle, Scalar)}
        kinds: list[tuple[str, Any]] = [(name, np.uint64) for name in queues]
        kinds += [(name, np.float64) for name in scalars]
        assert self.columns is None or self.columns == kinds
        self.columns, self.threads_traced = kinds, threads
        limits = [handle for handle in (up_to, delta) if handle is not None]
        row = TraceForm(up_to is not None, delta is not None, threads, len(nears), len(fars))
        self._add("trace", [*nears, *fars, *queues.values()], [*limits, *scalars.values()], row.packed())

    # ---- recording -----------------------------------------------------------------------------------------------

    @property
    def _mode(self) -> int:
        return SYNCHRONOUS if self.synchronous else 0

    def _add(self, op: str, queues: Any = (), scalars: Any = (), number: int = 0) -> Step:
        assert op in OPS
        step = Step(op, self.step_count, _numbers(queues), _numbers(scalars), number)
        self._open_when = None
        self.steps.append(step)
        self.step_count += 1
        return step

    @contextmanager
    def _inside(self, body: list[Step]) -> Iterator[None]:
        outside, self.steps = self.steps, body
        yield
        self.steps = outside


def _as_list(given: Any) -> list[Any]:
    """Return one handle or several as a list."""
    return [given] if isinstance(given, Handle) else list(given)


def _numbers(handles: Any) -> tuple[int, ...]:
    assert all(isinstance(handle, Handle) for handle in handles)
    return tuple(handle.number for handle in handles)


Schedule = Callable[..., None]
"""Takes a device, and the settings to record it with."""
