"""The rules of static validation by family; `lexer_parser.validation.validator` walks the tree and calls them.

Each module has a table VISITS: node class -> function(walk, node) that reports what is wrong with the node
and pushes its children, last one first. A class in no table is a leaf without rules.
"""
