"""Explanations of what can go wrong while a program runs: code -> (words, wrong, right)."""

from __future__ import annotations

ROWS: dict[str, tuple[str, str, str]] = {
    # variables
    "UNKNOWN_VARIABLE": (
        "No variable of this name is set, here or in an outer scope. Its value is undef; whether that is a "
        "warning or an error is a setting.",
        "notice($prot)",
        "$port = 80\nnotice($port)",
    ),
    "ILLEGAL_REASSIGNMENT": (
        "A variable is set once in its scope. Compute the new value into another variable.",
        "$x = 1\n$x = 2",
        "$x = 1\n$y = 2",
    ),
    "ILLEGAL_BUILTIN_REASSIGNMENT": (
        "`$name` and `$title` are set in every class and defined type.",
        "class a { $name = 'b' }\ninclude a",
        "class a { $label = 'b' }\ninclude a",
    ),
    "ILLEGAL_RESERVED_ASSIGNMENT": (
        "`$trusted` and `$facts` hold what is known about the node, and cannot be set.",
        "$facts = { }",
        "$my_facts = { }",
    ),
    "ILLEGAL_MULTI_ASSIGNMENT_SIZE": (
        "A list of variables is assigned from a list of the same length.",
        "[$a, $b] = [1, 2, 3]",
        "[$a, $b, $c] = [1, 2, 3]",
    ),
    "MISSING_MULTI_ASSIGNMENT_KEY": (
        "Variables are assigned from a hash by their names, and the hash has no such key.",
        "[$a, $b] = { 'a' => 1 }",
        "[$a, $b] = { 'a' => 1, 'b' => 2 }",
    ),
    "MISSING_MULTI_ASSIGNMENT_VARIABLE": (
        "Variables are assigned from a class by their names, and the class has no such variable.",
        "class c { $a = 1 }\ninclude c\n[$a, $b] = Class['c']",
        "class c { $a = 1 }\ninclude c\n[$a] = Class['c']",
    ),
    # operators
    "OPERATOR_NOT_APPLICABLE": (
        "The operator does not work on a value of this type.",
        "$x = 5.5 % 2",
        "$x = 5 % 2",
    ),
    "OPERATOR_NOT_APPLICABLE_WHEN": (
        "The operator does not work on these two types together.",
        "$x = 5 % 2.0",
        "$x = 5 % 2",
    ),
    "COMPARISON_NOT_POSSIBLE": (
        "Only values of one kind have an order: numbers, strings, times, versions.",
        "$x = 1 < true",
        "$x = 1 < 2",
    ),
    "MATCH_NOT_REGEXP": (
        "On the right of `=~` stands a regular expression, a string that is one, or a type.",
        "$x = 'a' =~ '('",
        "$x = 'a' =~ /a/",
    ),
    "MATCH_NOT_STRING": (
        "Only a string can be matched with a regular expression.",
        "$x = 1 =~ /1/",
        "$x = String(1) =~ /1/",
    ),
    "NOT_NUMERIC": (
        "Arithmetic needs numbers, or strings that are numbers.",
        "$x = 'a' + 1",
        "$x = 2 + 1",
    ),
    "NUMERIC_COERCION": (
        "A string was taken for a number. Convert it: then it is clear what is meant.",
        "$x = '1' + 1",
        "$x = Integer('1') + 1",
    ),
    "DIV_BY_ZERO": (
        "Division by zero has no result.",
        "$x = 1 / 0",
        "$x = 1 / 2",
    ),
    "RESULT_IS_INFINITY": (
        "The result is too large for a float.",
        "$x = 1e300 * 1e300",
        "$x = 1e300 * 10",
    ),
    "UNMATCHED_SELECTOR": (
        "No entry of the selector fits the value, and there is no `default`.",
        "$x = 3 ? { 1 => 'a', 2 => 'b' }",
        "$x = 3 ? { 1 => 'a', default => 'b' }",
    ),
    # access and types
    "UNKNOWN_RESOURCE_TYPE": (
        "There is no type, class or defined type of this name.",
        "$x = 1 =~ Integr",
        "$x = 1 =~ Integer",
    ),
    "UNKNOWN_RESOURCE": (
        "The resource is not in the catalog, at least not yet.",
        "notice(Notify['b']['message'])",
        "notify { 'b': message => 'hello' }\nnotice(Notify['b']['message'])",
    ),
    "UNKNOWN_RESOURCE_PARAMETER": (
        "The resource type has no such attribute.",
        "notify { 'a': }\nnotice(Notify['a']['mesage'])",
        "notify { 'a': }\nnotice(Notify['a']['message'])",
    ),
    "TYPE_MISMATCH": (
        "The value is not of the type that is due.",
        "notify { 'a': * => 1 }",
        "notify { 'a': * => { 'message' => 'b' } }",
    ),
    # calls
    "UNKNOWN_FUNCTION": (
        "There is no function of this name.",
        "notce('a')",
        "notice('a')",
    ),
    "MISSING_REQUIRED_PARAMETER": (
        "A parameter without default was given no value.",
        "class a($x) { }\ninclude a",
        "class a($x = 1) { }\ninclude a",
    ),
    "REQUIRED_PARAMETER_AFTER_OPTIONAL": (
        "Arguments are taken in order, so a parameter without default stands before those that have one.",
        "function f($x = 1, $y) { $y }\nf(1, 2)",
        "function f($y, $x = 1) { $y }\nf(1, 2)",
    ),
    # resources
    "ILLEGAL_RELATIONSHIP_OPERAND_TYPE": (
        "An arrow orders resources: on both sides stand references, resources or collectors.",
        "1 -> 2",
        "notify { 'a': } -> notify { 'b': }",
    ),
    "NOT_CATALOG_TYPE": (
        "An arrow orders resources; this type is no type of resources.",
        "Integer -> String",
        "notify { 'a': } -> notify { 'b': }",
    ),
    "ILLEGAL_RESOURCE_TYPE": (
        "Before the braces stands a resource type: a name, or an expression that gives a type.",
        "1 { 'a': }",
        "notify { 'a': }",
    ),
    "DUPLICATE_TITLE": (
        "A title is there twice in one resource expression.",
        "notify { ['a', 'a']: }",
        "notify { ['a', 'b']: }",
    ),
    "DUPLICATE_ATTRIBUTE": (
        "An attribute is set twice.",
        "notify { 'a': message => 'x', message => 'y' }",
        "notify { 'a': message => 'x' }",
    ),
    "MISSING_TITLE": (
        "The title of the resource is undef.",
        "notify { undef: }",
        "notify { 'a': }",
    ),
    "MISSING_TITLE_AT": (
        "One of the titles is undef.",
        "notify { ['a', undef]: }",
        "notify { ['a', 'b']: }",
    ),
    "ILLEGAL_TITLE_TYPE_AT": (
        "Titles are strings.",
        "notify { [1]: }",
        "notify { ['1']: }",
    ),
    "EMPTY_STRING_TITLE_AT": (
        "A title has at least one letter.",
        "notify { ['a', '']: }",
        "notify { ['a', 'b']: }",
    ),
    "ILLEGAL_OVERRIDDEN_TYPE": (
        "Attributes can be overridden only in a resource, named by its type and title.",
        "class a { }\ninclude a\nClass['a'] { tag => 'x' }",
        "notify { 'a': }\nNotify['a'] { tag => 'x' }",
    ),
    "NOT_PERMITTED": (
        "A notebook may compute anything, but programs, Ruby templates and files outside its own folders are off "
        "until the one who starts it permits them: `puppet-repl --allow templates`, or the environment variable "
        "PUPPET_KERNEL_ALLOW for a kernel.",
        "inline_template('<%= 1 + 1 %>')",
        "inline_epp('<%= 1 + 1 %>')",
    ),
    "RUNTIME_ERROR": (
        "A function or an operator refused its arguments; the message says why.",
        "class a { }\ninclude a\nnotify { 'n': stage => 'x' }",
        "class a { }\ninclude a\nnotify { 'n': }",
    ),
}
