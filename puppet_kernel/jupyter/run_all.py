"""Run All: which cells a front end has sent together, as the queue of requests shows.

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
# How long the kernel waits for the second of several requests, before it sends the output of the first.
WAIT_SECONDS = 0.003

FindPosition = Callable[[str], int | None]
# The longest time between two requests that a front end sends together. A user takes longer to run another cell.
LONGEST_GAP = timedelta(seconds=0.25)


class SentCell(NamedTuple):
    """A request to run a cell: the identity of the cell, and the time of the request."""

    cell_id: str
    date: datetime


class CellsSentTogether:
    """The cells that a front end sent together, of which one is running or ran last.

    The kernel calls `begin` before it runs a cell, and `end` afterwards.
    """

    def __init__(self) -> None:
        self._started: list[SentCell] = []  # those that have run, and the running one
        self._waiting: list[SentCell] = []  # those whose requests are in the queue
        self._cells_by_frames: dict[int, SentCell | None] = {}  # by the identity of waiting frames
        self._start_time = 0.0  # of the running request, by `perf_counter`
        self._last_duration = timedelta(0)  # the time that the request before it took

    def begin(
        self,
        request: dict[str, Any],
        channel: Channel | DirectChannel,
        find_position: FindPosition = lambda cell_id: None,
    ) -> list[str]:
        """Return the identities of the cells that were sent together with a request, in order.

        The list is empty if the request was sent alone, or if its front end assigns no identities.

        Args:
            request: The request that is handled now.
            channel: The channel on which further requests wait.
            find_position: Returns the position of a cell in the document; None for a new one.
        """
        self._start_time = perf_counter()
        running = _read_cell(request)
        if running is None:
            self._started, self._waiting = [], []
            return []
        together = running in self._waiting or self._follows_last(running, find_position)
        self._started = [*self._started, running] if together else [running]
        return self._list_cells(channel)

    def _follows_last(self, running: SentCell, find_position: FindPosition) -> bool:
        """Return True if the running cell was sent together with the last one, by their dates.

        It was if less time passed between the two requests than the last one took: the front end had no answer yet.
        After more than `LONGEST_GAP` a user may have run the cell alone, and has done so if it is above the last one.
        """
        if not self._started or running.cell_id in {cell.cell_id for cell in self._started}:
            return False
        last = self._started[-1]
        gap = running.date - last.date
        last_position, position = find_position(last.cell_id), find_position(running.cell_id)
        is_above = last_position is not None and position is not None and position < last_position
        return timedelta(0) <= gap < self._last_duration and not (is_above and gap > LONGEST_GAP)

    def end(self, channel: Channel | DirectChannel, seconds: float = 0.0) -> list[str]:
        """Return the identities that `begin` returned, and those of later requests.

        Args:
            channel: The channel on which further requests wait.
            seconds: The time to wait for a request if none has arrived.
        """
        if not self._started:
            return []
        identities = self._list_cells(channel)
        if not identities and seconds and channel.wait(seconds):
            identities = self._list_cells(channel)
        self._last_duration = timedelta(seconds=perf_counter() - self._start_time)
        return identities

    def _list_cells(self, channel: Channel | DirectChannel) -> list[str]:
        """Return the identities of all cells that were sent together; none for a single cell."""
        channel.flush()
        self._waiting, last = [], self._started[-1]
        for frames in list(channel.waiting):
            cell = self._read_once(frames)
            if cell is not None and timedelta(0) <= cell.date - last.date <= LONGEST_GAP:
                self._waiting.append(cell)
                last = cell
        if not channel.waiting:
            self._cells_by_frames.clear()
        cells = [*self._started, *self._waiting]
        return [cell.cell_id for cell in cells] if len(cells) > 1 else []

    def _read_once(self, frames: list[Any]) -> SentCell | None:
        """Return the cell of a waiting message; each message is parsed once."""
        if id(frames) not in self._cells_by_frames:
            self._cells_by_frames[id(frames)] = _read_frames(frames)
        return self._cells_by_frames[id(frames)]


def is_cell_waiting(channel: Channel | DirectChannel) -> bool:
    """Return True if a request to run a cell waits behind the running one."""
    return any(_read_frames(frames) is not None for frames in channel.read_ahead())


def _read_cell(message: dict[str, Any]) -> SentCell | None:
    """Return the cell that a message requests to run; None for any other message."""
    header, metadata = message.get("header", {}), message.get("metadata", {})
    cell_id = metadata.get("cellId")
    if header.get("msg_type") != "execute_request" or not isinstance(cell_id, str):
        return None
    date = read_date(header.get("date"))
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

    The signature is not checked, because only the order of the cells depends on the message here.

    Args:
        frames: The parts of the message as ZeroMQ received them: identities, delimiter, signature, header, parent
            header, metadata, content.
    """
    try:
        parts = [bytes(frame.buffer) for frame in frames]
        delimiter = parts.index(DELIMITER)
        header, _, metadata = map(json.loads, parts[delimiter + 2 : delimiter + 5])
        return _read_cell({"header": header, "metadata": metadata})
    except (ValueError, TypeError, AttributeError, LookupError):
        return None
