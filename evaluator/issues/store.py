"""The messages about what other nodes have exported, and what is asked about them."""

from __future__ import annotations

from lexer_parser.errors import Issue

ROWS = (
    Issue(
        "EXPORTED_TWICE",
        "A duplicate resource was found while collecting exported resources, with the type and title {resource}",
        help="Give one of the two another title; exported titles usually hold the name of the node.",
        words="What other nodes export comes in under its own title, which must be free here.",
    ),
    Issue(
        "QUERY_NO_STORE",
        "puppetdb_query(): there is no PuppetDB here, and no answers of one",
        help="The session needs a file of PuppetDB's answers.",
        needs="exported",
        words="Queries to PuppetDB are answered from a file of recorded answers: rows of resources, facts, nodes and "
        "inventory of other nodes. Resources that a program only collects need none.",
        wrong="$found = puppetdb_query('resources { type = \"Sshkey\" }')",
        right="Sshkey <<| |>>",
    ),
    Issue(
        "QUERY_ENTITY",
        "puppetdb_query(): there is nothing to ask about '{entity}' here; there is about {known}",
        help="Ask about the resources, facts or nodes that the answer is made of.",
        words="A session has the resources, facts and nodes of PuppetDB, but no reports and events.",
    ),
    Issue(
        "QUERY_NOTHING_TOLD",
        "puppetdb_query(): what is known of other nodes tells nothing about {entity}",
        help="Add rows of {entity} to the file of what PuppetDB has answered.",
        needs="exported",
        words="A query about an entity without rows has no answer, which differs from an empty answer.",
    ),
    Issue(
        "QUERY_FIELD",
        "puppetdb_query(): '{field}' is no field of {entity}; its fields are {known}",
        help="Take a field of {entity}, or a subquery about another entity.",
        words="Each entity of PuppetDB has its own fields; behind `facts` and `parameters` names go on with dots.",
    ),
    Issue(
        "QUERY_NOT_UNDERSTOOD",
        "puppetdb_query(): the query is not understood: {problem}",
        help="Understood are questions such as `nodes[certname]` with a condition in braces, and their arrays.",
        words="Conditions compare a field with a value (`=`, `~`, `<`, `in`, `is null`), and are joined by `and`, `or` "
        "and `not`; a subquery is an entity with braces.",
    ),
)
