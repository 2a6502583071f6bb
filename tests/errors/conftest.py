"""Each `*.txt` of this folder is a program with a slip and, below a line `---`, what is said about it.

`pytest tests/errors --update` writes what is said now; review the difference.
"""
