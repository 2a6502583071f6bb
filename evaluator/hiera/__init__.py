"""The Hiera data lookup: values found by name, in layers of hierarchies of levels.

- `lookup` computes the value of a name from all layers, and `merging` combines the values of several levels.
- `configuration` reads a `hiera.yaml` of any version; `layers` queries its levels.
- `providers` has the functions that levels name (YAML, JSON, HOCON, and YAML with encrypted values), the context that
  such functions receive, and the caches of data.
- `interpolation` replaces `%{…}` in data and follows dotted names.
- `functions` has `lookup` and the older functions of the language.
"""

from evaluator.hiera.lookup import find, find_parameters

__all__ = ["find", "find_parameters"]
