#!/usr/bin/env -S uv run --script
# /// script
# dependencies = ["nox>=2025.2.9"]
# ///
"""The Makefile's targets as nox sessions; they run in the environment that the Makefile makes."""

import nox

nox.needs_version = ">=2025.2.9"
nox.options.default_venv_backend = "none"


def _session(target: str, default: bool) -> None:
    @nox.session(name=target, default=default)
    def run(session: nox.Session) -> None:
        session.run("make", target, external=True)


for target in ("lint", "types", "test"):
    _session(target, default=True)
for target in ("test-fast", "test-all", "coverage", "tidy"):
    _session(target, default=False)

if __name__ == "__main__":
    nox.main()
