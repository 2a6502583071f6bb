"""The kernel in a browser: its worker, and in `static` the extension for JupyterLite."""
