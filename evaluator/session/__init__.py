"""The session: a program that grows cell by cell.

    Session.run(source) ─→ History.apply(edit) ─→ Timeline.evaluate(cell) ─→ Evaluation ─→ Changes ─→ Outcome

Five words: a *cell* is the text of an input; an *evaluation* is its result on a state; an *entry* is a cell with its
evaluation and the *savepoint* before it; a *timeline* is the fold of entries in order.

Modules: `session` the object that front ends use, `history` edits, their order and undo, `document` the inputs in
order, `timeline` the entries, `program_state` the state and its fixed point, `evaluation` one cell, `supervisor` limits
and interrupts, `diagnostics` hints and the other dialect, `fleet_program` the program for many nodes.
"""
