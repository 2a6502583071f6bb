"""Scripts that run the kernel where it is served to others: `python -m tests.deployments.hub` and `.gateway`."""
