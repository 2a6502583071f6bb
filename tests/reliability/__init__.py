"""Tests of limits, interrupts, hostile programs, and the traps of CPython."""
