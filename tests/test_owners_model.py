"""Every interleaving of the protocol of threads that own vertices; and without any one rule a check fails."""

from __future__ import annotations

import pytest

from model.explore import WrongError, explore
from model.owners import MUTANTS, Item, Owners

FAMILIES = {
    "chain": (Item(0, 0, (1,)), Item(1, 1, (2,)), Item(0, 2, (3,)), Item(1, 3)),
    "both_begin": (Item(0, 0, (2,)), Item(1, 0, (3,)), Item(0, 2), Item(1, 2)),
    "exchange": (Item(0, 0, (2,)), Item(1, 0, (3,)), Item(1, 1, (4,)), Item(0, 1), Item(0, 3)),
    "far_ahead": (Item(0, 0, (1, 2)), Item(0, 3), Item(1, 1, (3,)), Item(1, 2, (4,)), Item(0, 2)),
    "leap": (Item(0, 0, (2,)), Item(1, 0, (3,)), Item(0, 2), Item(1, 4)),
    "stale": (Item(0, 0, (2, 3)), Item(1, 0, (4,)), Item(1, 1, (), True), Item(0, 3), Item(1, 3)),
    "stale_only": (Item(0, 0, (1, 2)), Item(1, 1, (), True), Item(0, 3)),
    "back": (Item(0, 0, (1, 2)), Item(1, 1, (3,)), Item(0, 3), Item(0, 1)),
}


@pytest.mark.parametrize("family", FAMILIES)
def test_the_protocol_keeps_its_promises(family):
    assert explore(Owners(FAMILIES[family])) > 500


@pytest.mark.parametrize("mutant", MUTANTS)
def test_every_rule_is_needed(mutant):
    with pytest.raises(WrongError):
        explore_all(mutant)


def explore_all(mutant):
    for family in FAMILIES.values():
        explore(Owners(family, mutant))
