"""Which module holds which functions, so that only what a program calls is imported. A test keeps it true."""

from __future__ import annotations

FAMILIES: dict[str, str] = {
    "logging": "debug info notice warning err alert crit emerg fail",
    "control": "return next break call with then lest unwrap import",
    "iteration": "each map filter reduce all any reverse_each step slice",
    "grouping": "index partition group_by tree_each sort unique",
    "data": "get getvar dig keys values length size empty flatten join",
    "numbers": "abs ceiling floor round max min compare versioncmp",
    "strings": "camelcase capitalize chomp chop downcase upcase lstrip rstrip strip shellquote",
    "patterns": "match regsubst split sprintf",
    "conversion": "assert_type convert_to new type strftime annotate convert typeof",
    "hiera": "lookup hiera hiera_array hiera_hash",
    "digests": "digest md5 sha1 sha256 fqdn_rand",
    "files": "file binary_file find_file find_template module_directory epp inline_epp template inline_template"
    " generate",
    "catalog": "include contain require realize create_resources tag tagged defined hiera_include"
    " ensure_resource ensure_resources ensure_packages defined_with_params getparam assert_private",
}

MODULES: dict[str, str] = {name: family for family, names in FAMILIES.items() for name in names.split()}
