"""Each `*.txt` below this folder is a program with a mistake and, after a line `---`, the expected error.

`pytest tests/errors --update` writes the present errors into the files; review the difference.
"""
