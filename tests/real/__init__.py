"""Real modules, compiled here and by the released Puppet: `python -m tests.real` compares them."""
