"""`pathfront formats`: the registry of file formats."""

from __future__ import annotations

from pathfront.cli import inputs, output

EPILOG = """\b
Examples:
  pathfront formats
  pathfront convert roads.gr roads.gr.zst --read-option coordinates=roads.co
"""


def formats(json: inputs.Json = False) -> None:
    """List the file formats.

    With their endings, and their options for --read-option and --write-option.
    """
    from pathfront import formats as registry

    every = [registry.get(name) for name in registry.names()]
    if json:
        output.show_json(
            [
                {
                    "name": format.name,
                    "summary": format.summary,
                    "suffixes": list(format.suffixes),
                    "read_options": list(format.read_options),
                    "write_options": list(format.write_options),
                }
                for format in every
            ]
        )
        return
    output.show_table(
        ("format", "endings", "options", "write options", "summary"),
        [
            (
                format.name,
                " ".join(format.suffixes) or "-",
                " ".join(format.read_options) or "-",
                " ".join(format.write_options) or "-",
                format.summary,
            )
            for format in every
        ],
    )
