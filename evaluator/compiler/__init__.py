"""The compiler: Puppet's syntax tree to Python code, with Puppet's positions in it.

    CompilationUnit → CodeEmitter → ast.FunctionDef → compile() → Python function
      (one source)    (one function)                              a traceback in it shows Puppet lines

Each module registers with `@emits` what kinds of nodes become: `literals` (with constant folding),
`expressions`, `control`, `calls`, `functions`, `resources`, `definitions`. `support` and `runtime_checks` are
what the code calls.

Words:
    unit: A source in a program, with the globals of its code.
    frame: A Python function in the making; it knows which variables are Python locals.
    assumption: A fact about the program on which code depends; code is reused while its assumptions hold.
    template: The code of statements that differ in constants only (`templates`).
    outlining: Splitting functions that are nested deeper than CPython compiles (`outlining`).
"""

from evaluator.compiler import calls, control, expressions, functions, literals, resources

__all__ = ["calls", "control", "expressions", "functions", "literals", "resources"]
