"""Classes, node definitions, and the classes that a classifier assigns to a node.

Specification: Catalog Expressions, "Class Definition" and "Node Definition".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from evaluator.catalog import parameters, tags
from evaluator.catalog.errors import duplicate_error, make_catalog_error, make_late_duplicate_error
from evaluator.catalog.model import (
    COMPONENT,
    MAIN_CLASS,
    MAIN_STAGE,
    OWN_SETTINGS,
    SETTINGS,
    Catalog,
    CatalogResource,
    Key,
    capitalize_name,
    make_resource,
)
from evaluator.catalog.overrides import apply_defaults
from evaluator.catalog.provenance import record_declaration
from evaluator.catalog.references import flatten_references, read_attribute_value, to_attribute_reference
from evaluator.catalog.scopes import (
    find_caller_scope,
    find_declaring_scope,
    find_outer_scope,
    get_current_scope,
    run_body,
)
from evaluator.catalog.tags import is_valid_tag
from evaluator.issues import Failure, require, require_found
from evaluator.program.definitions import (
    NESTED,
    BreakIteration,
    Definition,
    NextIteration,
    ReturnValue,
    Scope,
    Site,
)
from evaluator.program.settings import Classification
from evaluator.program.tracing import get_code_point
from evaluator.resource_types import METAPARAMETERS
from evaluator.types import ClassType, ResourceType
from evaluator.values import DEFAULT, Value
from evaluator.values.dag import flatten_lists
from evaluator.values.ruby_values import to_ruby_s
from lexer_parser.lazy import LazyPattern
from lexer_parser.source import Source
from lexer_parser.tree import nodes
from lexer_parser.validation.names import is_definition_name

if TYPE_CHECKING:
    from evaluator.running.runtime import Runtime
    from lexer_parser.dialect import Dialect

# --- include, contain, require -------------------------------------------------------------------------------------


def include_classes(scope: Scope, names: Iterable[Value], mode: str = "include") -> Value:
    """Evaluate classes that have not been evaluated, and return a `Class[name]` for each.

    Args:
        names: Strings, Class and Resource['class', …] references, and arrays of these.
        mode: "include", "contain" (the container of the caller contains the classes) or "require" (it requires them).

    Raises:
        Failure: For a value that is not a class name, and for an unknown class.
    """
    outer, scope = scope, find_declaring_scope(scope)
    runtime = scope.runtime
    class_names = flatten_class_names(names)
    definitions = [runtime.names.find_class(name) for name in class_names]
    for name, definition in zip(class_names, definitions, strict=True):
        require(
            definition is not None or not name or name in runtime.state.classes,
            "CLASS_NOT_FOUND",
            name=name,
            node=runtime.settings.node,
        )
    for definition in filter(None, definitions):
        add_class(scope, definition)
    try:
        for name in filter(None, class_names):  # the program is the class without name
            evaluate_class(runtime, name, outer)
    except (NextIteration, ReturnValue) as signal:
        return signal.value
    catalog = runtime.state.catalog
    keys = [("class", name) for name in class_names]
    if mode == "contain":
        contained = set(catalog.contained)
        pairs = dict.fromkeys((scope.container, key) for key in keys)
        catalog.contained += [pair for pair in pairs if pair not in contained]
    elif mode == "require" and keys:
        _add_requirement(catalog, scope.container, keys)
    return [ClassType(name) for name in class_names]


def _add_requirement(catalog: Catalog, container: Key, keys: list[Key]) -> None:
    resource = catalog.make_writable(catalog.resources[container])
    resource.parameters["require"] = [
        *flatten_references(resource.parameters.get("require")),
        *(to_attribute_reference(ClassType(title)) for _, title in keys),
    ]
    resource.set_optional(places={**(resource.places or {}), "require": None})


def flatten_class_names(names: Iterable[Value]) -> list[str]:
    """Return the class names in the arguments of `include` and similar functions.

    They are in lower case and have no leading `::`. Raises Failure for other values.
    """
    class_names: list[str] = []
    for item in flatten_lists([*names]):
        if type(item) is str:
            require(item, "NO_CLASS_NAME", actual="empty string")
            class_names.append(item.removeprefix("::").lower())
        elif item is None:
            raise Failure("NO_CLASS_NAME", actual="undef")
        elif isinstance(item, ClassType):
            class_names.append(require_found(item.name, "CLASS_WITHOUT_NAME"))
        elif isinstance(item, ResourceType):
            class_names.append(_to_class_name(item))
        else:
            raise Failure("CLASS_NAME_NOT_TEXT")
    return class_names


_ANY_CLASS = "apache"  # an example for the help when no name is known


def _to_class_name(item: ResourceType) -> str:
    name = item.type_name
    actual = f"a Resource[{capitalize_name(name)}]" if name else "an unspecific Resource[]"
    require(name == "class", "NO_CLASS_REFERENCE", actual=actual, name=name or _ANY_CLASS)
    untitled = "an unspecific Resource['class']"
    require(item.title is not None, "NO_CLASS_REFERENCE", actual=untitled, name=_ANY_CLASS)
    return str(item.key[1])


# --- evaluation ----------------------------------------------------------------------------------------------------


def declare_class(
    scope: Scope, site: Site | None, title: str, arguments: dict[str, Value], body: nodes.ResourceBody | None
) -> Value:
    """Evaluate `class { 'name': … }` and return the reference.

    Raises:
        Failure: For an unknown class.
        PuppetError: For a class that has been declared before.
    """
    outer, scope = scope, find_declaring_scope(scope)
    runtime = scope.runtime
    written = title.removeprefix("::")
    name = written.lower()
    # in the specification's dialect the title is the name of a class, whose segments begin with lower-case letters
    is_name = name != COMPONENT and (is_definition_name(written) or not runtime.dialect.catalog_grammar)
    definition = runtime.names.find_class(name) if is_name else None
    if ("class", name) in runtime.state.catalog.resources:
        raise duplicate_error(runtime.state.catalog, ("class", name), site)
    add_class(scope, require_found(definition, "DECLARED_CLASS_NOT_FOUND", name=title), arguments, site, body)
    evaluate_class(runtime, name, outer)
    is_class = runtime.dialect.class_value
    return ClassType(name) if is_class else ResourceType("class", capitalize_name(name))


def add_class(
    scope: Scope,
    definition: Definition,
    arguments: dict[str, Value] | None = None,
    site: Site | None = None,
    body: nodes.ResourceBody | None = None,
) -> None:
    """Add a class to the catalog unless it is there; the class that it inherits comes first.

    Raises:
        PuppetError: When the inherited class is unknown.
    """
    catalog: Catalog = scope.runtime.state.catalog
    if ("class", definition.name) in catalog.resources:
        return
    require(definition.name != COMPONENT, "DEFINITION_NOT_FOUND")
    check_metaparameters(definition)
    parent = _find_parent(scope.runtime, definition)
    if parent is not None:
        add_class(scope, parent)
    resource = make_resource(
        catalog.owner, "class", definition.name, arguments or {}, MAIN_STAGE, scope, site, body
    )
    resource.definition = definition
    resource.set_optional(includer=scope.container, tag_horizon=catalog.tag_sequence)
    if site is None:
        resource.set_optional(included=get_code_point())
    if scope.runtime.settings.recorded:
        record_declaration(resource)
    if resource.parameters.get("tag") is not None:
        tags.check_tags(resource.parameters["tag"], site.span() if site is not None else None)
    catalog.resources[resource.key] = resource
    catalog.class_tags += tags.get_own_tags(resource)


def evaluate_class(runtime: Runtime, name: str, outer: Scope | None = None) -> None:
    """Run the body of a class of the catalog once.

    The body of the class that it inherits runs first. A class whose evaluation has begun is not evaluated again, even
    where the body of its inherited class includes it.

    Args:
        runtime: The running program.
        name: The name of the class.
        outer: The scope that evaluates it, if that may be a lambda, function or template.

    Raises:
        Failure: For parameters that do not match their types, and for an unknown stage.
    """
    state = runtime.state
    if ("class", name) in state.catalog.evaluated:
        return
    if outer is not None and outer.kind in NESTED:  # the class sees its variables through `Scope.inner`
        base = find_declaring_scope(outer)
        former_inner, base.inner = base.inner, outer
        try:
            return evaluate_class(runtime, name)
        finally:
            base.inner = former_inner
    resource: CatalogResource = state.catalog.make_writable(state.catalog.resources["class", name])
    definition, caller = resource.definition, resource.scope
    assert definition is not None and caller is not None
    parent = _find_parent(runtime, definition)
    state.catalog.evaluated.add(resource.key)
    above = _get_inherited_scope(runtime, parent) if parent is not None else find_outer_scope(caller)
    scope = Scope(
        runtime,
        "class",
        name,
        parent=above,
        caller=caller,
        container=resource.key,
        module_name=definition.module_name,
    )
    state.catalog.classes.append(name)
    # the edge from the stage then follows the one from the class that contains it; see `Catalog.edges`
    if parent is not None and any(target == resource.key for _, target in state.catalog.contained):
        state.catalog.contained.append((resource.container, resource.key))
    set_builtin_variables(scope, resource, name)

    def evaluate() -> None:
        try:
            parameters.bind_parameters(definition, resource, scope, is_class=True)
        except (NextIteration, ReturnValue):
            # A default value raises it: it ends the call that includes the class, which is in no stage then.
            scope.variables.clear()
            state.classes[name] = scope
            resource.container = resource.key
            raise
        _set_stage(state.catalog, resource)  # a parameter's default may name the stage
        definition.body(scope)

    run_body(scope, find_declaring_scope(get_current_scope(state, caller)), evaluate)


def _get_inherited_scope(runtime: Runtime, parent: Definition) -> Scope:
    """Return the scope of the inherited class. Raise Failure while it is evaluated."""
    evaluate_class(runtime, parent.name)
    return require_found(runtime.state.classes.get(parent.name), "SCOPE_NOT_FOUND", name=parent.name)


def evaluate_settings_class(runtime: Runtime) -> None:
    """Evaluate the program's own class `settings`, before the class of the program."""
    state = runtime.state
    resource = state.catalog.make_writable(state.catalog.resources[SETTINGS])
    definition, top, before = state.definitions.classes[SETTINGS[1]], state.top, state.savepoint()
    scope = Scope(runtime, "class", OWN_SETTINGS, parent=top, caller=top, container=SETTINGS)
    # its body does not see the settings
    built_in, state.classes[SETTINGS[1]] = state.classes[SETTINGS[1]], scope
    set_builtin_variables(scope, resource, SETTINGS[1])
    try:
        try:
            require(
                _find_parent(runtime, definition) is not definition, "SCOPE_NOT_FOUND", name=definition.name
            )
            parameters.bind_parameters(definition, resource, scope, is_class=True)
        except Failure as failure:  # no place in the program uses the class
            span = definition.site.span()
            raise make_catalog_error(failure.code, span, placeless=True, **failure.arguments) from None
        run_body(scope, top, partial(definition.body, scope))
        added = state.get_added_keys(before, "catalog.resources")
        state.catalog.phases.update(dict.fromkeys((MAIN_STAGE, SETTINGS, *added), -1))
    finally:
        state.classes[SETTINGS[1]] = built_in


