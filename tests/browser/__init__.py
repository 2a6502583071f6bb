"""JupyterLab and the static site in Chromium, and the pictures of every medium.

`python -m tests.browser FOLDER` writes all of these pictures.
"""
