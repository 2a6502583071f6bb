"""The session: a program that grows cell by cell."""
