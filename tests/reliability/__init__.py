"""What must hold whatever a program does: limits, interrupts, hostile programs, the traps of CPython."""
