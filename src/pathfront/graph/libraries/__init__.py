"""Graphs of other Python libraries, one file per library; none of them is imported, their objects are enough."""
