"""The module of each built-in function, so that a program imports only what it calls.

Written by `python -m tests.functions.function_index`; a test compares it with the declarations.
"""

from __future__ import annotations

# fmt: off
FAMILIES: dict[str, str] = {
    "functions.catalog": (
        "contain create_resources defined include realize require tag tagged"
    ),
    "functions.control": (
        "alert break call crit debug emerg err fail import info lest next notice return then unwrap warning "
        "with"
    ),
    "functions.conversion": (
        "annotate assert_type convert convert_to new strftime type typeof"
    ),
    "functions.digests": (
        "digest fqdn_rand md5 sha1 sha256"
    ),
    "functions.files": (
        "binary_file epp file find_file find_template generate inline_epp inline_template module_directory "
        "template validate_augeas validate_cmd"
    ),
    "functions.grouping": (
        "group_by index partition sort tree_each unique"
    ),
    "functions.iteration": (
        "all any each filter map reduce reverse_each slice step"
    ),
    "functions.navigation": (
        "dig empty flatten get getvar join keys length size values"
    ),
    "functions.numbers": (
        "abs ceiling compare floor max min round versioncmp"
    ),
    "functions.queries": (
        "puppetdb_query"
    ),
    "functions.stdlib.catalog": (
        "assert_private defined_with_params ensure_packages ensure_resource ensure_resources getparam "
        "stdlib::str2resource"
    ),
    "functions.stdlib.coercion": (
        "any2array any2bool bool2num bool2str clamp is_a num2bool pick pick_default str2bool type3x type_of"
    ),
    "functions.stdlib.collections": (
        "concat count deep_merge difference has_key hash intersection join_keys_to_values member merge prefix "
        "reverse shuffle suffix union values_at zip"
    ),
    "functions.stdlib.deprecated": (
        "deprecation dig44 is_absolute_path is_array is_bool is_domain_name is_email_address is_float "
        "is_function_available is_hash is_integer is_ip_address is_ipv4_address is_ipv6_address "
        "is_mac_address is_numeric is_string sprintf_hash try_get_value validate_absolute_path validate_array "
        "validate_bool validate_domain_name validate_email_address validate_hash validate_integer "
        "validate_ip_address validate_ipv4_address validate_ipv6_address validate_legacy validate_numeric "
        "validate_re validate_slength validate_string"
    ),
    "functions.stdlib.formats": (
        "loadjson loadyaml parsejson parsepson parseyaml to_json to_json_pretty to_python to_ruby to_toml "
        "to_yaml"
    ),
    "functions.stdlib.hosts": (
        "fact fqdn_rand_string fqdn_rotate fqdn_uuid get_module_path glob has_interface_with has_ip_address "
        "has_ip_network load_module_metadata os_version_gte seeded_rand seeded_rand_string "
        "stdlib::deferrable_epp stdlib::ensure stdlib::fqdn_rand_string stdlib::fqdn_rotate "
        "stdlib::has_interface_with stdlib::has_ip_address stdlib::has_ip_network stdlib::os_version_gte "
        "stdlib::seeded_rand stdlib::seeded_rand_string stdlib::time time"
    ),
    "functions.stdlib.namespaced": (
        "stdlib::batch_escape stdlib::crc32 stdlib::ensure_packages stdlib::has_function stdlib::merge "
        "stdlib::nested_values stdlib::powershell_escape stdlib::rewrap_sensitive_data stdlib::sha256 "
        "stdlib::shell_escape stdlib::sort_by stdlib::to_json stdlib::to_json_pretty stdlib::to_python "
        "stdlib::to_ruby stdlib::to_toml stdlib::to_yaml stdlib::type_of stdlib::validate_domain_name "
        "stdlib::validate_email_address"
    ),
    "functions.stdlib.passwords": (
        "pw_hash str2saltedpbkdf2 str2saltedsha512 validate_x509_rsa_key_pair"
    ),
    "functions.stdlib.recognition": (
        "enclose_ipv6 stdlib::ip_in_range"
    ),
    "functions.stdlib.removal": (
        "delete delete_at delete_regex delete_undef_values delete_values grep range reject"
    ),
    "functions.stdlib.strings": (
        "base64 basename batch_escape convert_base dirname dos2unix powershell_escape regexpescape "
        "shell_escape shell_join shell_split squeeze stdlib::end_with stdlib::extname stdlib::start_with "
        "stdlib::xml_encode swapcase to_bytes unix2dos uriescape"
    ),
    "functions.strings": (
        "camelcase capitalize chomp chop downcase lstrip match regsubst rstrip shellquote split sprintf strip "
        "upcase"
    ),
    "hiera.functions": (
        "hiera hiera_array hiera_hash hiera_include lookup"
    ),
    "hiera.providers": (
        "eyaml_lookup_key hocon_data json_data parsehocon yaml_data"
    ),
}
# fmt: on

MODULES: dict[str, str] = {name: family for family, names in FAMILIES.items() for name in names.split()}
