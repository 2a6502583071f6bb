"""The kernels of many learners on one machine: `python -m tests.deployments.hub [LEARNERS [PYTHON]]`, by default 20.

Needs `pip install jupyterhub jupyterlab` in the environment of PYTHON (by default this one), and
`configurable-http-proxy` (of npm) on the PATH; this script itself needs the test extra and psutil.
"""

from __future__ import annotations

import secrets
import sys
import time
from pathlib import Path

from tests.deployments.servers import TIMEOUT, make_folder, print_memory, request_json, run_cell, run_server

PORT, HUB_PORT = 18890, 18891
CONFIGURATION = """
c.JupyterHub.bind_url = "http://127.0.0.1:{port}"
c.JupyterHub.hub_port = {hub_port}
c.JupyterHub.authenticator_class = "dummy"
c.Authenticator.allow_all = True
c.JupyterHub.spawner_class = "simple"
c.Spawner.start_timeout = c.Spawner.http_timeout = {timeout}
c.Spawner.cmd = [{python!r}, "-m", "jupyterhub.singleuser"]
c.Spawner.args = ["--allow-root"]
c.Spawner.environment = {{"JUPYTER_PATH": {kernels!r}}}
c.JupyterHub.concurrent_spawn_limit = 4
c.JupyterHub.services = [{{"name": "script", "api_token": "{token}"}}]
c.JupyterHub.load_roles = [
    {{
        "name": "script",
        "services": ["script"],
        "scopes": ["admin:users", "admin:servers", "access:servers"],
    }}
]
"""


def main(learners: str = "20", python: str = sys.executable) -> None:
    """Start a hub and a server with a kernel for each learner, run a cell in each, and print their memory."""
    token, base = secrets.token_hex(16), f"http://127.0.0.1:{PORT}"
    with make_folder() as name:
        folder = Path(name)
        settings = {"python": python, "port": PORT, "hub_port": HUB_PORT, "token": token, "timeout": TIMEOUT}
        (folder / "hub.py").write_text(
            CONFIGURATION.format(**settings, kernels=str(folder / "share" / "jupyter"))
        )
        with run_server([python, "-m", "jupyterhub", "--config", "hub.py"], folder) as server:
            names = [f"learner{number}" for number in range(int(learners))]
            request_json(f"{base}/hub/api/users", token, "POST", {"usernames": names})
            for learner in names:
                request_json(f"{base}/hub/api/users/{learner}/server", token, "POST", {})
            for number, learner in enumerate(names):
                _wait_until_ready(f"{base}/hub/api/users/{learner}", token)
                own = f"{base}/user/{learner}"
                kernel = request_json(f"{own}/api/kernels", token, "POST", {"name": "puppet"})["id"]
                output = run_cell(own, kernel, f"$mine = {number}\n$mine * 2", token)
                assert output == str(number * 2), output
            print_memory(server)


def _wait_until_ready(url: str, token: str) -> None:
    """Wait until the server of a learner is ready."""
    end = time.monotonic() + TIMEOUT
    while not request_json(url, token)["servers"].get("", {}).get("ready"):
        assert time.monotonic() < end, url
        time.sleep(0.5)


if __name__ == "__main__":
    main(*sys.argv[1:])
