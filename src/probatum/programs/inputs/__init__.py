"""Shapes of values and calls generated from them, that look like those which are documented.

Refuses chance: every choice comes from a seed.
"""
