"""Benchmarks: suites of figures, each a ratio measured in one run, verified, and saved as JSON."""
