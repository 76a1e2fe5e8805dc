"""Pages of tables and figures: what they consist of (`elements.py`), and how they are drawn and written.

This folder knows nothing of graphs and searches. A suite (`pathfront/bench`) makes elements out of its results; a
search (`paths.plot()`) makes them out of its trace.
"""
