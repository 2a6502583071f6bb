"""The two dialects, as one record of switches. Nothing asks for a dialect by name; code asks for a switch."""

from __future__ import annotations

SWITCHES: dict[str, str] = {
    "string_numbers": "== != < <= > >= and `in` treat numeric strings as numbers; numbers sort before strings.",
    "range_to": "The second key of `array[a, b]` and `string[a, b]` is an inclusive end index, not a count.",
    "delete_equal": "`array - value` removes what is `==`, not what is the same.",
    "option_match": "case and selector options compare arrays, hashes and types with ==, not element by element.",
    "selector_order": "A selector's `default` matches where it stands; no match gives undef.",
    "in_search": "`String in 'text'` is true, and `in` leaves the match variables alone.",
    "match_reset": "A failed match clears $0, $1, … .",
    "int_range": "`Integer[5]` means exactly 5, and ranges may descend.",
    "data_model": "Data holds every Scalar; a bare Array is Array[Data], a bare Hash is Hash[Scalar, Data].",
    "bare_types": "Bare Pattern and Optional match nothing, a bare Struct matches every hash.",
    "type_union": "The union of types follows the specification's table.",
    "regexp_form": "`\\A` and `\\Z` are dropped from patterns; options after a regexp are an error.",
    "interpolation": "`${name…}` makes a variable only of a whole name, access or call chain; keywords need `$`.",
    "strict_names": "No hyphens in bare words, no keywords as name segments, no `_` first in a qualified segment.",
    "list_start": "A blank before `[` matters only after a bare name; on a new line `[` starts an array, except after a variable.",
    "catalog_precedence": "A relationship binds weaker than `=`, and a resource expression is no value.",
    "shift": "Shift operands must be integers and `>>` never goes below 0.",
    "minor": "Smaller rules of the specification: key types of Array, Hash and Struct, index types, and others.",
    "extensions": "What the specification allows and the released Puppet rejects: += and -=, unbounded integers, …",
}


class Dialect:
    """A frozen record of switches: `dialect.range_to` is true where the specification's rule holds."""

    __slots__ = ("name", *SWITCHES)

    string_numbers: bool
    range_to: bool
    delete_equal: bool
    option_match: bool
    selector_order: bool
    in_search: bool
    match_reset: bool
    int_range: bool
    data_model: bool
    bare_types: bool
    type_union: bool
    regexp_form: bool
    interpolation: bool
    strict_names: bool
    list_start: bool
    catalog_precedence: bool
    shift: bool
    minor: bool
    extensions: bool
    name: str

    def __init__(self, name: str, *, specified: bool) -> None:
        for switch in SWITCHES:
            object.__setattr__(self, switch, specified)
        object.__setattr__(self, "name", name)

    def turned(self, switch: str) -> Dialect:
        """The dialect that differs from this one in a single switch."""
        found = Dialect(f"{self.name}, {switch} turned", specified=False)
        for name in SWITCHES:
            object.__setattr__(found, name, getattr(self, name) != (name == switch))
        return found

    def __setattr__(self, key: str, value: object) -> None:
        raise AttributeError("a dialect is frozen")

    def __repr__(self) -> str:
        return f"Dialect({self.name})"


SPEC = Dialect("spec", specified=True)
PUPPET = Dialect("puppet", specified=False)
DIALECTS = {dialect.name: dialect for dialect in (SPEC, PUPPET)}
