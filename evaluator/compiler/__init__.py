"""Puppet's syntax tree to Python code, with Puppet's positions in it."""

from evaluator.compiler import calls, control, expressions, functions, literals, resources

__all__ = ["calls", "control", "expressions", "functions", "literals", "resources", "variables"]
