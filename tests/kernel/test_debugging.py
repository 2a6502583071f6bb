"""The debugger with the requests that JupyterLab sends, in its order."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from kernels import TIMEOUT, open_kernel, start_kernel

SOURCE = (
    "function double($x) {\n  $y = $x * 2\n  $y\n}\n$list = [1, { 'k' => 'v' }]\n$a = double(21)\nnotice($a)"
)


class DebuggerFrontEnd:
    """The requests that JupyterLab sends for a user who debugs.

    Attributes:
        texts: The text of all streams so far.
    """

    def __init__(self, client: BlockingKernelClient) -> None:
        self.client = client
        self.sequence = 0
        self.texts: list[str] = []

    def get_response(self, command: str, **arguments: Any) -> dict[str, Any]:
        """Return the response to a request, whether it succeeded or not."""
        self.sequence += 1
        content = {"type": "request", "seq": self.sequence, "command": command, "arguments": arguments}
        message = self.client.session.msg("debug_request", content)
        self.client.control_channel.send(message)
        while True:
            reply = self.client.get_control_msg(timeout=TIMEOUT)
            if reply["parent_header"].get("msg_id") == message["header"]["msg_id"]:
                content = reply["content"]
                assert (content["type"], content["command"]) == ("response", command)
                assert content["request_seq"] == self.sequence
                return content

    def get_body(self, command: str, **arguments: Any) -> Any:
        """Return the body of the response to a request, which must succeed."""
        reply = self.get_response(command, **arguments)
        assert reply["success"], reply
        return reply["body"]

    def wait_for_event(self, *names: str) -> dict[str, Any]:
        """Wait for an event with one of these names, and return it."""
        while True:
            message = self.client.get_iopub_msg(timeout=TIMEOUT)
            content = message["content"]
            if message["msg_type"] == "stream":
                self.texts.append(content["text"])
            if message["msg_type"] == "debug_event" and content["event"] in names:
                return content

    def wait_until_idle(self) -> None:
        """Read messages until the kernel is idle after a cell."""
        while True:
            message = self.client.get_iopub_msg(timeout=TIMEOUT)
            if message["msg_type"] == "stream":
                self.texts.append(message["content"]["text"])
            if (
                message["msg_type"] == "status"
                and message["content"]["execution_state"] == "idle"
                and message["parent_header"].get("msg_type") == "execute_request"
            ):
                return

    def start_debugger(self) -> dict[str, Any]:
        """Send the requests of the button that starts the debugger, and return the capabilities."""
        self.get_body("debugInfo")
        capabilities = self.get_body(
            "initialize", clientID="jupyterlab", adapterID="puppet", linesStartAt1=True
        )
        self.get_body("attach")
        self.wait_for_event("initialized")
        return capabilities

    def set_breakpoints(self, source: str, *lines: int, **more: Any) -> list[dict[str, Any]]:
        """Set breakpoints at lines of a cell, and return their descriptions.

        Args:
            more: Other fields of each breakpoint.
        """
        path = self.get_body("dumpCell", code=source)["sourcePath"]
        self.get_body("debugInfo")
        points = [{"line": line, **more} for line in lines]
        body = self.get_body(
            "setBreakpoints", breakpoints=points, source={"path": path}, sourceModified=False
        )
        assert self.get_body("configurationDone") == {}
        return body["breakpoints"]

    def get_innermost_frame(self) -> dict[str, Any]:
        """Return the innermost frame of the stopped program."""
        return self.get_body("stackTrace", threadId=1)["stackFrames"][0]

    def list_variables(self, frame: dict[str, Any], scope: str) -> dict[str, dict[str, Any]]:
        """Return the variables of a scope of a frame by their names."""
        scopes = {one["name"]: one for one in self.get_body("scopes", frameId=frame["id"])["scopes"]}
        return self.list_parts(scopes[scope])

    def list_parts(self, container: dict[str, Any]) -> dict[str, dict[str, Any]]:
        """Return the variables in a scope or variable by their names."""
        body = self.get_body("variables", variablesReference=container["variablesReference"])
        return {variable["name"]: variable for variable in body["variables"]}


@pytest.fixture
def front_end(client: BlockingKernelClient) -> Iterator[DebuggerFrontEnd]:
    """Yield a front end whose debugger is started, in a new session."""
    client.execute("%reset")
    client.get_shell_msg(timeout=TIMEOUT)
    front_end = DebuggerFrontEnd(client)
    front_end.wait_until_idle()
    front_end.start_debugger()
    yield front_end
    front_end.get_body("disconnect", restart=False, terminateDebuggee=False)


def test_the_kernel_reports_that_it_has_a_debugger(client: BlockingKernelClient) -> None:
    info = client.kernel_info(reply=True, timeout=TIMEOUT)["content"]
    assert info["debugger"] is True
    assert "debugger" in info["supported_features"]


def test_the_debugger_starts_and_ends(client: BlockingKernelClient) -> None:
    front_end = DebuggerFrontEnd(client)
    assert front_end.get_body("debugInfo")["isStarted"] is False
    capabilities = front_end.start_debugger()
    assert capabilities["supportsConditionalBreakpoints"] and capabilities["supportsModulesRequest"]
    assert [one["filter"] for one in capabilities["exceptionBreakpointFilters"]] == ["error"]
    info = front_end.get_body("debugInfo")
    assert (info["isStarted"], info["hashMethod"], info["stoppedThreads"]) == (True, "Murmur2", [])
    front_end.set_breakpoints("$a = 1", 1)
    assert [one["breakpoints"] for one in front_end.get_body("debugInfo")["breakpoints"]] == [[{"line": 1}]]
    front_end.get_body("disconnect", restart=False, terminateDebuggee=False)
    front_end.wait_for_event("terminated")
    info = front_end.get_body("debugInfo")
    assert (info["isStarted"], [one["breakpoints"] for one in info["breakpoints"]]) == (
        False,
        [[{"line": 1}]],
    )
    client.execute("$a = 1")
    front_end.wait_until_idle()  # The cell does not stop.


def test_the_path_of_a_cell_contains_the_hash_of_its_text(front_end: DebuggerFrontEnd) -> None:
    info = front_end.get_body("debugInfo")
    for text in ("", "a", "ab", "abc", "abcd", "notice('grüße')\n"):
        path = front_end.get_body("dumpCell", code=text)["sourcePath"]
        number = path.removeprefix(info["tmpFilePrefix"]).removesuffix(info["tmpFileSuffix"])
        assert int(number) == _compute_hash(text.encode(), info["hashSeed"])


def _compute_hash(data: bytes, seed: int) -> int:
    """Return the MurmurHash2 of data as JupyterLab computes it, with products of halves."""
    factor = 0x5BD1E995

    def multiply(number: int) -> int:
        return ((number & 0xFFFF) * factor + ((((number >> 16) * factor) & 0xFFFF) << 16)) & 0xFFFFFFFF

    value, rest = seed ^ len(data), len(data)
    position = 0
    while rest >= 4:
        part = data[position] | data[position + 1] << 8 | data[position + 2] << 16 | data[position + 3] << 24
        part = multiply(part)
        part ^= part >> 24
        value = multiply(value) ^ multiply(part)
        position, rest = position + 4, rest - 4
    if rest == 3:
        value ^= data[position + 2] << 16
    if rest >= 2:
        value ^= data[position + 1] << 8
    if rest >= 1:
        value = multiply(value ^ data[position])
    value = multiply(value ^ value >> 13)
    return value ^ value >> 15


def test_a_user_debugs_a_cell(front_end: DebuggerFrontEnd) -> None:
    points = front_end.set_breakpoints(SOURCE, 3, 6)
    assert [(point["verified"], point["line"]) for point in points] == [(True, 3), (True, 6)]
    front_end.client.execute(SOURCE)
    stopped = front_end.wait_for_event("stopped")["body"]
    assert (stopped["reason"], stopped["threadId"]) == ("breakpoint", 1)
    assert front_end.get_body("debugInfo")["stoppedThreads"] == [1]
    assert front_end.get_body("threads")["threads"] == [{"id": 1, "name": "Puppet"}]
    frame = front_end.get_innermost_frame()
    assert (frame["name"][:4], frame["line"]) == ("cell", 6)
    assert frame["source"]["path"] == front_end.get_body("dumpCell", code=SOURCE)["sourcePath"]
    top = front_end.list_variables(frame, "Top scope")
    assert (top["$list"]["value"], top["$list"]["indexedVariables"]) == ("[1, {'k' => 'v'}]", 2)
    assert "Array" in top["$list"]["type"]
    parts = front_end.list_parts(top["$list"])
    assert [one["value"] for one in parts.values()] == ["1", "{'k' => 'v'}"]
    assert parts["1"]["evaluateName"] == "$list[1]"
    assert front_end.list_parts(parts["1"])["'k'"]["value"] == "'v'"
    assert "$a" not in top
    front_end.get_body("continue", threadId=1)
    front_end.wait_for_event("continued")
    assert front_end.wait_for_event("stopped")["body"]["reason"] == "breakpoint"
    frames = front_end.get_body("stackTrace", threadId=1)
    assert [(one["name"].split()[0], one["line"]) for one in frames["stackFrames"]] == [
        ("function", 3),
        ("cell", 6),
    ]
    assert (
        front_end.get_body("stackTrace", threadId=1, startFrame=1, levels=1)["stackFrames"]
        == frames["stackFrames"][1:]
    )
    locals_ = front_end.list_variables(frames["stackFrames"][0], "Locals")
    assert {name: one["value"] for name, one in locals_.items()} == {"$x": "21", "$y": "42"}
    evaluated = front_end.get_body("evaluate", expression="notice('here') $x + $y", context="repl", frameId=1)
    assert evaluated["result"].splitlines() == ["Notice: here", "63"]
    failed = front_end.get_body("evaluate", expression="$x + nosuch(1)", context="repl", frameId=1)["result"]
    assert failed.startswith("error[UNKNOWN_FUNCTION]: Unknown function: 'nosuch'.\n1 │ $x + nosuch(1)\n")
    front_end.get_body("initialize", clientID="another")
    failed = front_end.get_response("evaluate", expression="$x +", context="repl", frameId=1)
    assert not failed["success"] and "Syntax error at end of input" in failed["message"]
    front_end.get_body("initialize", clientID="jupyterlab")
    rich = front_end.get_body("richInspectVariables", variableName="$y", frameId=1)
    assert rich["data"]["text/plain"].startswith("42")
    front_end.get_body("copyToGlobals", srcVariableName="$y", dstVariableName="$kept", srcFrameId=1)
    assert front_end.get_body("evaluate", expression="$kept", context="repl", frameId=2)["result"] == "42"
    front_end.get_body("stepOut", threadId=1)
    assert front_end.wait_for_event("stopped")["body"]["reason"] == "step"
    assert front_end.get_innermost_frame()["line"] == 6
    front_end.get_body("next", threadId=1)
    front_end.wait_for_event("stopped")
    assert front_end.get_innermost_frame()["line"] == 7
    front_end.get_body("continue", threadId=1)
    front_end.wait_until_idle()
    assert "".join(front_end.texts).count("42") == 1
    variables = front_end.get_body("inspectVariables")["variables"]
    names = {variable["name"]: variable for variable in variables}
    assert names.keys() == {"$list", "$a", "$kept"}
    assert front_end.list_parts(names["$list"])["0"]["value"] == "1"
    rich = front_end.get_body("richInspectVariables", variableName="$a")
    assert rich["data"]["text/plain"].startswith("42")


@pytest.mark.parametrize(
    ("steps", "lines"),
    [
        (["next", "next"], [5, 6, 7]),
        (["next", "stepIn", "next", "next"], [5, 6, 2, 3, 6]),
        (["next", "stepIn", "stepOut", "next"], [5, 6, 2, 6, 7]),
    ],
)
def test_a_cell_is_stepped_through(front_end: DebuggerFrontEnd, steps: list[str], lines: list[int]) -> None:
    front_end.set_breakpoints(SOURCE, 5)
    front_end.client.execute(SOURCE)
    visited = []
    for step in [*steps, "continue"]:
        front_end.wait_for_event("stopped")
        visited.append(front_end.get_innermost_frame()["line"])
        front_end.get_body(step, threadId=1)
    front_end.get_body("disconnect", restart=False, terminateDebuggee=False)
    front_end.wait_until_idle()
    assert visited == lines


def test_a_breakpoint_has_a_condition_and_moves_to_the_next_statement(front_end: DebuggerFrontEnd) -> None:
    source = "[1, 2, 3].each |$n| {\n\n  notice($n)\n}\n"
    points = front_end.set_breakpoints(source, 2, condition="$n == 2")
    assert [(point["verified"], point["line"]) for point in points] == [(True, 3)]
    front_end.client.execute(source)
    front_end.wait_for_event("stopped")
    assert front_end.list_variables(front_end.get_innermost_frame(), "Locals")["$n"]["value"] == "2"
    front_end.get_body("continue", threadId=1)
    front_end.wait_until_idle()
    assert front_end.set_breakpoints("# nothing\n", 1)[0]["verified"] is False


def test_breakpoints_count_lines_from_the_first_line_of_a_cell_with_a_command(
    front_end: DebuggerFrontEnd,
) -> None:
    source = "%time\n$a = 1\n$b = 2"
    front_end.set_breakpoints(source, 3)
    front_end.client.execute(source)
    front_end.wait_for_event("stopped")
    frame = front_end.get_innermost_frame()
    path = front_end.get_body("dumpCell", code=source)["sourcePath"]
    assert (frame["line"], frame["source"]["path"]) == (3, path)
    front_end.get_body("continue", threadId=1)
    front_end.wait_until_idle()


def test_a_program_stops_at_its_error(front_end: DebuggerFrontEnd) -> None:
    front_end.get_body("setExceptionBreakpoints", filters=["error"])
    front_end.client.execute('function f($x) {\n  fail("no ${x}")\n}\nf(5)')
    stopped = front_end.wait_for_event("stopped")["body"]
    assert stopped["reason"] == "exception" and "no 5" in stopped["text"]
    assert "no 5" in front_end.get_body("exceptionInfo", threadId=1)["description"]
    assert front_end.get_innermost_frame()["line"] == 2
    assert front_end.list_variables(front_end.get_innermost_frame(), "Locals")["$x"]["value"] == "5"
    front_end.get_body("continue", threadId=1)
    front_end.wait_until_idle()
    front_end.get_body("setExceptionBreakpoints", filters=[])
    front_end.client.execute("fail('again')")
    front_end.wait_until_idle()


def test_a_program_is_paused_and_interrupted(front_end: DebuggerFrontEnd) -> None:
    front_end.client.execute(
        "range(1, 100000).each |$n| {\n  range(1, 1000).each |$m| {\n    $x = $m\n  }\n}"
    )
    while front_end.client.get_iopub_msg(timeout=TIMEOUT)["msg_type"] != "execute_input":
        pass
    time.sleep(0.3)
    before = time.monotonic()
    front_end.get_body("inspectVariables")
    assert time.monotonic() - before < 10  # The response does not wait for the program, which takes minutes.
    front_end.get_body("pause", threadId=1)
    assert front_end.wait_for_event("stopped")["body"]["reason"] == "pause"
    assert front_end.get_innermost_frame()["name"] == "lambda of each"
    front_end.get_body("continue", threadId=1)
    front_end.wait_for_event("continued")
    time.sleep(0.2)
    front_end.get_body("pause", threadId=1)
    front_end.wait_for_event("stopped")
    front_end.get_body("disconnect", restart=False, terminateDebuggee=False)
    front_end.wait_for_event("continued")
    _interrupt_cell(front_end)


def test_a_breakpoint_that_is_set_while_its_cell_runs_stops_it(front_end: DebuggerFrontEnd) -> None:
    source = "range(1, 100000).each |$n| {\n  range(1, 1000).each |$m| {\n    $x = $m\n  }\n}"
    front_end.client.execute(source)
    while front_end.client.get_iopub_msg(timeout=TIMEOUT)["msg_type"] != "execute_input":
        pass
    time.sleep(0.3)
    assert front_end.set_breakpoints(source, 3)[0]["verified"]
    assert front_end.wait_for_event("stopped")["body"]["reason"] == "breakpoint"
    assert front_end.get_innermost_frame()["line"] == 3
    _interrupt_cell(front_end)


def test_an_interrupt_ends_a_program_that_is_stopped(front_end: DebuggerFrontEnd) -> None:
    front_end.set_breakpoints("$a = 1\n$b = 2", 2)
    front_end.client.execute("$a = 1\n$b = 2")
    front_end.wait_for_event("stopped")
    _interrupt_cell(front_end)
    assert front_end.get_body("debugInfo")["stoppedThreads"] == []


def _interrupt_cell(front_end: DebuggerFrontEnd) -> None:
    """Interrupt the kernel, and wait until it is idle."""
    front_end.client.parent.interrupt_kernel()
    front_end.wait_until_idle()


@pytest.fixture
def front_end_in_folder(tmp_path: Path) -> Iterator[DebuggerFrontEnd]:
    """Yield a front end whose debugger is started, for a kernel in a folder of its own."""
    with open_kernel(folder=tmp_path) as (_, client):
        front_end = DebuggerFrontEnd(client)
        front_end.start_debugger()
        yield front_end


def test_the_files_of_modules_are_debugged(tmp_path: Path, front_end_in_folder: DebuggerFrontEnd) -> None:
    front_end = front_end_in_folder
    file = tmp_path / "web" / "manifests" / "init.pp"
    file.parent.mkdir(parents=True)
    file.write_text('class web($port = 80) {\n  $url = "http://x:${port}"\n  notify { $url: }\n}\n')
    front_end.client.execute(f"%modulepath {tmp_path}")
    front_end.wait_until_idle()
    source = {"path": str(file)}
    body = front_end.get_body("setBreakpoints", breakpoints=[{"line": 3}], source=source)
    assert [(point["verified"], point["line"]) for point in body["breakpoints"]] == [(True, 3)]
    front_end.client.execute("include web")
    front_end.wait_for_event("stopped")
    frames = front_end.get_body("stackTrace", threadId=1)["stackFrames"]
    assert len(frames) == 2 and frames[0]["name"] == "class web"
    assert frames[0]["source"]["path"] == str(file)
    assert front_end.get_body("source", source=source, sourceReference=0)["content"] == file.read_text()
    assert front_end.list_variables(frames[0], "Class web")["$url"]["value"] == "'http://x:80'"
    assert front_end.list_variables(frames[0], "Catalog").keys() == {"Class[Web]"}
    front_end.get_body("next", threadId=1)
    front_end.wait_for_event("stopped")
    assert front_end.list_variables(front_end.get_innermost_frame(), "Catalog").keys() == {
        "Class[Web]",
        "Notify[http://x:80]",
    }
    front_end.get_body("continue", threadId=1)
    front_end.wait_until_idle()
    assert [one["path"] for one in front_end.get_body("modules")["modules"]] == [str(file)]
    assert not front_end.get_response("source", source={"path": "/etc/passwd"}, sourceReference=0)["success"]


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        ("next", {}),
        ("stackTrace", {"threadId": 1}),
        ("scopes", {"frameId": 1}),
        ("evaluate", {"expression": "1"}),
        ("copyToGlobals", {"srcVariableName": "a", "dstVariableName": "b", "srcFrameId": 1}),
        ("exceptionInfo", {"threadId": 1}),
        ("dumpCell", {}),
        ("setBreakpoints", {"source": 1}),
        ("setBreakpoints", {"source": {"path": "/x"}, "breakpoints": [{"line": "x"}]}),
        ("source", {"source": {"path": "/nowhere"}}),
        ("completions", {}),
    ],
)
def test_requests_without_an_answer_are_refused(
    front_end: DebuggerFrontEnd, command: str, arguments: dict[str, Any]
) -> None:
    reply = front_end.get_response(command, **arguments)
    assert reply["success"] is False and reply["message"]


def test_secrets_stay_hidden(front_end: DebuggerFrontEnd) -> None:
    source = "$s = Sensitive('hunter2')\n$h = { 'a' => $s }\n$z = 1"
    front_end.set_breakpoints(source, 3)
    front_end.client.execute(source)
    front_end.wait_for_event("stopped")
    top = front_end.list_variables(front_end.get_innermost_frame(), "Top scope")
    values = [
        top["$s"],
        *front_end.list_parts(top["$h"]).values(),
        front_end.get_body("evaluate", expression="$s", frameId=1),
    ]
    assert "hunter2" not in str(values)
    front_end.get_body("continue", threadId=1)
    front_end.wait_until_idle()


def test_the_command_debug_prompts_in_the_notebook(client: BlockingKernelClient) -> None:
    answers = iter(["$a + 1", "next", "continue"])

    def answer(message: dict[str, Any]) -> None:
        assert message["content"]["prompt"] == "(debug) "
        client.input(next(answers))

    texts = []

    def record_text(message: dict[str, Any]) -> None:
        texts.append(message["content"].get("text", ""))

    source = "%debug $a = [1, 2]\n$b = 2"
    reply = client.execute_interactive(
        source, allow_stdin=True, stdin_hook=answer, output_hook=record_text, timeout=TIMEOUT
    )
    assert reply["content"]["status"] == "ok"
    assert next(answers, None) is None
    assert "stopped at the beginning" in "".join(texts) and "help lists all" in "".join(texts)
    reply = client.execute_interactive(
        "%debug 1", allow_stdin=False, output_hook=record_text, timeout=TIMEOUT
    )
    assert "There is no user here" in reply["content"]["evalue"]


def test_a_breakpoint_with_a_message_writes_it_and_does_not_stop(front_end: DebuggerFrontEnd) -> None:
    source = "[1, 2, 3].each |$n| {\n  $m = $n * 2\n  notice($m)\n}"
    front_end.set_breakpoints(source, 3, condition="$n != 2", logMessage="n is {$n}, twice {m}\x1b")
    front_end.client.execute(source)
    events = [front_end.wait_for_event("output", "stopped") for _ in range(2)]
    assert [event["event"] for event in events] == ["output", "output"]
    assert [event["body"]["output"] for event in events] == ["n is 1, twice 2\\e\n", "n is 3, twice 6\\e\n"]
    assert [event["body"]["line"] for event in events] == [3, 3]
    path = front_end.get_body("dumpCell", code=source)["sourcePath"]
    assert events[0]["body"]["category"] == "console" and events[0]["body"]["source"]["path"] == path
    front_end.wait_until_idle()


SOURCE_WITH_SECRETS = """$part = 'hush-'
$secret = Sensitive("${part}${4700 + 11}")
type Box = Object[{ attributes => { inner => Any } }]
$all = { 'k' => [$secret], $secret => Box($secret), 'text' => "${secret}" }
class hidden($password) { notify { 'inner': message => $password } }
class { 'hidden': password => $secret }
notice($all)
Integer($all)"""


def test_no_response_contains_a_secret(front_end: DebuggerFrontEnd) -> None:
    responses: list[str] = []

    def record_body(command: str, **arguments: Any) -> Any:
        reply = front_end.get_response(command, **arguments)
        responses.append(str(reply))
        return reply["body"]

    front_end.set_breakpoints(SOURCE_WITH_SECRETS, 7, logMessage="")
    front_end.get_body("setExceptionBreakpoints", filters=["error"])
    front_end.client.execute(SOURCE_WITH_SECRETS)
    responses.append(str(front_end.wait_for_event("stopped")))
    frame = front_end.get_innermost_frame()["id"]
    pending = [one["variablesReference"] for one in record_body("scopes", frameId=frame)["scopes"][:-1]]
    for reference in pending:
        variables = record_body("variables", variablesReference=reference)["variables"]
        pending += [one["variablesReference"] for one in variables if one["variablesReference"]]
    for code in (
        "$all",
        '"${all}"',
        "notice($all)",
        "fail($all)",
        "$secret + 1",
        "Integer[$secret]",
        "[$secret]",
    ):
        record_body("evaluate", expression=code, frameId=frame)
    for name in ("secret", "all"):
        record_body("richInspectVariables", variableName=name, frameId=frame)
        record_body("copyToGlobals", srcVariableName=name, dstVariableName=f"{name}2", srcFrameId=frame)
    record_body("setVariable", variablesReference=pending[0], name="$secret", value="1")
    front_end.get_body("continue", threadId=1)
    responses.append(str(front_end.wait_for_event("stopped")))
    record_body("exceptionInfo", threadId=1)
    front_end.get_body("continue", threadId=1)
    front_end.wait_until_idle()
    record_body("inspectVariables")
    assert len(responses) > 20 and "redacted" in str(responses)
    assert "hush-4711" not in str(responses) + str(front_end.texts)


def test_the_length_of_displayed_keys_is_bounded(front_end: DebuggerFrontEnd) -> None:
    source = "$h = { String('x', '%5000s') => [1] }\n"
    source += "$k = Integer[1, 60].reduce({}) |$m, $i| { { $m => $m } }\nnotice(1)"
    front_end.set_breakpoints(source, 3)
    front_end.client.execute(source)
    front_end.wait_for_event("stopped")
    variables = front_end.list_variables(front_end.get_innermost_frame(), "Top scope")
    for name in ("$h", "$k"):
        (inner,) = front_end.list_parts(variables[name]).values()
        assert len(inner["name"]) <= 300 and inner["name"].endswith("…") and inner["evaluateName"] == ""
    front_end.get_body("continue", threadId=1)
    front_end.wait_until_idle()


def send_control(client: BlockingKernelClient, kind: str, **content: Any) -> str:
    """Send a request on the control channel and return its identity."""
    message = client.session.msg(kind, content)
    client.control_channel.send(message)
    return str(message["header"]["msg_id"])


def collect_replies(client: BlockingKernelClient, *identities: str) -> dict[str, Any]:
    """Return the contents of the replies to control requests, in the order of their arrival."""
    contents: dict[str, Any] = {}
    while not contents.keys() >= set(identities):
        reply = client.get_control_msg(timeout=TIMEOUT)
        contents[reply["parent_header"]["msg_id"]] = reply["content"]
    return contents


def send_endless_expression(front_end: DebuggerFrontEnd) -> str:
    """Stop a program, send an expression that does not end, and return the identity of the request."""
    front_end.set_breakpoints(SOURCE, 2)
    front_end.client.execute(SOURCE)
    front_end.wait_for_event("stopped")
    endless = {
        "expression": "Integer[1, 999999999999].each |$i| { $i }",
        "frameId": front_end.get_innermost_frame()["id"],
    }
    return send_control(
        front_end.client, "debug_request", type="request", seq=900, command="evaluate", arguments=endless
    )


def test_the_control_channel_answers_while_an_expression_is_evaluated(
    front_end: DebuggerFrontEnd, client: BlockingKernelClient
) -> None:
    evaluate = send_endless_expression(front_end)
    more = {"type": "request", "arguments": {"threadId": 1}}
    stack = send_control(client, "debug_request", seq=901, command="stackTrace", **more)
    info = send_control(client, "kernel_info_request")
    replies = collect_replies(client, stack, info)
    assert replies.keys() == {info, stack} and replies[info]["status"] == "ok"
    assert replies[stack]["message"] == "Another expression is being evaluated; an interrupt stops it"
    interrupt = send_control(client, "interrupt_request")
    replies = collect_replies(client, evaluate, interrupt)
    assert replies[interrupt]["status"] == "ok" and replies[evaluate]["message"] == "Interrupted"
    front_end.wait_until_idle()
    # Wait for the reply to the interrupted cell; replies of other tests precede it.
    while client.get_shell_msg(timeout=TIMEOUT)["content"]["status"] != "error":
        pass


def test_a_kernel_shuts_down_while_an_expression_is_evaluated(tmp_path: Path) -> None:
    kernel, client = start_kernel(state=tmp_path)
    front_end = DebuggerFrontEnd(client)
    front_end.start_debugger()
    send_endless_expression(front_end)
    shutdown = send_control(client, "shutdown_request", restart=False)
    assert collect_replies(client, shutdown)[shutdown]["status"] == "ok"
    deadline = time.monotonic() + TIMEOUT
    while kernel.is_alive() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not kernel.is_alive()
    client.stop_channels()
    kernel.cleanup_resources()


def test_the_control_channel_answers_while_a_long_cell_is_parsed(
    front_end: DebuggerFrontEnd, client: BlockingKernelClient
) -> None:
    code = "\n".join(f"$a{number} = {number} + 1" for number in range(20_000))
    path = front_end.get_body("dumpCell", code=code)["sourcePath"]
    arguments = {"source": {"path": path}, "breakpoints": [{"line": 3}]}
    request = {"type": "request", "command": "setBreakpoints", "arguments": arguments}
    points = send_control(client, "debug_request", seq=900, **request)
    later = send_control(client, "debug_request", seq=901, type="request", command="debugInfo")
    info = send_control(client, "kernel_info_request")
    replies = collect_replies(client, points, later, info)
    assert [*replies] == [info, points, later]
    assert replies[points]["body"]["breakpoints"][0]["verified"]
    assert {"source": path, "breakpoints": [{"line": 3}]} in replies[later]["body"]["breakpoints"]


def test_long_texts_do_not_block_the_debugger(front_end: DebuggerFrontEnd) -> None:
    front_end.set_breakpoints(SOURCE, 2, logMessage="{" * 300_000 + "$x} {$x}")
    assert front_end.set_breakpoints(SOURCE, 2)[0]["verified"]
    front_end.client.execute(SOURCE)
    front_end.wait_for_event("stopped")
    reply = front_end.get_response(
        "evaluate",
        expression="fail(String('x', '%30000000s'))",
        frameId=front_end.get_innermost_frame()["id"],
    )
    assert len(front_end.get_response("evaluate", expression="1")["body"]["result"]) == 1
    assert len(str(reply)) < 20_000
    front_end.get_body("continue", threadId=1)
    front_end.wait_until_idle()
