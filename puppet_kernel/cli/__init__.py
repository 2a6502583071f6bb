"""The command line of `puppet-repl`: its options, and a module for each mode."""
