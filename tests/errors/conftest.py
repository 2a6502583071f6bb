"""The `*.txt` below this folder are programs and, after a line `---`, their errors.

`pytest tests/errors --update` writes the present errors into the files; review the difference.
"""
