"""Run All: find the cells that a front end sent together, whose order the session adopts.

That order is the document's, which no message contains. The front end sends one request for each cell, all within
milliseconds; so the other cells wait in the queue of requests while the first one runs.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from lexer_parser.record import Record, fresh

if TYPE_CHECKING:  # in a browser there are no sockets
    from puppet_kernel.jupyter.channels import Channel
    from puppet_kernel.jupyter.inprocess import DirectChannel

DELIMITER = b"<IDS|MSG>"  # before the signature of a message
# How long the kernel waits for the second of several requests, before it sends the output of the first.
WAIT_SECONDS = 0.003
# The longest time between two requests that a front end sends together. A user takes longer to run another cell.
LONGEST_GAP = timedelta(seconds=0.25)

FindPosition = Callable[[str], int | None]


class SentCell(NamedTuple):
    """A request to run a cell: the identity of the cell, and the time of the request."""

    cell_id: str
    date: datetime


class CellsSentTogether(Record):
    """The cells that a front end sent together, of which one is running or ran last.

    The kernel calls `begin` before it runs a cell, and `end` afterwards. A cell belongs to those before it if its
    request was found in the queue behind theirs, or if it arrived before the last one was answered.

    Attributes:
        _started: The cells that have run, and the running one.
        _waiting: The cells whose requests were in the queue when it was last read.
        _parsed: The frames of each message in the queue, with its cell or None, by the identity of the frames. They are
            stored, so that no other message gets the same identity.
        _start_time: The start of the running request, by `perf_counter`.
        _last_duration: The time that the request before it took.
    """

    _started: list[SentCell] = fresh(factory=list)
    _waiting: list[SentCell] = fresh(factory=list)
    _parsed: dict[int, tuple[list[Any], SentCell | None]] = fresh(factory=dict)
    _start_time: float = 0.0
    _last_duration: timedelta = timedelta(0)

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
        self._read_queue(channel)
        return self._list_identities()

    def _follows_last(self, running: SentCell, find_position: FindPosition) -> bool:
        """Return True if the dates show that the running cell was sent together with the last one."""
        if not self._started or running.cell_id in {cell.cell_id for cell in self._started}:
            return False
        last = self._started[-1]
        gap = running.date - last.date
        was_sent_before_answer = timedelta(0) <= gap < self._last_duration
        last_position, position = find_position(last.cell_id), find_position(running.cell_id)
        is_above = last_position is not None and position is not None and position < last_position
        # After a longer gap a user may have run the cell alone, and has done so if it is above the last one.
        return was_sent_before_answer and (gap <= LONGEST_GAP or not is_above)

    def end(self, channel: Channel | DirectChannel, seconds: float = 0.0) -> list[str]:
        """Return the identities that `begin` returned, and those of later requests.

        Args:
            channel: The channel on which further requests wait.
            seconds: The time to wait for a request if none has arrived.
        """
        if not self._started:
            return []
        self._read_queue(channel)
        if not self._list_identities() and seconds and channel.wait(seconds):
            self._read_queue(channel)
        self._last_duration = timedelta(seconds=perf_counter() - self._start_time)
        return self._list_identities()

    def _read_queue(self, channel: Channel | DirectChannel) -> None:
        """Find the waiting cells that were sent together with the running one."""
        channel.flush()  # reads what has arrived; the name is pyzmq's
        parsed = self._parsed  # so that each message is parsed once, however often the queue is read
        queue = list(channel.waiting)
        self._parsed = {
            id(frames): parsed[id(frames)] if id(frames) in parsed else (frames, _read_frames(frames))
            for frames in queue
        }
        self._waiting, last = [], self._started[-1]
        for _, cell in self._parsed.values():
            if cell is not None and timedelta(0) <= cell.date - last.date <= LONGEST_GAP:
                self._waiting.append(cell)
                last = cell

    def _list_identities(self) -> list[str]:
        """Return the identities of all cells that were sent together; none for a single cell."""
        cells = [*self._started, *self._waiting]
        return [cell.cell_id for cell in cells] if len(cells) > 1 else []


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
