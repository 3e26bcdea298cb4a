"""Statements of mathematics with names: identities, inequalities, calculus and equations over declared domains."""
