"""Explanations of values: why an expression has its value, and how it is computed step by step."""
