"""How an error of the library reads on the command line: names of options, and commands in place of calls."""

from __future__ import annotations

import re

_CALLS = (
    (r"graph\.with_weights\(None\)", "'pathfront convert GRAPH OUT --drop-weights'"),
    (r"graph\.with_weights\(\.\.\.\)", "--weights SPEC"),
    (r"graph\.with_coordinates\(\.\.\.\)", "--coordinates FILE"),
    (r"graph\.with_labels\(\.\.\.\) to rename the vertices, or with_labels\(None\)", "--drop-labels"),
    (r"graph\.with_labels\(None\)", "--drop-labels"),
    (r"graph\.simplified\(\)", "--simplify"),
    (r"use pf\.distance_matrix and select afterwards", "use 'pathfront matrix' and select afterwards"),
    (
        r"pf\.read\(GRAPH, coordinates=FILE\) or pf\.read_coordinates\(FILE\)",
        "--read-option coordinates=FILE beside the graph's own file",
    ),
    (r"read it with scipy\.io\.mmread and use Graph\.from_dense\(matrix, no_edge=\.\.\.\)", "store it as coordinates"),
    (r"make it undirected with Graph\.from_edges\(.*?\), or ", ""),
    (r"Graph\.from_edges\(\.\.\., .*?\) to add the opposites, or ", ""),
    (r": matrix\.tocsr\(\)", ""),
    (r"^name is (?=.* none of the \d+ graphs)", "NAME is "),
    (r"pf\.datasets\.names\(\) lists them", "'pathfront datasets' lists them"),
    (r"give a path, '-' or a binary file object", "give the name of a file"),
    (r"\bTrue or False\b", "true or false"),
    (r"\bis True\b", "is true"),
    (r"\bis False\b", "is false"),
    (r"\bis None\b", "is null"),
    (r", an? (str|int|float|list|dict|truth value); ", "; "),
)
_OPTIONS = (
    "collection|cutoff|direction|delta|device|dtype|format|max_bytes|method|most|rounds|seconds|seed|source|threads|"
    "time_limit|weights"
)
_NAMES = (
    (re.compile(r"\b(device|format|method)='([\w:]+)'"), r"--\1 \2"),
    (re.compile(r"\bpass (a larger )?max_bytes="), r"pass \1--max-bytes"),
    (re.compile(r"\bpass lossy=True"), "add --lossy"),
    (re.compile(r"\bits time_limit of\b"), "its --time-limit of"),
    (re.compile(r"\bset a cutoff\b"), "set --cutoff"),
    (re.compile(r"\bwithout cutoff and targets\b"), "without --cutoff and --target"),
    (re.compile(rf"^({_OPTIONS}) (?=is |needs )"), r"--\1 "),
    (re.compile(r"^deltas(\[\d+\])? (?=is |has )"), r"--delta\1 "),
    (re.compile(r"^k is "), "-k is "),
    (re.compile(r"\bk=(\d+) needs\b"), r"-k \1 needs"),
    (re.compile(r"\b(max_bytes) (?=is )"), r"--\1 "),
    (re.compile(r"\b(pass|leave) (format|max_bytes|threads|cutoff|delta|source)\b=?"), r"\1 --\2"),
)
_COMPILED = tuple((re.compile(call), command) for call, command in _CALLS)


def on_command_line(message: str) -> str:
    """Return an error of the library with options for arguments, and commands for calls."""
    message = _without_calls(message)
    for name, option in _NAMES:
        message = name.sub(option, message)
    return re.sub(r"--max_bytes|--time_limit", lambda found: found[0].replace("_", "-"), message)


def with_pairs(message: str, option: str) -> str:
    """Return the message of a format with `option NAME=VALUE` for the format's own arguments."""
    from pathfront import formats

    every = [formats.get(name) for name in formats.names()]
    names = "|".join(sorted({name for each in every for name in (*each.read_options, *each.write_options)}))

    def pair(found: re.Match[str]) -> str:
        value = {"True": "true", "False": "false"}.get(found[2], found[2])
        return f"{option} {found[1]}={value}"

    message = re.sub(rf"^({names}) is ", rf"{option} \1 is ", _without_calls(message))
    return re.sub(rf"(?<!option )\b({names})='?(\w+)'?", pair, message)


def _without_calls(message: str) -> str:
    for call, command in _COMPILED:
        message = call.sub(command, message)
    return message
