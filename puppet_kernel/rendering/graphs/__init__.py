"""Pictures of resource graphs: selection, layout, and output for each medium."""
