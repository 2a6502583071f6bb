"""The tests, a folder for each subject; `README.md` lists them."""
