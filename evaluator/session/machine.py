"""What programs take of the machine: its memory, and, where it is short, its stack."""

from __future__ import annotations

import os
import sys

if sys.platform == "emscripten":
    from evaluator.session.wasm import begin, free, memory_bytes
else:
    _PAGE_BYTES = 4096

    def begin() -> None:
        """A program begins here: each thread has a stack of its own."""

    def free() -> None:
        """Nothing is put off that would have to be freed."""

    def memory_bytes() -> int:
        """Resident memory of this process; 0 where the system does not tell."""
        try:
            descriptor = os.open("/proc/self/statm", os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            return 0
        try:
            return int(os.read(descriptor, 200).split()[1]) * _PAGE_BYTES
        except (OSError, IndexError, ValueError):
            return 0
        finally:
            os.close(descriptor)


__all__ = ["begin", "free", "memory_bytes"]
