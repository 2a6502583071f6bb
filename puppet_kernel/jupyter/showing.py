"""What an execution sends, made ready; and what is remembered of outputs, so that they can be redrawn."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

from puppet_kernel.jupyter.bundles import bundle, error_content
from puppet_kernel.rendering.elements import Element
from puppet_kernel.replies import Reply

Message = tuple[str, dict[str, Any]]  # type and content

REMEMBERED = 20  # so many outputs that show the program are kept, to be marked when they are old


class Shown:
    """What a reply sends: messages, the content of the execute reply, and the plain text for the history.

    An output of a cell with an identity can be redrawn, so it comes as display data, be it empty: front ends redraw
    no result of another kind.
    """

    def __init__(self, reply: Reply, cell_id: str | None, number: int) -> None:
        self.messages: list[Message] = []
        self.content: dict[str, Any] = {"status": "ok", "payload": []}
        self.text: str | None = None
        self.dated = reply.element if reply.refreshable else None
        if reply.error is not None:
            content = error_content(reply)
            self.messages.append(("error", content))
            self.content = {"status": "error", **content}
        elif reply.action == "quit":
            self.content["payload"] = [{"source": "ask_exit", "keepkernel": False}]
        else:
            self._show(reply, cell_id, number)

    def _show(self, reply: Reply, cell_id: str | None, number: int) -> None:
        if reply.action == "clear":
            self.messages.append(("clear_output", {"wait": False}))
        data = bundle(reply.element, reply.data)
        self.text = data.get("text/plain")
        if reply.next_input:
            self.content["payload"] = [
                {"source": "set_next_input", "text": reply.next_input, "replace": False}
            ]
        if reply.page and data:
            self.content["payload"] = [{"source": "page", "data": data, "start": 0}]
        elif cell_id:
            self.messages.append(("display_data", _display(cell_id, data or _NOTHING)))
        elif data and reply.is_value:
            self.messages.append(
                ("execute_result", {"data": data, "metadata": {}, "execution_count": number})
            )
        elif data:
            self.messages.append(("display_data", {"data": data, "metadata": {}}))


class Displays:
    """What cells with an identity have shown: their log lines, and what showed the program as it was then."""

    def __init__(self) -> None:
        self.dated: dict[str, tuple[Element, int]] = {}
        self._old: dict[str, tuple[Element, int, Any]] = {}  # with the last cell that it has seen
        self._logged: dict[str, list[str]] = {}

    def remember(self, cell_id: str | None, dated: Element | None, seen: int, logged: list[str]) -> None:
        """This is what a cell shows now; `dated` shows the program up to the rank of `seen`."""
        if not cell_id:
            return
        for known in (self.dated, self._old):
            known.pop(cell_id, None)
        if dated is not None:
            self.dated[cell_id] = dated, seen
            if len(self.dated) > REMEMBERED:
                del self.dated[next(iter(self.dated))]
        self._logged.pop(cell_id, None)
        if logged:
            self._logged[cell_id] = logged

    def logged(self, cell_id: str) -> list[str]:
        """The log lines that stand in the output of a cell."""
        return self._logged.get(cell_id, [])

    def outdated(self, cells: list[Any], changed: float, but: str | None) -> list[tuple[str, Element]]:
        """What shows a program that has changed from a rank on, but in one cell; each is told once.

        cells  those of the program before
        """
        found = [
            (cell_id, element)
            for cell_id, (element, seen) in self.dated.items()
            if cell_id != but and seen >= changed
        ]
        for cell_id, element in found:
            seen = self.dated.pop(cell_id)[1]
            self._old[cell_id] = element, seen, _seen(cells, seen)
            if len(self._old) > REMEMBERED:
                del self._old[next(iter(self._old))]
        return found

    def valid(self, cells: list[Any]) -> list[tuple[str, Element]]:
        """What was old and shows again what stands there now that the program consists of these cells."""
        found = [
            (cell_id, element)
            for cell_id, (element, seen, cell) in self._old.items()
            if _seen(cells, seen) is cell
        ]
        for cell_id, element in found:
            self.dated[cell_id] = element, self._old.pop(cell_id)[1]
        return found


def _seen(cells: list[Any], rank: int) -> Any:
    """The last of the cells up to a rank: while it is the same one, so are those before it."""
    index = bisect_right(cells, rank, key=lambda cell: cell.rank)
    return cells[index - 1] if index else None


_NOTHING = {"text/plain": "", "text/html": ""}


def update(cell_id: str, element: Element | None) -> Message:
    """The message that redraws the output of a cell."""
    return "update_display_data", _display(cell_id, bundle(element) or _NOTHING)


def _display(cell_id: str, data: dict[str, Any]) -> dict[str, Any]:
    return {"data": data, "metadata": {}, "transient": {"display_id": cell_id}}
