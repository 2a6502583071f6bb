"""The part of debugging that all front ends share: breakpoints, and a dialog at each stop."""
