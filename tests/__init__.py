"""The tests, a folder for each kind; `conftest.py` lists them."""
