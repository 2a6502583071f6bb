"""A reader of resource types in Ruby source, which it interprets without running Ruby."""

from evaluator.resource_types.ruby.types import TypeReader, read

__all__ = ["TypeReader", "read"]
