"""The debug adapter's protocol, as JupyterLab speaks it. It is loaded with the first request.

protocol what it calls things
adapter  answers the requests and tells the events
showing  values as the protocol's variables;  hashing  the names of cells
"""

from typing import TYPE_CHECKING

from lexer_parser.lazy import lazy_attributes

if TYPE_CHECKING:
    from puppet_kernel.jupyter.debugging.adapter import Adapter

__getattr__ = lazy_attributes(__name__, {"Adapter": "adapter"})
__all__ = ["Adapter"]
