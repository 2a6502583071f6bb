"""The evaluator and the kernel on Pyodide: Python in WebAssembly, as browsers run it."""
