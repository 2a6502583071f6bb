"""The built-in functions, one module for each subject.

A function is declared with `@function` in one of these modules: its signatures, its documentation with examples,
and its implementation. `python -m tests.functions.function_index` then updates the index of names.
"""

from evaluator.calling.registry import find_function, list_function_names

__all__ = ["find_function", "list_function_names"]
