"""Issues of the types that programs define: Object, TypeSet and types made of them.

`Issue` in `lexer_parser/errors.py` describes the columns of a row: the code, the message, and named ones. Many examples
end with `$x = 1 =~ T`: a type is resolved, and its mistakes are found, when it is first used.
"""

from lexer_parser.errors import Issue

ROWS = (
    # parents
    Issue(
        "OBJECT_INHERITS_ITSELF",
        "The Object type '{name}' inherits from itself",
        help="Give `{name}`, or one of its parents, another parent or none.",
        words="The parents of a type lead back to it.",
        wrong="type Hen = Object[{ parent => Egg }]\ntype Egg = Object[{ parent => Hen }]\n$x = 1 =~ Egg",
        right="type Hen = Object[{}]\ntype Egg = Object[{ parent => Hen }]\n$x = 1 =~ Egg",
    ),
    # attributes and functions
    Issue(
        "OBJECT_CONSTANT_TAKEN",
        "attribute {type}[{name}] is defined as both a constant and an attribute",
        help="Name `{name}` once: among the constants or among the attributes.",
        words="Constants and attributes of a type share one set of names.",
        wrong="type T = Object[{ attributes => { a => Integer }, constants => { a => 1 } }]\n$x = 1 =~ T",
        right="type T = Object[{ attributes => { a => Integer }, constants => { b => 1 } }]\n$x = 1 =~ T",
    ),
    Issue(
        "OBJECT_FUNCTION_TAKEN",
        "function {type}[{name}] conflicts with attribute with the same name",
        help="Choose another name for the function.",
        words="Functions and attributes of a type share one set of names.",
        wrong="type T = Object[{ attributes => { a => Integer }, functions => { a => Callable } }]\n"
        "$x = 1 =~ T",
        right="type T = Object[{ attributes => { a => Integer }, functions => { b => Callable } }]\n"
        "$x = 1 =~ T",
    ),
    Issue(
        "CONSTANT_WITHOUT_VALUE",
        "{feature} of kind 'constant' requires a value",
        help="Add `value => …`.",
        words="A constant is an attribute whose value the type defines.",
        wrong="type T = Object[{ attributes => { a => { type => Integer, kind => constant } } }]\n"
        "$x = 1 =~ T",
        right="type T = Object[{ attributes => { a => { type => Integer, kind => constant, value => 1 } } }]\n"
        "$x = 1 =~ T",
    ),
    Issue(
        "CONSTANT_NOT_FINAL",
        "{feature} of kind 'constant' cannot be combined with final => false",
        help="Remove `final => false`: a constant is always final.",
        words="Types that inherit a constant cannot change it.",
        wrong="type T = Object[{ attributes => { a => { type => Integer, kind => constant, value => 1, "
        "final => false } } }]\n"
        "$x = 1 =~ T",
        right="type T = Object[{ attributes => { a => { type => Integer, kind => constant, value => 1 } } }]\n"
        "$x = 1 =~ T",
    ),
    Issue(
        "DERIVED_WITH_VALUE",
        "{feature} of kind '{kind}' cannot be combined with an attribute value",
        help="Remove `value`, or the kind.",
        words="The value of a derived attribute is computed, so you cannot pass one.",
        wrong="type T = Object[{ attributes => { a => { type => Integer, kind => derived, value => 1 } } }]\n"
        "$x = 1 =~ T",
        right="type T = Object[{ attributes => { a => { type => Integer, kind => derived } } }]\n$x = 1 =~ T",
    ),
    Issue(
        "NOTHING_TO_OVERRIDE",
        "expected {feature} to override an inherited {kind}, but no such {kind} was found",
        help="Remove `override`, or fix the name.",
        words="A member with `override` has no member of the same name in the inherited types.",
        wrong="type T = Object[{ attributes => { a => { type => Integer, override => true } } }]\n"
        "$x = 1 =~ T",
        right="type T = Object[{ attributes => { a => { type => Integer } } }]\n$x = 1 =~ T",
    ),
    Issue(
        "OVERRIDES_OTHER_KIND",
        "{feature} attempts to override {inherited}",
        help="Choose another name: an attribute can override only attributes, a function only functions.",
        words="The inherited type has a member of another kind with this name.",
        wrong="type P = Object[{ attributes => { a => Integer } }]\n"
        "type T = Object[{ parent => P, functions => { a => { type => Callable, override => true } } }]\n"
        "$x = 1 =~ T",
        right="type P = Object[{ attributes => { a => Integer } }]\n"
        "type T = Object[{ parent => P, functions => { b => Callable } }]\n$x = 1 =~ T",
    ),
    Issue(
        "OVERRIDES_FINAL",
        "{feature} attempts to override final {inherited}",
        help="Choose another name: a final member cannot be overridden.",
        words="The inherited type does not permit that this member is overridden.",
        wrong="type P = Object[{ attributes => { a => { type => Integer, final => true } } }]\n"
        "type T = Object[{ parent => P, attributes => { a => { type => Integer, override => true } } }]\n"
        "$x = 1 =~ T",
        right="type P = Object[{ attributes => { a => { type => Integer } } }]\n"
        "type T = Object[{ parent => P, attributes => { a => { type => Integer, override => true } } }]\n"
        "$x = 1 =~ T",
    ),
    Issue(
        "OVERRIDE_NOT_DECLARED",
        "{feature} attempts to override {inherited} without having override => true",
        help="Add `override => true` if you want to override it, or choose another name.",
        words="The inherited type already has a member with this name.",
        wrong="type P = Object[{ attributes => { a => Integer } }]\n"
        "type T = Object[{ parent => P, attributes => { a => Integer } }]\n$x = 1 =~ T",
        right="type P = Object[{ attributes => { a => Integer } }]\n"
        "type T = Object[{ parent => P, attributes => { a => { type => Integer, override => true } } }]\n"
        "$x = 1 =~ T",
    ),
    Issue(
        "OVERRIDE_TYPE_MISMATCH",
        "{feature} attempts to override {inherited} with a type that does not match",
        help="Use a type that the inherited type accepts.",
        words="The type of an overriding member must be the inherited type or a subtype of it.",
        wrong="type P = Object[{ attributes => { a => Integer } }]\n"
        "type T = Object[{ parent => P, attributes => { a => { type => String, override => true } } }]\n"
        "$x = 1 =~ T",
        right="type P = Object[{ attributes => { a => Integer } }]\n"
        "type T = Object[{ parent => P, attributes => { a => { type => Integer[1], override => true } } }]\n"
        "$x = 1 =~ T",
    ),
    # new objects
    Issue(
        "INITIALIZER_MISMATCH",
        "Initializer for class  does not match the attributes of {type}",
        help="Let `{type}` keep the required attributes of its parent.",
        words="A type without attributes of its own is made as its parent is, which needs attributes that the"
        " type makes constant or derived.",
        wrong="type P = Object[{ attributes => { a => Integer } }]\n"
        "type C = Object[{ parent => P, constants => { a => 1 } }]\n"
        "$x = C()",
        right="type P = Object[{ attributes => { a => { type => Integer, value => 0 } } }]\n"
        "type C = Object[{ parent => P, constants => { a => 1 } }]\n$x = C()",
    ),
    Issue(
        "INITIALIZER_PARAMETER",
        "Initializer for class  parameter '{name}' does not match any of the attributes of type {type}",
        help="Let `{type}` keep the attribute `{name}`, or declare further attributes.",
        words="A type without attributes of its own is made as its parent is, which takes an attribute that the"
        " type makes constant or derived.",
        wrong="type P = Object[{ attributes => { a => Integer, b => { type => Integer, value => 0 } } }]\n"
        "type C = Object[{ parent => P, constants => { a => 1 } }]\n$x = C(2)",
        right="type P = Object[{ attributes => { a => { type => Integer, value => 0 }, b => Integer } }]\n"
        "type C = Object[{ parent => P, constants => { a => 1 } }]\n$x = C(2)",
    ),
    # equality
    Issue(
        "EQUALITY_WITHOUT_TYPE",
        "equality_include_type = false cannot be combined with non empty equality specification",
        help="Remove one of the two.",
        words="Objects of different types are compared by the attributes that the types share. A list of "
        "attributes is not used then.",
        wrong="type T = Object[{ attributes => { a => Integer }, equality => a, equality_include_type => false }]\n"
        "$x = 1 =~ T",
        right="type T = Object[{ attributes => { a => Integer }, equality => a }]\n$x = 1 =~ T",
    ),
    Issue(
        "EQUALITY_INHERITED",
        "{type} equality is referencing {feature} which is included in equality of {owner}",
        help="Remove it: it is compared already.",
        words="The attributes that the inherited type compares are always compared.",
        wrong="type P = Object[{ attributes => { a => Integer }, equality => a }]\n"
        "type T = Object[{ parent => P, equality => a }]\n$x = 1 =~ T",
        right="type P = Object[{ attributes => { a => Integer }, equality => a }]\n"
        "type T = Object[{ parent => P }]\n$x = 1 =~ T",
    ),
    Issue(
        "EQUALITY_UNKNOWN",
        "{type} equality is referencing non existent attribute '{name}'",
        help="Name attributes of the type.",
        words="Only attributes of the type can be compared.",
        wrong="type T = Object[{ attributes => { a => Integer }, equality => b }]\n$x = 1 =~ T",
        right="type T = Object[{ attributes => { a => Integer }, equality => a }]\n$x = 1 =~ T",
    ),
    Issue(
        "EQUALITY_CONSTANT",
        "{type} equality is referencing constant {feature}. Reference to constant is not allowed in equality",
        help="Remove it: a constant is the same in all objects of the type.",
        words="A constant is the same in all objects of the type.",
        wrong="type T = Object[{ constants => { a => 1 }, equality => a }]\n$x = 1 =~ T",
        right="type T = Object[{ constants => { a => 1 } }]\n$x = 1 =~ T",
    ),
    # calls of methods of objects
    Issue(
        "FEATURE_ARGUMENTS",
        "'{name}' {reason}",
        help="Pass arguments that match the type in `functions`.",
        words="A function of an object is called with arguments that do not match its type.",
        wrong="type T = Object[{ functions => { f => Callable[[Integer], Integer] } }]\n$x = T().f",
        right="type T = Object[{ attributes => { f => Integer } }]\n$x = T(1).f",
    ),
    Issue(
        "NO_METHOD",
        "no method is implemented for {feature}",
        help="Only functions and derived attributes of Puppet's own types are implemented.",
        words="A type declares a function or a derived attribute that has no implementation.",
        wrong="type T = Object[{ functions => { f => Callable[[], Integer] } }]\n$x = T().f",
        right="type T = Object[{ attributes => { f => Integer } }]\n$x = T(1).f",
    ),
    # parameters of types
    Issue(
        "OBJECT_WITHOUT_PARAMETERS",
        "The {type}-Type cannot be parameterized using []",
        help="Write the type without brackets.",
        words="The type has no type parameters.",
        wrong="type T = Object[{ attributes => { a => Integer } }]\n$x = T[1]",
        right="type T = Object[{ type_parameters => { a => Integer } }]\n$x = T[1]",
    ),
    Issue(
        "OBJECT_PARAMETERS_EMPTY",
        "The {type}-Type cannot be parameterized using an empty parameter list",
        help="Give a value, or write the type without brackets.",
        words="The brackets of the type contain no value for any of its type parameters.",
        wrong="type T = Object[{ type_parameters => { a => Integer } }]\n$x = T[default]",
        right="type T = Object[{ type_parameters => { a => Integer } }]\n$x = T[1]",
    ),
    Issue(
        "OBJECT_PARAMETER_UNKNOWN",
        "'{name}' is not a known type parameter for {type}-Type",
        help="Name a type parameter of the type.",
        words="The type has no type parameter of this name.",
        wrong="type T = Object[{ type_parameters => { a => Integer } }]\n$x = T[{ b => 1 }]",
        right="type T = Object[{ type_parameters => { a => Integer } }]\n$x = T[{ a => 1 }]",
    ),
    # type sets
    Issue(
        "TYPESET_ALIAS_TAKEN",
        "TypeSet '{type}' references a TypeSet using alias '{name}'."
        " The alias collides with the name of a declared type",
        help="Choose another name for one of the two.",
        words="The types of a type set and the type sets that it refers to share one set of names.",
        wrong="type S = TypeSet[{ pcore_version => '1.0.0', version => '1.0.0', types => { A => Integer }, "
        "references => { A => { name => 'X', version_range => '1.x' } } }]\n"
        "$x = 1 =~ S",
        right="type S = TypeSet[{ pcore_version => '1.0.0', version => '1.0.0', types => { A => Integer } }]\n"
        "$x = 1 =~ S",
    ),
    Issue(
        "PCORE_NOT_UNDERSTOOD",
        "The pcore version for TypeSet '{name}' is not understood by this runtime. Expected range {expected},"
        " got {actual}",
        help="Write `pcore_version => '1.0.0'`.",
        words="A type set names the version of the rules for which it is written.",
        wrong="type S = TypeSet[{ pcore_version => '2.0.0', version => '1.0.0', types => { A => Integer } }]\n"
        "$x = 1 =~ S",
        right="type S = TypeSet[{ pcore_version => '1.0.0', version => '1.0.0', types => { A => Integer } }]\n"
        "$x = 1 =~ S",
    ),
    Issue(
        "TYPESET_VERSION_NOT_READ",
        "Unable to parse '{value}' as a semantic version identifier",
        help="A version has three numbers: `1.0.0`.",
        words="The version of a type set is not a valid version.",
        wrong="type S = TypeSet[{ pcore_version => '1.0.0', version => 'x', types => { A => Integer } }]\n"
        "$x = 1 =~ S",
        right="type S = TypeSet[{ pcore_version => '1.0.0', version => '1.0.0', types => { A => Integer } }]\n"
        "$x = 1 =~ S",
    ),
    Issue(
        "TYPESET_UNRESOLVED",
        "TypeSet '{type}' reference to TypeSet named '{name}' cannot be resolved",
        help="Define the type set `{name}`, or check the spelling.",
        words="A type set refers to a type set that does not exist.",
        wrong="type S = TypeSet[{ pcore_version => '1.0.0', version => '1.0.0', types => { A => Integer }, "
        "references => { B => { name => 'X', version_range => '1.x' } } }]\n"
        "$x = 1 =~ S",
        right="type S = TypeSet[{ pcore_version => '1.0.0', version => '1.0.0', types => { A => Integer } }]\n"
        "$x = 1 =~ S",
    ),
    Issue(
        "TYPESET_INCOMPATIBLE",
        "TypeSet '{type}' reference to TypeSet named '{name}' resolves to an incompatible version."
        " Expected {expected}, got {actual}",
        help="Name a range of versions that contains {actual}.",
        words="A type set refers to a type set that exists only in another version.",
        wrong="type X = TypeSet[{ pcore_version => '1.0.0', version => '2.0.0', types => { A => Integer } }]\n"
        "type S = TypeSet[{ pcore_version => '1.0.0', version => '1.0.0', types => { A => Integer }, "
        "references => { B => { name => 'X', version_range => '1.x' } } }]\n"
        "$x = 1 =~ S",
        right="type X = TypeSet[{ pcore_version => '1.0.0', version => '1.0.0', types => { A => Integer } }]\n"
        "type S = TypeSet[{ pcore_version => '1.0.0', version => '1.0.0', types => { A => Integer }, "
        "references => { B => { name => 'X', version_range => '1.x' } } }]\n"
        "$x = 1 =~ S",
    ),
)
