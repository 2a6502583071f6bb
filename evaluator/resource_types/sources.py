"""Resource types as modules bring them: in Ruby, or in the form that `puppet generate types` gives them."""

from evaluator.resource_types.generated import record as generated
from evaluator.resource_types.ruby import read

__all__ = ["generated", "read"]
