"""Benchmarks as ratios to the released Puppet: `python -m tests.benchmarks`."""
