"""The settings of the process that a front end runs in: the one module that changes them.

The library (`lexer_parser`, `evaluator`) leaves its host process as it finds it. A program that imports it and parses
much may call `gc.set_threshold` itself.
"""

from __future__ import annotations

import gc

# Syntax trees and catalogs are many small objects that live long. With CPython's thresholds (700, 10, 10) the
# collector traverses them repeatedly: parsing a manifest of 2.4 MB takes 2.7 s of CPU, with these 1.8 s.
_THRESHOLDS = (100_000, 20, 50)


def configure() -> None:
    """Set up this process for a front end; each front end calls it once, before it loads the rest."""
    gc.set_threshold(*_THRESHOLDS)


def freeze_loaded_modules() -> None:
    """Exempt everything loaded so far from garbage collection, at exit as well, where it would take 8 ms."""
    gc.freeze()
