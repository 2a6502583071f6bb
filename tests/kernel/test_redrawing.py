"""The outputs of other cells when one runs again, and the formats that front ends choose from."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from kernels import ROOT
from test_protocol import Answer, execute


@pytest.fixture(autouse=True)
def fresh(client: BlockingKernelClient) -> None:
    execute(client, "%reset", store_history=False)


def run(client: BlockingKernelClient, name: str, code: str) -> Answer:
    return execute(client, code, {"cellId": name})


def redrawn(answer: Answer) -> dict[str, str]:
    """Return the updated outputs, by cell."""
    return {
        update["transient"]["display_id"]: update["data"]["text/plain"]
        for update in answer.of("update_display_data")
    }


def test_values_log_lines_and_changes_are_redrawn(client: BlockingKernelClient) -> None:
    run(client, "a", "$port = 80")
    run(client, "b", "notice($port)")
    run(client, "c", "notify { 'n': message => $port }")
    run(client, "d", "'apart'")
    told = redrawn(run(client, "a", "$port = 90"))
    assert told.keys() == {"b", "c"}
    assert "Notice: 90" in told["b"]
    assert told["c"].startswith("+ notify { 'n':")
    assert "=> 90" in told["c"]
    back = redrawn(run(client, "a", "$port = 80"))
    assert "Notice" not in back["b"]  # its log lines are again those that stand there


def test_one_line_sums_up(client: BlockingKernelClient) -> None:
    run(client, "a", "$port = 80")
    number = run(client, "b", "$port + 1").reply["execution_count"]
    run(client, "c", "'apart'")
    assert f"2 cells evaluated again, 1 differs: [{number}]" in run(client, "a", "$port = 90").text


def test_a_dependent_that_fails_says_so_and_comes_back(client: BlockingKernelClient) -> None:
    run(client, "a", "$port = 80")
    run(client, "b", "$port + 1")
    assert "error" in redrawn(run(client, "a", "$port = 'x'"))["b"]
    assert redrawn(run(client, "a", "$port = 7"))["b"] == "8"


def test_parameters_given_anew_reach_what_was_computed_from_the_defaults(
    client: BlockingKernelClient,
) -> None:
    """As papermill injects them; the identities are those of a front end, or there are none."""
    for names in (("a", "b", "c"), ("", "", "")):
        execute(client, "%reset")
        defaults = run(client, names[0], "$port = 80\n$next = $port + 1")
        number = defaults.reply["execution_count"]
        dependent = run(client, names[1], "$next").reply["execution_count"]
        answer = run(client, names[2], "# Parameters\n$port = 90\n$more = 1")
        assert answer.text.startswith(f"in [{number}] now: $port, $more\n")
        assert f"1 differs: [{dependent}]" in answer.text
        assert redrawn(answer) == ({"b": "91"} if names[1] else {})
        assert run(client, names[2], "# Parameters\n$port = 100\n$more = 1").reply["status"] == "ok"
        assert execute(client, "[$port, $next, $more]").text == "[100, 101, 1]"
        assert execute(client, "# Parameters\n$port = 1 + undef").of("error")[0]["ename"] == "NOT_NUMERIC"
        assert execute(client, "[$port, $next, $more]").text == "[100, 101, 1]"
        assert execute(client, "$port = 1").of("error")[0]["ename"] == "ILLEGAL_REASSIGNMENT"


def content(message: dict[str, Any]) -> Any:
    return message["content"].get("data", message["content"].get("text"))


def test_the_whole_notebook_run_again_shows_the_same(client: BlockingKernelClient) -> None:
    cells = {
        "a": "$port = 80",
        "b": "Notify['later'] -> notify { 'now': }",
        "c": "notify { 'later': message => \"${port}\" }",
        "d": "notice($port)\nclass k { }",
        "e": "include k",
        "f": "fail('no')",
    }
    first, again = (run_page(client, cells) for _ in range(2))
    assert "pending" not in first["b"]
    assert again == first


def run_page(client: BlockingKernelClient, cells: dict[str, str]) -> dict[str, str]:
    """Run cells one after the other, and return what each displays in the end."""
    page: dict[str, str] = {}
    for name, code in cells.items():
        for message in run(client, name, code).messages:
            words = re.sub(r"\[\d+\]", "[number]", str(content(message)))
            if message["msg_type"] == "update_display_data":
                page[message["content"]["transient"]["display_id"]] = words
            elif message["msg_type"] in ("display_data", "stream"):
                page[name] = page.get(name, "") + words if message["msg_type"] == "stream" else words
    return page


def shown(answer: Answer) -> list[str]:
    """Return the output below a cell without cell numbers, and the outputs that it updated in other cells."""
    pictures = [*answer.of("display_data"), *answer.of("update_display_data"), *answer.of("error")]
    told = [answer.stream("stdout"), answer.stream("stderr"), *map(str, pictures)]
    return [re.sub(r"\[\d+\]", "[number]", text) for text in told if text]


def test_the_first_notebook_run_twice_shows_the_same(client: BlockingKernelClient) -> None:
    """Its commands are left out: they show or step through the program as a whole, whatever follows them."""
    cells = json.loads((ROOT / "notebooks" / "01-first-steps.ipynb").read_text())["cells"]
    codes = {cell["id"]: "".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"}
    codes = {name: code for name, code in codes.items() if not code.startswith("%")}
    first, second = ([shown(run(client, name, codes[name])) for name in codes] for _ in range(2))
    assert len(codes) > 20 and any(first) and first == second


def test_what_showed_the_program_is_marked_as_old_once(client: BlockingKernelClient) -> None:
    run(client, "a", "notify { 'x': message => 1 }")
    run(client, "b", "%catalog")
    assert redrawn(run(client, "c", "notify { 'y': }")) == {}
    old = redrawn(run(client, "a", "notify { 'x': message => 2 }"))
    assert old["b"].startswith("old: this shows the program before")
    assert "message => 1" in old["b"]
    assert "b" not in redrawn(run(client, "a", "notify { 'x': message => 3 }"))


def bundle(answer: Answer) -> dict[str, Any]:
    return (answer.of("display_data") + answer.of("execute_result"))[0]["data"]


def test_a_catalog_is_data_and_a_graph_a_picture(client: BlockingKernelClient) -> None:
    execute(client, "notify { 'x': } -> notify { 'y': }")
    data = bundle(execute(client, "%catalog --json"))["application/json"]
    assert {"Notify"} <= {resource["type"] for resource in data["resources"]}
    assert bundle(execute(client, "%graph"))["image/svg+xml"].startswith("<svg")
    assert bundle(execute(client, "1")).keys() == {"text/plain", "text/html", "text/markdown"}


def test_a_dollar_is_no_formula(client: BlockingKernelClient) -> None:
    shown = bundle(execute(client, "Notify['a'] -> notify { 'x': message => '$x and $y' }"))
    assert shown["text/html"].startswith('<div class="mathjax_ignore tex2jax_ignore"')
