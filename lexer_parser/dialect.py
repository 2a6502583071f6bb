"""The dialects, records of switches. Code tests a switch, never the name of a dialect.

A dialect is a row of DIALECTS: its switches, and the facts of its release. SWITCHES describes the switches; the
dialects in which one is on are named by `name_dialects_with`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from lexer_parser.record import Record

SWITCHES: dict[str, str] = {
    "string_numbers": (
        "Comparisons and `in` treat strings that look like numbers as numbers, and numbers sort before all other"
        " strings. So `1 == '1'` and `'10' > 9` are true; the released Puppet returns false, and refuses to compare a"
        " String with an Integer by `<`. Case does not matter for any letter; the released Puppet folds A to Z."
        " What is no number in a source is none in a string: `'01.5' + 0` is an error; released, it is 1.5."
    ),
    "range_to": (
        "The second key of `array[a, b]` and `string[a, b]` is the index of the last element, not a count."
        " `[1, 2, 3, 4, 5][2, 3]` is `[3, 4]`; the released Puppet takes three elements: `[3, 4, 5]`."
        " A string's index out of range is undef, not an empty string."
    ),
    "delete_equal": (
        "`array - value` removes every element that is `==` to the value, so `['a', 'A', 'b'] - 'a'` is `['b']`."
        " The released Puppet removes only what is the same: `['A', 'b']`."
    ),
    "option_match": (
        "An option of `case` or of a selector that is an array, a hash or a type is compared as a whole: `case"
        " Integer { Integer: { } }` matches. The released Puppet matches arrays and hashes element by element,"
        " and a type matches its instances."
    ),
    "selector_order": (
        "A selector's `default` matches at its position, and no match is undef. In the released Puppet"
        " `default` is considered last at any position, and no match is an error."
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
        "Data contains every Scalar, and hashes with any Scalar as key; a bare Array is `Array[Data]` and a bare Hash"
        " is `Hash[Scalar, Data]`. In the released Puppet a regular expression is no Data, keys are Strings, and"
        " bare collections contain Any."
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
        " returns ScalarData and Any or Data."
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
        " assigned: `$x = A -> B` assigns A. In the released Puppet it assigns the value of the relationship, and"
        " `$r = notify { 'a': }` assigns references. Overrides may begin with a variable or an array, and `[,]`, `{,}`"
        " and `case $x { }` are read; the released Puppet refuses them."
    ),
    "shift": (
        "`<<` and `>>` take Integers only, and `>>` never goes below 0: `-8 >> 1` is 0. The released Puppet has"
        " -4, and shifts by the whole part of a Float."
    ),
    "exact_operands": (
        "Operands have the form that the operator needs: `0.0 / 0`, `Integer < 1` and `{} + [{ 'a' => 1 }]` are errors."
        " In the released Puppet they are NaN, false and `{ 'a' => 1 }`."
    ),
    "type_parameters": (
        "Parameters of Array and Hash are types, their sizes follow them, and the values of a Struct are types:"
        " `Hash[1, 2]`, `Array[String, Integer]` and `Struct[{'a' => 1}]` are errors. The released Puppet takes"
        " `Hash[1, 2]` for sizes, a range for a size, and any value for its type."
    ),
    "parameter_values": (
        "The value of a parameter is an instance of its type: `[1]` is none of `Collection[2]`. The released Puppet"
        " accepts a Collection of any size, and any value for a bare Variant, in classes and defined types."
    ),
    "integer_keys": (
        "The index of an element is an Integer. The released Puppet converts a String that is a number, with a"
        " warning: `[1, 2, 3]['1']` is 2."
    ),
    "query_values": (
        "A query compares with a variable, a literal or a name: `File <| title == $x[0] |>`, `File <| mode == undef |>`"
        " and `File <| title == ('a') |>` are errors. The released Puppet takes parts of values, undef and parentheses."
    ),
    "override_append": (
        "`+>` in an override needs a class that inherits the resource's class, `=>` only where the attribute is set."
        " undef counts as not set. The released Puppet takes both in the resource's scope where it is not set,"
        " elsewhere in such a class."
    ),
    "collector_value": (
        "A collector evaluates to undef. In the released Puppet its value is the collector, which can be related to"
        " other things."
    ),
    "class_value": (
        "`class { 'a': }` is `Class[a]`, and references are types also as parameters. In the released Puppet they are"
        " resources there, which are not equal to the types."
    ),
    "catalog_grammar": (
        "Catalog expressions have only the forms of their grammar: `@@@notify { 'a': }`, `Notify['a'] { }`,"
        " `notify { 'a': , }`, `class a inherits B { }`, `class { 'A': }`, `Notify <| 1 |>`, `Notify[undef]` and"
        " `Class[undef]` are errors. The released Puppet accepts them."
    ),
    "closed_lambdas": (
        "A class does not see the variables of a lambda, function or template that includes it. In the released Puppet"
        " it does: `with(1) |$x| { include c }` sets `$x` for the body of the class."
    ),
    "metaparameter_variables": (
        "Metaparameters exist as variables, undef where they are not set: `$noop` is no unknown variable. In the"
        " released Puppet only those that are set exist."
    ),
    "own_exports": (
        "`<<| |>>` finds what this catalog exports, and imports what other nodes have exported. The released Puppet"
        " finds nothing without a store of exported resources, and reports that."
    ),
    "empty_operands": (
        "An empty operand relates nothing, also in a chain: `A -> [] -> B`. In the released Puppet that is `A -> B`."
    ),
    "splat_last": (
        "`* => hash` is evaluated after the other attributes. The released Puppet evaluates attributes in the order"
        " of the text."
    ),
    "append_assignment": (
        "`+=` and `-=` set a variable to what the same variable of an outer scope has, with something added or"
        " removed. The released Puppet refuses them."
    ),
    "unbounded_integers": (
        "Integers have no bounds. In the released Puppet they end at 64 bits, and `round` takes them by way of a Float."
    ),
    "slice_end": (
        "`slice` returns parts of the requested size. The released Puppet ends a part one element too early"
        " when it takes in all of a range or of steps."
    ),
    "unknown_types": (
        "The name of an unknown type is that of a resource type: `Foo` is `Resource['foo']`. The released Puppet"
        " reports that there is no such type."
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
    "strict": (
        "What is dubious is an error: a String that is a number in arithmetic, a key that a hash has twice, an override"
        " of what is evaluated. Puppet 7 warns. The setting `strict` of a session overrules the dialect."
    ),
    "strict_variables": (
        "An unknown variable is an error, also in a string. In Puppet 7 it is undef, with a warning."
        " The setting `strict_variables` of a session overrules the dialect."
    ),
    "rich_data": (
        "A catalog keeps values that JSON lacks, such as regular expressions, types, times and hashes with other keys"
        " than Strings, as objects with `__ptype`. In Puppet 7 they become strings."
    ),
    "converted_values": (
        "A value that JSON lacks becomes a String in a catalog with a warning. Puppet 8 keeps it."
    ),
    "type_literals": (
        "Types are literals where keys of a hash are compared before it runs: `{ Integer => 1, 'integer' => 2 }`"
        " has a key twice, as has `{ Integer[1] => 1, String[1] => 2 }`. `-1` is a literal, too. The type of a"
        " parameter of a class should be one: `Integer[0, 1 + 1]` is a warning. Puppet 7 compares neither, nor"
        " warns."
    ),
    "sensitive_targets": (
        "`regsubst` takes Sensitive Strings, and arrays of them, and returns Sensitive ones. Puppet 8 refuses them."
        " A fifth argument, the encoding, is an error; Puppet 8 ignores it, with a warning."
    ),
    "sensitive_split": (
        "`split` takes a Sensitive String and returns a Sensitive array. Puppet 7 refuses it."
    ),
    "ordered_extremes": (
        "`max` and `min` compare versions by their numbers, and times by their length or date. Puppet 7 compares their"
        " texts, with a warning: `max(SemVer('1.9.0'), SemVer('1.10.0'))` is 1.9.0."
    ),
    "whole_pairs": (
        "An array that is added to a hash contains pairs: `{} + [['a']]` is an error. In Puppet 7 it is"
        " `{'a' => undef}`."
    ),
    "lookaround_names": (
        "The name of a node that is a regular expression keeps its groups: `/(?=a)b/` is"
        " `__node_regexp__LPQUEQaRPb`. In Puppet 7 it is `__node_regexp__ab`."
    ),
    "unqualified_keys": (
        "A warning about a key in the data of a module that lacks the module's name shows the key. That of Puppet 7"
        " does not."
    ),
    "lenient_paths": (
        "A variable without value in a path of `hiera.yaml` is empty, with a warning, even where the setting `strict`"
        " is `error`. In Puppet 7 it is an error then."
    ),
    "package_environment": (
        "The resource type `package` has an attribute `environment`. In Puppet 8 it has none."
    ),
    "folded_node_names": (
        "The name of a node that is a regular expression is in lower case. Puppet 8 does not find a definition with"
        " capital letters in its name: `node /(?:a)b/` is an error."
    ),
}

# The dialects in which a switch of the releases is on. All other switches are on only in `spec`.
_IN_RELEASES: dict[str, tuple[str, ...]] = {
    "strict": ("puppet", "openvox9"),
    "strict_variables": ("puppet", "openvox9"),
    "rich_data": ("puppet", "openvox9"),
    "converted_values": ("puppet7",),
    "type_literals": ("puppet", "openvox9"),
    "sensitive_targets": ("openvox9",),
    "sensitive_split": ("spec", "puppet", "openvox9"),
    "ordered_extremes": ("spec", "puppet", "openvox9"),
    "whole_pairs": ("spec", "puppet", "openvox9"),
    "lookaround_names": ("spec", "puppet", "openvox9"),
    "folded_node_names": ("spec", "openvox9"),
    "package_environment": ("openvox9",),
    "unqualified_keys": ("spec", "puppet", "openvox9"),
    "lenient_paths": ("spec", "puppet", "openvox9"),
}


class Product(Record):
    """The program whose language a dialect is.

    Attributes:
        name: The name of the product, as in "reserved by Puppet".
        version: The version that the dialect follows.
        pages: The address of the documentation that messages cite.
    """

    name: str
    version: str
    pages: str


class Dialect:
    """A frozen record of switches: `dialect.range_to` is true where this rule holds.

    Attributes:
        name: The name for `--dialect`.
        label: The name in notes: "specification", "Puppet 7".
        words: A description: "the language as specified".
        product: The program whose language it is; for the specification, the program of the current release.
        is_released: False for the language of the specification.
        strict_level: The default of the setting `strict` of a session: "error" or "warning".
        of_modules: The dialect of the files of modules, which are written for a release.
    """

    __slots__ = ("is_released", "label", "name", "of_modules", "product", "strict_level", "words", *SWITCHES)

    name: str
    label: str
    words: str
    product: Product
    is_released: bool
    strict_level: str
    of_modules: Dialect

    if TYPE_CHECKING:  # what is no fact is a switch; a test compares the names that are read with SWITCHES

        def __getattr__(self, switch: str) -> bool: ...

    def __init__(
        self,
        name: str,
        label: str,
        words: str,
        product: Product,
        on: Iterable[str],
        of_modules: Dialect | None = None,
        *,
        is_released: bool = True,
    ) -> None:
        switches = dict.fromkeys(SWITCHES, False) | dict.fromkeys(on, True)
        facts = {
            "name": name,
            "label": label,
            "words": words,
            "product": product,
            "is_released": is_released,
            "strict_level": "error" if switches["strict"] else "warning",
            "of_modules": of_modules or self,
        }
        for attribute, value in {**switches, **facts}.items():
            object.__setattr__(self, attribute, value)

    @property
    def counterpart(self) -> Dialect:
        """The dialect with which results are compared: a release and the specification."""
        return SPEC if self.is_released else PUPPET

    def with_switches_flipped(self, *switches: str) -> Dialect:
        """Return the dialect that differs from this one in some switches."""
        return Dialect(
            f"{self.name}, {', '.join(switches)} turned",
            self.label,
            self.words,
            self.product,
            on=[name for name in SWITCHES if getattr(self, name) != (name in switches)],
            of_modules=self.of_modules,
            is_released=self.is_released,
        )

    def __setattr__(self, key: str, value: object) -> None:
        raise AttributeError("a dialect is frozen")

    def __repr__(self) -> str:
        return f"Dialect({self.name})"


def _make_release(name: str, label: str, words: str, product: Product) -> Dialect:
    """Return the dialect of a release; the other arguments are those of `Dialect`."""
    return Dialect(
        name,
        label,
        words,
        product,
        on=[switch for switch, dialects in _IN_RELEASES.items() if name in dialects],
    )


PUPPET = _make_release(
    "puppet",
    "Puppet 8",
    "the language as released: Puppet 8 and OpenVox 8",
    Product("Puppet", "8.10", "https://puppet.com/docs/puppet/8.10"),
)
PUPPET7 = _make_release(
    "puppet7",
    "Puppet 7",
    "the language of Puppet 7.23",
    Product("Puppet", "7.23", "https://puppet.com/docs/puppet/7.23"),
)
OPENVOX9 = _make_release(
    "openvox9",
    "OpenVox 9",
    "the language of OpenVox 9",
    Product("OpenVox", "9.0", "https://docs.openvoxproject.org/openvox/latest"),
)
SPEC = Dialect(
    "spec",
    "specification",
    "the language as specified",
    PUPPET.product,
    on=[name for name in SWITCHES if "spec" in _IN_RELEASES.get(name, ("spec",))],
    of_modules=PUPPET,
    is_released=False,
)
DIALECTS = {dialect.name: dialect for dialect in (SPEC, PUPPET, PUPPET7, OPENVOX9)}
RELEASES = tuple(dialect for dialect in DIALECTS.values() if dialect.is_released)


def name_dialects_with(switch: str, value: bool = True) -> str:
    """Return the names of the dialects in which a switch is on, or off; see `name_dialects`."""
    return name_dialects([dialect for dialect in DIALECTS.values() if getattr(dialect, switch) is value])


def name_dialects(dialects: Collection[Dialect]) -> str:
    """Return the names of dialects, in order; "released Puppet" for all releases."""
    ordered = [dialect for dialect in DIALECTS.values() if dialect in dialects]
    return "released Puppet" if ordered == list(RELEASES) else ", ".join(dialect.label for dialect in ordered)
