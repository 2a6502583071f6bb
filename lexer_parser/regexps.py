"""Flaws of regular expressions that Ruby's engine reports."""

def flaw(pattern: str) -> str | None:
    return None
