"""Issues of data: keys, merging, options, `hiera.yaml` and the files that it names.

`Issue` in `lexer_parser/errors.py` describes the columns of a row: the code, the message, and named ones. Message and
`help` are format strings, with `{{` for a brace; programs are not. `examples.py` has parts of programs: LEVEL is a
hierarchy whose data source follows, COMMON a complete one.
"""

from evaluator.issues.examples import COMMON, DATA, DATA_A, LEVEL, LOOKUP_A, LOOKUP_WEB_PORT, MODULE_WEB, SITE
from lexer_parser.errors import Issue

ROWS = (
    # looking up
    Issue(
        "LOOKUP_NOT_FOUND",
        "Function lookup() did not find a value for {names}",
        help="Give a default, `lookup('key', {{ 'default_value' => 1 }})`, or add the key to the data.",
        words="The data has no value for the key.",
        wrong="$x = lookup('port')",
        right="$x = lookup('port', { 'default_value' => 80 })",
        place="",
    ),
    Issue(
        "LOOKUP_KEY",
        "Syntax error in key: '{key}'",
        help="Join names by single dots, `a.b.0`; quote a part that contains a dot.",
        words="The key is neither a name nor names joined by dots.",
        wrong="$x = lookup('a..b', { 'default_value' => 1 })",
        right="$x = lookup('a.b', { 'default_value' => 1 })",
        place="",
    ),
    Issue(
        "DATA_ITEM_MISSING",
        "Could not find data item {key}",
        help="Add the key, with the names of classes, to the data.",
        words="`hiera_include` includes the classes that the data lists under a key; the data has no such key.",
        wrong="hiera_include('classes', undef)",
        right="class a { }\nhiera_include('classes', ['a'])",
    ),
    Issue(
        "DATA_TYPE_MISMATCH",
        "Data Provider type mismatch: Got {actual} when a hash-like object was expected"
        " to access value using '{step}' from key '{key}'",
        help="The dots of a key lead through hashes; quote a key that contains dots.",
        words="A dotted key leads into a value that is not a hash.",
        wrong=COMMON + DATA + "a: text\n" + SITE + "$x = lookup('a.b')",
        right=COMMON + DATA + "a: { b: text }\n" + SITE + "$x = lookup('a.b')",
        place="",
    ),
    Issue(
        "DATA_RECURSION",
        "Lookup of key '{key}' failed: Recursive lookup detected in [{keys}]",
        help="Give one of these keys a value that refers to none of the others.",
        words="The value of a key refers to itself.",
        wrong=COMMON + DATA + "a: \"%{lookup('b')}\"\nb: \"%{lookup('a')}\"\n" + LOOKUP_A,
        right=COMMON + DATA + "a: \"%{lookup('b')}\"\nb: 1\n" + LOOKUP_A,
        place="",
    ),
    Issue(
        "INTERPOLATION_RECURSION",
        "Recursive lookup detected in [{keys}]",
        help="Give one of these variables a value that refers to none of the others.",
        words="The value of a variable that data interpolates refers to itself.",
        wrong=COMMON + DATA + 'a: "%{p}"\n' + SITE + "$p = '%{p}'\n$x = lookup('a')",
        right=COMMON + DATA + 'a: "%{p}"\n' + SITE + "$p = 'p'\n$x = lookup('a')",
        place="",
    ),
    Issue(
        "LOOKUP_TYPE",
        "{reason}",
        help="Fix the value in the data, or the expected type.",
        words="The value that was found, or the default, does not match the type that was passed to `lookup`.",
        wrong="$x = lookup('port', Integer, 'first', '80')",
        right="$x = lookup('port', Integer, 'first', 80)",
    ),
    # merging
    Issue(
        "UNKNOWN_MERGE_STRATEGY",
        "Unknown merge strategy: '{strategy}'",
        help="The strategies are `first`, `unique`, `hash` and `deep`.",
        words="Values of several levels are merged by a strategy, and no strategy has this name.",
        wrong="$x = lookup('a', { 'merge' => 'best', 'default_value' => 1 })",
        right="$x = lookup('a', { 'merge' => 'deep', 'default_value' => 1 })",
    ),
    Issue(
        "MERGE_STRATEGY_MISSING",
        "The hash given as 'merge' must contain the name of a strategy in string form for the key 'strategy'",
        help="Name it: `'merge' => {{ 'strategy' => 'deep' }}`.",
        words="Options for merging belong to a strategy, which you must name.",
        wrong="$x = lookup('a', { 'merge' => { 'sort_merged_arrays' => true }, 'default_value' => 1 })",
        right="$x = lookup('a', { 'merge' => { 'strategy' => 'deep', 'sort_merged_arrays' => true }, "
        "'default_value' => 1 })",
    ),
    Issue(
        "LOOKUP_MERGE",
        "{reason}",
        help="Give the key values of one kind in all levels, or choose another strategy.",
        words="`hash` merges hashes, `unique` plain values and arrays; a level has a value of another kind.",
        wrong=COMMON
        + "  - name: rest\n    path: rest.yaml\n"
        + DATA_A
        + "# data/rest.yaml\na: { port: 1 }\n"
        + SITE
        + "$x = lookup('a', { 'merge' => 'hash' })",
        right=COMMON
        + "  - name: rest\n    path: rest.yaml\n"
        + DATA
        + "a: { user: www }\n# data/rest.yaml\na: { port: 1 }\n"
        + SITE
        + "$x = lookup('a', { 'merge' => 'hash' })",
        place="",
    ),
    Issue(
        "EMPTY_KNOCKOUT_PREFIX",
        "knockout_prefix cannot be an empty string in deep_merge!",
        help="Choose a prefix such as `--`, or omit the option.",
        words="Strings with the prefix remove elements of other levels; every string begins with the empty prefix.",
        wrong=COMMON
        + "  - name: rest\n    path: rest.yaml\n"
        + DATA
        + "a: [www]\n# data/rest.yaml\na: [ftp]\n"
        + SITE
        + "$x = lookup('a', { 'merge' => { 'strategy' => 'deep', 'knockout_prefix' => '' } })",
        right=COMMON
        + "  - name: rest\n    path: rest.yaml\n"
        + DATA
        + "a: [www]\n# data/rest.yaml\na: [ftp]\n"
        + SITE
        + "$x = lookup('a', { 'merge' => { 'strategy' => 'deep', 'knockout_prefix' => '--' } })",
    ),
    # options in the data
    Issue(
        "LOOKUP_OPTIONS_NO_HASH",
        "value of lookup_options must be a hash",
        help="Write a hash under `lookup_options`, from keys or patterns of keys to their options.",
        words="The entry `lookup_options` of the data defines how the values of keys are merged and converted.",
        wrong=COMMON + DATA + "lookup_options: unique\na: [1]\n" + LOOKUP_A,
        right=COMMON + DATA + "lookup_options: { a: { merge: unique } }\na: [1]\n" + LOOKUP_A,
        place="",
    ),
    Issue(
        "LOOKUP_OPTIONS_KEY",
        "all lookup_options keys must start with module name '{module}'",
        help="Write the keys as `{module}::…`: the data of a module is for that module.",
        words="The data of a module can set options only for its own keys.",
        wrong=MODULE_WEB + "lookup_options: { port: { merge: first } }\n" + LOOKUP_WEB_PORT,
        right=MODULE_WEB + "lookup_options: { 'web::port': { merge: first } }\n" + LOOKUP_WEB_PORT,
        place="",
    ),
    Issue(
        "LOOKUP_OPTIONS_PATTERN",
        "all lookup_options patterns must match a key starting with module name '{module}'",
        help="Begin the patterns with `^{module}::`: the data of a module is for that module.",
        words="The data of a module can set options only for its own keys.",
        wrong=MODULE_WEB + "lookup_options: { '^port': { merge: first } }\n" + LOOKUP_WEB_PORT,
        right=MODULE_WEB + "lookup_options: { '^web::port': { merge: first } }\n" + LOOKUP_WEB_PORT,
        place="",
    ),
    Issue(
        "LOOKUP_OPTIONS_RECURSION",
        "Recursive lookup detected in [{keys}]",
        help="Write the options in full: they are read before any key is looked up.",
        words="The values under `lookup_options` cannot look up keys themselves.",
        wrong=COMMON + DATA + "lookup_options: \"%{lookup('b')}\"\na: 1\nb: {}\n" + LOOKUP_A,
        right=COMMON + DATA + "lookup_options: { a: { merge: first } }\na: 1\n" + LOOKUP_A,
        place="",
    ),
    Issue(
        "LOOKUP_CONVERSION",
        "The convert_to lookup_option for key '{key}' raised error: {problem}",
        help="Fix the value in the data, or the option `convert_to` of the key.",
        words="The options of the key require a conversion that is not possible.",
        wrong=COMMON + DATA + "lookup_options: { a: { convert_to: Integer } }\na: many\n" + LOOKUP_A,
        right=COMMON + DATA + "lookup_options: { a: { convert_to: Integer } }\na: '12'\n" + LOOKUP_A,
        place="",
    ),
    Issue(
        "LOOKUP_CONVERSION_TYPE",
        # As released, the quotation of the error is not closed.
        "Invalid data type in lookup_options for key '{key}' could not parse '{text}', error: '{problem}",
        help="Name a type under `convert_to`: `Integer`, `Sensitive`.",
        words="The options of the key require a conversion to something that is not a type.",
        wrong=COMMON + DATA + "lookup_options: { a: { convert_to: 'Integer[' } }\na: '12'\n" + LOOKUP_A,
        right=COMMON + DATA + "lookup_options: { a: { convert_to: 'Integer' } }\na: '12'\n" + LOOKUP_A,
        place="",
    ),
    # hiera.yaml and the files and functions that it names
    Issue(
        "HIERA_FILE",
        "{problem}",
        help="Fix the YAML of the file.",
        words="The file is not YAML.",
        wrong="# hiera.yaml\nversion: 5\nhierarchy: [\n" + LOOKUP_A,
        right=COMMON + DATA_A + LOOKUP_A,
    ),
    Issue(
        "HIERA_VERSION",
        "This runtime does not support hiera.yaml version {version}",
        help="Write `version: 5`, and the levels in the form of that version.",
        words="There are several versions of `hiera.yaml`; version 5 is read.",
        wrong="# hiera.yaml\nversion: 9\n" + LOOKUP_A,
        right=COMMON + DATA_A + LOOKUP_A,
        place="file",
    ),
    Issue(
        "HIERA_UNDEFINED_VARIABLE",
        "Undefined variable '{name}'",
        help="Check the spelling; a fact that a node may lack is `%{{facts.NAME}}`.",
        words="An option or a datadir in `hiera.yaml` names a variable that has no value.",
        wrong=LEVEL + '    path: common.yaml\n    datadir: "data%{nope}"\n' + LOOKUP_A,
        right=LEVEL + "    path: common.yaml\n    datadir: data\n" + DATA_A + LOOKUP_A,
        place="line",
    ),
    Issue(
        "HIERA_LAYER_VERSION",
        "hiera.yaml version {version} cannot be used in {layer} (file: {path})",
        help="Write it as version 5 requires (https://www.puppet.com/docs/puppet/latest/hiera_config_yaml_5.html).",
        words="Version 3 of `hiera.yaml` was for the global layer, version 4 for modules and environments.",
        place="",
    ),
    Issue(
        "HIERA_BACKEND",
        "the backend '{name}' of hiera.yaml is written in Ruby and is not supported here",
        help="Supported are yaml, json and eyaml; `data_hash` or `lookup_key` of version 5 name other functions.",
        words="Version 3 of `hiera.yaml` names backends; each of them is a program of its own.",
        place="",
    ),
    Issue(
        "HIERA_NO_PROVIDER",
        "No data provider is registered for backend '{name}'",
        help="Write `yaml` or `json`, or convert the file to version 5, whose levels name functions.",
        words="Version 4 of `hiera.yaml` knows only the backends `yaml` and `json`.",
        wrong=LEVEL.replace("version: 5", "version: 4") + "    backend: eyaml\n" + DATA_A + LOOKUP_A,
        right=COMMON + DATA_A + LOOKUP_A,
        place="line",
    ),
    Issue(
        "HIERA_UNKNOWN_PROVIDER",
        "Environment '{environment}', cannot find {layer}_data_provider '{name}'",
        help="Remove the setting, and write a `hiera.yaml` of version 5.",
        words="Before version 5 of `hiera.yaml`, a setting named a data provider: `none`, `hiera` or `function`.",
        wrong="# environment.conf\nenvironment_data_provider = hira\n" + SITE + LOOKUP_A,
        right=COMMON + DATA_A + LOOKUP_A,
    ),
    Issue(
        "HIERA_MODULE_LAYER_ONLY",
        "'{name}' is only allowed in the module layer",
        help="Move `{name}` into the `hiera.yaml` of a module.",
        words="The default hierarchy belongs to the data of a module.",
        wrong=COMMON
        + "default_hierarchy:\n  - name: defaults\n    path: defaults.yaml\n"
        + DATA_A
        + LOOKUP_A,
        right=COMMON + DATA_A + LOOKUP_A,
        place="line",
    ),
    Issue(
        "HIERA_GLOBAL_LAYER_ONLY",
        "'{name}' is only allowed in the global layer",
        help="Read the data with `data_hash` or `lookup_key`.",
        words="Backends of Hiera 3 are written in Ruby, and are permitted only in the global layer.",
        wrong=LEVEL + "    hiera3_backend: yaml\n    path: common.yaml\n" + DATA_A + LOOKUP_A,
        right=LEVEL + "    data_hash: yaml_data\n    path: common.yaml\n" + DATA_A + LOOKUP_A,
        place="line",
    ),
    Issue(
        "HIERA_LEVEL_REPEATED",
        "Hierarchy name '{name}' defined more than once.",
        help="Give each level a name of its own.",
        words="The levels of a hierarchy are distinguished by their names.",
        wrong=COMMON + "  - name: common\n    path: other.yaml\n" + DATA_A + LOOKUP_A,
        right=COMMON + "  - name: other\n    path: other.yaml\n" + DATA_A + LOOKUP_A,
        place="line",
    ),
    Issue(
        "HIERA_ONLY_ONE",
        "Only one of {choices} can be defined in {where}",
        help="Keep one of them there, and move each other one to a level of its own.",
        words="A level has one function that reads it, and one place for its data.",
        wrong=COMMON + "    paths: [other.yaml]\n" + DATA_A + LOOKUP_A,
        right=LEVEL + "    paths: [common.yaml, other.yaml]\n" + DATA_A + LOOKUP_A,
        place="file",
    ),
    Issue(
        "HIERA_ONE_NEEDED",
        "One of {choices} must be defined in hierarchy '{name}'",
        help="Name the function that reads the level `{name}`: `data_hash: yaml_data`.",
        words="A level needs a function that reads it.",
        wrong="# hiera.yaml\n"
        + "version: 5\n"
        + "defaults:\n"
        + "  datadir: data\n"
        + "hierarchy:\n"
        + "  - name: common\n"
        + "    path: common.yaml\n"
        + DATA_A
        + LOOKUP_A,
        right=COMMON + DATA_A + LOOKUP_A,
        place="file",
    ),
    Issue(
        "HIERA_RESERVED_OPTION",
        "Option key '{option}' used in {where} is reserved by {product}",
        help="Write `{option}` beside `options`, or give the option another name.",
        words="The function of a level receives the options together with the place of the data.",
        wrong=COMMON + "    data_hash: yaml_data\n    options: { path: common.yaml }\n" + DATA_A + LOOKUP_A,
        right=COMMON + "    data_hash: yaml_data\n" + DATA_A + LOOKUP_A,
        place="file",
    ),
    Issue(
        "HIERA_UNKNOWN_FUNCTION",
        "Unable to find '{kind}' function named '{name}'",
        help="Name a function that exists, such as `yaml_data`.",
        words="A level names a function that does not exist.",
        wrong=COMMON + "    data_hash: ymal_data\n" + DATA_A + LOOKUP_A,
        right=COMMON + "    data_hash: yaml_data\n" + DATA_A + LOOKUP_A,
        place="file",
    ),
    Issue(
        "HIERA_NO_PATH",
        "{function} one of 'path', 'paths' 'glob', 'globs' or 'mapped_paths' must be declared in hiera.yaml"
        " when using this {kind} function",
        help="Name the file in the level: `path: common.yaml`.",
        words="A level that is read from files must name them.",
        wrong=LEVEL + "    data_hash: yaml_data\n" + LOOKUP_A,
        right=LEVEL + "    data_hash: yaml_data\n    path: common.yaml\n" + DATA_A + LOOKUP_A,
    ),
    Issue(
        "LOOKUP_VALUE",
        "{reason}",
        help="Make each key in the value a String or a number: put `yes`, `no`, `on`, `off`, `true` and `~` in quotes.",
        words="A hash in the data has a key that is neither a String nor a number. YAML reads `on` as true.",
        wrong=COMMON + DATA + "a:\n  on: 1\n" + LOOKUP_A,
        right=COMMON + DATA + "a:\n  'on': 1\n" + LOOKUP_A,
        place="",
    ),
    Issue(
        "LOOKUP_PROVIDER",
        "{reason}",
        help="Make the function return a hash of keys and values.",
        words="The function of a level did not return a hash of the required form.",
        wrong=LEVEL
        + "    data_hash: web::all\n"
        + "# modules/web/functions/all.pp\n"
        + "function web::all($options, $context) {\n"
        + "  'a'\n"
        + "}\n"
        + LOOKUP_A,
        right=LEVEL
        + "    data_hash: web::all\n"
        + "# modules/web/functions/all.pp\n"
        + "function web::all($options, $context) {\n"
        + "  { 'a' => 1 }\n"
        + "}\n"
        + LOOKUP_A,
        place="",
    ),
    Issue(
        "DATA_FILE",
        "Unable to parse {problem}",
        help="Fix the content of the file{place}.",
        words="A data file is not valid YAML, JSON or HOCON.",
        wrong=COMMON + DATA + "a: [1\n" + LOOKUP_A,
        right=COMMON + DATA + "a: [1]\n" + LOOKUP_A,
        place="",
    ),
    Issue(
        "DATA_NO_HASH",
        "{path}: file does not contain a valid yaml hash",
        help="Write keys with their values, `key: value`, one on each line.",
        words="A data file contains something other than a hash; unless `strict` is `error`, it is treated as empty.",
        place="",
    ),
    Issue(
        "HOCON_SYNTAX",
        "String: {line}: {problem}",
        help="Fix the file: write names with `::` in quotes, and do not use `include`.",
        words="The file is not HOCON, or it refers to other files or environment variables, which are not read.",
        place="",
    ),
    Issue(
        "HOCON_PATH",
        "path has a leading, trailing, or two adjacent period '.' (use quoted \"\" empty string if you want an empty"
        " element)",
        help="Fix the name; one that contains periods itself is in quotes.",
        words="Periods separate the steps of a path, and a step is empty.",
        wrong="$x = parsehocon('a..b = 1')",
        right="$x = parsehocon('a.b = 1')",
    ),
    Issue(
        "NOT_A_DATA_PROVIDER",
        "{function}() works only inside functions that provide data, while they run",
        help="Call it in the function that the hierarchy names, on the context that this function receives.",
        words="A lookup context works only inside the call that it was made for.",
        wrong="$x = Puppet::LookupContext('web').not_found",
        right=LEVEL
        + "    lookup_key: web::key\n"
        + "# modules/web/functions/key.pp\n"
        + "function web::key($key, $options, $context) {\n"
        + "  $context.not_found\n"
        + "}\n"
        + SITE
        + "$x = lookup('a', { 'default_value' => 1 })",
    ),
    # secrets
    Issue(
        "EYAML_KEY",
        "hiera-eyaml backend error decrypting {data} when looking up {key} in {path}. Error was {name} is not defined",
        help="Name the files of the two keys in `hiera.yaml`, under `options` of the level.",
        words="Encrypted data is read with a private and a public key.",
        place="",
    ),
    Issue(
        "EYAML_SCHEME",
        "{path}: data encrypted with {scheme} cannot be read",
        help="Encrypt it with PKCS7, the default of eyaml.",
        words="A secret in data names its encryption: `ENC[PKCS7,…]`.",
        place="",
    ),
    Issue(
        "EYAML_DECRYPTION",
        "{path}: a value cannot be decrypted with the keys that the level names",
        help="Check that it was encrypted for these keys and is complete: `ENC[PKCS7,MII…]`.",
        words="The secret was not encrypted with these keys.",
        place="",
    ),
    Issue(
        "EXTRA_NEEDED",
        "'{function}' needs the Python package {package}",
        help="`pip install 'puppet-kernel[{extra}]'` installs it.",
        words="Some data needs a package that is not installed by default.",
        place="",
    ),
    # `%{…}` in data
    Issue(
        "HIERA_METHOD_NOT_ALLOWED",
        "Interpolation using method syntax is not allowed in this context",
        help="Name a variable there: `%{{facts.os.family}}`.",
        words="Paths and options in `hiera.yaml` can contain variables, but they cannot look up keys.",
        wrong=LEVEL + "    path: \"%{lookup('a')}.yaml\"\n" + LOOKUP_A,
        right=LEVEL + '    paths: ["%{trusted.certname}.yaml", common.yaml]\n' + DATA_A + LOOKUP_A,
        place="file",
    ),
    Issue(
        "HIERA_UNKNOWN_METHOD",
        "Unknown interpolation method '{name}'",
        help="Use one of `lookup`, `alias`, `scope`, `literal` and `hiera`.",
        words="A string in the data calls a method that does not exist.",
        wrong=COMMON + DATA + "a: \"%{look('b')}\"\nb: 1\n" + LOOKUP_A,
        right=COMMON + DATA + "a: \"%{lookup('b')}\"\nb: 1\n" + LOOKUP_A,
        place="",
    ),
    Issue(
        "HIERA_ALIAS_IN_TEXT",
        "'alias' interpolation is only permitted if the expression is equal to the entire string",
        help="Use `%{{lookup('…')}}` within a longer string.",
        words="An alias is replaced by the other value itself, so it must be the whole string.",
        wrong=COMMON + DATA + "a: \"port %{alias('b')}\"\nb: 1\n" + LOOKUP_A,
        right=COMMON + DATA + "a: \"%{alias('b')}\"\nb: 1\n" + LOOKUP_A,
        place="",
    ),
    Issue(
        "HIERA_INTERPOLATION_SYNTAX",
        "Syntax error in string: {text}",
        help="Write a variable, or names joined by dots, between the braces.",
        words="The text between `%{` and `}` is not a variable.",
        wrong=COMMON + DATA + 'a: "%{facts..os}"\nb: 1\n' + LOOKUP_A,
        right=COMMON + DATA + 'a: "%{facts.os}"\nb: 1\n' + LOOKUP_A,
        place="",
    ),
)
