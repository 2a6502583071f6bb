"""The dialects, each a record of switches. Code tests a switch, never the name of a dialect."""

from __future__ import annotations

SWITCHES: dict[str, str] = {
    "string_numbers": (
        "Comparisons and `in` treat strings that look like numbers as numbers, and numbers sort before all other"
        " strings. So `1 == '1'` and `'10' > 9` are true; the released Puppet says false, and refuses to compare a"
        " String with an Integer by `<`. Case does not matter for any letter; the released Puppet folds A to Z."
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
        "A bare Pattern, Optional, Enum and Variant contain nothing, a bare Struct contains every hash, a bare Tuple is"
        " `Tuple[Data, 0, default]`, and a bare Callable is `Callable[0, default]`. In the released Puppet a bare"
        " Pattern matches every string, a bare Optional undef, a bare Struct only `{}`, bare types accept others that"
        " they do not contain, and the two Callables are not equal."
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
        " `$r = notify { 'a': }` assigns references. Overrides may begin with a variable or an array, and `[,]`, `{,}`"
        " and `case $x { }` are read; the released Puppet refuses them."
    ),
    "shift": (
        "`<<` and `>>` take Integers only, and `>>` never goes below 0: `-8 >> 1` is 0. The released Puppet gives"
        " -4, and shifts by the whole part of a Float."
    ),
    "type_parameters": (
        "Parameters of Array and Hash are types, their sizes stand behind them, and the values of a Struct are types:"
        " `Hash[1, 2]`, `Array[String, Integer]` and `Struct[{'a' => 1}]` are errors. The released Puppet takes"
        " `Hash[1, 2]` for sizes, a range for a size, and any value for its type."
    ),
    "integer_keys": (
        "The index of an element is an Integer. The released Puppet converts a String that is a number, with a"
        " warning: `[1, 2, 3]['1']` is 2."
    ),
    "query_values": (
        "A query compares with a variable, a literal or a name, not with a part of a value: `File <| title == $x[0] |>`"
        " is an error. The released Puppet takes any part of a value."
    ),
    "override_append": (
        "`+>` in an override needs a class that inherits the resource's class, `=>` only where the attribute is set."
        " The released Puppet takes both in the resource's scope where it is not set, elsewhere in such a class."
    ),
    "collector_value": (
        "A collector evaluates to undef. In the released Puppet its value is the collector, which can be related to"
        " other things."
    ),
    "class_value": (
        "`class { 'a': }` gives `Class[a]`. The released Puppet gives a reference that is not equal to it."
    ),
    "catalog_grammar": (
        "Catalog expressions have only the forms of their grammar: `@@@notify { 'a': }`, `Notify['a'] { }`,"
        " `notify { 'a': , }`, `class a inherits B { }`, `Notify <| 1 |>` and `Notify[undef]` are errors. The released"
        " Puppet accepts them."
    ),
    "metaparameter_variables": (
        "Metaparameters exist as variables, undef where they are not set: `$noop` is no unknown variable. In the"
        " released Puppet only those that are set exist."
    ),
    "own_exports": (
        "`<<| |>>` finds what this catalog exports, and imports what other nodes have exported. The released Puppet"
        " finds nothing without a store of exported resources, and says so."
    ),
    "empty_operands": (
        "An empty operand relates nothing, also in a chain: `A -> [] -> B`. In the released Puppet that is `A -> B`."
    ),
    "splat_last": (
        "`* => hash` is evaluated after the other attributes. The released Puppet evaluates attributes in the order"
        " of the text."
    ),
    "append_assignment": (
        "`+=` and `-=` set a variable to what the same variable of an outer scope holds, with something added or"
        " removed. The released Puppet refuses them."
    ),
    "unbounded_integers": (
        "Integers have no bounds. In the released Puppet they end at 64 bits, and `round` takes them by way of a Float."
    ),
    "slice_end": (
        "`slice` gives parts of the size that was asked for. The released Puppet ends a part one element too early"
        " when it takes in all of a range or of steps."
    ),
    "unknown_types": (
        "The name of an unknown type is that of a resource type: `Foo` is `Resource['foo']`. The released Puppet says"
        " that there is no such type."
    ),
    "class_names": (
        "`Class[Foo]` is `Class['foo']`. In the released Puppet a class is named by a string or a lower-case word."
    ),
    "text_operands": (
        "A string at an arrow is a reference, or else the name of a class: `'a' -> Notify['b']`. The released Puppet"
        " takes references only: `'Notify[a]'`."
    ),
    "plugin_types": (
        "A resource type of a module is taken before a defined type of its name. In the released Puppet only its own"
        " types are."
    ),
    "node_names": (
        'The name of a node may be interpolated: `node "web${n}" { }`. The released Puppet refuses it.'
    ),
    "titled_defaults": ("`Resource['notify'] { … }` sets defaults. In the released Puppet it lacks a title."),
    "append_defaults": ("Defaults may have `+>`. In the released Puppet only overrides and collectors do."),
    "former_types": (
        "`Object` is Any, `Literal` is Scalar, and `Ruby['A']` is `Runtime['ruby', 'A']`. The released Puppet has no"
        " Literal and no Ruby, and its Object is something else."
    ),
    "former_functions": (
        "`convert`, `is_a`, `type_of` and `typeof` are functions, and `convert_to` takes the type first. The released"
        " Puppet has only `convert_to(value, type)`."
    ),
    "free_statements": (
        "A program may be nothing but values and assignments, line by line. The released Puppet refuses a value that is"
        " lost, but for the last."
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
    type_parameters: bool
    integer_keys: bool
    query_values: bool
    override_append: bool
    collector_value: bool
    class_value: bool
    catalog_grammar: bool
    metaparameter_variables: bool
    own_exports: bool
    empty_operands: bool
    splat_last: bool
    append_assignment: bool
    unbounded_integers: bool
    slice_end: bool
    unknown_types: bool
    class_names: bool
    text_operands: bool
    plugin_types: bool
    node_names: bool
    titled_defaults: bool
    append_defaults: bool
    former_types: bool
    former_functions: bool
    free_statements: bool
    name: str

    def __init__(self, name: str, *, specified: bool) -> None:
        for switch in SWITCHES:
            object.__setattr__(self, switch, specified)
        object.__setattr__(self, "name", name)

    def with_switches_flipped(self, *switches: str) -> Dialect:
        """Return the dialect that differs from this one in some switches."""
        found = Dialect(f"{self.name}, {', '.join(switches)} turned", specified=False)
        for name in SWITCHES:
            object.__setattr__(found, name, getattr(self, name) != (name in switches))
        return found

    def __setattr__(self, key: str, value: object) -> None:
        raise AttributeError("a dialect is frozen")

    def __repr__(self) -> str:
        return f"Dialect({self.name})"


SPEC = Dialect("spec", specified=True)
PUPPET = Dialect("puppet", specified=False)
DIALECTS = {dialect.name: dialect for dialect in (SPEC, PUPPET)}
