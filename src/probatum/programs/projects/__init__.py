"""Which module of a project a file is, and what of the project it needs: sources and data, by reading alone.

Refuses to import anything.
"""
