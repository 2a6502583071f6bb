"""The front end on inputs made at random: sentences of the grammar, and mutations of real programs.

`python -m tests.fuzzing --count N --seed S` runs a campaign; the tests run a small one with a fixed seed.
`python -m tests.fuzzing.programs` does so with what a person may give: programs, displays, commands, questions.
"""
