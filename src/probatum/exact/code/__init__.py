"""Python code: a few properties of a small subset, and whether code may be run at all."""
