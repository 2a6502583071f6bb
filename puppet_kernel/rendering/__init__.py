"""Views of results and errors: one description for text, ANSI, HTML and SVG."""
