"""The functions that suit each kind of value; `python -m tests.completion.method_table` writes them."""

# fmt: off
METHODS = {
    "String": (
        "abs all any assert_private assert_type base64 basename binary_file bool2num call camelcase "
        "capitalize ceiling chomp chop clamp compare convert_base count create_resources defined "
        "defined_with_params delete deprecation digest dirname dos2unix downcase each empty enclose_ipv6 "
        "ensure_packages ensure_resource ensure_resources epp eyaml_lookup_key fact file filter find_file "
        "find_template floor fqdn_rotate fqdn_uuid generate get_module_path getparam getvar glob "
        "has_interface_with has_ip_address has_ip_network hiera hiera_array hiera_hash hiera_include index "
        "inline_epp inline_template is_function_available length load_module_metadata loadjson loadyaml "
        "lookup lstrip map match md5 merge module_directory num2bool os_version_gte parsehocon parsejson "
        "parsepson parseyaml puppetdb_query pw_hash range reduce regexpescape regsubst reverse reverse_each "
        "rstrip sha1 sha256 shell_split shellquote shuffle size slice sort split sprintf sprintf_hash squeeze "
        "stdlib::crc32 stdlib::deferrable_epp stdlib::end_with stdlib::ensure stdlib::ensure_packages "
        "stdlib::extname stdlib::fqdn_rotate stdlib::has_function stdlib::has_interface_with "
        "stdlib::has_ip_address stdlib::has_ip_network stdlib::ip_in_range stdlib::merge "
        "stdlib::os_version_gte stdlib::sha256 stdlib::sort_by stdlib::start_with stdlib::str2resource "
        "stdlib::time stdlib::xml_encode step str2bool str2saltedpbkdf2 str2saltedsha512 strftime strip "
        "swapcase tag tagged template time to_bytes unique unix2dos upcase uriescape validate_augeas "
        "validate_cmd validate_re validate_slength validate_x509_rsa_key_pair versioncmp"
    ),
    "Integer": (
        "abs all any camelcase capitalize ceiling chomp chop clamp compare convert_base downcase each empty "
        "filter floor fqdn_rand fqdn_rand_string index lstrip map merge num2bool range reduce reverse_each "
        "round rstrip seeded_rand seeded_rand_string slice stdlib::crc32 stdlib::fqdn_rand_string "
        "stdlib::merge stdlib::seeded_rand stdlib::seeded_rand_string stdlib::sha256 step strip to_bytes "
        "unique upcase"
    ),
    "Float": (
        "abs camelcase capitalize ceiling chomp chop clamp compare downcase empty floor lstrip num2bool round "
        "rstrip stdlib::crc32 stdlib::sha256 strip to_bytes upcase"
    ),
    "Boolean": (
        "bool2num bool2str stdlib::crc32 stdlib::ensure stdlib::sha256 str2bool"
    ),
    "Undef": (
        "dig empty merge stdlib::merge stdlib::time"
    ),
    "Regexp": (
        ""
    ),
    "Array": (
        "all any clamp concat count delete delete_at delete_regex delete_undef_values difference dig dig44 "
        "downcase each empty enclose_ipv6 ensure_packages filter find_file find_template fqdn_rotate glob "
        "grep group_by hash index intersection join length lookup map match member merge module_directory "
        "partition prefix puppetdb_query reduce regexpescape regsubst reject reverse reverse_each shell_join "
        "shellquote shuffle size slice sort squeeze stdlib::ensure_packages stdlib::fqdn_rotate stdlib::merge "
        "stdlib::sort_by stdlib::to_json_pretty step suffix swapcase to_json_pretty tree_each union unique "
        "upcase uriescape validate_slength values_at zip"
    ),
    "Hash": (
        "all any count deep_merge delete delete_regex delete_undef_values delete_values dig dig44 downcase "
        "each empty ensure_packages filter group_by has_key hocon_data index join_keys_to_values json_data "
        "keys length lookup map merge partition prefix reduce reject reverse_each size slice "
        "stdlib::ensure_packages stdlib::merge stdlib::nested_values stdlib::sort_by stdlib::to_json_pretty "
        "stdlib::to_toml step suffix to_json_pretty to_toml tree_each unique upcase values yaml_data"
    ),
    "Iterator": (
        "all any each filter index map merge reduce reverse_each slice stdlib::merge step tree_each unique"
    ),
    "Binary": (
        "empty length size stdlib::crc32 stdlib::sha256"
    ),
    "Sensitive": (
        "empty split stdlib::crc32 stdlib::sha256"
    ),
    "SemVer": (
        "compare"
    ),
    "SemVerRange": (
        ""
    ),
    "Timespan": (
        "compare strftime"
    ),
    "Timestamp": (
        "compare strftime"
    ),
    "URI": (
        ""
    ),
    "Type": (
        "annotate assert_type convert defined defined_with_params getparam new realize validate_legacy"
    ),
    "Deferred": (
        "call tree_each"
    ),
    "Error": (
        "tree_each"
    ),
    "Any": (
        "alert any2array any2bool batch_escape contain convert_to crit debug emerg err fail flatten get "
        "import include info is_a is_absolute_path is_array is_bool is_domain_name is_email_address is_float "
        "is_hash is_integer is_ip_address is_ipv4_address is_ipv6_address is_mac_address is_numeric is_string "
        "lest max min next notice pick pick_default powershell_escape require return shell_escape "
        "stdlib::batch_escape stdlib::powershell_escape stdlib::rewrap_sensitive_data stdlib::shell_escape "
        "stdlib::to_json stdlib::to_python stdlib::to_ruby stdlib::to_yaml stdlib::type_of "
        "stdlib::validate_domain_name stdlib::validate_email_address then to_json to_python to_ruby to_yaml "
        "try_get_value type type3x type_of typeof unwrap validate_absolute_path validate_array validate_bool "
        "validate_domain_name validate_email_address validate_hash validate_integer validate_ip_address "
        "validate_ipv4_address validate_ipv6_address validate_numeric validate_string warning with"
    ),
}
# fmt: on
