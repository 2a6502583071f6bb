"""Calls: how a built-in function is declared, found, and chosen by its arguments."""
