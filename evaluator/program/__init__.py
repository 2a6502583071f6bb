"""What a program has while it runs: scopes, state, definitions, what can be called, places in its code."""
