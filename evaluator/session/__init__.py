"""The session: a program that grows cell by cell.

session    what front ends talk to;  asked  what it answers about itself;  cells  cells and their outcomes
evaluation how a cell is evaluated;  world, program  what cells have made, and the way back;  rerun  cells run again
worker     where programs run;  nodes  the program of a session, compiled for many nodes
"""

from lexer_parser.lazy import lazy_attributes

__getattr__ = lazy_attributes(__name__, {"compile_cells": "nodes"})
