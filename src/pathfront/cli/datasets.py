"""`pathfront datasets`: public graphs by name, listed and downloaded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from pathfront.cli import inputs, output
from pathfront.cli.command import Command, Group
from pathfront.cli.errors import CommandLineError, naming_file

if TYPE_CHECKING:
    from pathfront.datasets import Dataset

EPILOG = """\b
Examples:
  pathfront datasets
  pathfront datasets list --collection snap
  pathfront datasets show USA-road-d.NY
  pathfront datasets get USA-road-d.NY --coordinates
  pathfront info $(pathfront datasets get rome99)
  pathfront datasets where
A file in the folder PATHFRONT_DATA is used first, then the cache (PATHFRONT_CACHE, or the platform's folder for
caches). PATHFRONT_MIRROR names a server to download from instead, such as http://localhost:8000; all three have the
folders dimacs9, snap and suitesparse. Sizes that begin with ~ are estimates.
"""

_BYTES_PER_ARC = {"dimacs9": 5.5, "snap": 3.3, "suitesparse": 4.0}
"""Of a compressed file, about; for the sizes of files that nobody has downloaded yet."""

Collection = Annotated[
    str | None, typer.Option("--collection", metavar="NAME", help="Only this one: dimacs9, snap or suitesparse.")
]


def list_datasets(context: typer.Context, collection: Collection = None, json: inputs.Json = False) -> None:
    """List and download public graphs by name.

    Road networks of the 9th DIMACS Challenge, SNAP's networks, matrices of SuiteSparse. Alone it lists them.
    """
    if context.invoked_subcommand is None:
        _show_list(collection, json=json)
    elif json or collection is not None:
        what = "--json" if json else "--collection"
        raise CommandLineError(f"{what} belongs behind {context.invoked_subcommand}")


def listed(collection: Collection = None, json: inputs.Json = False) -> None:
    """List the graphs: names, sizes, and whether they are here."""
    _show_list(collection, json=json)


def show(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of a graph, such as USA-road-d.NY.")],
    json: inputs.Json = False,
) -> None:
    """Show what is known of one graph, and where its file is."""
    from pathfront import datasets

    found = _description(datasets.describe(name))
    if json:
        output.show_json(found)
        return
    known = {"known": "known", "recorded": "recorded at the first use", "none": "recorded at the first use, none yet"}
    output.show_facts(
        [
            ("name", found["name"]),
            ("collection", found["collection"]),
            ("about", found["about"]),
            ("vertices", f"{found['vertices']:,}"),
            ("arcs", f"{found['arcs']:,}"),
            ("size", _size(found)),
            ("coordinates", "yes: --coordinates" if found["coordinates"] else "none"),
            ("address", found["url"]),
            ("file", found["path"] or f"not here; it will be {found['place']}"),
            ("checksum", known[found["checksum"]]),
        ]
    )


def get(
    names: Annotated[list[str], typer.Argument(metavar="NAME...", help="Names of graphs.")],
    coordinates: Annotated[
        bool, typer.Option("--coordinates", help="Also get the coordinates, which road networks of dimacs9 have.")
    ] = False,
    json: inputs.Json = False,
) -> None:
    """Download graphs unless they are here, and print the paths of their files."""
    from pathfront import datasets
    from pathfront.progress import progress_bar

    for name in names:
        datasets.describe(name)
    found = []
    for name in names:
        for kind in (False, True) if coordinates else (False,):
            what = f"coordinates of {name}" if kind else name
            with progress_bar(what, shown=True) as progress, naming_file(str(datasets.folder())):
                path = datasets.fetch(name, coordinates=kind, progress=progress)
            found.append({"name": name, "coordinates": kind, "path": str(path)})
            if not json:
                print(path)
    if json:
        output.show_json(found)


def where(json: inputs.Json = False) -> None:
    """Print the folder of the downloaded graphs."""
    from pathfront import datasets

    folder = datasets.folder()
    if json:
        output.show_json({"cache": str(folder), "exists": folder.is_dir()})
    else:
        print(folder)


def _show_list(collection: str | None, *, json: bool) -> None:
    from pathfront import datasets

    found = [_description(datasets.describe(name)) for name in datasets.names(collection)]
    if json:
        output.show_json(found)
        return
    short = {"known": "known", "recorded": "recorded", "none": "at first use"}
    output.show_table(
        ("name", "vertices", "arcs", "size", "here", "checksum", "what it is"),
        [
            (
                each["name"],
                f"{each['vertices']:,}",
                f"{each['arcs']:,}",
                _size(each),
                each["here"],
                short[each["checksum"]],
                each["about"],
            )
            for each in found
        ],
    )


def _description(dataset: Dataset) -> dict[str, Any]:
    """Return a graph as `--json` describes it."""
    from pathfront.datasets import cache

    mine, cached = cache.of_the_user(dataset), cache.place(dataset)
    path = mine or (cached if cached.is_file() else None)
    estimate = round(dataset.arcs * _BYTES_PER_ARC[dataset.collection])
    return {
        "name": dataset.name,
        "collection": dataset.collection,
        "about": dataset.about,
        "vertices": dataset.vertices,
        "arcs": dataset.arcs,
        "bytes": path.stat().st_size if path is not None else dataset.bytes,
        "estimated_bytes": estimate,
        "coordinates": None if dataset.coordinates is None else dataset.coordinates.url,
        "url": dataset.url,
        "here": "" if path is None else "PATHFRONT_DATA" if mine is not None else "cache",
        "path": None if path is None else str(path),
        "place": str(cached),
        "checksum": "known" if dataset.sha256 else "recorded" if cache.recorded(dataset) else "none",
        "sha256": dataset.sha256 or cache.recorded(dataset),
    }


def _size(found: dict[str, Any]) -> str:
    known = found["bytes"]
    if known is not None:
        return output.size(known)
    estimate = found["estimated_bytes"]
    digits = 1 - len(str(estimate))  # two digits are more than is known
    return f"~{output.size(round(estimate, digits + 1))}"


def application(**plain: Any) -> typer.Typer:
    """Return the group of these commands."""
    group = typer.Typer(
        **plain, cls=_Group, callback=list_datasets, epilog=EPILOG, invoke_without_command=True, no_args_is_help=False
    )
    for name, command in (("list", listed), ("show", show), ("get", get), ("where", where)):
        group.command(name, cls=Command)(command)
    return group


class _Group(Group):
    kind = "command of datasets"
