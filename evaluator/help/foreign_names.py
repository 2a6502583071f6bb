"""The names of functions, types and attributes in other languages and tools."""

from __future__ import annotations

# Functions of other languages, and Puppet's.
FOREIGN = {
    "append": "concat", "apply": "include", "collect": "map", "contains": "member", "count_by": "group_by",
    "detect": "filter", "each_with_index": "each", "each_pair": "each", "echo": "notice", "error": "err",
    "exists": "defined", "exit": "fail", "fmt": "sprintf", "foldl": "reduce", "for": "each", "forEach": "each",
    "foreach": "each",
    "format": "sprintf", "gsub": "regsubst", "import_class": "include", "inject": "reduce", "info_log": "info",
    "int": "Integer", "is_defined": "defined", "isset": "defined", "len": "length", "log": "notice",
    "lower": "downcase", "lowercase": "downcase", "panic": "fail", "print": "notice", "printf": "sprintf",
    "println": "notice", "puts": "notice", "raise": "fail", "replace": "regsubst", "select": "filter",
    "str": "String", "strlen": "length", "sub": "regsubst", "sum": "reduce", "throw": "fail", "to_i": "Integer",
    "to_s": "String", "to_string": "String", "tolower": "downcase", "toupper": "upcase", "trim": "strip",
    "uniq": "unique", "upper": "upcase", "uppercase": "upcase", "warn": "warning", "where": "filter",
}  # fmt: skip
FOREIGN_TYPES = {"Bool": "Boolean", "Dict": "Hash", "Double": "Float", "Int": "Integer", "List": "Array",
    "Map": "Hash", "Number": "Numeric", "Str": "String", "Symbol": "String", "Text": "String"}  # fmt: skip

# Attributes as other tools call them, and Puppet's.
FOREIGN_ATTRIBUTES = {
    "after": "require", "chmod": "mode", "cmd": "command", "contents": "content", "depends_on": "require",
    "dependencies": "require", "dest": "path", "directory": "home", "enabled": "enable", "home_dir": "home",
    "homedir": "home", "not_if": "unless", "notifies": "notify", "only_if": "onlyif", "perms": "mode",
    "permissions": "mode", "requires": "require", "running": "ensure", "state": "ensure", "status": "ensure",
    "subscribes": "subscribe", "text": "content", "version": "ensure",
}  # fmt: skip

# Functions of other languages for which Puppet has an expression.
IDIOMS = {
    "add": "Values never change: `$list + [$x]` is a new list, `$hash + { 'key' => 1 }` a new hash.",
    "append": "Values never change: `$list + [$x]` is a new list.",
    "first": "The first element is `$list[0]`.",
    "include?": "Write `$x in $list`.",
    "last": "The last element is `$list[-1]`.",
    "push": "Values never change: `$list + [$x]` is a new list.",
    "sum": "Write `$list.reduce(0) |$sum, $x| { $sum + $x }`.",
}
