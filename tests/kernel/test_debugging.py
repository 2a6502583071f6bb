"""The debugger as JupyterLab speaks to it: every request that it sends, in the order in which it sends them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from kernels import start

TIMEOUT = 30
SOURCE = (
    "function double($x) {\n  $y = $x * 2\n  $y\n}\n$list = [1, { 'k' => 'v' }]\n$a = double(21)\nnotice($a)"
)


class Front:
    """The requests that JupyterLab sends for a user who debugs."""

    def __init__(self, client: BlockingKernelClient) -> None:
        self.client = client
        self.sequence = 0
        self.texts: list[str] = []

    def ask(self, command: str, **arguments: Any) -> dict[str, Any]:
        """The response to a request, whatever it says."""
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

    def body(self, command: str, **arguments: Any) -> Any:
        """Return the body of the response to a request, which must be answered."""
        reply = self.ask(command, **arguments)
        assert reply["success"], reply
        return reply["body"]

    def event(self, *names: str) -> dict[str, Any]:
        """The next event of one of these names."""
        while True:
            message = self.client.get_iopub_msg(timeout=TIMEOUT)
            content = message["content"]
            if message["msg_type"] == "stream":
                self.texts.append(content["text"])
            if message["msg_type"] == "debug_event" and content["event"] in names:
                return content

    def quiet(self) -> None:
        """Reads until the kernel is idle after a cell."""
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

    def start(self) -> dict[str, Any]:
        """Presses the button of the debugger."""
        self.body("debugInfo")
        capabilities = self.body("initialize", clientID="jupyterlab", adapterID="puppet", linesStartAt1=True)
        self.body("attach")
        self.event("initialized")
        return capabilities

    def stop_at(self, source: str, *lines: int, **more: Any) -> list[dict[str, Any]]:
        """Sets breakpoints beside the lines of a cell."""
        path = self.body("dumpCell", code=source)["sourcePath"]
        self.body("debugInfo")
        points = [{"line": line, **more} for line in lines]
        found = self.body("setBreakpoints", breakpoints=points, source={"path": path}, sourceModified=False)
        assert self.body("configurationDone") == {}
        return found["breakpoints"]

    def top(self) -> dict[str, Any]:
        """The innermost frame."""
        return self.body("stackTrace", threadId=1)["stackFrames"][0]

    def shown(self, frame: dict[str, Any], scope: str) -> dict[str, dict[str, Any]]:
        """The variables of a scope of a frame by their names."""
        scopes = {one["name"]: one for one in self.body("scopes", frameId=frame["id"])["scopes"]}
        return self.inside(scopes[scope])

    def inside(self, one: dict[str, Any]) -> dict[str, dict[str, Any]]:
        """Return the variables in a scope or variable."""
        found = self.body("variables", variablesReference=one["variablesReference"])["variables"]
        return {each["name"]: each for each in found}


@pytest.fixture
def front(client: BlockingKernelClient) -> Iterator[Front]:
    """A front end whose debugger is on."""
    client.execute("%reset")
    client.get_shell_msg(timeout=TIMEOUT)
    made = Front(client)
    made.quiet()
    made.start()
    yield made
    made.body("disconnect", restart=False, terminateDebuggee=False)


def test_the_kernel_says_that_it_has_a_debugger(client: BlockingKernelClient) -> None:
    told = client.kernel_info(reply=True, timeout=TIMEOUT)["content"]
    assert told["debugger"] is True
    assert "debugger" in told["supported_features"]


def test_it_begins_and_ends(client: BlockingKernelClient) -> None:
    front = Front(client)
    assert front.body("debugInfo")["isStarted"] is False
    capabilities = front.start()
    assert capabilities["supportsConditionalBreakpoints"] and capabilities["supportsModulesRequest"]
    assert [one["filter"] for one in capabilities["exceptionBreakpointFilters"]] == ["error"]
    info = front.body("debugInfo")
    assert (info["isStarted"], info["hashMethod"], info["stoppedThreads"]) == (True, "Murmur2", [])
    front.stop_at("$a = 1", 1)
    assert [one["breakpoints"] for one in front.body("debugInfo")["breakpoints"]] == [[{"line": 1}]]
    front.body("disconnect", restart=False, terminateDebuggee=False)
    front.event("terminated")
    info = front.body("debugInfo")
    assert (info["isStarted"], [one["breakpoints"] for one in info["breakpoints"]]) == (
        False,
        [[{"line": 1}]],
    )
    client.execute("$a = 1")
    front.quiet()  # and nothing stops


def test_a_cell_is_named_by_its_text(front: Front) -> None:
    info = front.body("debugInfo")
    for text in ("", "a", "ab", "abc", "abcd", "notice('grüße')\n"):
        path = front.body("dumpCell", code=text)["sourcePath"]
        number = path.removeprefix(info["tmpFilePrefix"]).removesuffix(info["tmpFileSuffix"])
        assert int(number) == _hash(text.encode(), info["hashSeed"])


def _hash(data: bytes, seed: int) -> int:
    """MurmurHash2 as JupyterLab computes it, with products of halves."""
    factor = 0x5BD1E995

    def times(one: int) -> int:
        return ((one & 0xFFFF) * factor + ((((one >> 16) * factor) & 0xFFFF) << 16)) & 0xFFFFFFFF

    found, left = seed ^ len(data), len(data)
    place = 0
    while left >= 4:
        part = data[place] | data[place + 1] << 8 | data[place + 2] << 16 | data[place + 3] << 24
        part = times(part)
        part ^= part >> 24
        found = times(found) ^ times(part)
        place, left = place + 4, left - 4
    if left == 3:
        found ^= data[place + 2] << 16
    if left >= 2:
        found ^= data[place + 1] << 8
    if left >= 1:
        found = times(found ^ data[place])
    found = times(found ^ found >> 13)
    return found ^ found >> 15


def test_a_person_debugs_a_cell(front: Front) -> None:
    points = front.stop_at(SOURCE, 3, 6)
    assert [(one["verified"], one["line"]) for one in points] == [(True, 3), (True, 6)]
    front.client.execute(SOURCE)
    stopped = front.event("stopped")["body"]
    assert (stopped["reason"], stopped["threadId"]) == ("breakpoint", 1)
    assert front.body("debugInfo")["stoppedThreads"] == [1]
    assert front.body("threads")["threads"] == [{"id": 1, "name": "Puppet"}]
    frame = front.top()
    assert (frame["name"][:4], frame["line"]) == ("cell", 6)
    assert frame["source"]["path"] == front.body("dumpCell", code=SOURCE)["sourcePath"]
    top = front.shown(frame, "Top scope")
    assert (top["$list"]["value"], top["$list"]["indexedVariables"]) == ("[1, {'k' => 'v'}]", 2)
    assert "Array" in top["$list"]["type"]
    parts = front.inside(top["$list"])
    assert [one["value"] for one in parts.values()] == ["1", "{'k' => 'v'}"]
    assert parts["1"]["evaluateName"] == "$list[1]"
    assert front.inside(parts["1"])["'k'"]["value"] == "'v'"
    assert "$a" not in top
    front.body("continue", threadId=1)
    front.event("continued")
    assert front.event("stopped")["body"]["reason"] == "breakpoint"
    frames = front.body("stackTrace", threadId=1)
    assert [(one["name"].split()[0], one["line"]) for one in frames["stackFrames"]] == [
        ("function", 3),
        ("cell", 6),
    ]
    assert (
        front.body("stackTrace", threadId=1, startFrame=1, levels=1)["stackFrames"]
        == frames["stackFrames"][1:]
    )
    locals_ = front.shown(frames["stackFrames"][0], "Locals")
    assert {name: one["value"] for name, one in locals_.items()} == {"$x": "21", "$y": "42"}
    evaluated = front.body("evaluate", expression="notice('here') $x + $y", context="repl", frameId=1)
    assert evaluated["result"].splitlines() == ["Notice: here", "63"]
    failed = front.body("evaluate", expression="$x + nosuch(1)", context="repl", frameId=1)["result"]
    assert failed.startswith("error[UNKNOWN_FUNCTION]: Unknown function: 'nosuch'.\n1 │ $x + nosuch(1)\n")
    front.body("initialize", clientID="another")
    failed = front.ask("evaluate", expression="$x +", context="repl", frameId=1)
    assert not failed["success"] and "Syntax error at end of input" in failed["message"]
    front.body("initialize", clientID="jupyterlab")
    rich = front.body("richInspectVariables", variableName="$y", frameId=1)
    assert rich["data"]["text/plain"].startswith("42")
    front.body("copyToGlobals", srcVariableName="$y", dstVariableName="$kept", srcFrameId=1)
    assert front.body("evaluate", expression="$kept", context="repl", frameId=2)["result"] == "42"
    front.body("stepOut", threadId=1)
    assert front.event("stopped")["body"]["reason"] == "step"
    assert front.top()["line"] == 6
    front.body("next", threadId=1)
    front.event("stopped")
    assert front.top()["line"] == 7
    front.body("continue", threadId=1)
    front.quiet()
    assert "".join(front.texts).count("42") == 1
    names = {one["name"]: one for one in front.body("inspectVariables")["variables"]}
    assert names.keys() == {"$list", "$a", "$kept"}
    assert front.inside(names["$list"])["0"]["value"] == "1"
    assert front.body("richInspectVariables", variableName="$a")["data"]["text/plain"].startswith("42")


@pytest.mark.parametrize(
    ("steps", "lines"),
    [
        (["next", "next"], [5, 6, 7]),
        (["next", "stepIn", "next", "next"], [5, 6, 2, 3, 6]),
        (["next", "stepIn", "stepOut", "next"], [5, 6, 2, 6, 7]),
    ],
)
def test_a_cell_is_stepped_through(front: Front, steps: list[str], lines: list[int]) -> None:
    front.stop_at(SOURCE, 5)
    front.client.execute(SOURCE)
    seen = []
    for step in [*steps, "continue"]:
        front.event("stopped")
        seen.append(front.top()["line"])
        front.body(step, threadId=1)
    front.body("disconnect", restart=False, terminateDebuggee=False)
    front.quiet()
    assert seen == lines


def test_a_condition_decides_and_lines_move(front: Front) -> None:
    source = "[1, 2, 3].each |$n| {\n\n  notice($n)\n}\n"
    points = front.stop_at(source, 2, condition="$n == 2")
    assert [(one["verified"], one["line"]) for one in points] == [(True, 3)]
    front.client.execute(source)
    front.event("stopped")
    assert front.shown(front.top(), "Locals")["$n"]["value"] == "2"
    front.body("continue", threadId=1)
    front.quiet()
    assert front.stop_at("# nothing\n", 1)[0]["verified"] is False


def test_commands_of_a_cell_are_no_lines_of_its_program(front: Front) -> None:
    source = "%time\n$a = 1\n$b = 2"
    front.stop_at(source, 3)
    front.client.execute(source)
    front.event("stopped")
    frame = front.top()
    assert (frame["line"], frame["source"]["path"]) == (3, front.body("dumpCell", code=source)["sourcePath"])
    front.body("continue", threadId=1)
    front.quiet()


def test_a_program_stops_at_its_error(front: Front) -> None:
    front.body("setExceptionBreakpoints", filters=["error"])
    front.client.execute('function f($x) {\n  fail("no ${x}")\n}\nf(5)')
    stopped = front.event("stopped")["body"]
    assert stopped["reason"] == "exception" and "no 5" in stopped["text"]
    assert "no 5" in front.body("exceptionInfo", threadId=1)["description"]
    assert front.top()["line"] == 2
    assert front.shown(front.top(), "Locals")["$x"]["value"] == "5"
    front.body("continue", threadId=1)
    front.quiet()
    front.body("setExceptionBreakpoints", filters=[])
    front.client.execute("fail('again')")
    front.quiet()


def test_a_program_is_paused_and_interrupted(front: Front) -> None:
    front.client.execute("range(1, 100000).each |$n| {\n  range(1, 1000).each |$m| {\n    $x = $m\n  }\n}")
    while front.client.get_iopub_msg(timeout=TIMEOUT)["msg_type"] != "execute_input":
        pass
    time.sleep(0.3)
    before = time.monotonic()
    front.body("inspectVariables")
    assert time.monotonic() - before < 10  # nobody waits for a program that runs, which takes minutes
    front.body("pause", threadId=1)
    assert front.event("stopped")["body"]["reason"] == "pause"
    assert front.top()["name"] == "lambda of each"
    front.body("continue", threadId=1)
    front.event("continued")
    time.sleep(0.2)
    front.body("pause", threadId=1)
    front.event("stopped")
    front.body("disconnect", restart=False, terminateDebuggee=False)
    front.event("continued")
    _interrupt(front)


def test_a_breakpoint_that_comes_while_its_cell_runs_stops_it(front: Front) -> None:
    source = "range(1, 100000).each |$n| {\n  range(1, 1000).each |$m| {\n    $x = $m\n  }\n}"
    front.client.execute(source)
    while front.client.get_iopub_msg(timeout=TIMEOUT)["msg_type"] != "execute_input":
        pass
    time.sleep(0.3)
    assert front.stop_at(source, 3)[0]["verified"]
    assert front.event("stopped")["body"]["reason"] == "breakpoint"
    assert front.top()["line"] == 3
    _interrupt(front)


def test_an_interrupt_ends_a_program_that_is_stopped(front: Front) -> None:
    front.stop_at("$a = 1\n$b = 2", 2)
    front.client.execute("$a = 1\n$b = 2")
    front.event("stopped")
    _interrupt(front)
    assert front.body("debugInfo")["stoppedThreads"] == []


def _interrupt(front: Front) -> None:
    front.client.parent.interrupt_kernel()
    front.quiet()


@pytest.fixture
def inside(tmp_path: Path) -> Iterator[Front]:
    """A front end of a kernel that works in a folder of its own, whose debugger is on."""
    kernel, client = start(folder=tmp_path)
    made = Front(client)
    made.start()
    yield made
    client.stop_channels()
    kernel.shutdown_kernel(now=True)


def test_the_files_of_modules_are_debugged(tmp_path: Path, inside: Front) -> None:
    front = inside
    file = tmp_path / "web" / "manifests" / "init.pp"
    file.parent.mkdir(parents=True)
    file.write_text('class web($port = 80) {\n  $url = "http://x:${port}"\n  notify { $url: }\n}\n')
    front.client.execute(f"%modulepath {tmp_path}")
    front.quiet()
    place = {"path": str(file)}
    placed = front.body("setBreakpoints", breakpoints=[{"line": 3}], source=place)["breakpoints"]
    assert [(one["verified"], one["line"]) for one in placed] == [(True, 3)]
    front.client.execute("include web")
    front.event("stopped")
    frames = front.body("stackTrace", threadId=1)["stackFrames"]
    assert [one["name"] for one in frames] == ["class web", frames[1]["name"]]
    assert frames[0]["source"]["path"] == str(file)
    assert front.body("source", source=place, sourceReference=0)["content"] == file.read_text()
    assert front.shown(frames[0], "Class web")["$url"]["value"] == "'http://x:80'"
    assert front.shown(frames[0], "Catalog").keys() == {"Class[Web]"}
    front.body("next", threadId=1)
    front.event("stopped")
    assert front.shown(front.top(), "Catalog").keys() == {"Class[Web]", "Notify[http://x:80]"}
    front.body("continue", threadId=1)
    front.quiet()
    assert [one["path"] for one in front.body("modules")["modules"]] == [str(file)]
    assert not front.ask("source", source={"path": "/etc/passwd"}, sourceReference=0)["success"]


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
def test_what_cannot_be_answered_is_refused(front: Front, command: str, arguments: dict[str, Any]) -> None:
    reply = front.ask(command, **arguments)
    assert reply["success"] is False and reply["message"]


def test_secrets_stay_hidden(front: Front) -> None:
    source = "$s = Sensitive('hunter2')\n$h = { 'a' => $s }\n$z = 1"
    front.stop_at(source, 3)
    front.client.execute(source)
    front.event("stopped")
    top = front.shown(front.top(), "Top scope")
    told = [top["$s"], *front.inside(top["$h"]).values(), front.body("evaluate", expression="$s", frameId=1)]
    assert "hunter2" not in str(told)
    front.body("continue", threadId=1)
    front.quiet()


def test_without_the_button_a_person_is_asked_in_the_notebook(client: BlockingKernelClient) -> None:
    answers = iter(["$a + 1", "next", "continue"])

    def answer(message: dict[str, Any]) -> None:
        assert message["content"]["prompt"] == "(debug) "
        client.input(next(answers))

    texts = []

    def note(message: dict[str, Any]) -> None:
        texts.append(message["content"].get("text", ""))

    source = "%debug $a = [1, 2]\n$b = 2"
    reply = client.execute_interactive(
        source, allow_stdin=True, stdin_hook=answer, output_hook=note, timeout=TIMEOUT
    )
    assert reply["content"]["status"] == "ok"
    assert next(answers, None) is None
    assert "stopped at the beginning" in "".join(texts) and "help lists all" in "".join(texts)
    reply = client.execute_interactive("%debug 1", allow_stdin=False, output_hook=note, timeout=TIMEOUT)
    assert "There is no user here" in reply["content"]["evalue"]


def test_a_breakpoint_with_a_message_tells_it_and_goes_on(front: Front) -> None:
    source = "[1, 2, 3].each |$n| {\n  $m = $n * 2\n  notice($m)\n}"
    front.stop_at(source, 3, condition="$n != 2", logMessage="n is {$n}, twice {m}\x1b")
    front.client.execute(source)
    told = [front.event("output", "stopped") for _ in range(2)]
    assert [one["event"] for one in told] == ["output", "output"]
    assert [one["body"]["output"] for one in told] == ["n is 1, twice 2\\e\n", "n is 3, twice 6\\e\n"]
    assert [one["body"]["line"] for one in told] == [3, 3]
    path = front.body("dumpCell", code=source)["sourcePath"]
    assert told[0]["body"]["category"] == "console" and told[0]["body"]["source"]["path"] == path
    front.quiet()


SECRETS = """$part = 'hush-'
$secret = Sensitive("${part}${4700 + 11}")
type Box = Object[{ attributes => { inner => Any } }]
$all = { 'k' => [$secret], $secret => Box($secret), 'text' => "${secret}" }
class hidden($password) { notify { 'inner': message => $password } }
class { 'hidden': password => $secret }
notice($all)
Integer($all)"""


def test_no_secret_is_told(front: Front) -> None:
    told: list[str] = []

    def ask(command: str, **arguments: Any) -> Any:
        reply = front.ask(command, **arguments)
        told.append(str(reply))
        return reply["body"]

    front.stop_at(SECRETS, 7, logMessage="")
    front.body("setExceptionBreakpoints", filters=["error"])
    front.client.execute(SECRETS)
    told.append(str(front.event("stopped")))
    frame = front.top()["id"]
    pending = [one["variablesReference"] for one in ask("scopes", frameId=frame)["scopes"][:-1]]
    for reference in pending:
        found = ask("variables", variablesReference=reference)["variables"]
        pending += [one["variablesReference"] for one in found if one["variablesReference"]]
    for code in (
        "$all",
        '"${all}"',
        "notice($all)",
        "fail($all)",
        "$secret + 1",
        "Integer[$secret]",
        "[$secret]",
    ):
        ask("evaluate", expression=code, frameId=frame)
    for name in ("secret", "all"):
        ask("richInspectVariables", variableName=name, frameId=frame)
        ask("copyToGlobals", srcVariableName=name, dstVariableName=f"{name}2", srcFrameId=frame)
    ask("setVariable", variablesReference=pending[0], name="$secret", value="1")
    front.body("continue", threadId=1)
    told.append(str(front.event("stopped")))
    ask("exceptionInfo", threadId=1)
    front.body("continue", threadId=1)
    front.quiet()
    ask("inspectVariables")
    assert len(told) > 20 and "redacted" in str(told)
    assert "hush-4711" not in str(told) + str(front.texts)


def test_keys_are_shown_within_bounds(front: Front) -> None:
    source = "$h = { String('x', '%5000s') => [1] }\n"
    source += "$k = Integer[1, 60].reduce({}) |$m, $i| { { $m => $m } }\nnotice(1)"
    front.stop_at(source, 3)
    front.client.execute(source)
    front.event("stopped")
    variables = front.shown(front.top(), "Top scope")
    for name in ("$h", "$k"):
        (inner,) = front.inside(variables[name]).values()
        assert len(inner["name"]) <= 300 and inner["name"].endswith("…") and inner["evaluateName"] == ""
    front.body("continue", threadId=1)
    front.quiet()


def send_control(client: BlockingKernelClient, kind: str, **content: Any) -> str:
    """Sends a request on the control channel and returns its identity."""
    message = client.session.msg(kind, content)
    client.control_channel.send(message)
    return str(message["header"]["msg_id"])


def collect_replies(client: BlockingKernelClient, *wanted: str) -> dict[str, Any]:
    """Return the contents of the replies to control requests, in the order in which they come."""
    found: dict[str, Any] = {}
    while not found.keys() >= set(wanted):
        reply = client.get_control_msg(timeout=TIMEOUT)
        found[reply["parent_header"]["msg_id"]] = reply["content"]
    return found


def send_endless_expression(front: Front) -> str:
    """Stops a program and evaluates an expression that does not end."""
    front.stop_at(SOURCE, 2)
    front.client.execute(SOURCE)
    front.event("stopped")
    endless = {"expression": "Integer[1, 999999999999].each |$i| { $i }", "frameId": front.top()["id"]}
    return send_control(
        front.client, "debug_request", type="request", seq=900, command="evaluate", arguments=endless
    )


def test_the_control_channel_answers_while_an_expression_is_evaluated(
    front: Front, client: BlockingKernelClient
) -> None:
    evaluate = send_endless_expression(front)
    more = {"type": "request", "arguments": {"threadId": 1}}
    stack = send_control(client, "debug_request", seq=901, command="stackTrace", **more)
    info = send_control(client, "kernel_info_request")
    replies = collect_replies(client, stack, info)
    assert replies.keys() == {info, stack} and replies[info]["status"] == "ok"
    assert replies[stack]["message"] == "Another expression is being evaluated; an interrupt stops it"
    interrupt = send_control(client, "interrupt_request")
    replies = collect_replies(client, evaluate, interrupt)
    assert replies[interrupt]["status"] == "ok" and replies[evaluate]["message"] == "Interrupted"
    front.quiet()
    # the interrupted cell; replies of other tests precede
    while client.get_shell_msg(timeout=TIMEOUT)["content"]["status"] != "error":
        pass


def test_a_kernel_shuts_down_while_an_expression_is_evaluated(tmp_path: Path) -> None:
    kernel, client = start(state=tmp_path)
    front = Front(client)
    front.start()
    send_endless_expression(front)
    shutdown = send_control(client, "shutdown_request", restart=False)
    assert collect_replies(client, shutdown)[shutdown]["status"] == "ok"
    deadline = time.monotonic() + TIMEOUT
    while kernel.is_alive() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not kernel.is_alive()
    client.stop_channels()
    kernel.cleanup_resources()


def test_the_control_channel_answers_while_a_long_cell_is_parsed(
    front: Front, client: BlockingKernelClient
) -> None:
    code = "\n".join(f"$a{number} = {number} + 1" for number in range(20_000))
    path = front.body("dumpCell", code=code)["sourcePath"]
    arguments = {"source": {"path": path}, "breakpoints": [{"line": 3}]}
    request = {"type": "request", "command": "setBreakpoints", "arguments": arguments}
    points = send_control(client, "debug_request", seq=900, **request)
    later = send_control(client, "debug_request", seq=901, type="request", command="debugInfo")
    info = send_control(client, "kernel_info_request")
    replies = collect_replies(client, points, later, info)
    assert [*replies] == [info, points, later]
    assert replies[points]["body"]["breakpoints"][0]["verified"]
    assert {"source": path, "breakpoints": [{"line": 3}]} in replies[later]["body"]["breakpoints"]


def test_texts_of_a_debugger_are_read_in_time_of_their_length(front: Front) -> None:
    front.stop_at(SOURCE, 2, logMessage="{" * 300_000 + "$x} {$x}")
    assert front.stop_at(SOURCE, 2)[0]["verified"]
    front.client.execute(SOURCE)
    front.event("stopped")
    reply = front.ask("evaluate", expression="fail(String('x', '%30000000s'))", frameId=front.top()["id"])
    assert len(front.ask("evaluate", expression="1")["body"]["result"]) == 1
    assert len(str(reply)) < 20_000
    front.body("continue", threadId=1)
    front.quiet()
