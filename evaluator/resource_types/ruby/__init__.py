"""A reader of resource types in Ruby source: it reads declarations and runs nothing."""

from evaluator.resource_types.ruby.types import read

__all__ = ["read"]
