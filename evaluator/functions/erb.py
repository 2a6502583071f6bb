"""ERB templates, which are Ruby code and need a permission."""

from __future__ import annotations

import re
from collections.abc import Iterable

from evaluator.calling.registry import function
from evaluator.functions.files import check_path
from evaluator.issues import Failure
from evaluator.limits import STRING
from evaluator.program import sandbox
from evaluator.program.scope import MISSING, Scope
from evaluator.ruby.companion import RubyError, get_companion
from evaluator.ruby.values import Message, ValueCodec
from evaluator.types import infer
from evaluator.values import Value
from lexer_parser.dialect import PUPPET


@function("template(Any p0, Any p1*)", context=True, usage=("template(String paths+)",))
def template(scope: Scope, *paths: Value) -> str:
    """Render the ERB templates `module/file.erb` one after the other; this needs a permission.

    ERB contains Ruby code. `epp` renders EPP templates, which contain Puppet code and need no permission.

    > template('no_such_module/motd.erb')
    ! Error while evaluating a Function Call, Could not find template 'no_such_module/motd.erb'
    """
    files = []
    for path in paths:
        file = sandbox.locate(scope, "template", check_path(path), "templates")
        if file is None:
            raise Failure("FILE_NOT_FOUND", path=path)
        files.append((path, file))
    sandbox.require_permission(scope, "templates", "template")
    texts = [(sandbox.read_text(scope, "template", file), f"template {path}", file) for path, file in files]
    return _render_erb(scope, "template", texts)


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
    given = [(text or "", "inline template", None) for text in texts]
    return _render_erb(scope, "inline_template", given)


def _render_erb(scope: Scope, name: str, templates: Iterable[tuple[Value, str, str | None]]) -> str:
    """Return the rendered texts, joined.

    A template is its text, its name in messages, and its file or None.
    """
    rendered = []
    for text, title, file in templates:
        try:
            rendered.append(render(scope, name, text, file))
        except RubyError as failure:
            passed_on = failure.to_not_runnable(file or title)
            # a syntax error is reported with the name and line of the template
            if passed_on is not None and failure.kind != "SyntaxError":
                raise passed_on from None
            if file is None:
                raise Failure("INLINE_TEMPLATE_FAILED", title=title, problem=str(failure)) from None
            place = {"path": file, "line": failure.line}
            raise Failure("TEMPLATE_FAILED", title=title, problem=str(failure), **place) from None
        except Failure as failure:
            if file is None or failure.code != "RUBY_ENDED":
                raise
            raise Failure("TEMPLATE_ENDED", title=title, path=file) from None
    return "".join(rendered)


# --- the request to Ruby


_VARIABLE = re.compile(r"@([a-z_]\w*)")


def render(scope: Scope, name: str, source: str, file: str | None = None) -> str:
    """Return the rendered text of a template.

    Args:
        scope: The scope of the variables.
        name: The name of the calling function, for messages.
        source: The text of the template.
        file: The file of the template, if it has one.

    Raises:
        RubyError, RubyExit: The template failed, or called `exit`.
        Failure: There is no Ruby.
    """

    def template(known: ValueCodec) -> Message:
        return {
            "do": "template",
            "text": source,
            "file": file,
            "variables": _encode_variables(scope, source, known),
        }

    text = get_companion(scope.runtime, name).request(scope, template)
    if type(text) is not str:  # the template has written to the pipe itself
        raise Failure("RUBY_ENDED")
    STRING.check(len(text))
    return text


def _encode_variables(scope: Scope, source: str, known: ValueCodec) -> list[list[Value]]:
    """Return the variables that a template names with `@` and that have values."""
    names = dict.fromkeys(_VARIABLE.findall(source))
    found = ((name, scope.runtime.names.seen_variable(scope, name)) for name in names)
    return [
        [name, known.encode(value)] for name, value in found if value is not MISSING and value is not None
    ]
