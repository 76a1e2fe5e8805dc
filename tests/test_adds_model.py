"""Every interleaving of the protocols of ADDS; and without any one rule a check fails."""

from __future__ import annotations

import pytest

from model import adds_blocks, adds_queue
from model.adds_blocks import Memory
from model.adds_queue import Item, Queue
from model.explore import WrongError, explore

FAMILIES = {
    "chain": (Item(0, (1,)), Item(0, (2,)), Item(1)),
    "fan": (Item(0, (1, 2)), Item(0, (3,)), Item(0, (4,)), Item(0), Item(0)),
    "back_and_forth": (Item(0, (1, 2)), Item(1, (3,)), Item(1), Item(0)),
    "two_writers": (Item(0, (1, 2)), Item(0, (3,)), Item(0, (4,)), Item(1), Item(1)),
    "three_buckets": (Item(0, (1, 2)), Item(1, (3,)), Item(2, (4,)), Item(1), Item(2)),
    "back_before_the_clip": (Item(0, (1, 2)), Item(1, (3,)), Item(2), Item(0)),
    "both_at_once": (Item(0, (1, 2)), Item(0, (3,)), Item(1, (4,)), Item(0), Item(0)),
}


@pytest.mark.parametrize("family", FAMILIES)
def test_the_queue_keeps_its_promises(family):
    assert explore(Queue(FAMILIES[family])) > 500


@pytest.mark.parametrize("mutant", adds_queue.MUTANTS)
def test_every_rule_of_the_queue_is_needed(mutant):
    with pytest.raises(WrongError):
        explore_all(mutant)


def explore_all(mutant):
    for family in FAMILIES.values():
        explore(Queue(family, mutant=mutant))


def test_the_memory_keeps_its_promises():
    assert explore(Memory()) > 20_000


@pytest.mark.parametrize("mutant", adds_blocks.MUTANTS)
def test_every_rule_of_the_memory_is_needed(mutant):
    with pytest.raises(WrongError):
        explore(Memory(mutant))
