"""Comparison of each release with its dialect."""
