"""What a schedule may ask of a device.

A bulk-synchronous method is a *schedule*: a short function that calls the operations below. Calling it does not search;
it records a program, which the device then runs from the first operation to the last without coming back to Python: the
CPU as a native loop, a GPU as one captured graph. So a schedule is called once, decides nothing by itself, and never
sees a value: queues and scalars are handles whose contents live on the device.

The rules that make schedules short:

- A queue holds vertices, each with the distance it had when it was put there. Whoever lowers a distance queues the
  vertex again, so only one entry of a vertex is alive, the one with its present distance; operations drop the dead
  they meet. A queue is therefore a set, and no vertex is relaxed twice for the same distance.
- An operation first takes everything out of its queue, so it may put its results into the same queue.
- Limits are inclusive: up to a limit means <=. With < and floats a small delta would be absorbed (1e8 + 1 in float32),
  and a loop would never end.
- All memory is claimed while recording (`queue`, `scalar`), nothing inside loops.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, NoReturn

TRAVERSALS = ("load_balanced", "cta_warp_scan", "cooperative_blocks")
"""How the arcs of a queue are shared (Davidson et al. 2014, section IV.B); the first is the default."""


class ScheduleError(TypeError):
    """A schedule tried to look at a value, which exists only on the device and only later."""


class Handle:
    """Something that lives on a device; it can be handed to operations and to nothing else."""

    def __init__(self, number: int) -> None:
        self.number = number

    def _refuse(self, *_: object) -> NoReturn:
        raise ScheduleError(
            f"a {type(self).__name__.lower()} has no value while a schedule is recorded; "
            "use device.repeat and device.when to decide by what it will hold."
        )

    __bool__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __len__ = __iter__ = __getitem__ = __contains__ = __int__ = __float__ = __index__ = _refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _refuse
    __hash__ = object.__hash__


class Queue(Handle):
    """A queue of vertices."""


class Flag(Queue):
    """Something that is raised or not: for `repeat` a queue that holds something or nothing."""


class Scalar(Handle):
    """A distance."""


Queues = Queue | Sequence[Queue]
Scalars = Scalar | Sequence[Scalar]


class Device(ABC):
    """The operations."""

    busy_from: int
    """So many vertices keep the device busy."""

    # ---- what there is -------------------------------------------------------------------------------------------

    @abstractmethod
    def queue(self) -> Queue:
        """Return a queue, empty."""

    @abstractmethod
    def flag(self) -> Flag:
        """Return a flag, not raised."""

    @abstractmethod
    def scalar(self, value: float) -> Scalar:
        """Return a scalar with a first value, rounded down where distances are whole numbers."""

    @abstractmethod
    def start(self, into: Queue) -> None:
        """Give the sources distance 0, everything else none, and queue the sources (or raise a flag)."""

    # ---- what is done when ---------------------------------------------------------------------------------------

    @abstractmethod
    def repeat(self, *queues: Queue) -> AbstractContextManager[None]:
        """Repeat the body while any of the queues holds something."""

    @abstractmethod
    def when(self, queue: Queue, *, at_least: int) -> AbstractContextManager[None]:
        """Do the body only if a queue holds at least so many."""

    @abstractmethod
    def otherwise(self) -> AbstractContextManager[None]:
        """Do the body if that of the `when` just before was not done."""

    @abstractmethod
    def settled(self, *, up_to: Scalar | None = None, below: Scalar | None = None) -> None:
        """Say that all distances up to a limit, or below one, are known and final.

        If all targets are among them, the search is over.
        """

    @abstractmethod
    def stop_at_cycle(self) -> None:
        """End the search if the parents close a cycle, which they do only around a negative one."""

    # ---- what is done --------------------------------------------------------------------------------------------

    @abstractmethod
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
        new distance, or `beyond` all limits. Without limits everything goes `into` one queue.
        """

    @abstractmethod
    def relax_edges(self, changed: Flag) -> None:
        """Relax all arcs of the graph: one iteration. The flag tells whether a distance fell."""

    @abstractmethod
    def pull(self, queue: Queue, *, into: Queue) -> None:
        """Do what `relax` does, from the other end: one iteration.

        Every vertex that has never been in the queue looks for the queue's vertices among its in-arcs. The distances
        of those must be final.
        """

    @abstractmethod
    def unique(self, queue: Queue) -> None:
        """Keep one entry of each vertex, that of its present distance."""

    @abstractmethod
    def split(self, queue: Queue, *, into: Queues, up_to: Scalars, ordered: bool = False) -> None:
        """Move what is up to limits into other queues, one for each limit; the rest stays.

        With `ordered` the queue is sorted and there is one limit: only the beginning is looked at.
        """

    @abstractmethod
    def sort(self, queue: Queue) -> None:
        """Order a queue by distance."""

    @abstractmethod
    def merge(self, queue: Queue, *, into: Queue) -> None:
        """Merge a sorted queue into another that is sorted."""

    @abstractmethod
    def lowest(self, queue: Queue, *, plus_lightest: bool = False) -> Scalar:
        """Return the lowest distance in a queue, and drop its dead.

        With `plus_lightest` the lowest sum of a vertex's distance and its lightest out-arc.
        """

    @abstractmethod
    def raise_(self, limit: Scalar, *, to: Scalar, by: Scalar) -> None:
        """Set a limit to the sum of two scalars."""

    @abstractmethod
    def trace(self, *, up_to: Scalar | None = None, threads: bool = False, **columns: Queue | Scalar) -> None:
        """Begin a row of the trace, which the next operation that relaxes completes.

        `up_to` is the end of the iteration's distance window. Each column is the size of a queue or the value of a
        scalar; `threads` adds how many threads a device with one for each vertex would launch, and how many of them
        would find work.
        """


def as_list(given: Any) -> list[Any]:
    """Return one handle or several as a list."""
    return [given] if isinstance(given, Handle) else list(given)


Schedule = Callable[..., None]
"""Takes a device, and the settings it is recorded with."""
