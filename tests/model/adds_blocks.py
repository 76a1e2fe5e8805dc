"""The memory of the ADDS work queue: how blocks are found, written, processed, recycled and found again.

Two writers push into a bucket each, one worker processes its assignments, and the manager provides blocks from a pool
of two and takes them back, as in `cpp/engines/adds/blocks.hpp` and `bucket.hpp`. A bucket's table has a single slot, so
every block is looked up where another one was. The invariants are: an item is what was pushed, from the time it is
written until it is processed; and all items are processed. `mutant` breaks one rule: then an invariant must break.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from model.explore import WrongError

MUTANTS = {
    "recycle_when_read": "a block is recycled when its items have been assigned, not when they have been processed",
    "trust_the_slot": "a writer takes the block it finds in the slot, whatever its tag",
    "tag_without_bucket": "the tag is the number of the block alone",
    "reset_after_tag": "the counters are set to zero after the tag has been set",
}

SIZE = 2
"""Items of a block, which is one segment."""

ITEMS = 3
"""Items that each writer pushes: the second block of a bucket begins with the last."""

Position = tuple[int, int]
"""A bucket and an index; also the item that belongs there."""


class Block(NamedTuple):
    tag: Any = None
    items: tuple[Position | None, ...] = (None,) * SIZE
    written: int = 0
    completed: int = 0


class Bucket(NamedTuple):
    slot: int | None = None
    reserved: int = 0
    installed: int = 0
    read: int = 0


class State(NamedTuple):
    blocks: tuple[Block, ...]
    buckets: tuple[Bucket, ...]
    writers: tuple[tuple[Any, ...], ...]
    worker: tuple[Any, ...]
    """Empty, or the block and the slots that it has to process."""
    manager: tuple[Any, ...]
    pool: tuple[int, ...]
    done: frozenset[Position]


class Memory:
    """The model."""

    def __init__(self, mutant: str = "") -> None:
        assert mutant in ("", *MUTANTS)
        self.mutant = mutant

    def initial(self) -> State:
        """Nothing has been pushed, both blocks are in the pool."""
        return State(
            (Block(), Block()), (Bucket(), Bucket()), (("reserve",),) * 2, (), ("recycle", 0), (0, 1), frozenset()
        )

    def is_end(self, state: State) -> bool:
        """Whether all items have been processed."""
        return len(state.done) == 2 * ITEMS

    def steps(self, state: State) -> Iterator[State]:
        """Every next step of every thread."""
        for id, writer in enumerate(state.writers):
            if writer:
                step, *what = writer
                yield getattr(self, step)(state, id, *what)
        if state.worker:
            yield self.work(state, *state.worker)
        if not self.is_end(state):
            step, *what = state.manager
            yield getattr(self, step)(state, *what)

    def tag_of(self, bucket: int, number: int) -> Any:
        """A name that no other block has."""
        return number if self.mutant == "tag_without_bucket" else (bucket, number)

    # ---- a writer, which writes into the bucket of its own number

    def reserve(self, state: State, id: int) -> State:
        index = state.buckets[id].reserved
        return then(change(state, id, reserved=index + 1), id, "find", index)

    def find(self, state: State, id: int, index: int) -> State:
        slot = state.buckets[id].slot
        return then(state, id, "find", index) if slot is None else then(state, id, "check", index, slot)

    def check(self, state: State, id: int, index: int, slot: int) -> State:
        right = state.blocks[slot].tag == self.tag_of(id, index // SIZE) or self.mutant == "trust_the_slot"
        return then(state, id, "write", index, slot) if right else then(state, id, "find", index)

    def write(self, state: State, id: int, index: int, slot: int) -> State:
        items = list(state.blocks[slot].items)
        items[index % SIZE] = (id, index)
        return then(block(state, slot, items=tuple(items)), id, "count", index, slot)

    def count(self, state: State, id: int, index: int, slot: int) -> State:
        state = block(state, slot, written=state.blocks[slot].written + 1)
        return then(state, id, "reserve") if index + 1 < ITEMS else then(state, id)

    # ---- the worker

    def work(self, state: State, slot: int, places: tuple[Position, ...], left: int) -> State:
        if left > 0:
            bucket, index = places[len(places) - left]
            if state.blocks[slot].items[index % SIZE] != (bucket, index):
                raise WrongError(f"item {index} of bucket {bucket} is not what was pushed")
            return state._replace(worker=(slot, places, left - 1))
        state = block(state, slot, completed=state.blocks[slot].completed + len(places))
        return state._replace(worker=(), done=state.done | set(places))

    # ---- the manager: takes back from every bucket, then provides for every bucket, then hands out

    def recycle(self, state: State, bucket: int) -> State:
        here = state.buckets[bucket]
        after = ("recycle", 1) if bucket == 0 else ("provide", 0)
        slot = here.slot
        if slot is None or here.read < here.installed * SIZE:
            return state._replace(manager=after)
        if state.blocks[slot].completed != SIZE and self.mutant != "recycle_when_read":
            return state._replace(manager=after)
        return change(state, bucket, slot=None)._replace(manager=("untag", slot, after))

    def untag(self, state: State, slot: int, after: tuple[Any, ...]) -> State:
        return block(state, slot, tag=None)._replace(pool=(*state.pool, slot), manager=after)

    def provide(self, state: State, bucket: int) -> State:
        here = state.buckets[bucket]
        after = ("provide", 1) if bucket == 0 else ("look", 0)
        if here.slot is not None or not state.pool or here.installed > here.reserved // SIZE:
            return state._replace(manager=after)
        *rest, slot = state.pool
        order = ("tag", "slot", "reset") if self.mutant == "reset_after_tag" else ("reset", "tag", "slot")
        return state._replace(pool=tuple(rest), manager=("become", bucket, slot, order, after))

    def become(self, state: State, bucket: int, slot: int, left: tuple[str, ...], after: tuple[Any, ...]) -> State:
        step, *rest = left
        if step == "reset":
            state = block(state, slot, written=0, completed=0)
        elif step == "tag":
            state = block(state, slot, tag=self.tag_of(bucket, state.buckets[bucket].installed))
        else:
            state = change(state, bucket, slot=slot)
        if rest:
            return state._replace(manager=("become", bucket, slot, tuple(rest), after))
        return change(state, bucket, installed=state.buckets[bucket].installed + 1)._replace(manager=after)

    def look(self, state: State, bucket: int) -> State:
        here = state.buckets[bucket]
        after = ("look", 1) if bucket == 0 else ("recycle", 0)
        number = here.read // SIZE
        if state.worker or here.slot is None or number + 1 != here.installed:
            return state._replace(manager=after)
        return state._replace(manager=("compare", bucket, state.blocks[here.slot].written, after))

    def compare(self, state: State, bucket: int, written: int, after: tuple[Any, ...]) -> State:
        here = state.buckets[bucket]
        end = here.read // SIZE * SIZE + written
        if end == here.read or (written < SIZE and end != here.reserved):
            return state._replace(manager=after)
        places = tuple((bucket, index) for index in range(here.read, end))
        return change(state, bucket, read=end)._replace(worker=(here.slot, places, len(places)), manager=after)


def then(state: State, id: int, *step: Any) -> State:
    """Say what a writer does next; nothing at all when it has pushed everything."""
    return state._replace(writers=(*state.writers[:id], step, *state.writers[id + 1 :]))


def change(state: State, bucket: int, **changes: Any) -> State:
    """Change a bucket."""
    buckets = list(state.buckets)
    buckets[bucket] = buckets[bucket]._replace(**changes)
    return state._replace(buckets=tuple(buckets))


def block(state: State, slot: int, **changes: Any) -> State:
    """Change a block."""
    blocks = list(state.blocks)
    blocks[slot] = blocks[slot]._replace(**changes)
    return state._replace(blocks=tuple(blocks))
