"""The debug adapter protocol, as JupyterLab uses it; loaded with the first debug request."""

from typing import TYPE_CHECKING

from lexer_parser.lazy import lazy_attributes

if TYPE_CHECKING:
    from puppet_kernel.jupyter.debugging.adapter import DebugAdapter

__getattr__ = lazy_attributes(__name__, {"DebugAdapter": "adapter"})
__all__ = ["DebugAdapter"]
