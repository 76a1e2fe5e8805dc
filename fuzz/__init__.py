"""A differential fuzzer: random inputs, independent oracles, reduced failures. `make fuzz MINUTES=10`.

A *case* is one thing to try, as plain JSON: a graph and a search, a file's bytes and a reader, a function and its
arguments. A *part* (`parts.py`) makes cases of one sort from random numbers and checks them:

    searches   every method, option, weight type, thread count, cutoff and target against `oracle.py`
    emulated   the same on the emulated GPU, which is slow
    answers    distance_matrix, nearest, shortest_paths_many; pf.verify with right answers and forged ones
    trips      graphs written and read again, in all formats and compressions: refused, or given back whole
    files      damaged and forged files: a sound graph or an error of the package, quickly, in little memory
    calls      arguments of wrong types and extreme values: an answer or an error of the package

The cases of a part come in *rounds*; a round is made from one seed, so `python -m fuzz --repeat PART:SEED` makes the
same cases again. Rounds run in worker processes (`workers.py`). A worker announces each case before it is tried, so
that the parent knows which case has hung or killed it.

What is wrong is a *finding* (`finding.py`). A case that shows one is reduced as long as it still shows the same kind of
finding (`shrink.py`), and saved in `tests/regressions/`, which `tests/test_regressions.py` replays.

`parsers/` is another kind of fuzzer: guided by coverage, for the parsers alone. `make fuzz-parsers`.
"""
