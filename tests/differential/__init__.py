"""The language against the released Puppet, on programs made at random."""
