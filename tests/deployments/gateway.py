"""One kernel through Jupyter Enterprise Gateway: `python -m tests.deployments.gateway`.

Needs `pip install "jupyter_enterprise_gateway>=3"` in this environment, or in another one whose Python is the
argument; this script itself needs the test extra and psutil.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.deployments.servers import make_folder, print_memory, request_json, run_cell, run_server

PORT = 18889
USER = {"KERNEL_USERNAME": "learner"}  # A gateway starts no kernel for root.


def main(python: str = sys.executable) -> None:
    """Start a gateway and a kernel behind it, run a cell, and print the memory of the kernel."""
    base = f"http://127.0.0.1:{PORT}"
    command = [python, "-m", "enterprise_gateway", f"--port={PORT}", "--ip=127.0.0.1", "--port_retries=0"]
    with make_folder() as folder, run_server(command, Path(folder)) as server:
        assert "puppet" in request_json(f"{base}/api/kernelspecs")["kernelspecs"]
        body = {"name": "puppet", "env": USER}
        kernel = request_json(f"{base}/api/kernels", method="POST", body=body)["id"]
        output = run_cell(base, kernel, "[1, 2].map |$n| { $n * 21 }")
        assert output == "[21, 42]", output
        print_memory(server)
        request_json(f"{base}/api/kernels/{kernel}", method="DELETE")


if __name__ == "__main__":
    main(*sys.argv[1:])
