"""The messages of evaluation: one row per issue."""
