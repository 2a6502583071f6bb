"""Ruby's regular expressions (Onigmo): their syntax tree, the parser, and the errors in Ruby's words."""
