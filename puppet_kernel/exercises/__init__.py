"""Exercises in notebooks that check themselves.

exercise  what an exercise is, and how its check cell carries it;  checks  what may be asked of an answer
progress  what a learner has tried;  verdict  judges an answer;  feedback  how the verdict is told
`python -m puppet_kernel.exercises` writes the exercises of a folder's YAML files into its notebooks.
"""
