"""The evaluator on Pyodide: Python in WebAssembly, as browsers run it."""
