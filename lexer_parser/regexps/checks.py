"""Checks of a parsed regular expression: references, endless recursion, look-behinds."""

from __future__ import annotations

from lexer_parser.regexps.escapes import refuse_if
from lexer_parser.regexps.nodes import (
    MAX_DEPTH,
    Alternation,
    Capture,
    ConditionalGroup,
    GroupCall,
    GroupReference,
    RegexpGroup,
    RegexpNode,
    RegexpSequence,
    Repetition,
    SpecialEscape,
    match_width,
    walk,
)


class RegexpPattern:
    """A whole expression.

    Attributes:
        body: The root of its tree.
        depth: The levels of nesting.
        calls: True if it contains a GroupCall.
        captures: Its capturing groups in order: only those with names, if there are such, as in Ruby.
        names: The numbers of the groups of each name.
    """

    def __init__(self, body: RegexpNode, captures: list[Capture], depth: int) -> None:
        self.body = body
        self.depth = depth
        self.calls = any(type(node) is GroupCall for node in walk(body))
        self.names: dict[str, list[int]] = {}
        self.captures = [capture for capture in captures if capture.name is not None] or captures
        for number, capture in enumerate(self.captures, 1):
            capture.number = number
            if capture.name is not None:
                self.names.setdefault(capture.name, []).append(number)

    def group_numbers(self, reference: GroupReference) -> list[int]:
        """Return the numbers of the groups that a reference means.

        There are several if groups have the same name. It is [0] for a call of the whole expression.

        Raises:
            RegexpSyntaxError: There is no such group.
        """
        target = reference.target
        if isinstance(target, str):
            refuse_if(target not in self.names, f"undefined name <{target}> reference")
            return self.names[target]
        is_call = isinstance(reference, GroupCall)
        if target == 0 and is_call:
            return [0]
        refuse_if(self.names, "numbered backref/call is not allowed. (use name)")
        refuse_if(
            not 0 < target <= len(self.captures),
            f"undefined group <{target}> reference" if is_call else "invalid backref number/name",
        )
        return [target]

    def find_called_group(self, call: GroupCall) -> tuple[int, RegexpNode]:
        """Return the number and the body of the group that a call calls."""
        number = self.group_numbers(call)[0]
        return number, self.captures[number - 1].body if number else self.body

    def is_recursive(self, number: int) -> bool:
        """Return whether a group calls itself or the whole expression, through other groups as well."""
        seen: set[int] = set()
        pending = [self.captures[number - 1].body]
        while pending:
            for node in walk(pending.pop()):
                if isinstance(node, GroupCall):
                    called, body = self.find_called_group(node)
                    if called in (number, 0):
                        return True
                    if called not in seen:
                        seen.add(called)
                        pending.append(body)
        return False


def check_pattern(pattern: RegexpPattern) -> None:
    """Raise RegexpSyntaxError for what Ruby refuses although each part of the expression is well formed.

    Of an expression that is nested deeper than `MAX_DEPTH` only the references are checked.
    """
    nodes = [*walk(pattern.body)]
    is_shallow = pattern.depth <= MAX_DEPTH
    # All calls must name a group before one of them can be followed.
    for node in nodes:
        if isinstance(node, GroupCall):
            pattern.group_numbers(node)
    for node in nodes:
        reference = node.test if isinstance(node, ConditionalGroup) else node
        if isinstance(reference, GroupCall):
            refuse_if(is_shallow and _is_endless(pattern, reference), "never ending recursion")
        elif isinstance(reference, GroupReference):
            pattern.group_numbers(reference)
        elif isinstance(node, RegexpGroup) and node.opening in ("?<=", "?<!") and is_shallow:
            _check_look_behind(node)


def _is_endless(pattern: RegexpPattern, call: GroupCall) -> bool:
    """Return whether a called group calls itself in every match, or before any character."""
    number, body = pattern.find_called_group(call)
    active = frozenset((number,))  # the groups that have been called and are not yet matched
    return _needs_call(pattern, body, active) or _begins_with_call(pattern, body, active)


def _begins_with_call(pattern: RegexpPattern, node: RegexpNode, active: frozenset[int]) -> bool:
    """Return whether a match of the node can call an active group before it takes a character."""
    if isinstance(node, GroupCall):
        number, body = pattern.find_called_group(node)
        return number in active or _begins_with_call(pattern, body, active | {number})
    if isinstance(node, RegexpSequence):
        for item in node.items:
            if _begins_with_call(pattern, item, active):
                return True
            least, _ = match_width(item)
            if least:
                break
        return False
    return not isinstance(node, ConditionalGroup) and any(
        _begins_with_call(pattern, child, active) for child in node.children()
    )


def _needs_call(pattern: RegexpPattern, node: RegexpNode, active: frozenset[int]) -> bool:
    """Return whether every match of the node calls an active group."""
    if isinstance(node, GroupCall):
        number, body = pattern.find_called_group(node)
        return number in active or _needs_call(pattern, body, active | {number})
    if isinstance(node, Alternation):
        return all(_needs_call(pattern, branch, active) for branch in node.branches)
    if isinstance(node, ConditionalGroup) or (isinstance(node, Repetition) and not node.least):
        return False
    return any(_needs_call(pattern, child, active) for child in node.children())


def _check_look_behind(group: RegexpGroup) -> None:
    """Raise if Ruby cannot look behind: the length must be fixed, only alternatives at the top may differ."""
    body = group.body
    while isinstance(body, RegexpGroup) and body.opening == "?:":
        body = body.body
    for branch in body.branches if isinstance(body, Alternation) else [body]:
        shortest, longest = match_width(branch)
        # Ruby refuses these parts of a look-behind whatever their length is.
        has_refused_part = any(
            (isinstance(node, RegexpGroup) and node.opening not in ("?:", "?<=", "?<!"))
            or (isinstance(node, SpecialEscape) and node.kind in "zZRX")
            or isinstance(node, GroupReference | ConditionalGroup)
            or (group.opening == "?<!" and isinstance(node, Capture) and node.number > 0)
            for node in walk(branch)
        )
        refuse_if(shortest != longest or has_refused_part, "invalid pattern in look-behind")
