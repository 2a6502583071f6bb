"""Messages that show results: MIME bundles, the messages of one execution, and outputs that may be redrawn later."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

from puppet_kernel.rendering.elements import Element, Graph, Text
from puppet_kernel.rendering.escape import printable
from puppet_kernel.rendering.graphs.svg import draw
from puppet_kernel.rendering.html import LIMIT, PICTURE_LIMIT, html
from puppet_kernel.rendering.markdown import markdown
from puppet_kernel.rendering.problems import told
from puppet_kernel.rendering.text import ansi_lines, plain
from puppet_kernel.replies import Reply

COLUMNS = 100
EMPTY = Text(())


def make_bundle(element: Element | None, data: Any = None) -> dict[str, Any]:
    """Return an element as plain text, HTML and Markdown.

    A graph also as SVG, and `data` as JSON.

    SVG and JSON that are too large to view are left out.
    """
    if element is None:
        return {}
    found: dict[str, Any] = {
        "text/plain": plain(element, COLUMNS),
        "text/html": html(element),
        "text/markdown": markdown(element, COLUMNS),
    }
    if isinstance(element, Graph) and (element.edges or element.inside):
        drawn = draw(element)
        if drawn and len(drawn) <= PICTURE_LIMIT:
            found["image/svg+xml"] = drawn
    if data is not None and len(found["text/plain"]) <= LIMIT:  # which shows it too
        found["application/json"] = data
    return found


def make_error_content(reply: Reply) -> dict[str, Any]:
    """Return the content of an `error` message: code, wording, and the lines that the user sees."""
    problem, lines = reply.error, ansi_lines(reply.element or EMPTY, COLUMNS)
    assert problem is not None
    return {"ename": problem.code, "evalue": printable(told(problem.message)), "traceback": lines}


Message = tuple[str, dict[str, Any]]  # type and content

REMEMBERED = 20  # so many outputs that show the program are kept, to be marked when they are old


class ReplyMessages:
    """The messages of a reply, the content of the execute reply, and the plain text for the history.

    The output of a cell with an identity is display data, even if it is empty, because front ends redraw nothing
    else.

    Attributes:
        messages: Type and content of each message for the iopub channel.
        content: The content of the execute reply.
        text: The result as plain text, or None.
        refreshable: The element, if it shows the program and may become outdated; else None.
    """

    def __init__(self, reply: Reply, cell_id: str | None, number: int) -> None:
        self.messages: list[Message] = []
        self.content: dict[str, Any] = {"status": "ok", "payload": []}
        self.text: str | None = None
        self.refreshable = reply.element if reply.refreshable else None
        if reply.error is not None:
            content = make_error_content(reply)
            self.messages.append(("error", content))
            self.content = {"status": "error", **content}
        elif reply.action == "quit":
            self.content["payload"] = [{"source": "ask_exit", "keepkernel": False}]
        else:
            self._add_result(reply, cell_id, number)

    def _add_result(self, reply: Reply, cell_id: str | None, number: int) -> None:
        if reply.action == "clear":
            self.messages.append(("clear_output", {"wait": False}))
        data = make_bundle(reply.element, reply.data)
        self.text = data.get("text/plain")
        if reply.next_input:
            self.content["payload"] = [
                {"source": "set_next_input", "text": reply.next_input, "replace": False}
            ]
        if reply.page and data:
            self.content["payload"] = [{"source": "page", "data": data, "start": 0}]
        elif cell_id:
            self.messages.append(("display_data", _make_display(cell_id, data or _NOTHING)))
        elif data and reply.is_value:
            self.messages.append(
                ("execute_result", {"data": data, "metadata": {}, "execution_count": number})
            )
        elif data:
            self.messages.append(("display_data", {"data": data, "metadata": {}}))


class DisplayMemory:
    """What cells with an identity have shown: their log lines, and outputs that show the program at that time."""

    def __init__(self) -> None:
        self._current: dict[str, tuple[Element, int]] = {}
        self._outdated: dict[str, tuple[Element, int, Any]] = {}  # with the last cell that it has seen
        self._logged: dict[str, list[str]] = {}

    def remember(self, cell_id: str | None, dated: Element | None, seen: int, logged: list[str]) -> None:
        """Record what a cell shows now.

        Args:
            cell_id: The identity of the cell.
            refreshable: An element that shows the program, or None.
            seen: The rank of the last cell that this element depends on.
            logged: The log lines in the output of the cell.
        """
        if not cell_id:
            return
        for known in (self._current, self._outdated):
            known.pop(cell_id, None)
        if dated is not None:
            self._current[cell_id] = dated, seen
            if len(self._current) > REMEMBERED:
                del self._current[next(iter(self._current))]
        self._logged.pop(cell_id, None)
        if logged:
            self._logged[cell_id] = logged

    def get_logs(self, cell_id: str) -> list[str]:
        """Return the log lines in the output of a cell."""
        return self._logged.get(cell_id, [])

    def mark_outdated(self, cells: list[Any], changed: float, but: str | None) -> list[tuple[str, Element]]:
        """Return the outputs that show the program from a rank on that has changed.

        Each is returned once.

        Args:
            cells: The cells of the program before the change.
            changed: The first rank that has changed.
            but: The identity of a cell to leave out.
        """
        found = [
            (cell_id, element)
            for cell_id, (element, seen) in self._current.items()
            if cell_id != but and seen >= changed
        ]
        for cell_id, element in found:
            seen = self._current.pop(cell_id)[1]
            self._outdated[cell_id] = element, seen, _find_last_cell(cells, seen)
            if len(self._outdated) > REMEMBERED:
                del self._outdated[next(iter(self._outdated))]
        return found

    def mark_current(self, cells: list[Any]) -> list[tuple[str, Element]]:
        """Return outdated outputs that are correct again for a program of these cells."""
        found = [
            (cell_id, element)
            for cell_id, (element, seen, cell) in self._outdated.items()
            if _find_last_cell(cells, seen) is cell
        ]
        for cell_id, element in found:
            self._current[cell_id] = element, self._outdated.pop(cell_id)[1]
        return found


def _find_last_cell(cells: list[Any], rank: int) -> Any:
    """Return the last cell up to a rank.

    While it is the same object, so are all cells before it.
    """
    index = bisect_right(cells, rank, key=lambda cell: cell.rank)
    return cells[index - 1] if index else None


_NOTHING = {"text/plain": "", "text/html": ""}


def make_update(cell_id: str, element: Element | None) -> Message:
    """Return the message that redraws the output of a cell."""
    return "update_display_data", _make_display(cell_id, make_bundle(element) or _NOTHING)


def _make_display(cell_id: str, data: dict[str, Any]) -> dict[str, Any]:
    return {"data": data, "metadata": {}, "transient": {"display_id": cell_id}}
