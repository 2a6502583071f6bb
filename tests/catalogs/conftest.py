"""Each `cases/*.pp` is a program; beside it stand its resources (`.txt`) and its catalog (`.json`).

`errors.txt` holds programs that fail, each with what is said. All of it is what the released Puppet gives; where
it is installed, a test asks it again. `pytest tests/catalogs --update` writes what comes out now; review the
difference.
"""
