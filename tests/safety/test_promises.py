"""The promises of the guide on safety, sentence by sentence, and the tests that hold them."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "puppet_kernel" / "guides" / "safety.md").read_text(encoding="utf-8")
# the beginning of each sentence, and its tests
PROMISES = {
    "A notebook may compute anything": (
        "safety/test_audit.py::test_programs_and_commands_touch_nothing_outside",
        "safety/test_file_access.py::test_only_the_sandbox_accesses_files",
    ),
    "Any other path is refused": (
        "safety/test_files_outside.py::test_programs_do_not_reveal_files_outside",
        "safety/test_files_outside.py::test_commands_completion_and_inspection_do_not_reveal_files_outside",
    ),
    "Nothing in its folder": (
        "kernel/test_launching.py::test_nothing_is_imported_from_the_folder_of_the_notebook",
        "safety/test_untrusted_folders.py::test_links_in_a_module_path_from_a_command_are_not_followed",
        "safety/test_untrusted_folders.py::test_commands_of_a_notebook_write_no_files",
    ),
    "Limits also apply to data files": (
        "safety/test_untrusted_data.py::test_odd_data_is_accepted_and_unusable_data_is_refused",
    ),
    "A cell is a transaction": (
        "reliability/test_stop_at_any_call.py::test_a_program_can_be_stopped_at_any_call",
        "safety/test_bounded_views.py::test_a_display_that_fails_does_not_fail_the_cell",
    ),
    "An interrupt stops": (
        "reliability/test_interrupts.py::test_a_cell_is_stopped_at_random_moments",
        "kernel/test_atomic_cells.py::test_a_command_can_be_interrupted",
        "kernel/test_atomic_cells.py::test_an_interrupt_of_a_display_rolls_back_the_cell",
        "safety/test_stopping_functions.py::test_every_function_can_be_stopped",
        "safety/test_long_arguments.py::test_every_command_reads_a_long_argument_in_time",
        "reliability/test_limits.py::test_the_limit_of_memory",
    ),
    "The cost of a display": (
        "safety/test_bounded_views.py::test_the_display_of_a_large_value_is_bounded",
        "safety/test_bounded_views.py::test_an_error_message_with_a_large_value_is_cut",
        "safety/test_bounded_views.py::test_a_view_of_many_resources_shows_their_number",
    ),
    "Sensitive values do not appear": (
        "safety/test_secrets.py::test_no_output_contains_the_secret",
        "safety/test_secrets.py::test_catalogs_are_redacted_by_default",
        "safety/test_secrets.py::test_the_command_shows_secrets_only_on_request",
    ),
    "The terminal and the page show any value as plain text": (
        "rendering/test_escaping.py::test_every_element_in_every_medium_is_harmless",
        "console/test_console.py::test_data_cannot_control_the_terminal",
    ),
    "A damaged, full or read-only history": (
        "console/test_console.py::test_a_damaged_history_causes_one_warning",
        "console/test_console.py::test_a_history_that_cannot_be_written_causes_one_warning",
        "console/test_console.py::test_only_the_owner_can_read_the_history",
        "reliability/test_soak.py::test_a_scene_survives_faults",
    ),
    "An input that contains a secret": (
        "safety/test_secret_inputs.py::test_an_input_with_the_type_in_code_contains_a_secret",
        "safety/test_secret_inputs.py::test_saved_cells_leave_out_secrets",
        "safety/test_secret_inputs.py::test_an_input_that_prints_a_decrypted_value_is_not_written",
    ),
    "Compiled modules are cached": (
        "sessions/test_cache.py::test_a_folder_that_others_may_enter_is_not_used",
        "sessions/test_cache.py::test_a_folder_or_file_of_somebody_else_is_not_used",
        "sessions/test_cache.py::test_links_are_not_followed",
        "sessions/test_cache.py::test_only_the_owner_may_read_the_cache",
    ),
}


def test_every_promise_has_its_row() -> None:
    [section] = re.findall(r"^## What is promised\n(.*?)^## What is not", GUIDE, re.MULTILINE | re.DOTALL)
    sentences = re.findall(r"^\* (.*)$", section, re.MULTILINE)
    promises = {
        sentence: [begin for begin in PROMISES if sentence.startswith(begin)] for sentence in sentences
    }
    assert len(sentences) == len(PROMISES) and all(len(found) == 1 for found in promises.values()), promises


@pytest.mark.parametrize("test", [test for tests in PROMISES.values() for test in tests])
def test_each_test_of_a_promise_exists(test: str) -> None:
    path, name = test.split("::")
    tree = ast.parse((ROOT / "tests" / path).read_text(encoding="utf-8"))
    assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
