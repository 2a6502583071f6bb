"""The commands: one table for the terminal and the notebook; help and completion read it."""

from __future__ import annotations

from evaluator.facts import fact_sets
from evaluator.limits import LIMITS
from lexer_parser.dialect import DIALECTS
from puppet_kernel.commands import asked, graph
from puppet_kernel.commands.cells import clear, leave, reformat, reset, show_cells, time
from puppet_kernel.commands.command import Command, CommandTable, DeferredCommand
from puppet_kernel.commands.exercising import check, exercises, hint, names, solution
from puppet_kernel.commands.explaining import codes, explain
from puppet_kernel.commands.help import show_help, topics
from puppet_kernel.commands.inspecting import catalog_words, show_catalog, show_variables, variable_names
from puppet_kernel.commands.settings import (
    data_files,
    fact_names,
    folders,
    json_files,
    manifests,
    show_dialect,
    show_environment,
    show_exported,
    show_facts,
    show_hiera,
    show_limits,
    show_lookup,
    show_modulepath,
    show_node,
)

_LEARNING = "puppet_kernel.commands.learning"
_SAVING = "puppet_kernel.commands.saving"
_COMPARING = "puppet_kernel.commands.comparing"
_FLEETS = "puppet_kernel.commands.fleets"
_WHY = "puppet_kernel.commands.why"
_STEPPING = "puppet_kernel.commands.stepping"
_LISTING = "puppet_kernel.commands.listing"
_DEBUGGING = "puppet_kernel.commands.debugging"

