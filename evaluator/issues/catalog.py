"""The messages about the catalog."""

from __future__ import annotations

from lexer_parser.errors import Issue

ROWS = (
    Issue(
        "PARAMETER_ORDER",
        "{resource}: default expression for ${name} tries to illegally access not yet evaluated ${other}",
        help="Move `${other}` before `${name}`: a default can read only what stands before it.",
        words="Defaults are computed from left to right, so a default can read only parameters that stand "
        "before it.",
        wrong="class web($url = \"http://${host}\", $host = 'a') { }\ninclude web",
        right="class web($host = 'a', $url = \"http://${host}\") { }\ninclude web",
    ),
    Issue("PARAMETER_VALUE_MISSING", "{resource}: expects a value for parameter ${other}"),
    Issue(
        "INVALID_TAG",
        "Invalid tag '{tag}'",
        help="A tag begins with a letter, digit or `_`; then `:`, `.` and `-` may follow.",
        words="A tag begins with a letter, a digit or `_`; after that `:`, `.` and `-` may stand too.",
        wrong="notify { 'a': tag => 'x y' }",
        right="notify { 'a': tag => 'x_y' }",
    ),
    Issue(
        "DEFAULT_REDEFINED",
        "Default already defined for {type} {{ {name} }}; cannot redefine",
        help="Set the default for `{name}` once in this scope.",
        words="A scope sets the default of an attribute once.",
        wrong="Notify { message => 'a' }\nNotify { message => 'b' }",
        right="Notify { message => 'a' }\nnotify { 'x': message => 'b' }",
    ),
    Issue(
        "PARAMETER_ALREADY_SET",
        "Parameter '{name}' is already set on {resource} by #<Puppet::Resource::Type>{place}; cannot redefine",
        help="Set it where the resource is declared; only an inheriting class may change it.",
        words="An override adds attributes to a resource of the same scope; it cannot change those that "
        "are set. Only a class that inherits from the resource's class can.",
        wrong="notify { 'a': message => 'x' }\nNotify['a'] { message => 'y' }",
        right="notify { 'a': }\nNotify['a'] { message => 'y' }",
    ),
    Issue(
        "ONLY_SUBCLASSES_OVERRIDE",
        "Only subclasses can override parameters",
        help="Set it where the resource is declared, or in a class that inherits from that class.",
        words="The resource belongs to a class. Only a class that inherits from it can change the "
        "resource's attributes.",
        wrong="class a { notify { 'n': } }\nclass b { Notify['n'] { message => 'y' } }\ninclude a, b",
        right="class a { notify { 'n': } }\nclass b inherits a { Notify['n'] { message => 'y' } }\ninclude b",
    ),
    Issue("DUPLICATE_PARAMETER", "Duplicate parameter '{name}' for on {resource}", help="Set `{name}` once."),
    Issue(
        "OVERRIDE_AFTER_EVALUATION",
        "Attempt to override an already evaluated resource, defined at {place}, with new values",
        help="Set it where the resource is declared: its body has been evaluated.",
    ),
    Issue(
        "OVERRIDE_MISSING",
        "Could not find resource(s) {references} for overriding",
        help="Declare the resource that is overridden, or drop the override.",
        words="The override names a resource that is never declared.",
        wrong="Notify['a'] { message => 'x' }",
        right="notify { 'a': }\nNotify['a'] { message => 'x' }",
    ),
    Issue(
        "REALIZE_MISSING",
        "Failed to realize virtual resources {references}",
        help="Declare the virtual resource, `@user {{ 'a': }}`, that is to be realized.",
        words="What is realized must have been declared as a virtual resource, with `@`.",
        wrong="realize(User['ann'])",
        right="@user { 'ann': }\nrealize(User['ann'])",
    ),
    Issue(
        "UNKNOWN_PARAMETER",
        "no parameter named '{name}'{place} on {resource}",
        help="`?{type}` lists what can be set.",
        words="The class, define or resource type has no parameter or attribute of this name.",
        wrong="file { '/tmp/a': ensur => file }",
        right="file { '/tmp/a': ensure => file }",
    ),
    Issue(
        "RELATIONSHIP_SOURCE_MISSING",
        "Could not find resource '{source}' for relationship on '{target}'",
        help="Declare the resource left of the arrow too: an arrow declares nothing.",
        words="The resource on the left of the arrow is never declared. An arrow orders resources, it "
        "declares none.",
        wrong="notify { 'b': }\nNotify['a'] -> Notify['b']",
        right="notify { ['a', 'b']: }\nNotify['a'] -> Notify['b']",
    ),
    Issue(
        "RELATIONSHIP_TARGET_MISSING",
        "Could not find resource '{target}' for relationship from '{source}'",
        help="Declare the resource right of the arrow too: an arrow declares nothing.",
        words="The resource on the right of the arrow is never declared. An arrow orders resources, it "
        "declares none.",
        wrong="notify { 'a': }\nNotify['a'] -> Notify['b']",
        right="notify { ['a', 'b']: }\nNotify['a'] -> Notify['b']",
    ),
    Issue(
        "PARAMETER_TARGET_MISSING",
        "Could not find resource '{target}' in parameter '{name}'",
        help="Declare the resource that `{name}` refers to: a reference declares nothing.",
        words="`before`, `require`, `notify` or `subscribe` names a resource that is never declared.",
        wrong="notify { 'a': require => Notify['b'] }",
        right="notify { 'b': }\nnotify { 'a': require => Notify['b'] }",
    ),
    Issue(
        "NO_REFERENCE",
        "No title provided and {text} is not a valid resource reference",
        help="A reference is a type with a capital and a title: `File['/tmp/a']`, `Class['apache']`.",
        words="A reference to a resource is due: a type with a capital, and a title in brackets.",
        wrong="notify { 'a': require => 'b' }",
        right="notify { 'b': }\nnotify { 'a': require => Notify['b'] }",
    ),
    Issue(
        "PARENT_MISSING",
        "Could not find parent resource type '::{name}' of type hostclass in {environment}",
        help="Define the inherited class `{name}` too, or name its module with --modulepath.",
        words="A class inherits from a class that is not there.",
        wrong="class web inherits base { }\ninclude web",
        right="class base { }\nclass web inherits base { }\ninclude web",
    ),
    Issue(
        "NODE_MISSING",
        "Could not find node statement with name 'default' or '{node}'",
        help="A `node default {{ }}` applies to every node that no other definition names.",
        words="A program that has node definitions needs one for each node it is compiled for.",
        wrong="node 'web01' { }",
        right="node 'web01' { }\nnode default { }",
    ),
    Issue(
        "INHERITANCE_CYCLE",
        "stack level too deep",
        help="A class cannot inherit from itself, not even through others.",
        words="A class inherits from itself, directly or through others.",
        wrong="class a inherits b { }\nclass b inherits a { }\ninclude a",
        right="class a inherits b { }\nclass b { }\ninclude a",
    ),
    Issue(
        "ILLEGAL_QUERY_EXPRESSION",
        "Illegal query expression. The value {value} cannot be used in a query",
        help="A query compares attributes: `File <| mode == '0644' and tag != 'web' |>`.",
    ),
    Issue(
        "TOO_MANY_ROUNDS",
        "Somehow looped more than {rounds} times while evaluating host catalog",
        help="Something declares itself again and again: a define its own kind, or a collector.",
    ),
    Issue(
        "RESERVED_PARAMETER",
        "Attempt to assign to a reserved variable name: '{name}'",
        help="`${name}` is filled by Puppet itself; choose another name.",
    ),
    Issue(
        "METAPARAMETER_NAME",
        "{name} is a metaparameter; please choose another parameter name in the {owner} definition",
        help="Choose another name: every resource has `{name}` already.",
        words="Every resource has this attribute already, so a parameter cannot have its name without a "
        "default.",
        wrong="define site($tag) { }\nsite { 'a': tag => 'b' }",
        right="define site($label) { }\nsite { 'a': label => 'b' }",
    ),
)
