"""Ruby code of modules: functions and ERB templates, run by an installed Ruby.

It needs a permission, since such code can do everything that a program can. A companion process runs it, with the code
in `scripts/`; while it handles a request, it calls back for variables, functions and resources. `companion` has the
protocol, `callbacks` the handlers of callbacks.
"""