# The class of the settings, which every catalog has, for classes that inherit it.
_SETTINGS = Definition("class", SETTINGS[1], Site(Source(""), nodes.Nop(0, 0)), lambda _: None)


def _find_parent(runtime: Runtime, definition: Definition) -> Definition | None:
    """Return the definition of the inherited class, None without one. Raises PARENT_MISSING."""
    if definition.parent is None:
        return None
    name = definition.parent.removeprefix("::").lower()
    parent: Definition | None = runtime.names.find_class(name)
    if parent is None and name == _SETTINGS.name:
        return _SETTINGS
    if parent is None:
        written, environment = definition.parent.removeprefix("::"), runtime.state.catalog.environment
        raise make_catalog_error(
            "PARENT_MISSING", definition.site.span(), name=written, environment=environment
        )
    _check_ancestors(runtime, definition)
    return parent


def _check_ancestors(runtime: Runtime, definition: Definition) -> None:
    """Raise INHERITANCE_CYCLE when a class inherits from itself, directly or indirectly.

    `settings` is evaluated before the classes that inherit from it, and without the class that it inherits.
    """
    seen = {definition.name}
    following: Definition | None = definition
    while following is not None and following.parent is not None and following.name != SETTINGS[1]:
        name = following.parent.removeprefix("::").lower()
        if name in seen:
            raise make_catalog_error("INHERITANCE_CYCLE", definition.site.span(), placeless=True)
        seen.add(name)
        following = runtime.names.find_class(name)