COMMANDS = CommandTable(
    (
        Command("help", "[TOPIC]", show_help, topics, examples=("%help map", "%help Integer", "%help =~")),
        Command(
            "catalog",
            "[TEXT | --all | --json]",
            show_catalog,
            catalog_words,
            examples=("%catalog Class[ntp]", "%catalog /etc", "%catalog --json"),
            refreshable=True,
        ),
        Command(
            *("graph", graph.USAGE, graph.show_graph, graph.complete_graph),
            examples=tuple(f"{example}  # {words}" for example, words in graph.EXAMPLES.items()),
            refreshable=True,
        ),
        Command(
            *("vars", "[TEXT]", show_variables, variable_names),
            examples=("%vars port",),
            refreshable=True,
        ),
        Command(
            *("facts", "[FACT | TEXT | SET | FILE]", show_facts, fact_names),
            examples=("%facts os.family", "%facts release", "%facts debian-12", "%facts web01.yaml"),
            mutates_session=True,
        ),
        Command("node", "[NAME]", show_node, examples=("%node web01.example.com",), mutates_session=True),
        Command(
            *("environment", "[DIR]", show_environment, folders),
            examples=("%environment control-repo",),
            mutates_session=True,
        ),
        Command(
            *("modulepath", "[DIR:DIR …]", show_modulepath, folders),
            examples=("%modulepath site-modules:modules",),
            mutates_session=True,
        ),
        Command(
            *("hiera", "[FILE]", show_hiera, data_files),
            examples=("%hiera hiera.yaml",),
            mutates_session=True,
        ),
        Command(
            *("exported", "[FILE]", show_exported, json_files),
            examples=("%exported nodes.json",),
            mutates_session=True,
        ),
        Command(
            *("lookup", "KEY [STRATEGY]", show_lookup),
            examples=("%lookup ntp::servers", "%lookup users deep"),
            mutates_session=True,
        ),
        Command("dialect", "[spec | puppet]", show_dialect, lambda context: DIALECTS, mutates_session=True),
        Command(
            *("limits", "[NAME [AMOUNT | default]]", show_limits, lambda context: LIMITS),
            examples=("%limits max_resources 200000",),
            mutates_session=True,
            immediate=True,
        ),
        Command("cells", "", show_cells, refreshable=True),
        Command(
            *("run", "FILE", DeferredCommand(_SAVING, "run", "Run a manifest as this cell."), manifests),
            examples=("%run site.pp",),
            mutates_session=True,
            runs_code=True,
        ),
        Command(
            *(
                "load",
                "FILE",
                DeferredCommand(_SAVING, "load", "Take the text of a file for the next input."),
                manifests,
            ),
            examples=("%load site.pp",),
        ),
        Command(
            *("save", "FILE [--force]"),
            DeferredCommand(_SAVING, "save", "Write the cells to a file: .pp, .ipynb, or .md, a transcript."),
            examples=("%save site.pp", "%save lesson.ipynb", "%save what-i-did.md"),
        ),
        Command(
            *("undo", "", DeferredCommand(_STEPPING, "undo", "Take back the last input.")),
            mutates_session=True,
            immediate=True,
        ),
        Command(
            *("redo", "", DeferredCommand(_STEPPING, "redo", "Do again what was taken back.")),
            mutates_session=True,
            immediate=True,
        ),
        Command("reset", "", reset, mutates_session=True, immediate=True),
        Command(
            "time",
            "CODE",
            time,
            takes_code=True,
            runs_code=True,
            mutates_session=True,
            examples=("%time [1, 2, 3].map |$n| { $n * 2 }",),
        ),
        Command("format", "[CODE]", reformat, takes_code=True, examples=("%format file{'/a':mode=>'0644'}",)),
        Command("explain", "CODE", explain, codes, examples=("%explain ILLEGAL_REASSIGNMENT",)),
        Command(
            *("step", "EXPRESSION"),
            DeferredCommand(_LEARNING, "step", "How an expression is evaluated, one part after the other."),
            takes_code=True,
            mutates_session=True,
            examples=("%step 1 + 2 * 3", "%step if 1 > 2 { 'more' } else { 'less' }"),
        ),
        Command(
            *("types", "[EXPRESSION]"),
            DeferredCommand(_LEARNING, "types", "How the types lie in each other, and which hold a value."),
            takes_code=True,
            mutates_session=True,
            examples=("%types [1, 'a']",),
        ),
        Command(
            *("both", "CODE"),
            DeferredCommand(_COMPARING, "both", "Code in both dialects, side by side."),
            takes_code=True,
            mutates_session=True,
            examples=("%both '10' < '9'",),
        ),
        Command(
            *("diff", "WHAT"),
            DeferredCommand(_COMPARING, "diff", "What differs between cells, nodes, facts, dialects."),
            lambda context: (
                *("dialect", "facts", "node", *(cell.label for cell in context.session.cells)),
                *asked.nodes(context.session),
            ),
            mutates_session=True,
            examples=(
                "%diff [3] [7]",
                "%diff web01 db01  # of the last fleet, or any",
                "%diff facts rocky-9",
                "%diff dialect",
            ),
        ),
        Command(
            *("whatif", "FACT=VALUE"),
            DeferredCommand(_FLEETS, "whatif", "What the program would be, were a fact another one."),
            lambda context: [f"{name}=" for name in context.session.facts],
            mutates_session=True,
            examples=("%whatif os.family=RedHat", "%whatif os.family=RedHat,Suse"),
        ),
        Command(
            *("fleet", "[WHAT] [--table FILE]"),
            DeferredCommand(_FLEETS, "fleet", "The program compiled for many nodes, and where they differ."),
            lambda context: [*fact_sets(), *folders(context)],
            mutates_session=True,
            examples=(
                "%fleet facts",
                "%fleet node web01 web02",
                "%fleet debian-12 rocky-9",
                "%fleet os.family=RedHat,Suse",
                "%fleet File['/x']",
                "%fleet facts --table fleet.csv  # or .json, .parquet; --force replaces it",
            ),
        ),
        Command(
            *("why", "WHAT"),
            DeferredCommand(
                _WHY,
                "why",
                "Where a value came from; why a match, choice or call.",
            ),
            lambda context: (
                "node",
                *(item.reference for item in context.session.catalog().resources.values()),
            ),
            takes_code=True,
            mutates_session=True,
            examples=(
                "%why File['/etc/motd'] mode",
                "%why Class[ntp]",
                "%why [1, 'a'] =~ Array[Integer]",
                "%why join('a', 2)",
                "%why case 5 { Integer[6]: { 'many' } default: { 'few' } }",
                "%why node",
            ),
        ),
        Command(
            *("functions", "[TEXT]"),
            DeferredCommand(_LISTING, "functions", "The functions, or those with TEXT in name or words."),
            lambda context: [item.text for item in context.session.listing("functions")],
            examples=("%functions sort",),
        ),
        Command(
            *("classes", "[TEXT]"),
            DeferredCommand(_LISTING, "classes", "The classes, or those with TEXT in name or words."),
            lambda context: [item.text for item in context.session.listing("classes")],
            examples=("%classes ntp",),
            refreshable=True,
        ),
        Command(
            *("break", "[PLACE:LINE [if COND]]"),
            DeferredCommand(_DEBUGGING, "stop_at", "Stop at a line of a cell or file; list where."),
            lambda context: (
                "off",
                *(f"{cell.label}:" for cell in context.session.cells),
                *context.session.loaded(),
            ),
            mutates_session=True,
            immediate=True,
            examples=("%break [3]:2", "%break ntp/manifests/init.pp:12 if $port > 1024", "%break off"),
        ),
        Command(
            *("debug", "CODE"),
            DeferredCommand(
                _DEBUGGING, "debug", "Run code line by line: its variables, calls, the catalog so far."
            ),
            takes_code=True,
            runs_code=True,
            mutates_session=True,
            examples=("%debug [1, 2].map |$n| { $n * 2 }",),
        ),
        Command("check", "NAME …", check, takes_code=True, mutates_session=True),
        Command("hint", "NAME", hint, names, examples=("%hint 02-b",)),
        Command("solution", "NAME [--now]", solution, names, examples=("%solution 02-b --now",)),
        Command("exercises", "", exercises),
        Command("clear", "", clear),
        Command("quit", "", leave, aliases=("exit",)),
    )
)
