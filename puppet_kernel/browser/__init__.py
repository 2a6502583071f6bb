"""The kernel in a browser: what runs in its worker, and, in `static`, what JupyterLite loads."""
