"""What is asked of PuppetDB, answered from what a session was told of other nodes."""

from __future__ import annotations

from evaluator.calling.registry import function
from evaluator.functions.queries.answering import Known, answered
from evaluator.functions.queries.parsing import parse_array, parse_text
from evaluator.issues import Failure
from evaluator.program.scope import Scope
from evaluator.values import Value


@function(
    "puppetdb_query(Variant[String[1], Array[Data, 1]] query, Hash[String, Data] options?)", context=True
)
def puppetdb_query(scope: Scope, query: Value, options: Value = None) -> list[Value]:
    """Asks what PuppetDB knows of other nodes, in its query language or as an array: rows, each a hash.

    A session without a file of its answers knows nothing: `exported` gives it rows of resources, facts, nodes and
    inventory. Conditions, `in`, subqueries, `count()`, `group by`, `order by`, `limit` and `offset` are understood.

    > puppetdb_query('resources[certname] { type = "Class" }')
    ! Error while evaluating a Function Call, puppetdb_query(): there is no PuppetDB here, and no answers of one
    """
    store = scope.runtime.settings.store
    if store is None:
        raise Failure("QUERY_NO_STORE")
    asked = parse_text(query) if type(query) is str else parse_array(query)
    return answered(Known(store), asked)
