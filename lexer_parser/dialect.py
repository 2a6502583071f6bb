"""The two dialects, as one record of switches. Nothing asks for a dialect by name; code asks for a switch."""

from __future__ import annotations

SWITCHES: dict[str, str] = {
    "string_numbers": (
        "Comparisons and `in` treat strings that look like numbers as numbers, and numbers sort before all other"
        " strings. So `1 == '1'` and `'10' > 9` are true; the released Puppet says false, and refuses to compare a"
        " String with an Integer by `<`."
    ),
    "range_to": (
        "The second key of `array[a, b]` and `string[a, b]` is the index of the last element, not a count."
        " `[1, 2, 3, 4, 5][2, 3]` is `[3, 4]`; the released Puppet takes three elements: `[3, 4, 5]`."
        " A string's index out of range gives undef, not an empty string."
    ),
    "delete_equal": (
        "`array - value` removes every element that is `==` to the value, so `['a', 'A', 'b'] - 'a'` is `['b']`."
        " The released Puppet removes only what is the same: `['A', 'b']`."
    ),
    "option_match": (
        "An option of `case` or of a selector that is an array, a hash or a type is compared as a whole: `case"
        " Integer { Integer: { } }` matches. The released Puppet matches arrays and hashes element by element,"
        " and a type asks whether the value is an instance of it."
    ),
    "selector_order": (
        "A selector's `default` matches where it stands, and no match gives undef. In the released Puppet"
        " `default` is considered last wherever it stands, and no match is an error."
    ),
    "in_search": (
        "`String in 'text'` is true, as are Data and Any, and `in` leaves `$0`, `$1`, … alone. In the released"
        " Puppet a type is never in a string, and a regular expression on the left sets the match variables."
    ),
    "match_reset": (
        "A match that fails clears `$0`, `$1`, … . In the released Puppet they keep what the last match that"
        " succeeded has set."
    ),
    "int_range": (
        "`Integer[5]` means exactly 5, and a range may descend: `Integer[3, 1]` iterates 3, 2, 1. In the released"
        " Puppet `Integer[5]` is 5 and everything above, and a descending range is an error."
    ),
    "data_model": (
        "Data holds every Scalar, and hashes with any Scalar as key; a bare Array is `Array[Data]` and a bare Hash"
        " is `Hash[Scalar, Data]`. In the released Puppet a regular expression is no Data, keys are Strings, and"
        " bare collections hold Any."
    ),
    "bare_types": (
        "A bare Pattern and a bare Optional match nothing, and a bare Struct matches every hash. In the released"
        " Puppet a bare Pattern matches every string, a bare Optional undef, and a bare Struct only `{}`."
    ),
    "type_union": (
        "The smallest common type of two types, as `type([A, B], 'reduced')` shows it, follows the specification's"
        " table: Integer and String have Scalar in common, Array and Hash have Collection. The released Puppet"
        " answers ScalarData and Any or Data."
    ),
    "regexp_form": (
        "`\\A` and `\\Z` are dropped from patterns, and letters after a regular expression's end, as in `/a/m`, are"
        " an error. The released Puppet keeps the anchors and reads `m` as the next word."
    ),
    "interpolation": (
        'In `"${name}"` the name is taken for a variable only when it, with its `[…]` and `.method` chain, is the'
        ' whole expression, and keywords need a `$`. The released Puppet also reads `"${x[1] + 1}"` as a sum with'
        " `$x[1]`."
    ),
    "strict_names": (
        "A bare word has no hyphen, a keyword is no segment of a name, and no segment of a qualified variable"
        " begins with `_`. The released Puppet takes `a-b` and `foo::class` for strings."
    ),
    "list_start": (
        "A blank before `[` matters only after a bare name, so `$a [1]` is an access; on a new line `[` starts an"
        " array, except after a variable. In the released Puppet any blank or line end makes it an array."
    ),
    "catalog_precedence": (
        "A relationship binds weaker than `=` and than a call's parentheses, and a resource expression cannot be"
        " assigned: `$x = A -> B` assigns A. In the released Puppet it assigns what the relationship gives, and"
        " `$r = notify { 'a': }` assigns references."
    ),
    "shift": (
        "`<<` and `>>` take Integers only, and `>>` never goes below 0: `-8 >> 1` is 0. The released Puppet gives"
        " -4, and shifts by the whole part of a Float."
    ),
    "minor": (
        "Smaller rules: parameters of Array and Hash are types, values of a Struct are types, index keys are"
        " Integers, a query compares with no part of a value (`title == $x[0]`), `+>` in an override needs"
        " inheritance, a collector evaluates to undef, `* =>` is evaluated"
        " after the other attributes, and `Callable` is `Callable[0, default]`."
    ),
    "extensions": (
        "What the specification allows and the released Puppet rejects: `+=` and `-=` on arrays and hashes of an"
        " outer scope, Integers without bounds, unknown type names as resource types, interpolated node names,"
        " defaults by `Resource['type'] { }`, `+>` in defaults, overrides through a variable, `convert`, `is_a`,"
        " `type_of`, and programs that are nothing but values, line by line."
    ),
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
