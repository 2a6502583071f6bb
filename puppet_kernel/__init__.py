"""The front ends: a Jupyter kernel and a terminal REPL for the Puppet language."""

__version__ = "0.1.0"
