"""`pathfront formats`: the registry of file formats."""

from __future__ import annotations

from pathfront.cli import inputs, output

EPILOG = """\b
Examples:
  pathfront formats
  pathfront convert roads.gr roads.pfg --read-option coordinates=roads.co
"""


def formats(json: inputs.Json = False) -> None:
    """List the file formats.

    With their endings, their options for --read-option and --write-option, and what they cannot hold of a graph, which
    'convert' leaves out only with --lossy.
    """
    from pathfront import formats as registry

    every = [registry.get(name) for name in registry.names()]
    if json:
        fields = ("name", "summary", "suffixes", "read_options", "write_options", "cannot_hold")
        output.show_json([{field: getattr(format, field) for field in fields} for format in every])
        return
    rows = []
    for format in every:
        lists = (format.suffixes, format.read_options, format.write_options)
        lost = ", ".join(format.cannot_hold) or "-"
        rows.append((format.name, *(" ".join(words) or "-" for words in lists), lost, format.summary))
    output.show_table(("format", "endings", "options", "write options", "cannot hold", "summary"), rows)
