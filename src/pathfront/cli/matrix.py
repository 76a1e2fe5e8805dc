"""`pathfront matrix`: the distances from each of several sources to each of several targets."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pathfront.cli import inputs, output, searching
from pathfront.cli.errors import CommandLineError, naming_file

if TYPE_CHECKING:
    from pathfront.graph import Graph
    from pathfront.validation import Array

_KINDS = (".npy", ".npz", ".csv", ".parquet")
_ROWS_PER_PIECE = 1 << 16
_MOST_SHOWN = 10
"""Rows and columns of the largest matrix that is printed."""

EPILOG = """\b
Examples:
  pathfront matrix roads.gr --source 1 --source 17 --target 99 --target 4711
  pathfront matrix roads.gr --sources-from depots.txt --targets-from customers.txt -o distances.csv
  pathfront matrix roads.gr -s 1 -s 17 --cutoff 9000 --sparse -o near.npz
  pathfront matrix roads.gr -s 1 -s 17 --target 99 --json
.csv and .parquet have a row for each pair: source, target, distance, and with --parents the vertex before the target.
.npz has the arrays distances, sources, targets and parents; with --sparse it is what scipy.sparse.load_npz reads.
"""


def matrix(
    graph_file: inputs.GraphFile,
    source: inputs.Sources = None,
    sources_from: inputs.SourcesFrom = None,
    target: Annotated[
        list[str] | None, typer.Option(metavar="T", help="Target, repeatable; by default every vertex.")
    ] = None,
    targets_from: Annotated[
        str | None, typer.Option(metavar="FILE", help="Read targets from a text file, one in each line; - for stdin.")
    ] = None,
    method: searching.Method = "auto",
    device: searching.Device = "cpu",
    threads: inputs.Threads = None,
    delta: searching.Delta = None,
    cutoff: searching.Cutoff = None,
    option: searching.Options = None,
    sparse: Annotated[bool, typer.Option("--sparse", help="Keep reached pairs only.")] = False,
    parents: Annotated[bool, typer.Option("--parents", help="Keep the vertex before each one, too.")] = False,
    by_index: inputs.ByIndex = False,
    output_file: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write the matrix: .npy, .npz, .csv or .parquet."),
    ] = None,
    format: inputs.Format = None,
    read_option: inputs.ReadOptions = None,
    max_bytes: inputs.MaxBytes = None,
    json: inputs.Json = False,
) -> None:
    """Find the distances from several sources to several targets.

    A vertex is what the file calls it, its number or its name. With --by-index vertices are positions from 0. A small
    matrix is printed, and with --json any that is not written to a file.
    """
    _check(output_file, sources_from, targets_from, sparse=sparse, parents=parents)
    options = searching.method_options(option, method)
    from pathfront import distance_matrix

    graph = inputs.read_numbered(graph_file, format, read_option, max_bytes, by_index=by_index)
    sources = inputs.source_vertices(graph, source, sources_from)
    targets = inputs.several_vertices(graph, target, targets_from, "--target")
    if not targets and targets_from is not None:
        raise CommandLineError(f"--targets-from is '{targets_from}', which has no lines; give at least one vertex")
    began = time.perf_counter()
    found = distance_matrix(
        graph,
        sources,
        targets or None,
        method=method,
        device=device,
        threads=threads,
        delta=inputs.number(delta, "--delta"),
        cutoff=inputs.number(cutoff, "--cutoff"),
        parents=parents,
        sparse=sparse,
        **options,
    )
    table = _Table(graph, sources, targets, found, with_parents=parents)
    answer = table.summary(graph_file, method, device, time.perf_counter() - began)
    if output_file is not None:
        table.write(output_file)
        answer["output"] = output_file
    elif json:
        answer |= table.contents()
    if json:
        output.show_json(answer)
    else:
        table.show(answer)


def _check(
    output_file: str | None, sources_from: str | None, targets_from: str | None, *, sparse: bool, parents: bool
) -> None:
    if sources_from == "-" and targets_from == "-":
        raise CommandLineError("--sources-from and --targets-from are both standard input; give one of them a file")
    if output_file is None:
        return
    from pathfront.cli import results

    kind = results.kind_of(output_file, "--output", _KINDS)
    if kind == ".npy" and (sparse or parents):
        what = "--sparse" if sparse else "--parents"
        raise CommandLineError(
            f"--output is '{output_file}', which holds one dense array; use .npz, or leave {what} out"
        )


def _joined(parts: list[Any]) -> Any:
    import numpy as np

    return np.ma.concatenate(parts)  # type: ignore[no-untyped-call]


class _Table:
    """A matrix with the names of its rows and columns."""

    def __init__(self, graph: Graph, sources: list[Any], targets: list[Any], found: Any, *, with_parents: bool) -> None:
        import numpy as np

        self._graph = graph
        self._distances = found.distances if with_parents else found
        self._parents = found.parents if with_parents else None
        self._starts = np.array(sources, np.uint32)
        self._all = not targets
        self._ends = np.arange(graph.n, dtype=np.uint32) if self._all else np.array(targets, np.uint32)
        self._sparse = not isinstance(self._distances, np.ndarray)

    def _row(self, i: int) -> tuple[Array, Any, Array | None]:
        """Return the columns of a row that are kept, their distances, masked where there is no path, and parents."""
        import numpy as np

        from pathfront.dtypes import unreached_marker

        if self._sparse:
            part = slice(self._distances.indptr[i], self._distances.indptr[i + 1])
            columns, values = self._distances.indices[part], self._distances.data[part]
        else:
            columns, values = np.arange(self._ends.size), self._distances[i]
        distances = np.ma.array(values, mask=values == unreached_marker(values.dtype))
        if self._parents is None:
            return columns, distances, None
        ends = self._ends[columns]
        if not self._sparse:
            return columns, distances, self._parents[i][ends]
        part = slice(self._parents.indptr[i], self._parents.indptr[i + 1])  # every reached vertex is stored, in order
        return columns, distances, self._parents.data[part][np.searchsorted(self._parents.indices[part], ends)]

    def _names(self, parents: Array) -> Any:
        import numpy as np

        from pathfront.graph import NO_VERTEX

        return self._graph.masked_names(np.where(parents < 0, NO_VERTEX, parents).astype(np.uint32))

    def _pieces(self) -> Iterator[dict[str, Any]]:
        """Yield the table in pieces of some size: a group of rows for each source would make a file slow to read."""

        waiting: list[dict[str, Any]] = []
        size = 0
        for i, piece in enumerate(self._piece_of_row(i) for i in range(self._starts.size)):
            waiting.append(piece)
            size += piece["target"].size
            if size >= _ROWS_PER_PIECE or i + 1 == self._starts.size:
                yield {name: _joined([each[name] for each in waiting]) for name in piece}
                waiting, size = [], 0

    def _piece_of_row(self, i: int) -> dict[str, Any]:
        import numpy as np

        columns, distances, parents = self._row(i)
        ends = self._ends[columns]
        piece = {
            "source": self._graph.names_of(np.full(columns.size, self._starts[i])),
            "target": self._graph.names_of(ends),
            "distance": distances,
        }
        return piece if parents is None else piece | {"parent": self._names(parents)}

    def _arrays(self) -> dict[str, Any]:
        import numpy as np

        if self._sparse:
            made = {"format": np.array(b"csr"), "shape": np.array(self._distances.shape), "_is_array": np.array(True)}
            made |= {name: getattr(self._distances, name) for name in ("data", "indices", "indptr")}
            if self._parents is not None:
                made |= {f"parents_{name}": getattr(self._parents, name) for name in ("data", "indices", "indptr")}
        else:
            made = {"distances": self._distances}
            if self._parents is not None:
                made["parents"] = self._parents
        for name, vertices in (("sources", self._starts), ("targets", self._ends)):
            named = self._graph.names_of(vertices)
            made[name] = named.astype(np.str_) if named.dtype.hasobject else named
        return made

    def write(self, file: str) -> None:
        """Write the matrix; the file is replaced only when complete."""
        import numpy as np

        from pathfront.cli import results
        from pathfront.formats.files import open_sink

        kind = results.kind_of(file, "--output", _KINDS)
        with naming_file(file):
            if kind == ".npy":
                results.write_array(self._distances, file)
            elif kind == ".npz":
                with open_sink(file) as sink:
                    np.savez(sink.stream, **self._arrays())
            else:
                if kind == ".csv" and self._parents is not None:
                    results.require_no_empty_name(self._graph, file, "use .parquet or .npz, or leave --parents out")
                (results.write_pieces if kind == ".csv" else results.write_parquet)(self._pieces(), file)

    def summary(self, file: str, method: str, device: str, seconds: float) -> dict[str, Any]:
        """Return what was done, as `--json` prints it."""
        import numpy as np

        graph, rows = self._graph, (self._row(i)[1] for i in range(self._starts.size))
        return {
            "graph": {"file": file, "n": graph.n, "m": graph.m, "directed": graph.directed},
            "sources": graph.names_of(self._starts).tolist(),
            "targets": None if self._all else graph.names_of(self._ends).tolist(),
            "method": method,
            "device": device,
            "dtype": self._distances.dtype.name,
            "reached": sum(int(np.ma.count(row)) for row in rows),
            "pairs": self._starts.size * self._ends.size,
            "seconds": seconds,
        }

    def contents(self) -> dict[str, Any]:
        """Return the rows as `--json` prints them: null where there is no path; sparse ones with their targets."""
        made: dict[str, Any] = {"distances": []} if self._parents is None else {"distances": [], "parents": []}
        for i in range(self._starts.size):
            columns, distances, parents = self._row(i)
            row: Any = distances.tolist()
            if self._sparse:
                row = {"targets": self._graph.names_of(self._ends[columns]).tolist(), "distances": row}
            made["distances"].append(row)
            if parents is not None:
                made["parents"].append(self._names(parents).tolist())
        return made

    def show(self, answer: dict[str, Any]) -> None:
        """Print a summary, and a small matrix."""
        rows, columns = self._starts.size, self._ends.size
        facts = [
            ("graph", f"{answer['graph']['file']}: {output.outline(self._graph)}"),
            ("matrix", f"{output.counted(rows, 'source')} x {output.counted(columns, 'target')}, {answer['dtype']}"),
            ("time", output.seconds(answer["seconds"])),
            ("reached", f"{answer['reached']:,} of {output.counted(answer['pairs'], 'pair')}"),
        ]
        if "output" in answer:
            facts.append(("wrote", answer["output"]))
        output.show_facts(facts)
        if "output" in answer or max(rows, columns) > _MOST_SHOWN:
            return
        print()
        cells = [["-"] * columns for _ in range(rows)]
        for i in range(rows):
            kept, distances, _ = self._row(i)
            for column, distance in zip(kept.tolist(), distances.tolist(), strict=True):
                if distance is not None:
                    cells[i][column] = str(distance)
        starts, ends = (self._graph.names_of(each).tolist() for each in (self._starts, self._ends))
        output.show_table(["", *map(str, ends)], [[str(start), *row] for start, row in zip(starts, cells, strict=True)])
