"""Each release answers as its dialect."""
