"""Benchmarks: suites of figures, each measured against something in the same run, verified, and kept as JSON."""
