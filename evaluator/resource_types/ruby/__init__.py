"""The records of resource types from their Ruby sources, which are read, never run."""

from evaluator.resource_types.ruby.types import TypeReader, read

__all__ = ["TypeReader", "read"]
