"""Questions as arrays: `["from", "nodes", ["extract", ["certname"], ["=", ["fact", "os"], "x"]], ["limit", 1]]`."""

from __future__ import annotations

from typing import Any

from evaluator.functions.queries import model
from evaluator.functions.queries.texts import steps

_JOINED = ("and", "or")
_ROOTS = {"parameter": "parameters"}  # how the first name of a field is called in the rows


def read(given: list[Any]) -> model.Query:
    """The question that an array asks. Raises Failure."""
    if not given or given[0] != "from":
        raise model.misread('an array begins with "from" and what is asked about')
    return _from(given, 0)


def _from(given: list[Any], depth: int) -> model.Query:
    if len(given) < 2 or type(given[1]) is not str:
        raise model.misread('behind "from" stands what is asked about')
    found = model.Query(given[1])
    for part in given[2:]:
        word = part[0] if type(part) is list and part else None
        if word in ("limit", "offset") and len(part) == 2 and type(part[1]) is int and part[1] >= 0:
            setattr(found, word, part[1])
        elif word == "order_by" and len(part) == 2 and type(part[1]) is list:
            found.order = [_ordered(one) for one in part[1]]
        elif word == "extract":
            _extract(found, part, depth)
        else:
            found.condition = _condition(part, depth + 1)
    return found


def _extract(query: model.Query, given: list[Any], depth: int) -> None:
    """["extract", fields, condition?, ["group_by", …]?]"""
    if len(given) < 2:
        raise model.misread('behind "extract" stand fields')
    single = type(given[1]) is str or given[1][:1] == ["function"]
    query.fields = [_column(one) for one in ([given[1]] if single else given[1])]
    for part in given[2:]:
        if type(part) is list and part[:1] == ["group_by"]:
            query.group = [_field(one) for one in part[1:]]
        else:
            query.condition = _condition(part, depth + 1)


def _ordered(given: Any) -> tuple[model.Field, bool]:
    if type(given) is list and len(given) == 2 and given[1] in ("asc", "desc"):
        return _field(given[0]), given[1] == "desc"
    return _field(given), False


def _column(given: Any) -> model.Field | model.Aggregate:
    if type(given) is list and given[:1] == ["function"]:
        if len(given) < 2 or given[1] not in model.AGGREGATES:
            raise model.misread(f"there is no function {given[1:2]}")
        return model.Aggregate(given[1], _field(given[2]) if len(given) > 2 else None)
    return _field(given)


def _field(given: Any) -> model.Field:
    if type(given) is str:
        return steps(given)
    if type(given) is list and given and all(type(part) in (str, int) for part in given):
        return (_ROOTS.get(given[0], given[0]), *given[1:])
    raise model.misread(f"no field: {given}")


def _condition(given: Any, depth: int) -> model.Condition:
    if depth > model.MOST_NESTED:
        raise model.misread(f"it is nested more than {model.MOST_NESTED} deep")
    word = given[0] if type(given) is list and given else None
    operands = given[1:] if word else []
    if word in _JOINED and operands:
        return [word, *(_condition(part, depth + 1) for part in operands)]
    if word == "not" and len(operands) == 1:
        return ["not", _condition(operands[0], depth + 1)]
    if word in model.COMPARISONS and len(operands) == 2:
        return [word, _field(operands[0]), operands[1]]
    if word == "null?" and len(operands) == 2:
        return ["null?", _field(operands[0]), operands[1] is True]
    if word == "subquery" and operands and type(operands[0]) is str:
        query = model.Query(operands[0])
        query.condition = _condition(operands[1], depth + 1) if len(operands) > 1 else None
        return ["subquery", query]
    if word == "in" and len(operands) == 2:
        fields = operands[0] if type(operands[0]) is list else [operands[0]]
        return ["in", [_field(one) for one in fields], _values(operands[1], depth)]
    raise model.misread(f"no condition: {given}")


def _values(given: Any, depth: int) -> model.Query | list[Any]:
    """["array", […]], ["from", …], or ["extract", fields, ["select_ENTITY", condition]]"""
    word = given[0] if type(given) is list and given else None
    if word == "array" and len(given) == 2 and type(given[1]) is list:
        return list(given[1])
    if word == "from":
        return _from(given, depth + 1)
    inner = given[2] if word == "extract" and len(given) == 3 else None
    if type(inner) is list and inner and str(inner[0]).startswith("select_"):
        found = model.Query(inner[0].removeprefix("select_"))
        _extract(found, ["extract", given[1], *inner[1:]], depth)
        return found
    raise model.misread(f'"in" looks into an array or a question, not into {given}')
