"""Exercises in notebooks that check themselves.

`python -m puppet_kernel.exercises` writes the exercises of a folder's YAML files into its notebooks.
"""
