"""Values as text after a format: `sprintf`, `String.new`, program form."""
