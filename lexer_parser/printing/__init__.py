"""Printing a tree as Puppet source; `lexer_parser.printing.formatter` is the entrance."""
