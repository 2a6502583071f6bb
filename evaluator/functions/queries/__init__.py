"""Queries of PuppetDB, evaluated on the data about other nodes that a session has."""

from __future__ import annotations

from evaluator.calling.registry import function
from evaluator.functions.queries.evaluation import EntityRows, evaluate_query
from evaluator.functions.queries.parsing import parse_array, parse_text
from evaluator.issues import require_found
from evaluator.program.definitions import Scope
from evaluator.values import Value


@function(
    "puppetdb_query(Variant[String[1], Array[Data, 1]] query, Hash[String, Data] options?)", context=True
)
def puppetdb_query(scope: Scope, query: Value, options: Value = None) -> list[Value]:
    """Return the rows of a PuppetDB query, each a hash.

    The query is in its query language, or an array.

    The setting `exported` names a file with rows of resources, facts, nodes and inventory. Conditions, `in`,
    subqueries, `count()`, `group by`, `order by`, `limit` and `offset` are supported.

    > puppetdb_query('resources[certname] { type = "Class" }')
    ! Error while evaluating a Function Call, puppetdb_query(): there is no PuppetDB here, and no file with its answers
    """
    store = require_found(scope.runtime.settings.store, "QUERY_NO_STORE")
    parsed = parse_text(query) if type(query) is str else parse_array(query)
    return evaluate_query(EntityRows(store), parsed)
