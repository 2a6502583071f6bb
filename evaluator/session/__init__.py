"""The session: a program that grows cell by cell.

    Session.run(source) ─→ History.apply(edit) ─→ Timeline.evaluate(cell) ─→ Evaluation ─→ Changes ─→ Outcome

Six words: a *cell* is the text of an input; an *evaluation* is its result on a state; an *entry* is a cell with its
evaluation and the *savepoint* before it; a *timeline* is the fold of entries in order; an *epoch* is the part of a
document that runs under the same arguments of the session.

Modules, from the top: `session` the object that front ends use, `history` how `edits` take effect, `document` the
inputs in order, `epochs` their timelines, `timeline` the entries, `evaluation` one `cell`, `program_state` the state
and its fixed point. What runs a program: `supervisor` limits and interrupts, `stack_threads`, `memory`, `wasm`. What
prepares one: `arguments`, `environment`. What explains one: `diagnostics`, `dialect_notes`, `names`, `comparison`.
`fleet_program` is the program for many nodes.
"""
