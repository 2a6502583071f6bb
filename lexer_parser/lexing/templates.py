"""Template mode: text with tags around code."""

from __future__ import annotations

from lexer_parser.lazy import LazyPattern
from lexer_parser.lexing.reading import Reading

_TAG = LazyPattern(r"<%%|<%#-?|<%[=-]?")
_COMMENT_END = LazyPattern(r"(?<!%)%>")
_TRAILING_BLANKS = LazyPattern(r"[ \t]*\r?\n?")


def begin(lexer: Reading) -> int:
    """Reads up to the first code of a template; gives the offset at which that begins."""
    lexer.emit("EPP_START", 0, 0, None)
    return text(lexer, 0)


def end_tag(lexer: Reading, start: int) -> int:
    """Ends a stretch of code at `%>` or `-%>`; gives the offset at which the next one begins."""
    trim = lexer.text[start] == "-"
    stop = start + (3 if trim else 2)
    if lexer.rendering:
        lexer.emit("EPP_END_TRIM" if trim else "EPP_END", start, stop, lexer.text[start:stop])
    lexer.rendering = None
    # The text of a template begins behind the tag, so a heredoc cannot have its text there.
    lexer.interrupted = None
    lexer.end = len(lexer.text)
    return text(lexer, stop, trim)


def text(lexer: Reading, start: int, trim: bool = False) -> int:
    """Reads text up to the next code; gives the offset at which that begins, -1 at the end."""
    source = lexer.text
    position = start
    pieces: list[str] = []
    while True:
        if position == len(source):
            return -1  # what stood before a comment at the very end is lost
        if trim:
            position = _TRAILING_BLANKS.match(source, position).end()  # type: ignore[union-attr]
            trim = False
        match = _TAG.search(source, position)
        if match is None:
            pieces.append(_plain(source[position:]))
            lexer.emit("RENDER_STRING", start, len(source), "".join(pieces))
            return -1
        pieces.append(_plain(source[position : match.start()]))
        tag, position = match[0], match.end()
        if tag == "<%%":
            pieces.append("<%")
        elif tag.startswith("<%#"):
            position, trim = _comment(lexer, match.start(), tag, pieces)
        else:
            break
    if position == len(source) and tag == "<%":
        raise lexer.fail("EPP_UNBALANCED_EXPRESSION", position)
    if tag == "<%-":
        _trim(pieces)
    value = "".join(pieces)
    if value:
        lexer.emit("RENDER_STRING", start, position, value)
    lexer.rendering = tag == "<%="
    if lexer.rendering:
        lexer.emit("RENDER_EXPR", start, position, None)
    return position


def _plain(text: str) -> str:
    """Text with `%%>` written out."""
    return text.replace("%%>", "%>")


def _comment(lexer: Reading, start: int, tag: str, pieces: list[str]) -> tuple[int, bool]:
    """Leaves a comment out; gives the offset behind it, and whether what follows is trimmed."""
    source = lexer.text
    found = _COMMENT_END.search(source, start + 3)
    if found is None:
        raise lexer.fail("EPP_UNBALANCED_COMMENT", start + 2, len(source))
    if tag == "<%#-":
        _trim(pieces)
    return found.end(), source[found.start() - 1] == "-"


def _trim(pieces: list[str]) -> None:
    """Takes away the blanks before a tag."""
    pieces[:] = ["".join(pieces).rstrip(" \t")]
