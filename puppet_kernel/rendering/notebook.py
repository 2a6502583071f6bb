"""Notebooks in the format of files (nbformat 4.5), without outputs."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

Cell = dict[str, Any]


def make_cell(name: str, kind: str, source: str, metadata: dict[str, Any] | None = None) -> Cell:
    """Return a "code" or "markdown" cell that has not run; `name` is its id."""
    found = {
        "id": name,
        "cell_type": kind,
        "metadata": metadata or {},
        "source": source.splitlines(keepends=True),
    }
    return found | ({"outputs": [], "execution_count": None} if kind == "code" else {})


def make_notebook(cells: Iterable[Cell], kernel: str = "puppet") -> dict[str, Any]:
    """Return a notebook of cells for a kernel."""
    kernelspec = {"display_name": "Puppet", "language": "puppet", "name": kernel}
    language = {"file_extension": ".pp", "mimetype": "text/x-puppet", "name": "puppet"}
    return {
        "cells": list(cells),
        "metadata": {"kernelspec": kernelspec, "language_info": language},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def to_text(data: dict[str, Any]) -> str:
    """Return a notebook as the text of a file."""
    return json.dumps(data, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
