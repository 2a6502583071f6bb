"""A reader of resource types in Ruby source, which is interpreted as far as possible and never run."""

from evaluator.resource_types.ruby.types import TypeReader, read

__all__ = ["TypeReader", "read"]
