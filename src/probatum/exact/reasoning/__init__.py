"""Derivations in prose: each arithmetic step is derived again."""
