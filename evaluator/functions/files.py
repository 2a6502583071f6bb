"""Functions of files: files of modules, EPP and ERB templates, programs.

ERB is Ruby code and needs a permission.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterable
from contextlib import suppress
from tempfile import NamedTemporaryFile

from evaluator import values
from evaluator.calling.registry import function
from evaluator.catalog.parameters import (
    check_values,
    evaluate_defaults,
    evaluate_types,
    find_unknown_names,
    make_defaults_scope,
    make_parameter_failure,
)
from evaluator.functions.navigation import flatten_arrays
from evaluator.issues import Failure, require, require_found
from evaluator.limits import STRING
from evaluator.program import companions, effects, sandbox
from evaluator.program.definitions import MISSING, RESERVED_NAMES, NextIteration, ReturnValue, Scope
from evaluator.ruby.companion import RubyError, get_companion
from evaluator.ruby.values import Message, ValueCodec
from evaluator.types import infer, parse_type
from evaluator.types.puppet_wording import check
from evaluator.values import Value
from evaluator.values.ruby_values import (
    get_ruby_class,
    get_ruby_class_name,
    inspect_for_message,
    make_no_method_failure,
    make_no_string_failure,
)
from lexer_parser.dialect import PUPPET
from lexer_parser.errors import PuppetError
from lexer_parser.memo import memoize

# --- file, find_file


def warn_of_no_path(scope: Scope, value: Value) -> None:
    """Log that a value that is no String cannot be a path, once for each system."""
    if type(value) is not str:
        shown = "" if value is None else values.to_ruby_text(value)
        for _system in ("posix", "windows"):
            scope.runtime.log(
                "warning",
                f"Cannot check if {shown} is an absolute path because it is a '{get_ruby_class(value)}'"
                " and not a String'",
            )


def check_path(scope: Scope, value: Value) -> str:
    """Return the value if it is a String; warn and raise Failure otherwise."""
    if type(value) is not str:
        warn_of_no_path(scope, value)
        raise make_no_method_failure("split", value)
    return value


NOTHING = os.devnull  # the usual last argument of `file`; with it, `file` returns "" if no other file exists


@function("file(Any p0, Any p1*)", context=True, usage=("file(String path, String paths*)",))
def file(scope: Scope, *paths: Value) -> str:
    """Return the content of the first file that exists.

    `module/name` is the file in the module's folder `files`.

    > file('no_such_module/motd')
    ! Error while evaluating a Function Call, Could not find any files from no_such_module/motd
    """
    code = "NO_FILE_FOUND"
    for path in paths:
        if path == NOTHING:
            return ""
        try:
            location = sandbox.locate(scope, "file", check_path(scope, path), "files")
        except sandbox.OutsideRoots:
            code, location = "NO_FILE_FOUND_INSIDE", None
        if location is not None:
            return sandbox.read_bytes(scope, "file", location).decode("utf-8-sig", "replace")
    raise Failure(code, paths=", ".join(map(str, paths)))


@function("binary_file(String path)", context=True)
def binary_file(scope: Scope, path: str) -> Value:
    """Return the content of a file as a Binary.

    > binary_file('no_such_module/logo.png')
    ! Error while evaluating a Function Call, binary_file(): The given file 'no_such_module/logo.png' does not exist
    """
    location = require_found(
        sandbox.locate(scope, "binary_file", path, "files"), "BINARY_FILE_NOT_FOUND", path=path
    )
    return values.Binary(sandbox.read_bytes(scope, "binary_file", location))


def _find_first_file(scope: Scope, name: str, paths: Value, folder: str) -> str | None:
    """Return the first file that exists, of paths in nested arrays; None without one."""
    files = (sandbox.locate(scope, name, path, folder) for path in flatten_arrays(paths))
    return next((file for file in files if file is not None), None)


@function("find_file(String paths*)", "find_file(Array[String] paths_array*)", context=True)
def find_file(scope: Scope, *paths: str | list[str]) -> str | None:
    """Return the path of the first file that exists, or undef.

    `module/name` is in the module's folder `files`.

    > find_file('no_such_module/motd')
    undef
    """
    return _find_first_file(scope, "find_file", paths, "files")


@function("find_template(String paths*)", "find_template(Array[String] paths_array*)", context=True)
def find_template(scope: Scope, *paths: str | list[str]) -> str | None:
    """Return the path of the first template that exists, or undef.

    `module/name` is in the folder `templates`.

    > find_template('no_such_module/motd.epp')
    undef
    """
    return _find_first_file(scope, "find_template", paths, "templates")


def find_module_path(scope: Scope, names: Value) -> str | None:
    """Return the folder of the first of these modules that exists, or None."""
    modulepath = scope.runtime.settings.modulepath
    folders = (sandbox.find_in_module(modulepath, name, kind=sandbox.FOLDER) for name in names)
    return next((folder for folder in folders if folder is not None), None)


@function("module_directory(String names*)", "module_directory(Array[String] names*)", context=True)
def module_directory(scope: Scope, *names: str | list[str]) -> str | None:
    """Return the folder of the first of these modules that exists, or undef.

    > module_directory('no_such_module')
    undef
    """
    return find_module_path(scope, flatten_arrays(names))


# --- EPP templates

PARAMETERS = r"Hash[Pattern[/^\w+$/], Any] parameters?) >> Variant[String, Sensitive[String]]"


@function(f"epp(String path, {PARAMETERS}", context=True)
def epp(scope: Scope, path: str, parameters: dict[str, Value] | None = None) -> Value:
    """Render the EPP template `module/name.epp` of the module's folder `templates`.

    > epp('no_such_module/motd.epp')
    ! Error while evaluating a Function Call, Could not find template 'no_such_module/motd.epp'
    """
    name = path if path.endswith(".epp") else f"{path}.epp"
    location = require_found(sandbox.locate(scope, "epp", name, "templates"), "FILE_NOT_FOUND", path=name)
    template = _compile_template(scope, "epp", sandbox.read_text(scope, "epp", location), location)
    return _render_epp(scope, "epp", template, parameters, scope.runtime.state.top)


@function(f"inline_epp(String template, {PARAMETERS}", context=True)
def inline_epp(scope: Scope, template: str, parameters: dict[str, Value] | None = None) -> Value:
    """Render a String as an EPP template.

    The template can use its parameters and all variables of the calling scope.

    > inline_epp('Hello <%= $name %>!', { 'name' => 'world' })
    'Hello world!'

    > inline_epp('<%- | Integer $x, $y = 2 | -%><%= $x + $y %>', { 'x' => 1 })
    '3'
    """
    compiled = _compile_template(scope, "inline_epp", template)
    return _render_epp(scope, "inline_epp", compiled, parameters, scope)


def _compile_template(scope: Scope, function: str, text: str, name: str | None = None) -> Value:
    """Return the compiled EPP template. Raise Failure for a text that is none."""
    try:
        return scope.runtime.compile_epp(text, name)
    except PuppetError as error:
        failure = Failure("INVALID_EPP", function=function, problem=str(error))
        failure.related = error.related or (error,)
        raise failure from None


def _render_epp(
    scope: Scope, name: str, template: Value, parameters: dict[str, Value] | None, parent: Value
) -> Value:
    """Return the text of an EPP template, or the value that it returns.

    Args:
        scope: The calling scope.
        name: The name of the function, for messages.
        template: The compiled template.
        parameters: The values of parameters by name; None if the call has none.
        parent: The scope whose variables the template can read.
    """
    arguments = parameters or {}
    inner = Scope(
        scope.runtime,
        "template",
        scope.name,
        parent=parent,
        caller=scope,
        container=scope.container,
        module_name=scope.module_name,
    )
    if template.has_parameter_list:
        _bind_parameters(inner, template.parameters, arguments)
    else:
        for variable in arguments:
            _check_assignable(variable)
        inner.variables.update(arguments)
    try:
        return template.render(inner)
    except (NextIteration, ReturnValue) as signal:
        result = signal.value
        # the function does not check the value of `return`, nor that of `next` in a template without parameters
        is_checked = isinstance(signal, NextIteration) and (template.has_parameter_list or parameters is None)
    if is_checked:
        returned = parse_type("Variant[String, Sensitive[String]]", PUPPET)
        check(f"value returned from function '{name}'", returned, result, "RETURN_MISMATCH", function=name)
    return result


def _check_assignable(name: str) -> None:
    """Raise Failure for the name of a variable that a template may not set."""
    require(not name.isdigit(), "NUMERIC_ASSIGNMENT", name=name)
    require(name not in RESERVED_NAMES, "ILLEGAL_RESERVED_ASSIGNMENT", name=name, variable=name)


def _bind_parameters(scope: Scope, parameters: Value, arguments: dict[str, Value]) -> None:
    """Set the parameters of a template in its scope, by the rules for classes and defines."""
    with_default = {parameter.name for parameter in parameters if parameter.default is not None}
    required = {parameter.name for parameter in parameters} - with_default
    # undef counts as missing for a parameter that has a default
    arguments = {name: value for name, value in arguments.items() if value is not None or name in required}
    evaluate_types(parameters, scope)
    problems = find_unknown_names(arguments, required | with_default)
    scope.variables.update(arguments)
    list(evaluate_defaults(parameters, scope, make_defaults_scope(parameters, "lambda", scope, arguments)))
    problems += check_values(parameters, scope)
    if problems:
        raise make_parameter_failure("lambda", problems)
    for parameter in parameters:
        _check_assignable(parameter.name)


# --- programs, which need a permission


def _check_command(path: str) -> None:
    """Raise Failure for arguments that `generate` does not accept."""
    require(os.path.isabs(path), "GENERATOR_NOT_QUALIFIED", path=path)
    require(re.fullmatch(r"[-/\w.+]+", path, re.ASCII), "GENERATOR_NAME", path=path)
    require(".." not in path, "GENERATOR_DOTS", path=path)


@function("generate(Any p0, Any p1*)", context=True, usage=("generate(String program, String arguments*)",))
def generate(scope: Scope, command: Value, *args: Value) -> str:
    """Run a program, named by its full path, and return its output; this needs a permission.

    > generate('/bin/date')
    ! Error while evaluating a Function Call, generate() is switched off because it runs programs
    """
    words = [values.format_value(word) for word in (command, *args)]
    _check_command(words[0])
    sandbox.require_permission(scope, "generate", "generate")
    return str(effects.replay(("generate", *words), lambda: _read_output(words)))


@function(
    "validate_cmd(Any p0*)",
    context=True,
    origin="stdlib",
    usage=("{name}(String content, String command, String message?)",),
)
def validate_cmd(scope: Scope, *args: Value) -> None:
    """Fail unless a program accepts a text as a file; it needs the permission of `generate`.

    The path of the file is put for `%` in the command, else at its end.

    > validate_cmd('a', '/bin/grep b', 'there is no b')
    ! Error while evaluating a Function Call, validate_cmd() is switched off because it runs programs
    """
    require(len(args) in (2, 3), "VALIDATE_CMD_COUNT", number=len(args))
    sandbox.require_permission(scope, "generate", "validate_cmd")
    content, command, *messages = map(values.format_value, args)
    message = f"validate_cmd(): failed to validate content with command {inspect_for_message(args[1])}"
    if messages and args[2] not in (None, False):
        message = messages[0]
    if type(args[1]) is not str:
        cause: Failure | str = make_no_string_failure(get_ruby_class_name(args[1]))
        raise Failure("VALIDATION_MESSAGE", message=f"{message}\nTypeError {cause}")
    with NamedTemporaryFile("w", prefix="validate_cmd") as file:
        print(content, end="", file=file, flush=True)
        line = (
            command.replace("%", file.name) if re.search(r"\s%(\s|$)", command) else f"{command} {file.name}"
        )
        try:
            effects.replay(("validate_cmd", content, command), lambda: _read_output(["/bin/sh", "-c", line]))
        except Failure as failure:
            details = failure.arguments
            cause = f"Execution of '{line}' returned {details.get('status', 1)}: {details.get('output', '')}"
            raise Failure("VALIDATION_MESSAGE", message=f"{message}\n{cause}") from None


@function(
    "validate_augeas(Any p0*)", origin="stdlib", usage=("{name}(String content, String lens, Array tests?)",)
)
def validate_augeas(*_ignored: Value) -> None:
    """Fail, as the library that parses files with lenses is not part of this program.

    > validate_augeas('127.0.0.1 a', 'Hosts.lns')
    ! Error while evaluating a Function Call, validate_augeas(): this function requires the augeas feature.
    """
    raise Failure("AUGEAS_MISSING")


def _read_output(words: list[str]) -> str:
    """Return the output of a program. Raises Failure if it cannot be run, or fails."""
    output_bytes = bytearray()
    try:
        with companions.CompanionProcess(words) as program:
            for data in program.chunks():
                output_bytes += data
                STRING.check(len(output_bytes))
            status = program.status()
    except OSError as cause:
        code = "PROCESS_LIMIT" if cause.errno == errno.EAGAIN else "GENERATOR_NOT_RUN"
        raise Failure(code, path=words[0], reason=cause.strerror) from None
    except ValueError:
        raise Failure(
            "GENERATOR_NOT_RUN",
            path=words[0],
            reason="an argument contains a character that is not permitted",
        ) from None
    output = output_bytes.decode("utf-8", "replace")
    if status:
        command = " ".join(words)
        raise Failure(
            "GENERATOR_FAILED", path=words[0], command=command, status=status, output=output.strip()
        )
    return output


@function("template(Any p0, Any p1*)", context=True, usage=("template(String paths+)",))
def template(scope: Scope, *paths: Value) -> str:
    """Render the ERB templates `module/file.erb` one after the other; this needs a permission.

    ERB contains Ruby code. `epp` renders EPP templates, which contain Puppet code and need no permission.

    > template('no_such_module/motd.erb')
    ! Error while evaluating a Function Call, Could not find template 'no_such_module/motd.erb'
    """
    files = []
    for path in paths:
        file = sandbox.locate(scope, "template", check_path(scope, path), "templates")
        files.append((path, require_found(file, "FILE_NOT_FOUND", path=path)))
    sandbox.require_permission(scope, "templates", "template")
    templates = [
        (sandbox.read_text(scope, "template", file).removeprefix("\ufeff"), f"template {path}", file)
        for path, file in files
    ]
    return _render_erb_templates(scope, "template", templates)


@function("inline_template(Any p0, Any p1*)", context=True, usage=("inline_template(String templates+)",))
def inline_template(scope: Scope, *texts: Value) -> str:
    """Render Strings as ERB templates one after the other; this needs a permission.

    ERB contains Ruby code. `inline_epp` renders EPP, which contains Puppet code and needs no permission.

    > inline_template('<%= 1 + 1 %>')
    ! Error while evaluating a Function Call, inline_template() is switched off because it runs Ruby code
    """
    sandbox.require_permission(scope, "templates", "inline_template")
    for text in texts:
        if text is not None and type(text) is not str:
            raise Failure("TEMPLATE_NO_STRING", actual=infer(text, PUPPET).generalize())
    templates = [(text or "", "inline template", None) for text in texts]
    return _render_erb_templates(scope, "inline_template", templates)


def _render_erb_templates(scope: Scope, name: str, templates: Iterable[tuple[Value, str, str | None]]) -> str:
    """Return the rendered texts, joined.

    Args:
        scope: The scope of the variables.
        name: The name of the calling function.
        templates: The text of each template, its name in messages, and its file or None.

    Raises:
        Failure: A template failed; the message is that of the released Puppet.
    """
    rendered = []
    for text, title, file in templates:
        try:
            rendered.append(render_erb(scope, name, text, file))
        except RubyError as failure:
            bare_error = failure.to_bare_error(file or title)
            if bare_error is not None:
                raise bare_error from None
            words = {"title": title, "problem": str(failure), "name": failure.function}
            if file is None:
                raise Failure("INLINE_TEMPLATE_FAILED", **words) from None
            raise Failure("TEMPLATE_FAILED", path=file, line=failure.line, **words) from None
        except Failure as failure:
            if file is None or failure.code != "RUBY_ENDED":
                raise
            raise Failure("TEMPLATE_ENDED", title=title, path=file) from None
    return "".join(rendered)


# --- the request to Ruby


_VARIABLE = r"@([a-z_]\w*)"
_NAMED_VARIABLE = r"\bscope(?:\.lookupvar)?[\[(]\s*['\"]([\w:]+)['\"]\s*[\])]"


def render_erb(scope: Scope, name: str, source: str, file: str | None = None) -> str:
    """Return the rendered text of an ERB template.

    Args:
        scope: The scope of the variables.
        name: The name of the calling function, for messages.
        source: The text of the template.
        file: The file of the template, if it has one.

    Raises:
        RubyError: The template failed.
        Failure: There is no Ruby, or the template called `exit`.
    """

    def make_request(codec: ValueCodec) -> Message:
        return {
            "do": "template",
            "text": source,
            "file": file,
            "variables": _encode_variables(scope, source, codec),
            "known": _encode_named_variables(scope, source, codec),
        }

    companion = get_companion(scope.runtime, name, source, is_template=True)
    text = companion.request(scope, make_request, code=source, is_template=True)
    if file is not None:
        companion.note_used((file, "template"), {"do": "template", "text": source, "file": file})
    require(type(text) is str, "RUBY_ENDED")  # a template may write to the pipe itself
    STRING.check(len(text))
    return str(text)


@memoize(200, longest=100_000)  # characters: the table stores the template sources
def _find_names(source: str, pattern: str) -> tuple[str, ...]:
    """Return the names of variables in a template, each once."""
    return tuple(dict.fromkeys(re.findall(pattern, source)))


def _encode_variables(scope: Scope, source: str, codec: ValueCodec) -> list[list[Value]]:
    """Return the variables that a template names with `@` and that have values."""
    names = _find_names(source, _VARIABLE)
    pairs = ((name, scope.runtime.names.find_set_variable(scope, name)) for name in names)
    return [
        [name, codec.encode(value)] for name, value in pairs if value is not MISSING and value is not None
    ]


def _encode_named_variables(scope: Scope, source: str, codec: ValueCodec) -> list[list[Value]]:
    """Return the variables that a template names as `scope['name']`.

    Sent with the template, they need no request each.
    """
    pairs: list[list[Value]] = []
    for name in _find_names(source, _NAMED_VARIABLE):
        with suppress(Failure):  # the template raises the error where it reads the variable
            value = scope.runtime.names.find_variable(scope, name)
            if value is not MISSING:
                pairs.append([name, codec.encode(value)])
    return pairs
