"""Random programs have the same results in the released Puppet."""
