"""Help while typing: completion, inspection, and the words about the language."""
