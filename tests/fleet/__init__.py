"""One program for many nodes."""
