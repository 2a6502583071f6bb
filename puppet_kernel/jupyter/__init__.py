"""The Jupyter kernel: a Shell on the one side, Jupyter's messages on the other."""
