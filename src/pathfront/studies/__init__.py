"""Studies of one graph: what it looks like and which method suits it, delta sweeps, and methods raced on it.

`explaining.py` is `pf.explain`, `sweeping.py` a sweep of delta, `racing.py` several methods with their traces; all
answers are verified, and what is compared is timed in turns (`timing.py`). `pages.py` makes pages and tables of them.
Each function returns what it found; none prints.
"""
