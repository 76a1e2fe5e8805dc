"""Experiments: suites of searches, described in TOML, whose results become pages.

`suite.py` is what a suite consists of and `toml.py` reads one; `cells.py` lists the searches it asks for; `running.py`
runs them, each only once, and `results.py` keeps what was measured, a line of JSON each. `page.py` makes a page of such
files. The suites that reproduce the papers are in `suites/`.
"""

from __future__ import annotations

from pathfront.experiments.toml import builtin, builtin_names, read

__all__ = ["builtin", "builtin_names", "read"]
