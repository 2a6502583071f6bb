"""Speed, measured as ratios to the released Puppet in one run: `python -m tests.benchmarks`."""
