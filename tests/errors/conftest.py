"""Each `*.txt` of this folder is a program with a mistake and, below a line `---`, the error that it ends in.

`pytest tests/errors --update` writes what is said now; review the difference.
"""
