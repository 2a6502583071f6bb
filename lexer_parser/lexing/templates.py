"""The template mode of the lexer: text with tags around code."""

from __future__ import annotations

from lexer_parser.lazy import LazyPattern
from lexer_parser.lexing.state import LexerState

_TAG = LazyPattern(r"<%%|<%#-?|<%[=-]?")
_COMMENT_END = LazyPattern(r"(?<!%)%>")
_TRAILING_BLANKS = LazyPattern(r"[ \t]*\r?\n?")


def read_template_start(lexer: LexerState) -> int:
    """Read up to the first code of a template; return its offset."""
    lexer.emit("EPP_START", 0, 0, None)
    return read_template_text(lexer, 0)


def read_tag_end(lexer: LexerState, start: int) -> int:
    """End code at `%>` or `-%>`; return the offset of the next code."""
    trim = lexer.text[start] == "-"
    stop = start + (3 if trim else 2)
    if lexer.rendering:
        lexer.emit("EPP_END_TRIM" if trim else "EPP_END", start, stop, lexer.text[start:stop])
    lexer.rendering = None
    # The text of a template begins behind the tag, so a heredoc cannot have its text there.
    lexer.interrupted = None
    lexer.end = len(lexer.text)
    return read_template_text(lexer, stop, trim)


def read_template_text(lexer: LexerState, start: int, trim: bool = False) -> int:
    """Read text up to the next code; return its offset, -1 at the end."""
    source = lexer.text
    position = start
    pieces: list[str] = []
    while True:
        if position == len(source):
            return -1  # text before a comment at the very end is lost
        if trim:
            position = _TRAILING_BLANKS.match(source, position).end()  # type: ignore[union-attr]
            trim = False
        match = _TAG.search(source, position)
        if match is None:
            pieces.append(_unescape_tag_ends(source[position:]))
            lexer.emit("RENDER_STRING", start, len(source), "".join(pieces))
            return -1
        pieces.append(_unescape_tag_ends(source[position : match.start()]))
        tag, position = match[0], match.end()
        if tag == "<%%":
            pieces.append("<%")
        elif tag.startswith("<%#"):
            position, trim = _skip_comment(lexer, match.start(), tag, pieces)
        else:
            break
    if position == len(source) and tag == "<%":
        raise lexer.fail("EPP_UNBALANCED_EXPRESSION", position)
    if tag == "<%-":
        _trim_blanks(pieces)
    value = "".join(pieces)
    if value:
        lexer.emit("RENDER_STRING", start, position, value)
    lexer.rendering = tag == "<%="
    if lexer.rendering:
        lexer.emit("RENDER_EXPR", start, position, None)
    return position


def _unescape_tag_ends(text: str) -> str:
    """Return text with `%%>` replaced by `%>`."""
    return text.replace("%%>", "%>")


def _skip_comment(lexer: LexerState, start: int, tag: str, pieces: list[str]) -> tuple[int, bool]:
    """Skip a comment; return the offset behind it, and whether what follows is trimmed."""
    source = lexer.text
    found = _COMMENT_END.search(source, start + 3)
    if found is None:
        raise lexer.fail("EPP_UNBALANCED_COMMENT", start + 2, len(source))
    if tag == "<%#-":
        _trim_blanks(pieces)
    return found.end(), source[found.start() - 1] == "-"


def _trim_blanks(pieces: list[str]) -> None:
    """Remove the blanks before a tag."""
    pieces[:] = ["".join(pieces).rstrip(" \t")]
