"""The messages of the functions of stdlib about values: lists, texts, passwords, addresses, resources."""

from __future__ import annotations

from evaluator.issues.examples import SITE
from lexer_parser.errors import Issue

_COUNT = "The function takes more or fewer arguments."
_KIND = "The function works on another kind of value."

ROWS = (
    # lists and hashes
    Issue(
        "DELETE_AT_INDEX",
        "delete_at(): You must provide non-negative numeric index",
        help="The elements are counted from 0.",
        words="The place of an element is a number.",
        wrong="$x = delete_at([1, 2], 'a')",
        right="$x = delete_at([1, 2], 0)",
    ),
    Issue(
        "DELETE_AT_SIZE",
        "delete_at(): Given index exceeds size of array given",
        help="The last element has the number of elements less one.",
        words="The array has no element at this place.",
        wrong="$x = delete_at([1, 2], 2)",
        right="$x = delete_at([1, 2], 1)",
    ),
    Issue(
        "HASH_FROM_ARRAY",
        "hash(): Unable to compute hash from array given",
        help="Give keys and values in turn: `hash(['a', 1, 'b', 2])`.",
        words="A hash is made of pairs, so an even number of values is due.",
        wrong="$x = hash(['a'])",
        right="$x = hash(['a', 1])",
    ),
    Issue(
        "MEMBER_NOTHING",
        "member(): You must provide item to search for within array given",
        help="Give what is looked for: a value, or an array of values that is not empty.",
        words="Nothing is looked for.",
        wrong="$x = member([1], [])",
        right="$x = member([1], [1])",
    ),
    Issue(
        "MEMBER_KIND",
        "member(): Item to search for must be a string, fixnum, or array",
        help="Use the operator: `1.5 in [1.5]`.",
        words="`member` looks for strings, integers, or all of an array.",
        wrong="$x = member([1.5], 1.5)",
        right="$x = 1.5 in [1.5]",
    ),
    Issue(
        "VALUES_AT_NOTHING",
        "values_at(): You must provide at least one positive index to collect",
        help="Give the number of an element, counted from 0, or a range: `values_at($list, '0-2')`.",
        words="It is not said which elements are wanted.",
        wrong="$x = values_at([1, 2], [])",
        right="$x = values_at([1, 2], [0])",
    ),
    Issue(
        "VALUES_AT_FORMAT",
        "values_at(): Unknown format of given index",
        help="Give numbers and ranges: `[0, '2-4']`.",
        words="Elements are named by numbers, or by texts such as '2-4'.",
        wrong="$x = values_at([1, 2], 'a')",
        right="$x = values_at([1, 2], '0-1')",
    ),
    Issue(
        "VALUES_AT_BACKWARDS",
        "values_at(): Stop index in given indices range is smaller than the start index",
        help="Write the smaller number first.",
        words="A range goes from a smaller to a greater number.",
        wrong="$x = values_at([1, 2], '1-0')",
        right="$x = values_at([1, 2], '0-1')",
    ),
    Issue(
        "VALUES_AT_RANGE_SIZE",
        "values_at(): Stop index in given indices range exceeds array size",
        help="The last element has the number of elements less one.",
        words="The array ends before the range does.",
        wrong="$x = values_at([1, 2], '0-2')",
        right="$x = values_at([1, 2], '0-1')",
    ),
    Issue(
        "VALUES_AT_SIZE",
        "values_at(): Given index exceeds array size",
        help="The last element has the number of elements less one.",
        words="The array has no element at this place.",
        wrong="$x = values_at([1, 2], 2)",
        right="$x = values_at([1, 2], 1)",
    ),
    Issue(
        "NO_RANGE",
        "range(): Unable to compute range from the value: {value}",
        help="Give two ends, `range(1, 5)`, or a text such as '1..5'.",
        words="The text says no range.",
        wrong="$x = range('abc')",
        right="$x = range('1..3')",
    ),
    Issue(
        "EMPTY_RANGE",
        "range(): Unknown range format: {value}",
        help="Give two ends, `range(1, 5)`, or a text such as '1..5'.",
        words="The text is empty.",
        wrong="$x = range('')",
        right="$x = range('1..3')",
    ),
    Issue(
        "RANGE_STEP",
        "range(): 3rd arg (step size) must be a non zero integer (e.g. 1 or -1)",
        help="Give a whole number that is not 0, or leave it out.",
        words="The numbers of a range are one step apart.",
        wrong="$x = range(1, 5, 0)",
        right="$x = range(1, 5, 2)",
    ),
    Issue(
        "NOTHING_TO_PICK",
        "pick(): must receive at least one non empty value",
        help="Add a value that is taken when all others are empty: `pick($x, 'otherwise')`.",
        words="All values to choose from are undef or empty.",
        wrong="$x = pick(undef, '')",
        right="$x = pick(undef, 1)",
    ),
    Issue(
        "CLAMP_HASH",
        "clamp(): The Hash type is not allowed ({value})",
        help="Give three numbers.",
        words=_KIND,
        wrong="$x = clamp(1, {}, 3)",
        right="$x = clamp(1, 2, 3)",
    ),
    Issue(
        "CLAMP_NUMERIC",
        "clamp(): Required explicit numeric ({value}:{actual})",
        help="Give three numbers.",
        words=_KIND,
        wrong="$x = clamp(1, 'a', 3)",
        right="$x = clamp(1, 2, 3)",
    ),
    # texts
    Issue(
        "NO_BOOLEAN_TEXT",
        "{function}(): Unknown type of boolean given",
        help="Give a text such as 'true', 'yes', 'y', '1', 'false', 'no', 'n' or '0'.",
        words="The text is none that stands for true or false.",
        wrong="$x = str2bool('maybe')",
        right="$x = str2bool('yes')",
    ),
    Issue(
        "NO_NUMBER_TEXT",
        "{function}(): '{value}' does not look like a number: invalid value for Float(): \"{value}\"",
        help="Give a number, or the text of one.",
        words="The text is no number.",
        wrong="$x = num2bool('a')",
        right="$x = num2bool('1')",
    ),
    Issue(
        "INVALID_CHARACTER_RANGE",
        'invalid range "{low}-{high}" in string transliteration',
        help="Write the smaller character first: `a-c`; a `-` itself stands first or last.",
        words="A range of characters goes from a smaller to a greater one.",
        wrong="$x = squeeze('aab', 'c-a')",
        right="$x = squeeze('aab', 'a-c')",
    ),
    Issue(
        "CONVERT_BASE_RANGE",
        "convert_base(): base must be at least 2 and must not be greater than 36",
        help="Give a base from 2 to 36.",
        words="Numbers are written with ten digits and twenty-six letters.",
        wrong="$x = convert_base(5, 40)",
        right="$x = convert_base(5, 2)",
    ),
    Issue(
        "UNKNOWN_SIZE_PREFIX",
        "to_bytes(): Unknown prefix {prefix}",
        help="Sizes end with `k`, `M`, `G`, `T`, `P` or `E`, and perhaps `B`.",
        words="The letter behind the number stands for no size.",
        wrong="$x = to_bytes('1x')",
        right="$x = to_bytes('1k')",
    ),
    Issue(
        "UNMATCHED_QUOTE",
        "Unmatched quote: {value}",
        help="Close the quote, or put a backslash before it.",
        words="A command is split into words, and a quote in it is never closed.",
        wrong='$x = shell_split("a \'b")',
        right="$x = shell_split(\"a 'b'\")",
    ),
    Issue(
        "UNKNOWN_KIND",
        "type3x(): Unknown type",
        help="Ask `type($x)`, which knows all types.",
        words="The function knows the types of Puppet 3 only.",
        wrong="$x = type3x(Integer)",
        right="$x = type(Integer)",
    ),
    # passwords
    Issue(
        "UNKNOWN_HASH_TYPE",
        "pw_hash(): {name} is not a valid hash type",
        help="The kinds are `MD5`, `SHA-256` and `SHA-512`.",
        words="Passwords are digested in one of several ways.",
        wrong="$x = pw_hash('secret', 'SHA-3', 'salt')",
        right="$x = pw_hash('secret', 'SHA-512', 'salt')",
    ),
    Issue(
        "SALT_EMPTY",
        "pw_hash(): third argument must not be empty",
        help="Give a salt: some letters and digits.",
        words="A password is digested together with a salt.",
        wrong="$x = pw_hash('secret', 'SHA-512', '')",
        right="$x = pw_hash('secret', 'SHA-512', 'salt')",
    ),
    Issue(
        "SALT_CHARACTERS",
        "pw_hash(): characters in salt must be in the set [a-zA-Z0-9./]",
        help="Give a salt of letters, digits, `.` and `/`.",
        words="A salt is made of letters, digits, `.` and `/`.",
        wrong="$x = pw_hash('secret', 'SHA-512', 's-lt')",
        right="$x = pw_hash('secret', 'SHA-512', 'salt')",
    ),
    # addresses
    Issue(
        "INVALID_ADDRESS",
        "invalid address: ",
        help="Give an address: `10.0.0.1`, `::1`, or a network: `10.0.0.0/8`.",
        words="The text is no address.",
        wrong="$x = stdlib::ip_in_range('a', '10.0.0.0/8')",
        right="$x = stdlib::ip_in_range('10.0.0.1', '10.0.0.0/8')",
    ),
    Issue(
        "ADDRESS_WITH_ZEROS",
        "zero-filled number in IPv4 address is ambiguous: ",
        help="Leave out the zeros before a number.",
        words="With a zero before it a number might be octal.",
        wrong="$x = stdlib::ip_in_range('10.0.0.01', '10.0.0.0/8')",
        right="$x = stdlib::ip_in_range('10.0.0.1', '10.0.0.0/8')",
    ),
    Issue(
        "INVALID_NETWORK_LENGTH",
        "invalid length: {value}",
        help="The length goes up to 32, of IPv6 to 128.",
        words="Behind the slash stands how many bits of the address are the network's.",
        wrong="$x = stdlib::ip_in_range('10.0.0.1', '10.0.0.0/33')",
        right="$x = stdlib::ip_in_range('10.0.0.1', '10.0.0.0/8')",
    ),
    Issue(
        "INVALID_NETWORK_MASK",
        "invalid mask {mask}: {value}",
        help="A mask has ones first and zeros behind: `255.255.0.0`.",
        words="Behind the slash stands a mask that no network has.",
        wrong="$x = stdlib::ip_in_range('10.0.0.1', '10.0.0.0/255.0.255.0')",
        right="$x = stdlib::ip_in_range('10.0.0.1', '10.0.0.0/255.0.0.0')",
    ),
    Issue(
        "ADDRESS_FAMILY_MISSING",
        "address family must be specified",
        help="Give a network: `10.0.0.0/8`.",
        words="Ranges of addresses are texts.",
        wrong="$x = stdlib::ip_in_range('10.0.0.1', [1])",
        right="$x = stdlib::ip_in_range('10.0.0.1', '10.0.0.0/8')",
    ),
    Issue(
        "ENCLOSE_ADDRESS",
        "enclose_ipv6(): Wrong argument given {value} is not an ip address.",
        help="Give addresses, or `*`.",
        words="The text is no address.",
        wrong="$x = enclose_ipv6('a')",
        right="$x = enclose_ipv6('::1')",
    ),
    # the catalog and modules
    Issue(
        "REFERENCE_NEEDED",
        "Must specify a reference",
        help="Name a resource: `{function}(File['/tmp/a'], …)`.",
        words=_COUNT,
        wrong="$x = defined_with_params()",
        right="$x = defined_with_params(File['/tmp/a'])",
    ),
    Issue(
        "REFERENCE_NOT_UNDERSTOOD",
        "Reference is not understood: '{actual}'",
        help="Name a resource: `File['/tmp/a']`.",
        words="A reference to a resource is due.",
        wrong="$x = defined_with_params(1)",
        right="$x = defined_with_params(File['/tmp/a'])",
    ),
    Issue(
        "REFERENCE_NOT_FOUND",
        "stdlib::str2resource(): could not find {reference},"
        " this is parse order dependent and values should not be quoted",
        help="Declare the resource first, and write the title without quotes.",
        words="The resource is not in the catalog, at least not yet.",
        wrong="$x = stdlib::str2resource('File[/tmp/a]')",
        right="file { '/tmp/a': }\n$x = stdlib::str2resource('File[/tmp/a]')",
    ),
    Issue(
        "PARAMETER_NAME_NEEDED",
        "Must specify name of a parameter",
        help="Name the attribute: `getparam(File['/tmp/a'], 'mode')`.",
        words="An attribute of a resource is asked for, by its name.",
        wrong="$x = getparam(File['/tmp/a'])",
        right="$x = getparam(File['/tmp/a'], 'mode')",
    ),
    Issue(
        "TYPE_NEEDED",
        "Must specify a type",
        help="Give type, title and attributes: `ensure_resource('user', 'ann', {{ 'ensure' => 'present' }})`.",
        words="A resource is declared by its type and title.",
        wrong="ensure_resource()",
        right="ensure_resource('user', 'ann')",
    ),
    Issue(
        "TITLE_NEEDED",
        "Must specify a title",
        help="Give type, title and attributes: `ensure_resource('user', 'ann', {{ 'ensure' => 'present' }})`.",
        words="A resource is declared by its type and title.",
        wrong="ensure_resource('user')",
        right="ensure_resource('user', 'ann')",
    ),
    Issue(
        "PRIVATE",
        "{kind} {name} is private",
        help="Use the public class of the module; this one is for the module itself.",
        words="The class or define belongs to the inside of its module.",
        wrong="# modules/web/manifests/config.pp\nclass web::config {\n  assert_private()\n}\n"
        + SITE
        + "include web::config",
        right="# modules/web/manifests/init.pp\n"
        + "class web {\n"
        + "  include web::config\n"
        + "}\n"
        + "# modules/web/manifests/config.pp\n"
        + "class web::config {\n"
        + "  assert_private()\n"
        + "}\n"
        + SITE
        + "include web",
    ),
    Issue(
        "PRIVATE_MESSAGE",
        "{message}",
        help="Use the public class of the module; this one is for the module itself.",
        words="The class or define belongs to the inside of its module, which says so in its own words.",
        wrong="# modules/web/manifests/config.pp\n"
        + "class web::config {\n"
        + "  assert_private('use the class web')\n"
        + "}\n"
        + SITE
        + "include web::config",
        right="# modules/web/manifests/init.pp\n"
        + "class web {\n"
        + "  include web::config\n"
        + "}\n"
        + "# modules/web/manifests/config.pp\n"
        + "class web::config {\n"
        + "  assert_private('use the class web')\n"
        + "}\n"
        + SITE
        + "include web",
    ),
    Issue(
        "MODULE_NOT_FOUND",
        "Could not find module {name} in environment {environment}",
        help="Check the spelling; `module_directory('{name}')` gives undef where there is no module.",
        words="No module of this name is on the module path.",
        wrong="$x = get_module_path('web')",
        right="$x = module_directory('web')",
        needs="modulepath",
    ),
    Issue(
        "METADATA_NOT_FOUND",
        "load_module_metadata(): No metadata.json file for module {name}",
        help="Give `true` as the second argument, and it gives an empty hash.",
        words="The module has no `metadata.json`.",
        wrong="# modules/web/manifests/init.pp\nclass web {\n}\n" + SITE + "$x = load_module_metadata('web')",
        right="# modules/web/manifests/init.pp\nclass web {\n}\n"
        + SITE
        + "$x = load_module_metadata('web', true)",
        needs="modulepath",
    ),
)
