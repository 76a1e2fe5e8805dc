"""The protocol of the ADDS work queue, small enough to explore every interleaving.

A manager and some workers share a circular queue of buckets, as in `cpp/engines/adds/bucket.hpp` and `manager.hpp`,
with the same names. Processing an item pushes its children, given by `family`, into any bucket, including one before
the item's own: items with distances below the head are put there. Moving an item to another bucket, because it
was clipped or delta has fallen, is the same as processing it with one child. The invariants are: only written items are
read; no bucket is retired while its items are being processed; the clip bucket, which is the last of the circle, is not
assigned from while any other holds an item or one of its items is being processed; at the end every item has been
processed, exactly once; and the end is always reached. `mutant` breaks one rule: then one of the invariants must break.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from model.explore import WrongError

MUTANTS = {
    "count_before_write": "the write-completed counter is raised before the item is written",
    "pointer_before_counter": "the reservation pointer is not read again after the counter of a segment partly full",
    "trust_the_counter": "a segment partly full is read up to its counter, whatever has been reserved",
    "retire_when_empty": "a bucket is retired when all items have been read, not when they are processed",
    "finished_pointer_first": "the reservation pointer is read before the completed-work counter",
    "complete_before_push": "work is completed before its children are pushed",
    "one_look": "the clip bucket becomes the head, or the search ends, after one look that finds the others finished",
    "clip_is_urgent": "the clip bucket is one of those that items are assigned from at once",
    "note_after_look": "the wake-up is cleared after the buckets have been checked",
}


class Item(NamedTuple):
    bucket: int
    children: tuple[int, ...] = ()


class Bucket(NamedTuple):
    slots: tuple[int | None, ...] = ()
    """The written items, None where a slot is only reserved: the reservation pointer is the length."""
    counters: tuple[int, ...] = ()
    """Of each segment."""
    completed: int = 0
    read: int = 0


class State(NamedTuple):
    buckets: tuple[Bucket, ...]
    workers: tuple[tuple[Any, ...], ...]
    """Empty when idle, else (bucket, count, what is left to do)."""
    manager: tuple[Any, ...]
    head: int
    woken: int
    done: tuple[int, ...]
    """Items processed."""


class Queue:
    """The model: one manager, `workers` workers, `buckets` buckets of segments of `segment` items."""

    def __init__(self, family: tuple[Item, ...], *, workers: int = 3, segment: int = 2, mutant: str = "") -> None:
        assert mutant in ("", *MUTANTS)
        self.family, self.workers, self.segment, self.mutant = family, workers, segment, mutant
        self.buckets = max(2, 1 + max(item.bucket for item in family))
        self.urgent = 2 if mutant == "clip_is_urgent" else min(2, self.buckets - 1)
        self.ordered = all(family[child].bucket >= item.bucket for item in family for child in item.children)

    def initial(self) -> State:
        """The first item is in its bucket, all workers are idle."""
        buckets = [Bucket(counters=(0,) * 4)] * self.buckets
        first = self.family[0].bucket
        buckets[first] = Bucket((0,), (1, 0, 0, 0))
        return State(tuple(buckets), ((),) * self.workers, ("note",), 0, 0, ())

    def is_end(self, state: State) -> bool:
        """Whether the manager has left."""
        return state.manager == ("end",)

    def steps(self, state: State) -> Iterator[State]:
        """Every next step of every thread."""
        for id, worker in enumerate(state.workers):
            if worker:
                yield self.work(state, id, *worker)
        yield from self.manage(state, *state.manager)

    # ---- a worker

    def work(self, state: State, id: int, bucket: int, items: tuple[int, ...], left: tuple[Any, ...]) -> State:
        """The next of the steps that are left."""
        (step, *what), *rest = left
        if step == "reserve":
            into, item = what
            index = len(state.buckets[into].slots)
            state = put(state, into, slots=(*state.buckets[into].slots, None))
            write, count = ("write", into, item, index), ("count", into, index // self.segment)
            rest = [count, write, *rest] if self.mutant == "count_before_write" else [write, count, *rest]
        elif step == "write":
            into, item, index = what
            slots = state.buckets[into].slots
            state = put(state, into, slots=(*slots[:index], item, *slots[index + 1 :]))
        elif step == "count":
            into, segment = what
            counters = state.buckets[into].counters
            state = put(state, into, counters=(*counters[:segment], counters[segment] + 1, *counters[segment + 1 :]))
        elif step == "complete":
            state = put(state, bucket, completed=state.buckets[bucket].completed + len(items))
            state = state._replace(done=tuple(sorted((*state.done, *items))))
        elif step == "ring":
            state = state._replace(woken=1)
        worker = (bucket, items, tuple(rest)) if rest else ()
        return state._replace(workers=(*state.workers[:id], worker, *state.workers[id + 1 :]))

    def assignment(self, bucket: int, items: tuple[int, ...]) -> tuple[Any, ...]:
        """What a worker does with some items. It is idle, and may be assigned anew, once it has rung."""
        pushes = [
            ("reserve", self.family[child].bucket, child) for item in items for child in self.family[item].children
        ]
        if self.mutant == "complete_before_push":
            return (bucket, items, (("complete",), *pushes, ("ring",)))
        return (bucket, items, (*pushes, ("complete",), ("ring",)))

    # ---- the manager

    def manage(self, state: State, step: str, *what: Any) -> Iterator[State]:
        """Its next step, if it does not sleep."""
        if step == "note":  # a sweep begins: rings so far are taken note of
            state = state if self.mutant == "note_after_look" else state._replace(woken=0)
            yield state._replace(manager=("finished?", 1, 0))
        elif step == "finished?":
            yield self.look_whether_finished(state, *what)
        elif step == "finished!":
            yield self.decide_whether_finished(state, *what)
        elif step == "read":
            yield self.read(state, *what)
        elif step == "compare":
            yield self.compare(state, *what)
        elif step == "assign":
            yield self.assign(state, *what)
        elif step == "wait":
            if self.mutant == "note_after_look":
                yield state._replace(woken=0, manager=("asleep",))
            else:
                yield state._replace(manager=("asleep",))
        elif step == "asleep" and state.woken:
            yield state._replace(manager=("note",))

    def look_whether_finished(self, state: State, look: int, steps: int) -> State:
        bucket = state.buckets[(state.head + steps) % self.buckets]
        first = bucket.completed
        if self.mutant == "retire_when_empty":
            first = bucket.read
        elif self.mutant == "finished_pointer_first":
            first = len(bucket.slots)
        return state._replace(manager=("finished!", look, steps, first))

    def decide_whether_finished(self, state: State, look: int, steps: int, first: int) -> State:
        index, last = (state.head + steps) % self.buckets, self.buckets - 1
        bucket = state.buckets[index]
        second = bucket.completed if self.mutant == "finished_pointer_first" else len(bucket.slots)
        if first != second:  # this one is the head; those before it are retired
            for passed in range(steps):
                self.require_retirable(state, (state.head + passed) % self.buckets)
            if steps == last and any(it.completed < len(it.slots) for it in state.buckets if it is not bucket):
                raise WrongError(f"bucket {index} is the clip bucket, and another one holds items")
            return state._replace(head=index, manager=("read", 0, 0, False))
        if steps + 1 == last and look == 1 and self.mutant != "one_look":  # the clip bucket only after a second look
            return state._replace(manager=("finished?", 2, 0))
        if steps < last:
            return state._replace(manager=("finished?", look, steps + 1))
        if state.done != tuple(range(len(self.family))):
            raise WrongError(f"the end, but only {state.done} are done")
        return state._replace(manager=("end",))

    def require_retirable(self, state: State, index: int) -> None:
        """Nobody works on the bucket's items; nor is any left, where none can have come from behind meanwhile."""
        if any(worker and worker[0] == index and ("complete",) in worker[2] for worker in state.workers):
            raise WrongError(f"bucket {index} is retired, but a worker still has its items")
        if self.ordered and state.buckets[index].completed < len(state.buckets[index].slots):
            raise WrongError(f"bucket {index} is retired, but an item is in it")

    def read(self, state: State, steps: int, segment: int, assigned: bool) -> State:
        """Look at the counter of the segment that the read pointer is in."""
        if steps == self.urgent or all(state.workers):
            return self.swept(state, assigned)
        bucket = state.buckets[(state.head + steps) % self.buckets]
        segment = bucket.read // self.segment
        seen = bucket.counters[segment]
        if seen == self.segment:
            return state._replace(manager=("assign", steps, (segment + 1) * self.segment, assigned))
        if self.mutant == "pointer_before_counter":
            seen = len(bucket.slots)
        return state._replace(manager=("compare", steps, segment, seen, assigned))

    def compare(self, state: State, steps: int, segment: int, seen: int, assigned: bool) -> State:
        """Whether every reserved slot of a partly full segment has been written."""
        bucket = state.buckets[(state.head + steps) % self.buckets]
        reserved = len(bucket.slots)
        if self.mutant == "pointer_before_counter":
            seen, reserved = bucket.counters[segment], seen
        end = segment * self.segment + seen
        if (end == reserved or self.mutant == "trust_the_counter") and end > bucket.read:
            return state._replace(manager=("assign", steps, end, assigned))
        return state._replace(manager=("read", steps + 1, 0, assigned))

    def assign(self, state: State, steps: int, end: int, assigned: bool) -> State:
        """Assign the items up to `end` to an idle worker."""
        index = (state.head + steps) % self.buckets
        bucket = state.buckets[index]
        items = bucket.slots[bucket.read : end]
        if None in items or len(items) < end - bucket.read:
            raise WrongError(f"an item of bucket {index} is read before it is written")
        self.require_order(state, index, steps)
        id = state.workers.index(())
        worker = self.assignment(index, items)  # type: ignore[arg-type]
        state = put(state, index, read=end)
        workers = (*state.workers[:id], worker, *state.workers[id + 1 :])
        return state._replace(workers=workers, manager=("read", steps, 0, True))

    def require_order(self, state: State, index: int, steps: int) -> None:
        """The items of the clip bucket come last."""
        if steps == self.buckets - 1:
            raise WrongError(f"bucket {index} is the clip bucket, and is not the head")

    def swept(self, state: State, assigned: bool) -> State:
        """The end of a sweep that found something unfinished."""
        return state._replace(manager=("note",) if assigned else ("wait",))


def put(state: State, index: int, **changes: Any) -> State:
    """Change a bucket."""
    buckets = list(state.buckets)
    buckets[index] = buckets[index]._replace(**changes)
    return state._replace(buckets=tuple(buckets))
