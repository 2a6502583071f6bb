"""Run All: the cells that a front end sends together, as the queue of requests shows.

Their order is that of the document, which the session adopts. A front end sends them within milliseconds, so that they
wait in the queue while the first of them runs.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:  # in a browser there are no sockets
    from puppet_kernel.jupyter.channels import Channel
    from puppet_kernel.jupyter.inprocess import DirectChannel

DELIMITER = b"<IDS|MSG>"  # before the signature of a message
# How long to wait for the next of several requests; without one, the output of the first is sent.
WAIT_SECONDS = 0.003

Position = Callable[[str], int | None]
# The longest time between two requests that were sent together. A user takes longer to run another cell.
TOGETHER = timedelta(seconds=0.25)


class SentCell(NamedTuple):
    """A request to run a cell: the identity of the cell, and the time of the request."""

    cell_id: str
    date: datetime


class CellsSentTogether:
    """The cells of the last requests that were sent together, the running one included."""

    def __init__(self) -> None:
        self._ran: list[SentCell] = []
        self._waiting: list[SentCell] = []
        self._parsed: dict[int, SentCell | None] = {}  # by the identity of waiting frames
        self._begun = 0.0  # when the running request was handled
        self._seconds = timedelta(0)  # the time that the last request took

    def begin(
        self, request: dict[str, Any], channel: Channel | DirectChannel, position: Position = lambda key: None
    ) -> list[str]:
        """Return the identities of the cells that were sent together with a request, in order.

        The list is empty if the request was sent alone, or if its front end assigns no identities. A request belongs to
        the one before it if it was sent before that was answered: by the clock of the front end, sooner than the answer
        took. If that was later than `TOGETHER`, the user may as well have run the cell alone: then the request does not
        belong to the one before if its cell is known to be above.

        Args:
            request: The request that is handled now.
            channel: The channel on which further requests wait.
            position: Returns the position of a cell in the document; None for a new one.
        """
        self._begun = perf_counter()
        running = _read_cell(request)
        if running is None:
            self._ran, self._waiting = [], []
            return []
        together = running in self._waiting or self._is_next(running, position)
        self._ran = [*self._ran, running] if together else [running]
        return self._find(channel)

    def _is_next(self, running: SentCell, position: Position) -> bool:
        """Return True if a request was sent before the last was answered, in document order."""
        if not self._ran or running.cell_id in {one.cell_id for one in self._ran}:
            return False
        last, gap = self._ran[-1], running.date - self._ran[-1].date
        places = position(last.cell_id), position(running.cell_id)
        is_above = places[0] is not None and places[1] is not None and places[1] < places[0]
        return timedelta(0) <= gap < self._seconds and not (is_above and gap > TOGETHER)

    def end(self, channel: Channel | DirectChannel, seconds: float = 0.0) -> list[str]:
        """Return the same when the cell has run, with the requests that arrived meanwhile.

        Args:
            channel: The channel on which further requests wait.
            seconds: The time to wait for a request if none has arrived.
        """
        if not self._ran:
            return []
        found = self._find(channel)
        if not found and seconds and channel.wait(seconds):
            found = self._find(channel)
        self._seconds = timedelta(seconds=perf_counter() - self._begun)
        return found

    def _find(self, channel: Channel | DirectChannel) -> list[str]:
        """Return the cells of this run so far and those that wait; none if there is only one."""
        channel.flush()
        self._waiting, last = [], self._ran[-1]
        for frames in list(channel.waiting):
            found = self._read(frames)
            if found is not None and timedelta(0) <= found.date - last.date <= TOGETHER:
                self._waiting.append(found)
                last = found
        if not channel.waiting:
            self._parsed.clear()
        cells = [*self._ran, *self._waiting]
        return [one.cell_id for one in cells] if len(cells) > 1 else []

    def _read(self, frames: list[Any]) -> SentCell | None:
        """Return the cell of waiting frames, which are parsed once."""
        if id(frames) not in self._parsed:
            self._parsed[id(frames)] = _read_frames(frames)
        return self._parsed[id(frames)]


def is_cell_waiting(channel: Channel | DirectChannel) -> bool:
    """Return True if a request to run a cell waits behind the running one."""
    return any(_read_frames(frames) is not None for frames in channel.read_ahead())


def _read_cell(message: dict[str, Any]) -> SentCell | None:
    """Return the cell that a message requests to run; None for any other message."""
    header, metadata = message.get("header", {}), message.get("metadata", {})
    cell_id, date = metadata.get("cellId"), header.get("date")
    if header.get("msg_type") != "execute_request" or not isinstance(cell_id, str):
        return None
    date = read_date(date)
    return None if date is None else SentCell(cell_id, date)


def read_date(date: object) -> datetime | None:
    """Return the time at which a message was sent, from its header; None if that is no date."""
    if isinstance(date, str):
        with suppress(ValueError):
            date = datetime.fromisoformat(date)
    if not isinstance(date, datetime):
        return None
    return date if date.tzinfo is not None else date.astimezone()


def _read_frames(frames: list[Any]) -> SentCell | None:
    """Return the cell that a waiting message requests to run; None for any other message.

    The signature is not checked, because the message decides nothing but the order.
    """
    try:
        parts = [bytes(frame.buffer) for frame in frames]
        start = parts.index(DELIMITER)
        header, _, metadata = map(json.loads, parts[start + 2 : start + 5])
        return _read_cell({"header": header, "metadata": metadata})
    except (ValueError, TypeError, AttributeError, LookupError):
        return None
