"""Printing a tree as Puppet source; `lexer_parser.printing.printer` is the entrance."""
