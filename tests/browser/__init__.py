"""Tests of what users see in a browser: JupyterLab driven in Chromium, and the pictures of every medium.

`python -m tests.browser FOLDER` draws all of them, to be looked at.
"""
