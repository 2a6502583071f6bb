"""Which module holds which functions, so that only what a program calls is imported. A test keeps it true."""

from __future__ import annotations

FAMILIES: dict[str, str] = {
    "functions.logging": "debug info notice warning err alert crit emerg fail",
    "functions.control": "return next break call with then lest unwrap import",
    "functions.iteration": "each map filter reduce all any",
    "functions.iterators": "reverse_each step slice",
    "functions.grouping": "index partition group_by sort unique",
    "functions.trees": "tree_each",
    "functions.navigation": "get getvar dig keys values length size empty flatten join",
    "functions.numbers": "abs ceiling floor round max min",
    "functions.comparison": "compare versioncmp",
    "functions.strings": "camelcase capitalize chomp chop downcase upcase lstrip rstrip strip shellquote",
    "functions.patterns": "match regsubst split sprintf",
    "functions.conversion": "assert_type convert_to new type strftime annotate convert typeof type_of",
    "hiera.functions": "lookup hiera hiera_array hiera_hash hiera_include",
    "hiera.providers": "yaml_data json_data hocon_data eyaml_lookup_key",
    "functions.digests": "digest md5 sha1 sha256 fqdn_rand",
    "functions.files": ("file binary_file find_file find_template module_directory epp inline_epp generate"),
    "functions.erb": "template inline_template",
    "functions.queries": "puppetdb_query",
    "functions.catalog": "include contain require realize create_resources tag tagged defined",
    "functions.stdlib.booleans": (
        "pick pick_default any2array str2bool any2bool bool2str bool2num num2bool clamp type3x is_a"
    ),
    "functions.stdlib.collections": (
        "concat merge deep_merge union intersection difference zip hash join_keys_to_values has_key "
        "member count values_at prefix suffix reverse shuffle"
    ),
    "functions.stdlib.removal": (
        "delete delete_at delete_undef_values delete_values delete_regex grep reject range"
    ),
    "functions.stdlib.strings": (
        "squeeze swapcase dos2unix unix2dos regexpescape uriescape stdlib::xml_encode stdlib::start_with "
        "stdlib::end_with dirname basename stdlib::extname base64 convert_base to_bytes"
    ),
    "functions.stdlib.shells": "shell_escape shell_join shell_split batch_escape powershell_escape",
    "functions.stdlib.catalog": (
        "ensure_resource ensure_resources ensure_packages defined_with_params getparam assert_private"
    ),
    "functions.stdlib.checks": (
        "is_array is_hash is_bool is_string is_integer is_float is_numeric is_ip_address is_ipv4_address "
        "is_ipv6_address is_absolute_path is_domain_name is_email_address is_mac_address "
        "is_function_available"
    ),
    "functions.stdlib.validations": (
        "validate_string validate_array validate_hash validate_bool validate_absolute_path "
        "validate_ip_address validate_ipv4_address validate_ipv6_address validate_domain_name "
        "validate_email_address validate_re validate_integer validate_numeric validate_slength "
        "validate_legacy"
    ),
    "functions.stdlib.deprecation": "deprecation",
    "functions.stdlib.addresses": "enclose_ipv6 stdlib::ip_in_range",
    "functions.stdlib.formats": (
        "to_json to_json_pretty to_yaml to_toml to_python to_ruby parsejson parsepson parseyaml loadyaml "
        "loadjson"
    ),
    "functions.stdlib.hosts": (
        "fact os_version_gte has_interface_with has_ip_address has_ip_network fqdn_rotate "
        "fqdn_rand_string fqdn_uuid seeded_rand seeded_rand_string get_module_path load_module_metadata "
        "glob time stdlib::ensure stdlib::deferrable_epp"
    ),
    "functions.stdlib.machine": (
        "stdlib::os_version_gte stdlib::has_interface_with stdlib::has_ip_address "
        "stdlib::has_ip_network stdlib::time stdlib::seeded_rand stdlib::seeded_rand_string "
        "stdlib::fqdn_rand_string stdlib::fqdn_rotate"
    ),
    "functions.stdlib.namespaced": (
        "stdlib::batch_escape stdlib::crc32 stdlib::ensure_packages stdlib::has_function stdlib::merge "
        "stdlib::nested_values stdlib::powershell_escape stdlib::rewrap_sensitive_data stdlib::sha256 "
        "stdlib::shell_escape stdlib::sort_by stdlib::to_json stdlib::to_json_pretty stdlib::to_python "
        "stdlib::to_ruby stdlib::to_toml stdlib::to_yaml stdlib::type_of stdlib::validate_domain_name "
        "stdlib::validate_email_address"
    ),
    "functions.stdlib.older": "dig44 try_get_value sprintf_hash",
    "functions.stdlib.references": "stdlib::str2resource",
    "functions.stdlib.passwords": "pw_hash str2saltedsha512 str2saltedpbkdf2",
}

MODULES: dict[str, str] = {name: family for family, names in FAMILIES.items() for name in names.split()}
