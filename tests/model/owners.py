"""The protocol of threads that own vertices (`cpp/engines/delta/owned.hpp`), for two threads.

A thread takes its own items level by level. An item makes further items, which go into the thread's queue or, in a
message, to the other thread. A thread that is too far ahead waits, and so does one without work; both fall asleep. Each
step is one access to shared memory; what happens between two accesses is invisible to the other thread.

A thread's program is the tuple of its next operations. An operation may put others before the rest. A position is
published by a store that the processor may delay beyond the following load, except that of a thread without work; so
both orders are explored.

The promises: a thread ends only if every item is done, and every state leads to the end of both threads.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from model.explore import WrongError

NO_WORK = 99
DRIFT = 1
"""Levels that a thread may be ahead of the other."""

MUTANTS = (
    "bounds are 0",
    "taken before the position is lowered",
    "no wake-up after sending",
    "no wake-up without work",
    "no wake-up before a wait",
    "asleep without a last check",
    "counted as asleep after the last check",
    "the signal is cleared after the last check",
    "over without a second look at positions",
    "over without counting messages",
)

Op = tuple[Any, ...]
LOOP: tuple[Op, ...] = (("receive",), ("decide",))


class Item(NamedTuple):
    """A vertex to relax: its owner, its level, and the items that this makes."""

    owner: int
    level: int
    makes: tuple[int, ...] = ()
    stale: bool = False
    """A message that is no improvement when it is read."""


class Thread(NamedTuple):
    """What only the thread itself reads and writes."""

    program: tuple[Op, ...] = LOOP
    queue: frozenset[tuple[int, int]] = frozenset()
    """Pairs of level and item."""
    level: int = 0
    received: int = NO_WORK
    unread: int = NO_WORK
    """The least level in messages that the other may not have read."""
    put: tuple[int, ...] = ()
    """Messages that are not sent yet."""
    read: int = 0


@dataclass(frozen=True, slots=True)
class State:
    """Both threads and the shared memory; a pair has an entry for each thread."""

    threads: tuple[Thread, Thread]
    messages: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    """All that a thread has sent so far."""
    taken: tuple[int, int] = (0, 0)
    """Of those, how many the other has read."""
    position: tuple[int, int] = (0, 0)
    awaited: tuple[int, int] = (NO_WORK, NO_WORK)
    signal: tuple[bool, bool] = (False, False)
    sleepers: int = 0
    done: frozenset[int] = frozenset()


def _with(pair: tuple[Any, Any], i: int, value: Any) -> tuple[Any, Any]:
    return (value, pair[1]) if i == 0 else (pair[0], value)


class Owners:
    """Two threads, given the items; the first ones of each owner at level 0 are sources."""

    def __init__(self, items: tuple[Item, ...], mutant: str = "") -> None:
        assert not mutant or mutant in MUTANTS
        self.items, self.mutant = items, mutant
        made = {i for item in items for i in item.makes}
        self.sources = [i for i in range(len(items)) if i not in made]

    def initial(self) -> State:
        """Return the state in which every thread has its sources."""
        queues = [frozenset((0, i) for i in self.sources if self.items[i].owner == t) for t in (0, 1)]
        return State((Thread(queue=queues[0]), Thread(queue=queues[1])))

    def is_end(self, state: State) -> bool:
        """Return whether both threads have ended."""
        return not any(thread.program for thread in state.threads)

    def steps(self, state: State) -> Iterator[State]:
        """Yield the states after the next step of either thread."""
        for t, thread in enumerate(state.threads):
            if thread.program:
                op, *rest = thread.program
                begun = self._become(state, t, program=tuple(rest))
                yield from getattr(self, f"_{op[0]}")(begun, t, *op[1:])

    @staticmethod
    def _become(state: State, t: int, *first: Op, **changes: Any) -> State:
        """Return the state with a thread changed, and operations put before its others."""
        thread = state.threads[t]._replace(**changes)
        thread = thread._replace(program=first + thread.program)
        return replace(state, threads=_with(state.threads, t, thread))

    # ---- messages ------------------------------------------------------------------------------------------------

    def _receive(self, state: State, t: int) -> Iterator[State]:
        sent, read = state.messages[1 - t], state.threads[t].read
        if read == len(sent):
            yield state
            return
        reads: list[Op] = [("read", i) for i in sent[read:]]
        taken: list[Op] = [("take", len(sent))]
        ops = taken + reads if self.mutant == "taken before the position is lowered" else reads + taken
        # this wake-up only saves time: the one before a wait would do
        yield self._become(state, t, *ops, ("wake", NO_WORK), read=len(sent))

    def _read(self, state: State, t: int, i: int) -> Iterator[State]:
        thread, level = state.threads[t], self.items[i].level
        if self.items[i].stale:
            yield replace(state, done=state.done | {i})
            return
        queue = thread.queue | {(max(level, thread.level), i)}
        state = self._become(state, t, queue=queue, received=min(thread.received, level))
        yield replace(state, position=_with(state.position, t, min(state.position[t], level)))

    def _take(self, state: State, t: int, count: int) -> Iterator[State]:
        yield replace(state, taken=_with(state.taken, 1 - t, count))

    def _send(self, state: State, t: int) -> Iterator[State]:
        put = state.threads[t].put
        if not put:
            yield state
            return
        wake: tuple[Op, ...] = () if self.mutant == "no wake-up after sending" else (("wake", NO_WORK),)
        state = self._become(state, t, *wake, put=())
        yield replace(state, messages=_with(state.messages, t, state.messages[t] + put))

    # ---- work ----------------------------------------------------------------------------------------------------

    def _decide(self, state: State, t: int) -> Iterator[State]:
        thread = state.threads[t]
        if not thread.queue:
            ended, wait = (("end",),), (("wait", NO_WORK, ("idle",)),)
            yield from self._publish(self._become(state, t, ("over", 0, 0, ended, wait)), t, NO_WORK)
            return
        level = min(thread.queue)[0]
        bound = 0 if self.mutant == "bounds are 0" else level
        work, wait = (("work", level),), (("wait", level - DRIFT, ("early", level)),)
        begun = self._become(state, t, ("may_begin", level, work, wait))
        yield from self._publish(begun, t, min(bound, thread.received))

    def _publish(self, state: State, t: int, position: int) -> Iterator[State]:
        if state.position[t] == position:
            yield state
        elif position == NO_WORK:
            wake: tuple[Op, ...] = () if self.mutant == "no wake-up without work" else (("wake", NO_WORK),)
            yield self._become(state, t, ("store", position), *wake)
        else:
            yield self._become(state, t, ("store", position), ("wake", position))
            yield self._become(state, t, ("wake", position), ("store", position))

    def _store(self, state: State, t: int, position: int) -> Iterator[State]:
        yield replace(state, position=_with(state.position, t, position))

    def _may_begin(self, state: State, t: int, level: int, yes: tuple[Op, ...], no: tuple[Op, ...]) -> Iterator[State]:
        thread = state.threads[t]
        if level in (thread.level, 0):
            yield self._become(state, t, *yes)
            return
        unread = NO_WORK if state.taken[t] == len(state.messages[t]) else thread.unread
        yield self._become(state, t, ("compare", level, unread, yes, no), unread=unread)

    def _compare(
        self, state: State, t: int, level: int, unread: int, yes: tuple[Op, ...], no: tuple[Op, ...]
    ) -> Iterator[State]:
        least = min(unread, state.position[1 - t])
        yield self._become(state, t, *(yes if level - DRIFT <= least else no))

    def _work(self, state: State, t: int, level: int) -> Iterator[State]:
        thread = state.threads[t]
        queue, put, unread, done = set(thread.queue), list(thread.put), thread.unread, set(state.done)
        while queue and min(queue)[0] == level:
            entry = min(queue)
            queue.remove(entry)
            done.add(entry[1])
            for i in self.items[entry[1]].makes:
                made = self.items[i]
                if made.owner == t:
                    queue.add((max(made.level, level), i))
                else:
                    put.append(i)
                    unread = min(unread, made.level)
        changes = {"queue": frozenset(queue), "put": tuple(put), "unread": unread}
        state = self._become(state, t, ("send",), ("receive",), *LOOP, level=level, received=NO_WORK, **changes)
        yield replace(state, done=frozenset(done))

    # ---- the end -------------------------------------------------------------------------------------------------

    def _over(
        self, state: State, t: int, stage: int, total: int, yes: tuple[Op, ...], no: tuple[Op, ...]
    ) -> Iterator[State]:
        """Check that no thread has work: positions, sent, taken, positions again, sent again; each read is a step."""
        skipped = self.mutant == "over without a second look at positions" and stage == 5
        uncounted = self.mutant == "over without counting messages" and stage in (1, 2, 3, 4, 6, 7)
        holds, after = True, total
        if skipped or uncounted:
            pass
        elif stage in (0, 5):
            holds = state.position[1 - t] == NO_WORK
        elif stage in (1, 2):
            after = total + len(state.messages[stage - 1])
        elif stage in (3, 4):
            after = total - state.taken[stage - 3]  # 0 if all sent messages are taken
            holds = stage == 3 or after == 0
        else:
            after = total + len(state.messages[stage - 6]) - state.taken[stage - 6]
            holds = after == 0
        if not holds:
            yield self._become(state, t, *no)
        elif stage == 7:
            yield self._become(state, t, *yes)
        else:
            yield self._become(state, t, ("over", stage + 1, after, yes, no))

    def _end(self, state: State, t: int) -> Iterator[State]:
        if len(state.done) < len(self.items):
            raise WrongError(f"thread {t} ends, but items are not done: {set(range(len(self.items))) - state.done}")
        yield state

    # ---- sleep ---------------------------------------------------------------------------------------------------

    def _wait(self, state: State, t: int, awaited: int, ready: Op) -> Iterator[State]:
        position = state.position[t]
        announce: tuple[Op, ...] = (("store", position), ("wake", position))
        if self.mutant == "no wake-up before a wait":
            announce = ()
        check: tuple[Op, ...] = () if self.mutant == "asleep without a last check" else (ready,)
        count, clear = ("count", 1), ("clear",)
        order: tuple[Op, ...] = (clear, ("await", awaited), count, *check)
        if self.mutant == "counted as asleep after the last check":
            order = (clear, ("await", awaited), *check, count)
        if self.mutant == "the signal is cleared after the last check":
            order = (("await", awaited), count, *check, clear)
        yield self._become(state, t, *announce, *order, ("sleep",), ("woken",))

    def _clear(self, state: State, t: int) -> Iterator[State]:
        yield replace(state, signal=_with(state.signal, t, False))

    def _await(self, state: State, t: int, awaited: int) -> Iterator[State]:
        yield replace(state, awaited=_with(state.awaited, t, awaited))

    def _count(self, state: State, t: int, by: int) -> Iterator[State]:
        yield replace(state, sleepers=state.sleepers + by)

    def _idle(self, state: State, t: int) -> Iterator[State]:
        """Do not sleep if there are messages, or if the search is over."""
        if state.threads[t].read < len(state.messages[1 - t]):
            yield from self._stay_awake(state, t)
        else:
            yield self._become(state, t, ("over", 0, 0, (("stay_awake",),), ()))

    def _early(self, state: State, t: int, level: int) -> Iterator[State]:
        """Do not sleep if there are messages, or if the level may begin."""
        if state.threads[t].read < len(state.messages[1 - t]):
            yield from self._stay_awake(state, t)
        else:
            yield self._become(state, t, ("may_begin", level, (("stay_awake",),), ()))

    def _stay_awake(self, state: State, t: int) -> Iterator[State]:
        program = state.threads[t].program
        yield self._become(state, t, program=program[program.index(("sleep",)) + 1 :])

    def _sleep(self, state: State, t: int) -> Iterator[State]:
        if state.signal[t]:
            yield state

    def _woken(self, state: State, t: int) -> Iterator[State]:
        state = self._become(state, t, ("count", -1), *LOOP)
        yield replace(state, awaited=_with(state.awaited, t, NO_WORK))

    def _wake(self, state: State, t: int, position: int) -> Iterator[State]:
        yield self._become(state, t, ("signal", position)) if state.sleepers > 0 else state

    def _signal(self, state: State, t: int, position: int) -> Iterator[State]:
        if state.awaited[1 - t] <= position:
            state = replace(state, signal=_with(state.signal, 1 - t, True))
        yield state
