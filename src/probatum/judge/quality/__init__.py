"""Quality: what linters say about code, and how hard prose is to read."""
