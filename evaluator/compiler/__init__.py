"""Puppet's syntax tree to Python code: Puppet locals are Python locals, a Python traceback is a Puppet place."""

from evaluator.compiler import calls, control, expressions, resources

__all__ = ["calls", "control", "expressions", "resources"]
