"""The lexer, the parser and the printer with random inputs.

The inputs are sentences of the grammar and mutations of real programs.
`python -m tests.fuzzing --count N --seed S` runs a campaign; the tests run a small one with a fixed seed.
`python -m tests.fuzzing.programs` runs random inputs of a user: programs, displays, commands, and queries such as `?x`.
"""