def _set_stage(catalog: Catalog, resource: CatalogResource) -> None:
    """Put a class into the stage that it names, else into that of the class that included it."""
    stage = resource.parameters.get("stage")
    if stage is None:
        includer = catalog.resources[resource.includer or MAIN_CLASS]
        is_staged = includer.type == "class" and includer.parameters.get("stage") is not None
        if is_staged and includer.container != MAIN_STAGE:
            resource.container = includer.container
            resource.parameters["stage"] = includer.container[1]
        return
    title = to_ruby_s(stage) if stage is not False else "main"
    resource.container = require_found(
        catalog.find(("stage", title)), "STAGE_NOT_FOUND", name=title, resource=resource.reference
    ).key


def set_builtin_variables(scope: Scope, resource: CatalogResource, title: Value) -> None:
    """Set the variables that every class and define body has, and its metaparameters."""
    variables = scope.variables
    variables["title"] = title
    variables["name"] = resource.parameters.get("name", title)
    variables["module_name"] = scope.module_name
    caller = find_caller_scope(scope)
    variables["caller_module_name"] = caller.module_name if caller is not None else ""
    if not METAPARAMETERS.isdisjoint(resource.parameters):
        variables |= {
            name: read_attribute_value(scope.runtime.dialect, value)
            for name, value in resource.parameters.items()
            if name in METAPARAMETERS and value is not None
        }


