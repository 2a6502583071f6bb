"""Functions of files: files of modules, EPP templates, and programs."""

from __future__ import annotations

from evaluator import values
from evaluator.calling.registry import function
from evaluator.catalog.parameters import (
    check_values,
    evaluate_defaults,
    find_unknown_names,
    make_defaults_scope,
    make_parameter_failure,
)
from evaluator.issues import Failure
from evaluator.limits import STRING
from evaluator.program import companions, effects, sandbox
from evaluator.program.scope import RESERVED_NAMES, Scope
from evaluator.values import Value
from evaluator.values.ruby_values import make_no_method_failure
from lexer_parser.errors import PuppetError

# --- file, find_file


def check_path(given: Value) -> str:
    """Return the value if it is a String; raise Failure otherwise."""
    if type(given) is not str:
        raise make_no_method_failure("split", given)
    return given


@function("file(Any p0, Any p1*)", context=True, usage=("file(String path, String paths*)",))
def file(scope: Scope, *paths: Value) -> str:
    """Return the content of the first file that exists.

    `module/name` is the file in the module's folder `files`.

    > file('no_such_module/motd')
    ! Error while evaluating a Function Call, Could not find any files from no_such_module/motd
    """
    code = "NO_FILE_FOUND"
    for path in paths:
        try:
            found = sandbox.locate(scope, "file", check_path(path), "files")
        except sandbox.OutsideRoots:
            code, found = "NO_FILE_FOUND_INSIDE", None
        if found is not None:
            return sandbox.read_bytes(scope, "file", found).decode("utf-8", "replace")
    raise Failure(code, paths=", ".join(map(str, paths)))


@function("binary_file(String path)", context=True)
def binary_file(scope: Scope, path: str) -> Value:
    """Return the content of a file as a Binary.

    > binary_file('no_such_module/logo.png')
    ! Error while evaluating a Function Call, binary_file(): The given file 'no_such_module/logo.png' does not exist
    """
    found = sandbox.locate(scope, "binary_file", path, "files")
    if found is None:
        raise Failure("BINARY_FILE_NOT_FOUND", path=path)
    return values.Binary(sandbox.read_bytes(scope, "binary_file", found))


def _find(scope: Scope, name: str, paths: Value, folder: str) -> str | None:
    for path in paths:
        found = sandbox.locate(scope, name, path, folder)
        if found is not None:
            return found
    return None


@function("find_file(String paths*)", context=True)
def find_file(scope: Scope, *paths: str) -> str | None:
    """Return the path of the first file that exists, or undef.

    `module/name` is in the module's folder `files`.

    > find_file('no_such_module/motd')
    undef
    """
    return _find(scope, "find_file", paths, "files")


@find_file.overload("find_file(Array[String] paths_array*)", context=True)
def find_file_list(scope: Scope, *lists: list[str]) -> str | None:
    """Look through lists of paths."""
    return _find(scope, "find_file", [path for paths in lists for path in paths], "files")


@function("find_template(String paths*)", context=True)
def find_template(scope: Scope, *paths: str) -> str | None:
    """Return the path of the first template that exists, or undef.

    `module/name` is in the folder `templates`.

    > find_template('no_such_module/motd.epp')
    undef
    """
    return _find(scope, "find_template", paths, "templates")


@find_template.overload("find_template(Array[String] paths_array*)", context=True)
def find_template_list(scope: Scope, *lists: list[str]) -> str | None:
    """Look through lists of paths."""
    return _find(scope, "find_template", [path for paths in lists for path in paths], "templates")


def find_module_path(scope: Scope, names: Value) -> str | None:
    """Return the folder of the first of these modules that exists, or None."""
    modulepath = scope.runtime.settings.modulepath
    found = (sandbox.find_in_module(modulepath, name, kind=sandbox.FOLDER) for name in names)
    return next((path for path in found if path is not None), None)


@function("module_directory(String names*)", context=True)
def module_directory(scope: Scope, *names: str) -> str | None:
    """Return the folder of the first of these modules that exists, or undef.

    > module_directory('no_such_module')
    undef
    """
    return find_module_path(scope, names)


@module_directory.overload("module_directory(Array[String] names*)", context=True)
def module_directory_list(scope: Scope, *lists: list[str]) -> str | None:
    """Look through lists of names."""
    return find_module_path(scope, [name for names in lists for name in names])


# --- EPP templates

PARAMETERS = r"Hash[Pattern[/^\w+$/], Any] parameters?) >> Variant[String, Sensitive[String]]"


