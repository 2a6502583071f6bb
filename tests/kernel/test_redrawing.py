"""The outputs of other cells when one runs again, and the formats that front ends choose from."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from kernels import ROOT, Execution, execute

pytestmark = pytest.mark.usefixtures("new_session")


def run_cell(client: BlockingKernelClient, name: str, code: str) -> Execution:
    """Run a cell with an identity."""
    return execute(client, code, {"cellId": name})


def list_redrawn(execution: Execution) -> dict[str, str]:
    """Return the outputs of other cells that an execution redrew, by cell."""
    return {
        update["transient"]["display_id"]: update["data"]["text/plain"]
        for update in execution.get_contents("update_display_data")
    }


def test_values_log_lines_and_changes_are_redrawn(client: BlockingKernelClient) -> None:
    run_cell(client, "a", "$port = 80")
    run_cell(client, "b", "notice($port)")
    run_cell(client, "c", "notify { 'n': message => $port }")
    run_cell(client, "d", "'apart'")
    redrawn = list_redrawn(run_cell(client, "a", "$port = 90"))
    assert redrawn.keys() == {"b", "c"}
    assert "Notice: 90" in redrawn["b"]
    assert redrawn["c"].startswith("+ notify { 'n':")
    assert "=> 90" in redrawn["c"]
    redrawn_again = list_redrawn(run_cell(client, "a", "$port = 80"))
    assert "Notice" not in redrawn_again["b"]  # Its log lines are those of its last run again.


def test_a_summary_has_the_number_of_cells_and_differences(client: BlockingKernelClient) -> None:
    run_cell(client, "a", "$port = 80")
    number = run_cell(client, "b", "$port + 1").reply["execution_count"]
    run_cell(client, "c", "'apart'")
    assert f"2 cells evaluated again, 1 differs: [{number}]" in run_cell(client, "a", "$port = 90").text


def test_a_dependent_that_failed_is_redrawn_after_the_correction(client: BlockingKernelClient) -> None:
    run_cell(client, "a", "$port = 80")
    run_cell(client, "b", "$port + 1")
    assert "error" in list_redrawn(run_cell(client, "a", "$port = 'x'"))["b"]
    assert list_redrawn(run_cell(client, "a", "$port = 7"))["b"] == "8"


def test_injected_parameters_redraw_cells_that_depend_on_the_defaults(
    client: BlockingKernelClient,
) -> None:
    """As papermill injects them, with the identities of a front end and without."""
    for names in (("a", "b", "c"), ("", "", "")):
        execute(client, "%reset")
        defaults = run_cell(client, names[0], "$port = 80\n$next = $port + 1")
        number = defaults.reply["execution_count"]
        dependent = run_cell(client, names[1], "$next").reply["execution_count"]
        execution = run_cell(client, names[2], "# Parameters\n$port = 90\n$more = 1")
        assert execution.text.startswith(f"in [{number}] now: $port, $more\n")
        assert f"1 differs: [{dependent}]" in execution.text
        assert list_redrawn(execution) == ({"b": "91"} if names[1] else {})
        assert run_cell(client, names[2], "# Parameters\n$port = 100\n$more = 1").reply["status"] == "ok"
        assert execute(client, "[$port, $next, $more]").text == "[100, 101, 1]"
        assert execute(client, "# Parameters\n$port = 1 + undef").reply["ename"] == "NOT_NUMERIC"
        assert execute(client, "[$port, $next, $more]").text == "[100, 101, 1]"
        assert execute(client, "$port = 1").reply["ename"] == "ILLEGAL_REASSIGNMENT"


def get_text(message: dict[str, Any]) -> Any:
    """Return the data of an output or the text of a stream."""
    return message["content"].get("data", message["content"].get("text"))


def test_a_notebook_that_runs_twice_has_the_same_outputs(client: BlockingKernelClient) -> None:
    cells = {
        "a": "$port = 80",
        "b": "Notify['later'] -> notify { 'now': }",
        "c": "notify { 'later': message => \"${port}\" }",
        "d": "notice($port)\nclass k { }",
        "e": "include k",
        "f": "fail('no')",
    }
    first, second = (run_cells(client, cells) for _ in range(2))
    assert "pending" not in first["b"]
    assert second == first


def run_cells(client: BlockingKernelClient, cells: dict[str, str]) -> dict[str, str]:
    """Run cells one after the other, and return the final output of each."""
    page: dict[str, str] = {}
    for name, code in cells.items():
        for message in run_cell(client, name, code).messages:
            text = re.sub(r"\[\d+\]", "[number]", str(get_text(message)))
            if message["msg_type"] == "update_display_data":
                page[message["content"]["transient"]["display_id"]] = text
            elif message["msg_type"] in ("display_data", "stream"):
                page[name] = page.get(name, "") + text if message["msg_type"] == "stream" else text
    return page


def list_outputs(execution: Execution) -> list[str]:
    """Return the outputs of an execution, including those in other cells, without cell numbers."""
    displays = [
        *execution.get_contents("display_data"),
        *execution.get_contents("update_display_data"),
        *execution.get_contents("error"),
    ]
    parts = [execution.join_stream("stdout"), execution.join_stream("stderr"), *map(str, displays)]
    return [re.sub(r"\[\d+\]", "[number]", text) for text in parts if text]


def test_the_first_notebook_that_runs_twice_has_the_same_outputs(client: BlockingKernelClient) -> None:
    """Commands are omitted: they display the whole program, including later cells."""
    cells = json.loads((ROOT / "notebooks" / "01-first-steps.ipynb").read_text())["cells"]
    codes = {cell["id"]: "".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"}
    codes = {name: code for name, code in codes.items() if not code.startswith("%")}
    first, second = ([list_outputs(run_cell(client, name, codes[name])) for name in codes] for _ in range(2))
    assert len(codes) > 20 and any(first) and first == second


def test_a_view_of_the_program_is_marked_as_old_once(client: BlockingKernelClient) -> None:
    run_cell(client, "a", "notify { 'x': message => 1 }")
    run_cell(client, "b", "%catalog")
    assert list_redrawn(run_cell(client, "c", "notify { 'y': }")) == {}
    old = list_redrawn(run_cell(client, "a", "notify { 'x': message => 2 }"))
    assert old["b"].startswith("old: this shows the program before")
    assert "message => 1" in old["b"]
    assert "b" not in list_redrawn(run_cell(client, "a", "notify { 'x': message => 3 }"))


def get_formats(execution: Execution) -> dict[str, Any]:
    """Return the formats of the first output below a cell, by their media type."""
    return (execution.get_contents("display_data") + execution.get_contents("execute_result"))[0]["data"]


def test_a_catalog_has_data_and_a_graph_has_a_picture(client: BlockingKernelClient) -> None:
    execute(client, "notify { 'x': } -> notify { 'y': }")
    data = get_formats(execute(client, "%catalog --json"))["application/json"]
    assert {"Notify"} <= {resource["type"] for resource in data["resources"]}
    assert get_formats(execute(client, "%graph"))["image/svg+xml"].startswith("<svg")
    assert get_formats(execute(client, "1")).keys() == {"text/plain", "text/html", "text/markdown"}


def test_a_dollar_sign_is_not_a_formula(client: BlockingKernelClient) -> None:
    formats = get_formats(execute(client, "Notify['a'] -> notify { 'x': message => '$x and $y' }"))
    assert formats["text/html"].startswith('<div class="mathjax_ignore tex2jax_ignore"')