# --- nodes -----------------------------------------------------------------------------------------------------------


def evaluate_node(runtime: Runtime) -> Scope:
    """Evaluate the node definition for this node, and return its scope.

    Without node definitions the result is the top scope.

    An equal name takes precedence, then the first regular expression that matches the certname; then `default` in the
    same way.

    Raises:
        PuppetError: NODE_MISSING when no definition applies.
    """
    definitions = runtime.state.definitions.nodes
    if not definitions:
        return runtime.state.top
    certname = runtime.settings.node.lower()
    match_before = runtime.match
    chosen = _find_node_definition(runtime, definitions, certname) or _find_node_definition(
        runtime, definitions, "default"
    )
    if chosen is None:
        raise make_catalog_error(
            "NODE_MISSING", definitions[0].site.span(), placeless=True, node=runtime.settings.node
        )
    definition, title = chosen
    state = runtime.state
    catalog: Catalog = state.catalog
    resource = make_resource(catalog.owner, "node", title, {}, MAIN_CLASS, state.top)
    resource.definition = definition
    apply_defaults(resource)
    if parameters.has_stage(resource):
        span, name = definition.site.span(), resource.reference
        raise make_catalog_error("STAGE_OF_RESOURCE", span, placeless=True, resource=name)
    unknown = parameters.find_unknown_names(resource.parameters, METAPARAMETERS.union(["name"]))
    if unknown:
        raise parameters.make_parameter_error(resource, unknown)
    catalog.resources[resource.key] = resource
    catalog.classes.append(title)
    catalog.class_tags += tags.get_own_tags(resource)
    scope = Scope(runtime, "node", title, parent=state.top, caller=state.top, container=resource.key)
    scope.variables |= {"title": title, "name": title, "caller_module_name": "", **resource.parameters}
    # a definition that a regular expression has chosen leaves no match behind, another one the last of its body
    is_chosen_by_name = runtime.match is match_before
    try:
        definition.body(scope)
    except BreakIteration:
        span = definition.site.span()
        raise make_catalog_error("CONTROL_ILLEGAL", span, placeless=True, function="break") from None
    finally:
        scope.match = runtime.match if is_chosen_by_name else match_before
        runtime.match = match_before
    return scope


_GROUP = LazyPattern(r"\(\?[^)]*\)")
_GROUP_MARKS = str.maketrans({"(": "LP", "?": "QU", "<": "LT", ">": "GT", "!": "EX", "=": "EQ", ")": "RP"})


def normalize_node_name(match: Value, dialect: Dialect) -> str:
    """Return the name under which a node definition registers one of its hosts.

    Args:
        match: A string, a Regexp or `default`.
        dialect: The dialect of the definition.
    """
    if match is DEFAULT:
        return "default"
    if type(match) is str:
        return match.lower()
    source: str = match.source.lower()
    if dialect.lookaround_names:
        source = _GROUP.sub(lambda group: group[0].translate(_GROUP_MARKS), source)
    letters = "".join(c for c in source if c in "-:." or c == "_" or (c.isascii() and c.isalnum()))
    name = f"__node_regexp__{letters.lstrip('.')}"
    return name.lower() if dialect.folded_node_names else name


def _find_node_definition(
    runtime: Runtime, definitions: list[Definition], name: str
) -> tuple[Definition, str] | None:
    """Return the node definition for a name, and the title of the node; None without one."""
    match = _match_name(runtime, definitions, name) or _match_regexp(runtime, definitions, name)
    if match is None:
        return None
    definition, title = match
    if title != title.lower():  # Puppet 8 looks the definition up again by this name in lower case
        again = _match_regexp(runtime, definitions, title.lower())
        if again is None:
            raise make_catalog_error("NODE_DEFINITION_LOST", definition.site.span(), placeless=True)
        definition, _ = again
    return definition, title


