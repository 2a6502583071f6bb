"""The syntax tree and what its nodes are called."""
