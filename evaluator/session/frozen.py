"""The frozen part of a notebook: no edit above runs its cells again.

An edit above a frozen cell shows its own result, but the program keeps the former text: what is below sees the program
as it was. The edit takes effect when the frozen cell runs again, or is no longer frozen.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from evaluator.session.cell import Cell, Entry


class FrozenPart:
    """The frozen cells, by key, and the edits above them that wait.

    Attributes:
        waiting: the text of each edit that waits, by the key of its cell; "" for a cell that was withdrawn.
    """

    def __init__(
        self, keys: Mapping[str, bool] | None = None, waiting: Mapping[str, Cell] | None = None
    ) -> None:
        self._is_own = dict(keys or {})  # True for a cell that says itself that it is frozen
        self._is_confirmed = False  # the running input has said so again
        self.waiting = dict(waiting or {})

    def __contains__(self, key: str) -> bool:
        return key in self._is_own

    def copy(self) -> FrozenPart:
        """Return a copy."""
        return FrozenPart(self._is_own, self.waiting)

    def freeze(self, keys: Iterable[str], *, is_own: bool = False) -> None:
        """Freeze cells; with `is_own` until the cell runs without freezing itself."""
        self._is_own.update(dict.fromkeys(keys, is_own))
        self._is_confirmed = self._is_confirmed or is_own

    def thaw(self, keys: Iterable[str] | None = None) -> None:
        """Let cells run again with those above them, by default all cells."""
        for key in list(self._is_own if keys is None else keys):
            self._is_own.pop(key, None)

    def remove(self, key: str) -> None:
        """Remove a cell that the user deleted."""
        self.thaw((key,))
        self.waiting.pop(key, None)

    def begin_input(self) -> None:
        """Begin an input, which may freeze itself."""
        self._is_confirmed = False

    def finish_input(self, key: str) -> None:
        """End an input: if it had frozen itself and no longer does, it is thawed."""
        if self._is_own.get(key) and not self._is_confirmed:
            del self._is_own[key]

    def find_blocker(self, below: Sequence[Entry], sent: Collection[str]) -> Entry | None:
        """Return the first frozen cell below an edit; None if all cells below may run again.

        Args:
            below: the entries below the edit.
            sent: the cells that run, or are removed, together with it.
        """
        if not self._is_own:
            return None
        return next((one for one in below if one.cell.key in self._is_own and one.cell.key not in sent), None)

    def find_ready(self, entries: Sequence[Entry], order: Sequence[str], key: str | None = None) -> list[str]:
        """Return the cells whose edits wait no longer, in order.

        Args:
            entries: those of the program.
            order: the keys of the document in order.
            key: a frozen cell that is to run again.
        """
        if not self.waiting:
            return []
        positions = {name: index for index, name in enumerate(order)}
        frozen = [positions[one.cell.key] for one in entries if one.cell.key in self._is_own]
        start = max(frozen, default=-1)
        end = len(order) if key is None else positions[key]
        if key is not None and start == end:
            start = -1
        return [name for name in order if name in self.waiting and start < positions[name] <= end]