@function(f"epp(String path, {PARAMETERS}", context=True)
def epp(scope: Scope, path: str, parameters: dict[str, Value] | None = None) -> Value:
    """Render the EPP template `module/name.epp` of the module's folder `templates`.

    > epp('no_such_module/motd.epp')
    ! Error while evaluating a Function Call, Could not find template 'no_such_module/motd.epp'
    """
    name = path if path.endswith(".epp") else f"{path}.epp"
    found = sandbox.locate(scope, "epp", name, "templates")
    if found is None:
        raise Failure("FILE_NOT_FOUND", path=name)
    template = _compile_template(scope, "epp", sandbox.read_text(scope, "epp", found), found)
    return _render(scope, template, parameters or {}, scope.runtime.state.top)


@function(f"inline_epp(String template, {PARAMETERS}", context=True)
def inline_epp(scope: Scope, template: str, parameters: dict[str, Value] | None = None) -> Value:
    """Render a String as an EPP template.

    The template can use its parameters and all variables of the calling scope.

    > inline_epp('Hello <%= $name %>!', { 'name' => 'world' })
    'Hello world!'

    > inline_epp('<%- | Integer $x, $y = 2 | -%><%= $x + $y %>', { 'x' => 1 })
    '3'
    """
    return _render(scope, _compile_template(scope, "inline_epp", template), parameters or {}, scope)


def _compile_template(scope: Scope, function: str, text: str, name: str | None = None) -> Value:
    try:
        return scope.runtime.compile_epp(text, name)
    except PuppetError as error:
        failure = Failure("INVALID_EPP", function=function, problem=str(error))
        failure.related = error.related or (error,)
        raise failure from None


def _render(scope: Scope, template: Value, given: dict[str, Value], parent: Value) -> Value:
    inner = Scope(
        scope.runtime,
        "template",
        scope.name,
        parent=parent,
        caller=scope,
        container=scope.container,
        module_name=scope.module_name,
    )
    if template.declares:
        _bind_parameters(inner, template.parameters, given)
    else:
        for name in given:
            _check_assignable(name)
        inner.variables.update(given)
    return template.render(inner)


def _check_assignable(name: str) -> None:
    """Raise Failure for the name of a variable that a template may not set."""
    if name.isdigit():
        raise Failure("NUMERIC_ASSIGNMENT", name=name)
    if name in RESERVED_NAMES:
        raise Failure("ILLEGAL_RESERVED_ASSIGNMENT", name=name, variable=name)


def _bind_parameters(scope: Scope, parameters: Value, given: dict[str, Value]) -> None:
    """Set the parameters in the scope, by the rules for parameters of classes and defines."""
    with_default = {parameter.name for parameter in parameters if parameter.default is not None}
    required = {parameter.name for parameter in parameters} - with_default
    # undef counts as missing for a parameter that has a default
    given = {name: value for name, value in given.items() if value is not None or name in required}
    problems = find_unknown_names(given, required | with_default)
    scope.variables.update(given)
    list(evaluate_defaults(parameters, scope, make_defaults_scope(parameters, "lambda", scope, given)))
    problems += check_values(parameters, scope)
    if problems:
        raise make_parameter_failure("lambda", problems)
    for parameter in parameters:
        _check_assignable(parameter.name)


# --- programs, which need a permission


def _check_command(path: str) -> None:
    """Raise Failure for arguments that `generate` does not accept."""
    import os
    import re

    if not os.path.isabs(path):
        raise Failure("GENERATOR_NOT_QUALIFIED", path=path)
    if not re.fullmatch(r"[-/\w.+]+", path, re.ASCII):
        raise Failure("GENERATOR_NAME", path=path)
    if ".." in path:
        raise Failure("GENERATOR_DOTS", path=path)


@function("generate(Any p0, Any p1*)", context=True, usage=("generate(String program, String arguments*)",))
def generate(scope: Scope, command: Value, *args: Value) -> str:
    """Run a program, named by its full path, and return its output; this needs a permission.

    > generate('/bin/date')
    ! Error while evaluating a Function Call, generate() is switched off because it runs programs
    """
    words = [values.text(word) for word in (command, *args)]
    _check_command(words[0])
    sandbox.require_permission(scope, "generate", "generate")
    return str(effects.replay(("generate", *words), lambda: _read_output(words)))


def _read_output(words: list[str]) -> str:
    """Return the output of a program. Raises Failure if it cannot be run, or fails."""
    written = bytearray()
    try:
        with companions.CompanionProcess(words) as program:
            for data in program.chunks():
                written += data
                STRING.check(len(written))
            status = program.status()
    except OSError as cause:
        raise Failure("GENERATOR_NOT_RUN", path=words[0], reason=cause.strerror) from None
    except ValueError:
        raise Failure("GENERATOR_NOT_RUN", path=words[0], reason="no program takes such words") from None
    output = written.decode("utf-8", "replace")
    if status:
        command = " ".join(words)
        raise Failure(
            "GENERATOR_FAILED", path=words[0], command=command, status=status, output=output.strip()
        )
    return output
