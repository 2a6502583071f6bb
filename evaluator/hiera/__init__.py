"""Hiera: data found by name, in layers of hierarchies of levels.

configuration  reads a `hiera.yaml`;  layers  asks its levels for a name;  files  keeps what was read
finding        the value of a name out of all layers;  merging  makes one value of several;  paths  dotted names
providers      the functions that levels name: YAML, JSON, and YAML with secrets, which  eyaml  decrypts
interpolation  fills in what a value names in `%{…}`;  context  what functions that provide data are given
"""

from evaluator.hiera.lookup import find

__all__ = ["find"]