def _match_name(runtime: Runtime, definitions: list[Definition], name: str) -> tuple[Definition, str] | None:
    """Return the first node definition that has a name, and the name."""
    return next(
        (
            (definition, name)
            for definition in definitions
            for match in definition.evaluate_matches(runtime.state.top)
            if (match is DEFAULT or type(match) is str)
            and normalize_node_name(match, runtime.dialect) == name
        ),
        None,
    )


def _match_regexp(
    runtime: Runtime, definitions: list[Definition], certname: str
) -> tuple[Definition, str] | None:
    """Return the first node definition whose regular expression matches, and its name."""
    for definition in definitions:
        for match in definition.evaluate_matches(runtime.state.top):
            if match is not DEFAULT and type(match) is not str:
                groups = match.search(certname)
                if groups is not None:
                    runtime.match = groups
                    return definition, normalize_node_name(match, runtime.dialect)
    return None


# --- definitions -----------------------------------------------------------------------------------------------------


def check_parameter_names(runtime: Runtime, definition: Definition) -> None:
    """Log a warning for each parameter named like a metaparameter.

    Contained resources inherit the value of such a parameter.
    """
    check_metaparameters(definition)
    for parameter in definition.parameters:
        if parameter.name in METAPARAMETERS:
            runtime.log(
                "warning",
                f"{parameter.name} is a metaparam; this value will inherit to all contained resources"
                f" in the {definition.name} definition",
            )


def check_metaparameters(definition: Definition) -> None:
    """Raise METAPARAMETER_NAME for a parameter without default named like a metaparameter."""
    for parameter in definition.parameters:
        if parameter.default is None and parameter.name in METAPARAMETERS:
            raise make_catalog_error(
                "METAPARAMETER_NAME",
                definition.site.span(),
                placeless=True,
                name=parameter.name,
                owner=definition.name,
            )


# --- classification ------------------------------------------------------------------------------------------


def read_classification(data: Mapping[str, Value]) -> Classification:
    """Return the Classification that a mapping describes.

    Args:
        data: A mapping with the optional keys `classes`, `parameters` and `environment`.

    Raises:
        ValueError: For a mapping of another form.
    """
    for name in data:
        if name not in Classification.record_fields:
            raise ValueError(
                f"a classification has {', '.join(sorted(Classification.record_fields))}, but not '{name}'"
            )
    classes, parameters = data.get("classes") or {}, data.get("parameters") or {}
    if isinstance(classes, list | tuple):
        classes = dict.fromkeys(classes)
    for mapping, words in ((classes, "classes"), (parameters, "parameters")):
        if not isinstance(mapping, Mapping) or not all(isinstance(name, str) for name in mapping):
            raise ValueError(
                f"the {words} of a classification are not a mapping of names to values: {mapping!r}"
            )
    for name, arguments in classes.items():
        if arguments and not isinstance(arguments, Mapping):
            raise ValueError(
                f"the parameters of class {name} are not a mapping of names to values: {arguments!r}"
            )
    environment = data.get("environment")
    return Classification(
        {name: dict(arguments or {}) for name, arguments in classes.items()},
        {str(name): value for name, value in parameters.items() if name != "environment"},
        str(environment) if environment is not None else None,
    )


def check_class_names(classification: Classification) -> None:
    """Raise INVALID_TAG for an invalid class name such as `::web`.

    The classes of a classification become tags of the node.
    """
    for name in map(str.lower, classification.classes):
        if not is_valid_tag(name):
            raise make_catalog_error("INVALID_TAG", placeless=True, tag=name)


def classify(runtime: Runtime, scope: Scope) -> None:
    """Add the classes of the node's classification to the catalog, those with arguments first.

    They are evaluated like defines, after the program.

    Args:
        scope: The scope of the node definition, or the top scope.

    Raises:
        PuppetError: CLASSIFIED_CLASS_NOT_FOUND, or DUPLICATE_DECLARATION for a class with arguments that the
            program has declared.
    """
    classification = runtime.settings.classification
    assert classification is not None
    catalog = runtime.state.catalog
    for name, arguments in sorted(classification.classes.items(), key=lambda pair: not pair[1]):
        name = name.lower()
        definition = runtime.names.find_class(name)
        if definition is None:
            raise make_catalog_error(
                "CLASSIFIED_CLASS_NOT_FOUND", placeless=True, name=name, node=runtime.settings.node
            )
        if ("class", name) in catalog.resources:
            if arguments:
                raise make_late_duplicate_error(catalog.resources["class", name], ("class", name))
            continue
        count = len(catalog.resources)
        add_class(scope, definition, dict(arguments))
        catalog.pending.extend(islice(catalog.resources, count, None))  # inherited classes precede it
