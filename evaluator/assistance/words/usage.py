"""How functions are shown to people where their signatures would tell them little.

Functions of the old interface name their parameters p0, p1, and take anything; some signatures spell out aliases.
What calls are checked against, and what errors list, are the signatures; this is for help alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evaluator.calling.registry import Function

_HIERA = (
    "{name}(String key)",
    "{name}(String key, Any default, Any override?)",
    "{name}(String key, Any override?, Callable[1, 1] block)",
)
_DIGEST = ("{name}(String text)",)
_CHECK = ("{name}(Any value)",)
_VALIDATE = ("{name}(Any values+)",)
_TREE = "{name}(Variant[Iterator, Array, Hash, Object] tree, Hash options?{block})"

USAGE: dict[str, tuple[str, ...]] = {
    "any2array": ("any2array(Any values*)",),
    "any2bool": ("any2bool(Any value)",),
    "assert_private": ("assert_private(String message?)",),
    "base64": (
        "base64(Enum['encode', 'decode'] action, String text, Enum['default', 'strict', 'urlsafe'] method?)",
    ),
    "basename": ("basename(String path, String extension?)",),
    "bool2num": ("bool2num(Variant[Boolean, String] value)",),
    "bool2str": ("bool2str(Boolean value, String if_true?, String if_false?)",),
    "clamp": ("clamp(Variant[Numeric, String] values+)", "clamp(Array values)"),
    "concat": ("concat(Array array, Any values+)",),
    "convert_base": ("convert_base(Variant[Integer, String] number, Variant[Integer[2, 36], String] base)",),
    "count": ("count(Variant[Array, Hash] collection, Any value?)", "count(String text, String characters)"),
    "create_resources": (
        "create_resources(String type, Hash[String, Hash] resources, Hash[String, Any] defaults?)",
    ),
    "deep_merge": ("deep_merge(Hash hash, Hash hashes+)",),
    "defined_with_params": (
        "defined_with_params(Variant[String, Type[Resource]] reference, Hash[String, Any] attributes?)",
    ),
    "delete": (
        "delete(Array array, Any items)",
        "delete(Hash hash, Variant[Any, Array] keys)",
        "delete(String text, Variant[String, Array[String]] parts)",
    ),
    "delete_at": ("delete_at(Array array, Integer index)",),
    "delete_regex": (
        "delete_regex(Variant[Array, Hash] collection, Variant[String, Array[String]] patterns)",
    ),
    "delete_undef_values": ("delete_undef_values(Variant[Array, Hash] collection)",),
    "delete_values": ("delete_values(Hash hash, Any value)",),
    "difference": ("difference(Array array, Array without)",),
    "dig44": ("dig44(Variant[Hash, Array] data, Array path, Any default?)",),
    "digest": _DIGEST,
    "dirname": ("dirname(String path)",),
    "dos2unix": ("dos2unix(String text)",),
    "downcase": ("downcase(Variant[String, Numeric] text)", "downcase(Variant[Array, Hash] texts)"),
    "enclose_ipv6": ("enclose_ipv6(Variant[String, Array[String]] addresses)",),
    "ensure_resource": (
        "ensure_resource(String type, Variant[String, Array[String]] titles, Hash[String, Any] attributes?)",
    ),
    "ensure_resources": (
        "ensure_resources(String type, Hash[String, Hash] resources, Hash[String, Any] defaults?)",
    ),
    "fail": ("fail(Any values+)",),
    "file": ("file(String path, String paths*)",),
    "fqdn_rand": ("fqdn_rand(Integer max, Any seeds*)",),
    "fqdn_rand_string": ("fqdn_rand_string(Integer length, String charset?, Any seeds*)",),
    "fqdn_rotate": ("fqdn_rotate(Variant[Array, String] value, Any seeds*)",),
    "fqdn_uuid": ("fqdn_uuid(String name)",),
    "generate": ("generate(String program, String arguments*)",),
    "get_module_path": ("get_module_path(String name)",),
    "getparam": ("getparam(Variant[String, Type[Resource]] reference, String attribute)",),
    "getvar": ("getvar(String path, Any default?, Callable[1, 1] block?)",),
    "glob": ("glob(Variant[String, Array[String]] patterns)",),
    "grep": ("grep(Array[String] array, String pattern)",),
    "has_interface_with": (
        "has_interface_with(String interface)",
        "has_interface_with(String fact, String value)",
    ),
    "has_ip_address": ("has_ip_address(String address)",),
    "has_ip_network": ("has_ip_network(String network)",),
    "has_key": ("has_key(Hash hash, Any key)",),
    "hash": ("hash(Array keys_and_values)",),
    "hiera": _HIERA,
    "hiera_array": _HIERA,
    "hiera_hash": _HIERA,
    "hiera_include": _HIERA,
    "inline_template": ("inline_template(String templates+)",),
    "intersection": ("intersection(Array first, Array second)",),
    "is_function_available": ("is_function_available(String name)",),
    "join_keys_to_values": ("join_keys_to_values(Hash hash, String separator)",),
    "load_module_metadata": ("load_module_metadata(String module, Boolean allow_empty?)",),
    "loadjson": ("loadjson(String path, Any default?)",),
    "loadyaml": ("loadyaml(String path, Any default?)",),
    "lookup": (
        "lookup(Variant[String, Array[String]] name, Type value_type?, Variant[String, Hash] merge?)",
        "lookup(Variant[String, Array[String]] name, Type value_type, Variant[String, Hash] merge, Any default)",
        "lookup(Variant[String, Array[String]] name, Type value_type?, Variant[String, Hash] merge?,"
        " Callable block)",
        "lookup(Variant[String, Array[String]] name, Hash options, Callable[1, 1] block?)",
        "lookup(Hash options, Callable[1, 1] block?)",
    ),
    "md5": _DIGEST,
    "member": ("member(Array array, Variant[Any, Array] values)",),
    "merge": (
        "merge(Variant[Hash, Undef] hashes*)",
        "merge(Iterable elements, Callable[2, 2] block)",
        "merge(Iterable elements, Callable[3, 3] block)",
    ),
    "num2bool": ("num2bool(Variant[Numeric, String] number)",),
    "parsejson": ("parsejson(String text, Any default?)",),
    "parseyaml": ("parseyaml(String text, Any default?)",),
    "pick": ("pick(Any values+)",),
    "pick_default": ("pick_default(Any values+)",),
    "prefix": ("prefix(Variant[Array, Hash] collection, String prefix?)",),
    "pw_hash": ("pw_hash(String password, Enum['MD5', 'SHA-256', 'SHA-512'] type, String salt)",),
    "range": (
        "range(Variant[Integer, String] first, Variant[Integer, String] last, Integer step?)",
        "range(String first_and_last)",
    ),
    "realize": ("realize(Type[Resource] references+)",),
    "regexpescape": ("regexpescape(Variant[String, Array[String]] text)",),
    "regsubst": (
        "regsubst(String target, Variant[String, Regexp] pattern, Variant[String, Hash] replacement, String flags?)",
        "regsubst(Array[String] target, Variant[String, Regexp] pattern, Variant[String, Hash] replacement,"
        " String flags?)",
    ),
    "reject": ("reject(Array[String] array, String pattern)", "reject(Hash hash, String pattern)"),
    "reverse": ("reverse(Variant[Array, String] value)",),
    "seeded_rand": ("seeded_rand(Integer max, String seed)",),
    "sha1": _DIGEST,
    "sha256": _DIGEST,
    "shell_join": ("shell_join(Array[String] words)",),
    "shell_split": ("shell_split(String line)",),
    "shellquote": ("shellquote(Variant[String, Array] words*)",),
    "shuffle": ("shuffle(Variant[Array, String] value)",),
    "sprintf": ("sprintf(String format, Any values*)", "sprintf(String format, Hash values)"),
    "squeeze": ("squeeze(Variant[String, Array[String]] text, String characters?)",),
    "stdlib::ensure": ("stdlib::ensure(Variant[Boolean, Enum['present', 'absent']] ensure, String kind)",),
    "str2bool": ("str2bool(Variant[String, Boolean] text)",),
    "str2saltedpbkdf2": (
        "str2saltedpbkdf2(String password, String[8] salt, Integer[40001, 69999] iterations)",
    ),
    "str2saltedsha512": ("str2saltedsha512(String password)",),
    "suffix": ("suffix(Variant[Array, Hash] collection, String suffix?)",),
    "swapcase": ("swapcase(Variant[String, Array[String]] text)",),
    "tag": ("tag(String names+)",),
    "tagged": ("tagged(String names+)",),
    "template": ("template(String paths+)",),
    "time": ("time(String timezone?)",),
    "to_bytes": ("to_bytes(Variant[String, Numeric] size)",),
    "to_json_pretty": ("to_json_pretty(Variant[Hash, Array] data, Boolean skip_undef?, Hash options?)",),
    "tree_each": (
        _TREE.replace("{block}", ""),
        _TREE.replace("{block}", ", Callable[1, 1] block"),
        _TREE.replace("{block}", ", Callable[2, 2] block"),
    ),
    "try_get_value": ("try_get_value(Any data, String path, Any default?, String separator?)",),
    "type3x": ("type3x(Any value)",),
    "union": ("union(Array array, Array arrays+)",),
    "unix2dos": ("unix2dos(String text)",),
    "upcase": ("upcase(Variant[String, Numeric] text)", "upcase(Variant[Array, Hash] texts)"),
    "uriescape": ("uriescape(Variant[String, Array[String]] text)",),
    "validate_integer": ("validate_integer(Any value, Any max?, Any min?)",),
    "validate_legacy": ("validate_legacy(Type type, String function_name, Any value, Any arguments*)",),
    "validate_numeric": ("validate_numeric(Any value, Any max?, Any min?)",),
    "validate_re": ("validate_re(String text, Variant[String, Array[String]] patterns, String message?)",),
    "validate_slength": ("validate_slength(Variant[String, Array[String]] text, Integer max, Integer min?)",),
    "values_at": ("values_at(Array array, Variant[Integer, String, Array] places)",),
    "zip": ("zip(Array first, Array second, Boolean flat?)",),
}
_FAMILIES = {"functions.stdlib.checks": _CHECK, "functions.stdlib.validations": _VALIDATE}


def usage(function: Function) -> list[str]:
    """The lines that show how a built-in function is called."""
    shown = USAGE.get(function.name) or _FAMILIES.get(function.family)
    if shown is None:
        return function.signatures
    return [line.replace("{name}", function.name) for line in shown]
