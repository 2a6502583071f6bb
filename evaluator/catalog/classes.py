"""Classes, node definitions, and the classes that a classifier assigns to a node."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from evaluator import values
from evaluator.catalog import parameters, tags
from evaluator.catalog.errors import duplicate, duplicate_of_node, problem
from evaluator.catalog.model import MAIN_CLASS, MAIN_STAGE, Catalog, Key, Resource, capitalized
from evaluator.catalog.provenance import note_declared
from evaluator.catalog.references import AttributeClass
from evaluator.catalog.scopes import asking, declaring, outside
from evaluator.catalog.tags import is_valid
from evaluator.issues import Failure
from evaluator.program.definitions import Definition, Site
from evaluator.program.scope import Scope
from evaluator.program.settings import Classification
from evaluator.program.tracing import point
from evaluator.resource_types import METAPARAMETERS
from evaluator.types import ClassType, ResourceType
from evaluator.values import DEFAULT

if TYPE_CHECKING:
    from evaluator.program.protocols import Program

# --- include, contain, require -------------------------------------------------------------------------------------


def include_classes(scope: Scope, names: Iterable[Any], mode: str = "include") -> list[Any]:
    """Evaluates classes unless they have been; gives a `Class[name]` for each.

    names  strings, Class and Resource['class', …] references, arrays of these
    mode   "include", "contain" (the caller's container contains them) or "require" (it requires them)
    Raises Failure for what is no class name or no class.
    """
    scope = declaring(scope)
    runtime = scope.runtime
    found = class_names(names)
    definitions = [None if name == "main" else runtime.names.find_class(name) for name in found]
    for name, definition in zip(found, definitions, strict=True):
        if definition is None and name not in runtime.state.classes:
            raise Failure("CLASS_NOT_FOUND", name=name, node=runtime.settings.node)
    for definition in definitions:
        if definition is not None:
            add_class(scope, definition)
    for name in found:
        evaluate_class(runtime, name)
    catalog = runtime.state.catalog
    keys = [("class", name) for name in found]
    if mode == "contain":
        known = set(catalog.contained)
        pairs = dict.fromkeys((scope.container, key) for key in keys)
        catalog.contained += [pair for pair in pairs if pair not in known]
    elif mode == "require" and keys:
        _require(catalog, scope.container, keys)
    return [ClassType(name) for name in found]


def _require(catalog: Catalog, container: Key, keys: list[Key]) -> None:
    resource = catalog.own(catalog.resources[container])
    before = resource.parameters.get("require")
    known = [] if before is None else before if isinstance(before, list) else [before]
    resource.parameters["require"] = [*known, *(AttributeClass(title) for _, title in keys)]


def class_names(given: Iterable[Any]) -> list[str]:
    """Class names, in lower case without leading `::`, of what `include` and its like accept; raises Failure."""
    found: list[str] = []
    stack = list(given)[::-1]
    while stack:
        item = stack.pop()
        if isinstance(item, list):
            stack.extend(reversed(item))
        elif type(item) is str:
            if not item:
                raise Failure("NO_CLASS_NAME", actual="empty string")
            found.append(item.removeprefix("::").lower())
        elif item is None:
            raise Failure("NO_CLASS_NAME", actual="undef")
        elif isinstance(item, ClassType):
            if item.name is None:
                raise Failure("CLASS_WITHOUT_NAME")
            found.append(item.name)
        elif isinstance(item, ResourceType):
            found.append(_referenced_class(item))
        else:
            raise Failure("CLASS_NAME_NOT_TEXT")
    return found


_ANY_CLASS = "apache"  # for the help where no name is known


def _referenced_class(item: Any) -> str:
    if item.type_name is None:
        raise Failure("NO_CLASS_REFERENCE", actual="an unspecific Resource[]", name=_ANY_CLASS)
    if item.type_name != "class":
        actual = f"a Resource[{capitalized(item.type_name)}]"
        raise Failure("NO_CLASS_REFERENCE", actual=actual, name=item.type_name)
    if item.title is None:
        raise Failure("NO_CLASS_REFERENCE", actual="an unspecific Resource['class']", name=_ANY_CLASS)
    return str(item.key[1])


# --- evaluation ----------------------------------------------------------------------------------------------------


def declare_class(scope: Scope, site: Site | None, title: str, given: dict[str, Any], body: Any) -> Any:
    """Evaluates `class { 'name': … }`; gives the reference. Raises Failure when it is unknown or evaluated."""
    runtime = scope.runtime
    name = title.removeprefix("::").lower()
    definition = None if name == "main" else runtime.names.find_class(name)
    if ("class", name) in runtime.state.catalog.resources and name != "main":
        raise duplicate(runtime.state.catalog, ("class", name), site)
    if definition is None:
        raise Failure("DECLARED_CLASS_NOT_FOUND", name=title)
    add_class(scope, definition, given, site, body)
    evaluate_class(runtime, name)
    if runtime.dialect.class_value:
        return ClassType(name)
    return ResourceType("class", capitalized(name))


def add_class(
    scope: Scope,
    definition: Definition,
    given: dict[str, Any] | None = None,
    site: Site | None = None,
    body: Any = None,
) -> None:
    """Adds a class to the catalog, the class it inherits first, unless it is there.

    Raises PuppetError when the inherited class is unknown.
    """
    catalog: Catalog = scope.runtime.state.catalog
    if ("class", definition.name) in catalog.resources:
        return
    refuse_metaparameters(definition)
    parent = _parent(scope.runtime, definition)
    if parent is not None:
        add_class(scope, parent)
    resource = Resource(catalog.owner, "class", definition.name, given or {}, MAIN_STAGE, scope, site, body)
    resource.definition = definition
    resource.mark(includer=scope.container, born=catalog.tag_sequence)
    if site is None:
        resource.mark(included=point())
    if scope.runtime.settings.recorded:
        note_declared(resource)
    if resource.parameters.get("tag") is not None:
        tags.checked(resource.parameters["tag"], site.span() if site is not None else None)
    catalog.resources[resource.key] = resource


def evaluate_class(runtime: Program, name: str) -> None:
    """Runs the body of a class that is in the catalog, that of the class it inherits first; each once.

    A class whose evaluation has begun is not evaluated again, also where the body of the class that it inherits
    includes it. Raises Failure for parameters that do not fit, and for an unknown stage.
    """
    state = runtime.state
    if ("class", name) in state.catalog.evaluated:
        return
    resource: Resource = state.catalog.own(state.catalog.resources["class", name])
    definition, caller = resource.definition, resource.scope
    assert definition is not None and caller is not None
    parent = _parent(runtime, definition)
    state.catalog.evaluated.add(resource.key)
    above = _inherited_scope(runtime, parent) if parent is not None else outside(caller)
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
    if parent is not None and any(target == resource.key for _, target in state.catalog.contained):
        state.catalog.contained.append((resource.container, resource.key))
    set_names(scope, resource, name)
    parameters.bind(definition, resource, scope, data=True)
    _set_stage(state.catalog, resource)  # which a parameter's default may name
    run_body(definition, scope)


def _inherited_scope(runtime: Program, parent: Definition) -> Scope:
    """The scope of the inherited class, evaluated; raises Failure while its evaluation has only begun."""
    evaluate_class(runtime, parent.name)
    found: Scope | None = runtime.state.classes.get(parent.name)
    if found is None:
        raise Failure("SCOPE_NOT_FOUND", name=parent.name)
    return found


def _parent(runtime: Program, definition: Definition) -> Definition | None:
    """The definition of the inherited class, None when there is none; raises PARENT_MISSING."""
    if definition.parent is None:
        return None
    name = definition.parent.removeprefix("::").lower()
    found: Definition | None = runtime.names.find_class(name)
    if found is None:
        environment = runtime.state.catalog.environment
        raise problem(
            "PARENT_MISSING",
            definition.site.span(),
            name=definition.parent.removeprefix("::"),
            environment=environment,
        )
    _check_ancestors(runtime, definition)
    return found


def _check_ancestors(runtime: Program, definition: Definition) -> None:
    """Raises when a class inherits from itself, directly or not."""
    seen = {definition.name}
    following: Definition | None = definition
    while following is not None and following.parent is not None:
        name = following.parent.removeprefix("::").lower()
        if name in seen:
            raise problem(
                "INHERITANCE_CYCLE",
                definition.site.span(),
                placeless=True,
            )
        seen.add(name)
        following = runtime.names.find_class(name)


def _set_stage(catalog: Catalog, resource: Resource) -> None:
    """Puts a class in its stage: the one it names, else that of what includes it."""
    stage = resource.parameters.get("stage")
    if stage is None:
        includer = catalog.resources.get(resource.includer) if resource.includer is not None else None
        if includer is not None and includer.type == "class" and includer.parameters.get("stage") is not None:
            stage = includer.parameters["stage"]
            if includer.container != MAIN_STAGE:
                resource.parameters["stage"] = stage
                resource.container = includer.container
        return
    title = values.text(stage)
    if ("stage", title) not in catalog.resources:
        raise Failure("STAGE_NOT_FOUND", name=title, resource=resource.reference)
    resource.container = ("stage", title)


def set_names(scope: Scope, resource: Resource, title: Any) -> None:
    """The variables that every class and define body has, and its metaparameters."""
    variables = scope.variables
    variables["title"] = title
    variables["name"] = resource.parameters.get("name", title)
    variables["module_name"] = scope.module_name
    caller = asking(scope)
    variables["caller_module_name"] = caller.module_name if caller is not None else ""
    if not METAPARAMETERS.isdisjoint(resource.parameters):
        for name, value in resource.parameters.items():
            if name in METAPARAMETERS and value is not None:
                variables[name] = value


def run_body(definition: Definition, scope: Scope) -> None:
    """Runs a class or define body; match variables set inside do not leave it."""
    runtime = scope.runtime
    match = runtime.match
    try:
        definition.body(scope)
    finally:
        runtime.match = match


# --- nodes -----------------------------------------------------------------------------------------------------------


def evaluate_node(runtime: Program) -> Scope:
    """Evaluates the node definition for this node, if the program has node definitions; gives its scope.

    The certname decides: an equal name, then the first regular expression that matches; then, in the same way,
    the name `default`.
    Raises NODE_MISSING when none applies.
    """
    definitions = runtime.state.definitions.nodes
    if not definitions:
        return runtime.state.top
    certname = runtime.settings.node.lower()
    before = runtime.match
    chosen = _definition_for(runtime, definitions, certname) or _definition_for(
        runtime, definitions, "default"
    )
    if chosen is None:
        raise problem(
            "NODE_MISSING",
            definitions[0].site.span(),
            placeless=True,
            node=runtime.settings.node,
        )
    definition, title = chosen
    state = runtime.state
    catalog: Catalog = state.catalog
    resource = Resource(catalog.owner, "node", title, {}, MAIN_CLASS, state.top)
    resource.definition = definition
    catalog.resources[resource.key] = resource
    catalog.classes.append(title)
    scope = Scope(runtime, "node", title, parent=state.top, caller=state.top, container=resource.key)
    scope.variables.update(title=title, name=title)
    try:
        run_body(definition, scope)
    finally:
        runtime.match = before
    return scope


def node_name(match: Any) -> str:
    """The name under which a node definition is known for one of its hosts: a string, a Regexp or `default`."""
    if match is DEFAULT:
        return "default"
    if type(match) is str:
        return match.lower()
    kept = "".join(c for c in match.source.lower() if c in "-:." or c == "_" or (c.isascii() and c.isalnum()))
    return f"__node_regexp__{kept.lstrip('.')}"


def _definition_for(
    runtime: Program, definitions: list[Definition], name: str
) -> tuple[Definition, str] | None:
    return _by_name(runtime.state.top, definitions, name) or _by_regexp(runtime, definitions, name)


def _by_name(top: Scope, definitions: list[Definition], name: str) -> tuple[Definition, str] | None:
    for definition in definitions:
        if name in (
            node_name(match) for match in definition.hosts(top) if match is DEFAULT or type(match) is str
        ):
            return definition, name
    return None


def _by_regexp(
    runtime: Program, definitions: list[Definition], certname: str
) -> tuple[Definition, str] | None:
    for definition in definitions:
        for match in definition.hosts(runtime.state.top):
            if match is not DEFAULT and type(match) is not str:
                found = match.search(certname)
                if found is not None:
                    runtime.match = found
                    return definition, node_name(match)
    return None


# --- definitions -----------------------------------------------------------------------------------------------------


def check_parameter_names(runtime: Program, definition: Definition) -> None:
    """A parameter called like a metaparameter needs a default, and then it is inherited: a warning."""
    refuse_metaparameters(definition)
    for parameter in definition.parameters:
        if parameter.name in METAPARAMETERS:
            runtime.log(
                "warning",
                f"{parameter.name} is a metaparam; this value will inherit to all contained resources"
                f" in the {definition.name} definition",
            )


def refuse_metaparameters(definition: Definition) -> None:
    """Raises METAPARAMETER_NAME for a parameter without default that is called like a metaparameter."""
    for parameter in definition.parameters:
        if parameter.default is None and parameter.name in METAPARAMETERS:
            raise problem(
                "METAPARAMETER_NAME",
                definition.site.span(),
                placeless=True,
                name=parameter.name,
                owner=definition.name,
            )


# --- classification ------------------------------------------------------------------------------------------


def classification_of(given: Mapping[str, Any]) -> Classification:
    """What is said by a mapping with `classes`, `parameters` and `environment`, each of which may be left out.

    Raises ValueError for anything else.
    """
    for name in given:
        if name not in Classification.__slots__:
            raise ValueError(
                f"a classification has {', '.join(sorted(Classification.__slots__))}, and no '{name}'"
            )
    classes, parameters = given.get("classes") or {}, given.get("parameters") or {}
    if isinstance(classes, list | tuple):
        classes = dict.fromkeys(classes)
    for found, words in ((classes, "classes"), (parameters, "parameters")):
        if not isinstance(found, Mapping) or not all(isinstance(name, str) for name in found):
            raise ValueError(f"the {words} of a classification are no mapping of names to values: {found!r}")
    for name, arguments in classes.items():
        if arguments and not isinstance(arguments, Mapping):
            raise ValueError(
                f"the parameters of class {name} are no mapping of names to values: {arguments!r}"
            )
    environment = given.get("environment")
    return Classification(
        {name: dict(arguments or {}) for name, arguments in classes.items()},
        {str(name): value for name, value in parameters.items() if name != "environment"},
        str(environment) if environment is not None else None,
    )


def check_classes(given: Classification) -> None:
    """Raises INVALID_TAG for a class whose name is none, such as `::web`: a node is tagged with its classes."""
    for name in map(str.lower, given.classes):
        if not is_valid(name):
            raise problem("INVALID_TAG", placeless=True, tag=name)


def classify(runtime: Program, scope: Scope) -> None:
    """Adds the classes of the node to the catalog, those with parameters first; they are evaluated like defines.

    scope  that of the node definition, or the top scope
    Raises CLASSIFIED_CLASS_NOT_FOUND, and DUPLICATE_DECLARATION for a class with parameters that has been declared.
    """
    given = runtime.settings.classification
    assert given is not None
    catalog = runtime.state.catalog
    for name, arguments in sorted(given.classes.items(), key=lambda pair: not pair[1]):
        name = name.lower()
        definition = runtime.names.find_class(name)
        if definition is None:
            node = runtime.settings.node
            raise problem("CLASSIFIED_CLASS_NOT_FOUND", placeless=True, name=name, node=node)
        if ("class", name) in catalog.resources:
            if arguments:
                raise duplicate_of_node(catalog, ("class", name))
            continue
        known = len(catalog.resources)
        add_class(scope, definition, dict(arguments))
        catalog.pending.extend(islice(catalog.resources, known, None))  # classes that it inherits come first
