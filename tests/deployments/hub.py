"""The kernels of many learners on one machine: `python -m tests.deployments.hub [LEARNERS [PYTHON]]`, by default 20.

Needs `pip install jupyterhub jupyterlab` in the environment of PYTHON (by default this one), and on the PATH
`configurable-http-proxy` (of npm); this script itself needs the test extra and psutil.
"""

from __future__ import annotations

import secrets
import sys
import time
from pathlib import Path

from tests.deployments.served import TIMEOUT, asked, folder, report, serving, shown

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
    with folder() as name:
        place = Path(name)
        told = {"python": python, "port": PORT, "hub_port": HUB_PORT, "token": token, "timeout": TIMEOUT}
        (place / "hub.py").write_text(CONFIGURATION.format(**told, kernels=str(place / "share" / "jupyter")))
        with serving([python, "-m", "jupyterhub", "--config", "hub.py"], place) as server:
            names = [f"learner{number}" for number in range(int(learners))]
            asked(f"{base}/hub/api/users", token, "POST", {"usernames": names})
            for learner in names:
                asked(f"{base}/hub/api/users/{learner}/server", token, "POST", {})
            for number, learner in enumerate(names):
                _wait(f"{base}/hub/api/users/{learner}", token)
                own = f"{base}/user/{learner}"
                kernel = asked(f"{own}/api/kernels", token, "POST", {"name": "puppet"})["id"]
                found = shown(own, kernel, f"$mine = {number}\n$mine * 2", token)
                assert found == str(number * 2), found
            report(server)


def _wait(url: str, token: str) -> None:
    """Waits until the server of a learner is ready."""
    end = time.monotonic() + TIMEOUT
    while not asked(url, token)["servers"].get("", {}).get("ready"):
        assert time.monotonic() < end, url
        time.sleep(0.5)


if __name__ == "__main__":
    main(*sys.argv[1:])
