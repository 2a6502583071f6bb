"""Pictures of resource graphs: what is shown, where it stands, and how it is written for each medium."""
