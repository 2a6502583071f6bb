"""Regular expressions: Ruby's syntax, translated for the package `regex`."""
