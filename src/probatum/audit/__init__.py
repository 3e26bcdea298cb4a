"""Evidence into a checkable reasoning trace: what a bundle establishes, and whether it agrees."""
