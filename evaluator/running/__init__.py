"""A program that runs: what its names mean, and what is loaded and registered for it."""
