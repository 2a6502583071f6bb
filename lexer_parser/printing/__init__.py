"""Printing a tree as Puppet source; `lexer_parser.printer` is the entrance."""
