"""Explanations of what can go wrong with classes, defines and resources: code -> (words, wrong, right)."""

from __future__ import annotations

ROWS: dict[str, tuple[str, str, str]] = {
    # classes and defines
    "CLASS_NOT_FOUND": (
        "No class of this name is defined, and no module of the module path has it. A class is defined before it "
        "is included.",
        "include apache",
        "class apache { }\ninclude apache",
    ),
    "PARENT_MISSING": (
        "A class inherits from a class that is not there.",
        "class web inherits base { }\ninclude web",
        "class base { }\nclass web inherits base { }\ninclude web",
    ),
    "INHERITANCE_CYCLE": (
        "A class inherits from itself, directly or through others.",
        "class a inherits b { }\nclass b inherits a { }\ninclude a",
        "class a inherits b { }\nclass b { }\ninclude a",
    ),
    "PARAMETER_MISMATCH": (
        "The value given to a parameter of a class or define is not of the parameter's type.",
        "class web(Integer $port) { }\nclass { 'web': port => '80' }",
        "class web(Integer $port) { }\nclass { 'web': port => 80 }",
    ),
    "PARAMETER_ORDER": (
        "Defaults are computed from left to right, so a default can read only parameters that stand before it.",
        "class web($url = \"http://${host}\", $host = 'a') { }\ninclude web",
        "class web($host = 'a', $url = \"http://${host}\") { }\ninclude web",
    ),
    "UNKNOWN_PARAMETER": (
        "The class, define or resource type has no parameter or attribute of this name.",
        "file { '/tmp/a': ensur => file }",
        "file { '/tmp/a': ensure => file }",
    ),
    "METAPARAMETER_NAME": (
        "Every resource has this attribute already, so a parameter cannot have its name without a default.",
        "define site($tag) { }\nsite { 'a': tag => 'b' }",
        "define site($label) { }\nsite { 'a': label => 'b' }",
    ),
    "REDEFINITION": (
        "Something of this name is defined already.",
        "class a { }\nclass a { }",
        "class a { }\nclass b { }",
    ),
    "NODE_MISSING": (
        "A program that has node definitions needs one for each node it is compiled for.",
        "node 'web01' { }",
        "node 'web01' { }\nnode default { }",
    ),
    # resources
    "DUPLICATE_DECLARATION": (
        "A resource is declared once. Elsewhere the program refers to it; a class that several parts need is "
        "included, which can be said any number of times.",
        "notify { 'a': }\nnotify { 'a': }",
        "notify { 'a': }\nnotify { 'b': require => Notify['a'] }",
    ),
    "NO_REFERENCE": (
        "A reference to a resource is due: a type with a capital, and a title in brackets.",
        "notify { 'a': require => 'b' }",
        "notify { 'b': }\nnotify { 'a': require => Notify['b'] }",
    ),
    "INVALID_TAG": (
        "A tag begins with a letter, a digit or `_`; after that `:`, `.` and `-` may stand too.",
        "notify { 'a': tag => 'x y' }",
        "notify { 'a': tag => 'x_y' }",
    ),
    "DEFAULT_REDEFINED": (
        "A scope sets the default of an attribute once.",
        "Notify { message => 'a' }\nNotify { message => 'b' }",
        "Notify { message => 'a' }\nnotify { 'x': message => 'b' }",
    ),
    "PARAMETER_ALREADY_SET": (
        "An override adds attributes to a resource of the same scope; it cannot change those that are set. Only a "
        "class that inherits from the resource's class can.",
        "notify { 'a': message => 'x' }\nNotify['a'] { message => 'y' }",
        "notify { 'a': }\nNotify['a'] { message => 'y' }",
    ),
    "ONLY_SUBCLASSES_OVERRIDE": (
        "The resource belongs to a class. Only a class that inherits from it can change the resource's attributes.",
        "class a { notify { 'n': } }\nclass b { Notify['n'] { message => 'y' } }\ninclude a, b",
        "class a { notify { 'n': } }\nclass b inherits a { Notify['n'] { message => 'y' } }\ninclude b",
    ),
    "OVERRIDE_MISSING": (
        "The override names a resource that is never declared.",
        "Notify['a'] { message => 'x' }",
        "notify { 'a': }\nNotify['a'] { message => 'x' }",
    ),
    "REALIZE_MISSING": (
        "What is realized must have been declared as a virtual resource, with `@`.",
        "realize(User['ann'])",
        "@user { 'ann': }\nrealize(User['ann'])",
    ),
    "RELATIONSHIP_SOURCE_MISSING": (
        "The resource on the left of the arrow is never declared. An arrow orders resources, it declares none.",
        "notify { 'b': }\nNotify['a'] -> Notify['b']",
        "notify { ['a', 'b']: }\nNotify['a'] -> Notify['b']",
    ),
    "RELATIONSHIP_TARGET_MISSING": (
        "The resource on the right of the arrow is never declared. An arrow orders resources, it declares none.",
        "notify { 'a': }\nNotify['a'] -> Notify['b']",
        "notify { ['a', 'b']: }\nNotify['a'] -> Notify['b']",
    ),
    "PARAMETER_TARGET_MISSING": (
        "`before`, `require`, `notify` or `subscribe` names a resource that is never declared.",
        "notify { 'a': require => Notify['b'] }",
        "notify { 'b': }\nnotify { 'a': require => Notify['b'] }",
    ),
    # types of resources
    "BAD_RESOURCE_TYPE": (
        "In the brackets of `Resource` stand a type of resources and titles.",
        "$x = Resource[1]",
        "$x = Resource['file']",
    ),
    "ILLEGAL_HOSTCLASS_NAME": (
        "In the brackets of `Class` stands the name of a class.",
        "$x = Class[1]",
        "$x = Class['apache']",
    ),
    "ILLEGAL_TYPE_REFERENCE": (
        "The text is no name of a type.",
        "$x = Resource['2 files']",
        "$x = Resource['file']",
    ),
}
