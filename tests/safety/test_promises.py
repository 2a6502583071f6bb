"""The promises of the guide on safety, sentence by sentence, and the tests that hold them."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "puppet_kernel" / "guides" / "safety.md").read_text(encoding="utf-8")
# how a sentence begins, and the tests of it
PROMISES = {
    "A notebook may compute anything": (
        "safety/test_audit.py::test_nothing_is_done_outside",
        "safety/test_one_gate.py::test_files_are_asked_for_at_the_gate_only",
    ),
    "Any other path is refused": (
        "safety/test_nothing_is_told.py::test_programs",
        "safety/test_nothing_is_told.py::test_commands_completion_and_questions",
    ),
    "Nothing in its folder": (
        "kernel/test_launching.py::test_nothing_is_imported_from_the_folder_of_the_notebook",
        "safety/test_folders_of_others.py::test_a_link_among_modules_that_a_command_names_leads_nowhere",
        "safety/test_folders_of_others.py::test_commands_of_a_notebook_write_nothing",
    ),
    "Limits also apply to data files": (
        "safety/test_data_of_others.py::test_what_is_odd_is_taken_as_data_and_what_cannot_be_facts_is_refused",
    ),
    "A cell is a transaction": (
        "reliability/test_any_moment.py::test_any_call",
        "safety/test_bounded_views.py::test_a_display_that_fails_leaves_the_cell",
    ),
    "An interrupt stops": (
        "reliability/test_interrupts.py::test_random_moments",
        "kernel/test_whole.py::test_a_command_can_be_interrupted",
        "kernel/test_whole.py::test_a_display_is_interrupted_and_the_cell_has_not_happened",
        "safety/test_costs.py::test_every_function",
        "safety/test_long_arguments.py::test_every_command",
        "reliability/test_limits.py::test_memory",
    ),
    "The cost of a display": (
        "safety/test_bounded_views.py::test_showing",
        "safety/test_bounded_views.py::test_a_message_that_holds_a_value",
        "safety/test_bounded_views.py::test_resources_of_a_view_are_counted",
    ),
    "Sensitive values do not appear": (
        "safety/test_secrets.py::test_shown",
        "safety/test_secrets.py::test_catalogs",
        "safety/test_secrets.py::test_the_command",
    ),
    "The terminal and the page show any value as plain text": (
        "rendering/test_escaping.py::test_every_element_in_every_medium_is_harmless",
        "console/test_console.py::test_data_cannot_drive_the_terminal",
    ),
    "A damaged, full or read-only history": (
        "console/test_console.py::test_damage_to_the_history_costs_one_warning",
        "console/test_console.py::test_a_history_that_cannot_be_kept_costs_one_warning",
        "console/test_console.py::test_the_history_is_kept_for_its_owner_alone",
        "reliability/test_soak.py::test_faults",
    ),
    "An input that contains a secret": (
        "safety/test_secret_inputs.py::test_an_input_with_the_type_in_code_holds_a_secret",
        "safety/test_secret_inputs.py::test_saved_cells_leave_out_secrets",
        "safety/test_secret_inputs.py::test_an_input_that_prints_a_decrypted_value_is_not_written",
    ),
    "Compiled modules are cached": (
        "sessions/test_cache.py::test_a_folder_that_others_may_enter_is_not_used",
        "sessions/test_cache.py::test_a_folder_or_file_of_somebody_else_is_not_used",
        "sessions/test_cache.py::test_links_are_not_followed",
        "sessions/test_cache.py::test_only_the_owner_may_read_it",
    ),
}


def test_every_promise_is_held() -> None:
    [section] = re.findall(r"^## What is promised\n(.*?)^## What is not", GUIDE, re.MULTILINE | re.DOTALL)
    sentences = re.findall(r"^\* (.*)$", section, re.MULTILINE)
    held = {sentence: [begin for begin in PROMISES if sentence.startswith(begin)] for sentence in sentences}
    assert len(sentences) == len(PROMISES) and all(len(found) == 1 for found in held.values()), held


@pytest.mark.parametrize("test", [test for tests in PROMISES.values() for test in tests])
def test_the_test_is_there(test: str) -> None:
    path, name = test.split("::")
    tree = ast.parse((ROOT / "tests" / path).read_text(encoding="utf-8"))
    assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
