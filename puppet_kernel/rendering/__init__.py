"""From results and errors to text, ANSI and HTML: one description, every medium."""
