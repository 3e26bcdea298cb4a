"""Matrices: eigenvalues, ranks, inverses, systems, properties, and relations between expressions of matrices."""
