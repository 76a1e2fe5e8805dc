"""Parents from the distances, where they could not be written together with them.

An arc is tight if its tail's distance plus its weight is its head's distance. Every reached vertex but a source has a
tight arc into it, and the tail of any of them may be its parent as long as no cycle is closed; that can happen only
among arcs that add nothing. So first each vertex takes the lowest tail of its tight arcs from a strictly lower
distance. A vertex without one was reached over arcs that add nothing: those are found in rounds, each of which extends
the tree from the vertices of the last. With negative weights a lower distance does not mean that the tail was reached
before; then the whole tree is built in rounds from the sources.
"""

from collections.abc import Iterator
from enum import IntEnum
from functools import cache

import warp as wp

from pathfront.devices.gpu.kernels import atomics, numbers
from pathfront.devices.gpu.kernels.csr import last_up_to, share_of
from pathfront.devices.gpu.kernels.module import Ints, Kernels, Uints
from pathfront.devices.gpu.kernels.numbers import NO_VERTEX


class Cell(IntEnum):
    """Cells, each a uint32."""

    COUNT = 0  # vertices of this round
    FOUND = 1  # vertices of the next round
    SIDE = 2  # which of `lists` has this round's vertices
    MISSING = 3  # vertices that were reached and have no parent


CELLS = len(Cell)


def modules() -> Iterator[wp.Module]:
    """Build the kernels of all types; yield their modules."""
    for name in numbers.TYPES:
        yield of(name).module


@cache
def of(name: str) -> Kernels:
    """Return the kernels for one type of distances, which is not packed."""
    number, made = numbers.of(name, False), Kernels(f"pathfront_parents_{name}")
    dtype, unreached, plus = number.dtype, number.unreached, number.plus
    Csr, weight_of = number.Csr, number.weight_of  # noqa: N806, a type
    access, reserve = atomics.of(wp.uint32), atomics.u32.reserve
    fetch_min, compare_and_swap, store = access.fetch_min, access.compare_and_swap, access.store

    @wp.struct
    class Tree:
        n: int
        blocks: int
        graph: Csr
        dist: wp.array(dtype=dtype)
        parent: Uints
        is_source: wp.array(dtype=wp.uint8)
        lists: wp.array2d(dtype=wp.int32)  # the vertices of this round, and of the next
        cells: Uints

    @wp.func
    def is_tight(tree: Tree, u: int, arc: int) -> bool:
        # unreached marks both a sum that does not fit and an unreached head
        there = plus(tree.dist[u], weight_of(tree.graph, arc))
        return there != unreached and there == tree.dist[tree.graph.heads[arc]]

    @made.add
    def clear_tree(tree: Tree):
        block, thread = wp.tid()
        for v in range(block * wp.block_dim() + thread, tree.n, tree.blocks * wp.block_dim()):
            tree.parent[v] = NO_VERTEX
            tree.is_source[v] = wp.uint8(0)
        if block == 0 and thread == 0:
            for i in range(CELLS):
                tree.cells[i] = wp.uint32(0)

    @made.add
    def set_sources(tree: Tree, sources: Ints, source_count: Ints):
        block, thread = wp.tid()
        for i in range(block * wp.block_dim() + thread, source_count[0], tree.blocks * wp.block_dim()):
            tree.is_source[sources[i]] = wp.uint8(1)
            tree.lists[0, i] = sources[i]
            store(tree.cells, Cell.COUNT, wp.uint32(source_count[0]))

    @made.add
    def find_lower(tree: Tree):
        block, thread = wp.tid()
        index, threads = block * wp.block_dim() + thread, tree.blocks * wp.block_dim()
        share = share_of(tree.graph.heads.shape[0], index, threads)
        if share[0] >= share[1]:
            return
        u = last_up_to(tree.graph.offsets, 0, tree.n, share[0])
        for arc in range(share[0], share[1]):
            while arc >= tree.graph.offsets[u + 1]:
                u += 1
            if tree.dist[u] < tree.dist[tree.graph.heads[arc]] and is_tight(tree, u, arc):
                fetch_min(tree.parent, tree.graph.heads[arc], wp.uint32(u))

    @made.add
    def list_found(tree: Tree):
        block, thread = wp.tid()
        for v in range(block * wp.block_dim() + thread, tree.n, tree.blocks * wp.block_dim()):
            if tree.dist[v] != unreached and tree.is_source[v] == wp.uint8(0):
                if tree.parent[v] == NO_VERTEX:
                    store(tree.cells, Cell.MISSING, wp.uint32(1))
                else:
                    tree.lists[0, int(reserve(tree.cells, Cell.COUNT))] = v

    @made.add
    def find_next(tree: Tree):
        block, thread = wp.tid()
        side = int(tree.cells[Cell.SIDE])
        for i in range(block * wp.block_dim() + thread, int(tree.cells[Cell.COUNT]), tree.blocks * wp.block_dim()):
            u = tree.lists[side, i]
            for arc in range(tree.graph.offsets[u], tree.graph.offsets[u + 1]):
                v = tree.graph.heads[arc]
                open = tree.parent[v] == NO_VERTEX and tree.is_source[v] == wp.uint8(0) and is_tight(tree, u, arc)
                if open and compare_and_swap(tree.parent, v, NO_VERTEX, wp.uint32(u)) == NO_VERTEX:
                    tree.lists[1 - side, int(reserve(tree.cells, Cell.FOUND))] = v

    # The same where the graph is a matrix: a block takes a row, its threads the entries.

    @wp.func
    def is_tight_entry(tree: Tree, matrix: wp.array2d(dtype=dtype), u: int, v: int) -> bool:
        return matrix[u, v] != unreached and plus(tree.dist[u], matrix[u, v]) == tree.dist[v]

    @made.add
    def find_lower_rows(tree: Tree, matrix: wp.array2d(dtype=dtype)):
        block, thread = wp.tid()
        for u in range(block, tree.n, tree.blocks):
            for v in range(thread, tree.n, wp.block_dim()):
                if tree.dist[u] < tree.dist[v] and is_tight_entry(tree, matrix, u, v):
                    fetch_min(tree.parent, v, wp.uint32(u))

    @made.add
    def find_next_rows(tree: Tree, matrix: wp.array2d(dtype=dtype)):
        block, thread = wp.tid()
        side = int(tree.cells[Cell.SIDE])
        for i in range(block, int(tree.cells[Cell.COUNT]), tree.blocks):
            u = tree.lists[side, i]
            for v in range(thread, tree.n, wp.block_dim()):
                open = tree.parent[v] == NO_VERTEX and tree.is_source[v] == wp.uint8(0)
                if (
                    open
                    and is_tight_entry(tree, matrix, u, v)
                    and compare_and_swap(tree.parent, v, NO_VERTEX, wp.uint32(u)) == NO_VERTEX
                ):
                    tree.lists[1 - side, int(reserve(tree.cells, Cell.FOUND))] = v

    @made.add
    def next_round(tree: Tree, stop: Ints, answer: Ints):
        tree.cells[Cell.COUNT] = tree.cells[Cell.FOUND]
        tree.cells[Cell.FOUND] = wp.uint32(0)
        tree.cells[Cell.SIDE] = wp.uint32(1) - tree.cells[Cell.SIDE]
        answer[0] = 0
        if tree.cells[Cell.COUNT] > wp.uint32(0) and stop[0] == 0:
            answer[0] = 1

    made.Tree = Tree
    return made
