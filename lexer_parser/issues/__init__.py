"""The messages of the front end: one row per issue, and what to do about it."""
