"""The compiler: Puppet's syntax tree to Python code, with Puppet's positions in it.

    CompilationUnit → CodeEmitter → ast.FunctionDef → compile() → Python function
      (one source)    (one function)                              a traceback in it shows Puppet lines

Each module registers with `@emits` what kinds of nodes become: `literals` (with constant folding),
`expressions`, `control`, `calls`, `functions`, `resources`, `definitions`. `support` and `runtime_checks` are
what the code calls.

Words:
    unit: A source in a program, with the globals of its code.
    frame: A Python function in the making; it knows which variables are Python locals.
    assumption: A property of the program on which code depends; code is reused while its assumptions hold.
    template: The code of statements that differ in constants only (`templates`).
    outlining: Splitting functions that are nested deeper than CPython compiles (`outlining`).

Code that runs once: a manifest that was never seen takes 4.3 times less CPU than in the released Puppet 7.23 with
10 lines, 2.8 times with 300, and 2.0 times with 1,000. With 100 lines and more, building Python's syntax tree is
35 to 42 % of it, Python's own `compile` 22 to 25 %, lexer and parser 15 %, validation 3 %, and the evaluation with
the session the rest. So an interpreter of the tree, a second backend, could at most make it 2.5 times faster,
if walking the tree cost nothing.
"""

from evaluator.compiler import calls, control, expressions, functions, literals, resources

__all__ = ["calls", "control", "expressions", "functions", "literals", "resources"]
