"""The running program: the meaning of names, definitions, and loading from modules."""
