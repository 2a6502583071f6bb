"""Issues of calls: arguments, lambdas, results, control flow, permissions, files that are loaded, limits.

`Issue` in `lexer_parser/errors.py` describes the columns of a row: the code, the message, and named ones.
"""

from evaluator.issues.examples import SITE
from lexer_parser.errors import Issue

_MEND_METADATA = "Fix the `metadata.json` of the module, or delete the file: a module does not need one."
_METADATA = (
    "The released Puppet reads the metadata of a module, and rejects a module whose metadata is incomplete."
)

ROWS = (
    # arguments
    Issue(
        "ARGUMENT_MISMATCH",
        "{subject} {reason}",
        help="Pass a value of the expected type; `type($x)` shows what a value is.",
        words="An argument does not match the type of the function's parameter.",
        wrong="function double(Integer $x) { $x * 2 }\n$y = double('4')",
        right="function double(Integer $x) { $x * 2 }\n$y = double(4)",
    ),
    Issue(
        "ARGUMENTS_REJECTED",
        "{subject} expects {listing}{rejected}",
        help="Fix the arguments one by one, beginning with the first that is rejected.",
        words="Several arguments of a call are wrong; each mistake is listed on its own line.",
        wrong="function f(Array[Integer] $x) { $x }\n$y = f(['a', 'b'])",
        right="function f(Array[Integer] $x) { $x }\n$y = f([1, 2])",
    ),
    Issue(
        "NO_SUCH_CALL",
        "The function '{function}' was called with arguments it does not accept. It expects one of:{forms}",
        help="Compare the arguments with the forms above; `type($x)` shows what a value is.",
        words="The function has several signatures, and the arguments match none of them.",
        wrong="$x = strftime(1, 2)",
        right="$x = strftime(Timestamp(0), '%Y')",
    ),
    Issue(
        "ARGUMENT_COUNT",
        "'{function}' expects {expected}, got {number}",
        help="Pass as many arguments as the function takes.",
        words="The function takes more or fewer arguments. An array is one argument: `*$array` passes its elements.",
        wrong="$x = join(['a'], ',', '.')",
        right="$x = join(['a'], ',')",
    ),
    Issue(
        "ARGUMENT_COUNT_GIVEN",
        "{function}(): Wrong number of arguments given ({number} for {expected})",
        help="`?{function}` shows what `{function}` takes.",
        words="The function takes more or fewer arguments.",
        wrong="$x = reverse()",
        right="$x = reverse([1, 2])",
    ),
    Issue(
        "ARGUMENT_COUNT_FOR",
        "{function}(): Wrong number of arguments given {number} for {expected}",
        help="`?{function}` shows what `{function}` takes.",
        words="The function takes more or fewer arguments.",
        wrong="$x = delete(['a'])",
        right="$x = delete(['a'], 'a')",
    ),
    Issue(
        "ARGUMENT_COUNT_OF",
        "{function}(): wrong number of arguments ({number}; must be {expected})",
        help="`?{function}` shows what `{function}` takes.",
        words="The function takes more or fewer arguments.",
        wrong="$x = has_key({ 'a' => 1 })",
        right="$x = has_key({ 'a' => 1 }, 'a')",
    ),
    Issue(
        "ARGUMENT_COUNT_OF_METHOD",
        "wrong number of arguments (given {number}, expected {expected})",
        help="`?{function}` shows what `{function}` takes.",
        words="The function takes more or fewer arguments.",
        wrong="$x = count('abc')",
        right="$x = count('abc', 'a')",
    ),
    Issue(
        "ITERATOR_NOT_SUPPORTED",
        "Use of an Iterator is not supported here",
        help="End the chain with a function that returns an array: `.map |$x| {{ $x }}`.",
        words="`reverse_each`, `step` and `tree_each` return an Iterator. Attributes and older functions do "
        "not accept an Iterator.",
        wrong="$x = member([1, 2].reverse_each, 1)",
        right="$x = member([1, 2].reverse_each.map |$x| { $x }, 1)",
    ),
    # lambdas
    Issue(
        "LAMBDA_MISMATCH",
        "'{function}' block expects {expected}, got {number}",
        help="A lambda follows the arguments: `$list.each |$x| {{ … }}`.",
        words="The function calls its lambda with a number of arguments that the lambda does not accept.",
        wrong="$x = [1, 2].filter |$a, $b, $c| { true }",
        right="$x = [1, 2].filter |$a| { true }",
    ),
    Issue(
        "MISSING_LAMBDA",
        "'{function}' expects a block",
        help="Put a lambda after it: `$list.{function} |$x| {{ … }}`.",
        words="The function needs a lambda, which follows its arguments.",
        wrong="$x = [1, 2].map",
        right="$x = [1, 2].map |$n| { $n * 2 }",
    ),
    Issue(
        "UNEXPECTED_LAMBDA",
        "'{function}' does not expect a block",
        help="`{function}` takes no lambda. Did you mean another function, such as `map` or `each`?",
        words="The function takes no lambda.",
        wrong="$x = join([1, 2], ',') |$n| { $n }",
        right="$x = [1, 2].map |$n| { $n }",
    ),
    Issue(
        "RETURN_MISMATCH",
        "{reason}",
        help="Change the last value of the body, or the type after `>>`.",
        words="The result of a function or lambda does not match the type after its `>>`.",
        wrong='function f($x) >> Integer { "${x}" }\n$y = f(1)',
        right="function f($x) >> Integer { $x }\n$y = f(1)",
    ),
    Issue(
        "NO_TYPE_OF_PARAMETER",
        "the type of a parameter cannot be {actual}",
        help="Write a type before the parameter: `Integer $x`.",
        words="The value of the expression before a parameter is not a type.",
        wrong="$x = with(1) |Notify['a', 'b'] $value| { $value }",
        right="$x = with(1) |Integer $value| { $value }",
    ),
    # control flow
    Issue(
        "CONTROL_ILLEGAL",
        "{function}() from context where this is illegal",
        help="Use `break` and `next` in a lambda, `return` in a function, class or define.",
        words="`break()` ends the iteration of a lambda, `next()` one run of it, `return()` a function or "
        "class body. Elsewhere there is nothing to end.",
        wrong="break()",
        right="[1, 2].each |$x| { break() }",
        place="line",
    ),
    Issue(
        "BREAK_IN_DEFAULT",
        "Puppet::Resource::Type failed with error Puppet::Pops::Evaluator::PuppetStopIteration:"
        " Puppet::Pops::Evaluator::PuppetStopIteration {place}",
        help="Compute the default without `break()`: it belongs in a lambda.",
        words="The default of a parameter has no iteration that `break()` could end.",
        wrong="class a($x = break()) { }\ninclude a",
        right="class a($x = 1) { }\ninclude a",
    ),
    Issue(
        "FAILED",
        "{message}",
        help="The program stops itself here: check the condition that leads to this `fail`.",
        words="The program itself stopped with `fail`.",
        wrong="fail('no')",
        right="notice('yes')",
    ),
    Issue(
        "DISCONTINUED_IMPORT",
        "Use of 'import' has been discontinued in favor of a manifest directory. "
        "See http://links.puppet.com/puppet-import-deprecation",
        help="Put classes into modules; a class is loaded when a program first names it.",
        words="Files are no longer imported: a class is loaded from its module when a program first names it.",
        wrong="import('a.pp')",
        right="class a { }\ninclude a",
    ),
    Issue(
        "UNKNOWN_FUNCTION_CALLED",
        "Unknown function '{name}'",
        help="Define it: `function {name}() {{ … }}`, or check the spelling.",
        words="There is no function with the name in the string.",
        wrong="$x = call('lenght', 'abc')",
        right="$x = call('length', 'abc')",
    ),
    Issue(
        "UNDEFINED_VARIABLE",
        "Undefined variable '{name}'; {reason}",
        help="Set the variable before it is looked up, or check the spelling.",
        words="Data or a Deferred names a variable that has no value.",
        wrong="$x = Deferred('join', [Deferred('$hosts'), ' ']).call",
        right="$hosts = ['a', 'b']\n$x = Deferred('join', [Deferred('$hosts'), ' ']).call",
    ),
    Issue(
        "UNTRANSFORMABLE_QUERY",
        "Cannot transform object of class Puppet::Pops::Model::{kind}",
        help="Compute the value first, and compare with the variable: `File <| mode == $mode |>`.",
        words="A query compares attributes with plain values: strings, numbers, variables.",
        wrong="notify { 'a': }\nNotify <| title == String(1) |>",
        right="notify { 'a': }\n$t = String(1)\nNotify <| title == $t |>",
    ),
    Issue(
        "NUMBER_AS_TAG",
        "Cannot transform a number to a tag",
        help="Write the tag as a string: `File <| tag == '5' |>`.",
        words="A query searches for a tag by a number, and every tag is a string.",
        wrong="notify { 'a': }\nNotify <| tag == 5 |>",
        right="notify { 'a': tag => '5' }\nNotify <| tag == '5' |>",
    ),
    Issue(
        "UNKNOWN_DEFERRED_FUNCTION",
        "Unknown function '{name}'",
        help="Define it: `function {name}() {{ … }}`, or check the spelling.",
        words="The value of a parameter is Deferred, and the function that it calls does not exist.",
        wrong="define d(String $x) { }\nd { 'a': x => Deferred('nothing') }",
        right="define d(String $x) { }\nd { 'a': x => 'b' }",
    ),
    Issue(
        "DEFERRED_ARGUMENTS",
        "No matching arity found for {name} with arguments {arguments}",
        help="Pass arguments that `{name}()` accepts: `?{name}` lists them.",
        words="The value of a parameter is Deferred, and the function that it calls does not accept these arguments.",
        wrong="define d(String $x) { }\nd { 'a': x => Deferred('upcase', []) }",
        right="define d(String $x) { }\nd { 'a': x => Deferred('upcase', ['b']) }",
    ),
    # permissions and files
    Issue(
        "PATH_NOT_PERMITTED",
        "{path} is outside of the folders that this session may read",
        help="It may read the files below its working folder and its module path.",
        words="A session reads only files below its working folder and its module path, unless you permit it "
        "to read all files.",
        needs="permission:files",
    ),
    Issue(
        "NOT_PERMITTED",
        "{function}() is switched off because it {reason}; the permission '{permission}' of the session "
        "switches it on",
        help="Give the session the permission `{permission}` if you trust the program.",
        words="A program may compute anything. It may run other programs and Ruby code, and read files "
        "outside its own folders, only if the user who starts the session permits it.",
        wrong="inline_template('<%= 1 + 1 %>')",
        right="inline_epp('<%= 1 + 1 %>')",
        needs="permission:{permission}",
    ),
    Issue(
        "NOT_A_REGULAR_FILE",
        "{function}(): '{path}' is not a regular file",
        help="Name a file; a pipe or device has no text to read.",
        words="The path must lead to a regular file.",
        wrong="$x = file('/dev/zero')",
        right="$x = file('/etc/passwd')",
    ),
    Issue(
        "IS_A_FOLDER",
        "Is a directory @ io_fread - {path}",
        help="Name a file in it; a variable without value may have left only the folder of a path.",
        words="The path must lead to a file, and leads to a folder.",
        wrong="$x = file('/etc')",
        right="$x = file('/etc/passwd')",
    ),
    Issue(
        "FILE_NOT_READ",
        "{function}(): cannot read '{path}': {reason}",
        help="Check that the file exists and that you may read it.",
        words="The system refuses to read the file.",
    ),
    Issue(
        "INVALID_UTF_8",
        "invalid byte sequence in UTF-8",
        help="The byte {byte} is not the start of a character: save the file in UTF-8.",
        words="Manifests, templates and data are read as UTF-8; a file in another encoding is rejected.",
    ),
    # definitions, and files that are loaded for a name
    Issue(
        "REDEFINITION",
        "{kind} '{name}' is already defined{place}; cannot redefine",
        help="Give one of the two another name.",
        words="Something with this name is already defined.",
        wrong="class a { }\nclass a { }",
        right="class a { }\nclass b { }",
        place="line",
    ),
    Issue(
        "REDEFINED_AS",
        "{kind} '{name}' is already defined{place}; cannot be redefined as a {new}",
        help="Give one of the two another name.",
        words="Classes, defines and nodes share one set of names.",
        wrong="define a() { }\nclass a { }",
        right="define a() { }\nclass b { }",
        place="line",
    ),
    Issue(
        "CLASS_REDEFINED_AS_DEFINE",
        "'{name}' is already defined{place} as a class; cannot redefine as a definition",
        help="Give one of the two another name.",
        words="Classes and defines share one set of names.",
        wrong="class a { }\ndefine a() { }",
        right="class a { }\ndefine b() { }",
        place="line",
    ),
    Issue(
        "REDEFINED_ENTITY",
        "Attempt to redefine entity 'http://puppet.com/2016.1/runtime/{kind}/{name}'. {origin}",
        help="Give one of the two another name.",
        words="A function, type or define with this name already exists.",
        wrong="function f() { 1 }\nfunction f() { 2 }",
        right="function f() { 1 }\nfunction g() { 2 }",
        place="",
    ),
    # messages logged about the `metadata.json` of modules
    Issue(
        "METADATA_SYNTAX",
        "{module} has an invalid and unparsable metadata.json file. The parse error: {reason}",
        help=_MEND_METADATA,
        words=_METADATA,
    ),
    Issue(
        "METADATA_LACKS",
        "No {key} module metadata provided for {module}",
        help=_MEND_METADATA,
        words=_METADATA,
    ),
    Issue(
        "METADATA_DEPENDENCIES",
        "The value for the key dependencies in the file metadata.json of the module {module} must be an array,"
        " not: '{actual}'",
        help=_MEND_METADATA,
        words=_METADATA,
    ),
    Issue(
        "METADATA_KIND",
        "The file metadata.json of the module {module} must be a hash, with strings for names and hashes for"
        " dependencies. It has: {actual}",
        help=_MEND_METADATA,
        words=_METADATA,
    ),
    Issue(
        "FILE_HAS_MORE",
        "The code loaded from {path} must contain only the {kind} '{name}' - it has additional definitions.",
        help="Move all other definitions into files of their own.",
        words="A file with a module's function or type contains one definition, which has the name of the file.",
        wrong="# modules/web/types/port.pp\n"
        + "type Web::Port = Integer[1, 65535]\n"
        + "type Web::Name = String\n"
        + SITE
        + "$x = 80 =~ Web::Port",
        right="# modules/web/types/port.pp\ntype Web::Port = Integer[1, 65535]\n"
        + SITE
        + "$x = 80 =~ Web::Port",
    ),
    Issue(
        "FILE_HAS_NO_DEFINITION",
        "The code loaded from {path} does not define the {kind} '{name}' - {reason}.",
        help="Define `{name}` in the file, or remove it.",
        words="A file with a module's function or type contains one definition, which has the name of the file.",
        wrong="# modules/web/functions/double.pp\n# nothing yet\n" + SITE + "$x = web::double(1)",
        right="# modules/web/functions/double.pp\nfunction web::double($n) {\n  $n * 2\n}\n"
        + SITE
        + "$x = web::double(1)",
    ),
    Issue(
        "FILE_HAS_OTHER_FUNCTION",
        "The code loaded from {path} produced function with the wrong name, expected {expected}, actual "
        "{actual}",
        help="Name the function `{expected}`, or the file after `{actual}`.",
        words="A file with a module's function contains one function, which has the name of the file.",
    ),
    Issue(
        "FILE_HAS_OTHER_TYPE",
        "The code loaded from {path} produced type with the wrong name, expected '{expected}', actual "
        "'{actual}'",
        help="Name the type `{expected}`, or the file after `{actual}`.",
        words="A file with a module's type contains one type, which has the name of the file.",
        wrong="# modules/web/types/port.pp\ntype Web::Number = Integer[1, 65535]\n"
        + SITE
        + "$x = 80 =~ Web::Port",
        right="# modules/web/types/port.pp\ntype Web::Port = Integer[1, 65535]\n"
        + SITE
        + "$x = 80 =~ Web::Port",
    ),
    # The limits of a program, interrupts, and defects
    Issue(
        "LIMIT_EXCEEDED",
        "More than {number} {counted}; the limit is the setting '{setting}'",
        help="Process less data at once, or raise the limit `{setting}` if the program needs this much.",
        words="A session limits what one program may make, so that no program uses up the whole machine. Each "
        "limit is a setting that you can raise.",
        wrong="$x = Integer[1, 20000000].map |$n| { $n }",
        right="$x = Integer[1, 20].map |$n| { $n }",
        needs="limit:{setting}",
    ),
    Issue(
        "CALLS_TOO_DEEP",
        "Calls or expressions are nested too deeply; the limit is the setting '{setting}'",
        help="A function or expression calls itself without end; add a case in which it stops.",
        words="A function calls itself, directly or through others, and never ends.",
        wrong="function f($n) { f($n + 1) + 1 }\n$x = f(1)",
        right="function f($n) { if $n > 9 { 0 } else { f($n + 1) + 1 } }\n$x = f(1)",
    ),
    Issue(
        "FUNCTIONS_TOO_DEEP",
        "Lambdas are nested more deeply than this version of Python compiles",
        help="Move the code of the inner lambdas into a function, and call it from the outer ones.",
    ),
    Issue(
        "MEMORY_EXCEEDED",
        "The program needs more memory than a cell may use; the limit is the setting '{setting}'",
        help="Process less data at once, or raise the limit `{setting}`.",
        needs="limit:{setting}",
    ),
    Issue(
        "MEMORY_REFUSED",
        "The system has no more memory for this program",
        help="Process less data at once, end other programs, or let processes use more memory (`ulimit -v`).",
    ),
    Issue(
        "PROCESS_LIMIT",
        "The system starts no more processes or threads for this user: {reason}",
        help="End other programs, or let your system administrator raise the number of processes (`ulimit -u`).",
    ),
    Issue(
        "NODE_LOST",
        "There is no catalog of {node}: {reason}",
        help="Compile only this node; `max_memory` is the memory that a program may use.",
    ),
    Issue(
        "TIME_EXCEEDED",
        "The program takes longer than a cell may: {number} seconds; the limit is the setting '{setting}'",
        help="Process less data at once, or raise the limit `{setting}`.",
        needs="limit:{setting}",
    ),
    Issue(
        "REGEXP_ENGINE_MISSING",
        "The regular expression {pattern} needs the Python package `regex`, which is not installed",
        help="Use only syntax that most languages have, such as groups, sets and repetitions, or match "
        "shorter strings.",
    ),
    Issue(
        "INTERRUPTED",
        "Interrupted; the session is unchanged",
        help="If you stopped it by mistake, run it again: none of its effects were kept.",
    ),
    Issue(
        "INTERNAL_ERROR",
        "Internal error ({problem}); the session is unchanged",
        help="This is a bug in puppet-kernel. Please report it with the code that caused it.",
    ),
)
