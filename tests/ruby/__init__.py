"""Ruby code of modules, run by a companion process."""
