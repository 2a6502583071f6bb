"""The built-in functions: `lookup(name)` finds one, `names()` lists them all, `function` declares one."""

from evaluator.calling.registry import REGISTRY, Example, Function, function, lookup, names

__all__ = ["REGISTRY", "Example", "Function", "function", "lookup", "names"]
