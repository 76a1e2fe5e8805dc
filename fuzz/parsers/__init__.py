"""Fuzzing guided by coverage: inputs that reach new code are kept and changed further. `make fuzz-parsers MINUTES=10`.

    parsers.cpp   the native parsers of text, compiled by clang with libFuzzer, AddressSanitizer and UBSan
    readers.py    the readers in Python, instrumented by atheris, which is libFuzzer for Python
    seeds.py      the valid files that both begin with

Both keep their inputs in `build/parsers/`, so that the next run goes on from there, and leave there the input of a
defect, as `crash-...`. Neither clang nor atheris is needed for anything else.
"""
