"""Programs (`cases/*.pp`), each with its resources (`.txt`) and its catalog (`.json`).

`errors.txt` holds programs that fail, each with its error. All expected outputs are those of the released Puppet;
where it is installed, a test compares them again. `pytest tests/catalogs --update` writes the current output; review
the diff.
"""
