"""Scripts that run the kernel on servers for several users: `python -m tests.deployments.hub` and `.gateway`."""
