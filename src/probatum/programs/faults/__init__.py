"""Planted faults: which wrong programs a set of checks should be able to tell from the one under test.

Refuses to plant a fault where the text does not say what stands there.
"""
