"""What is claimed of a change, and whether the evidence supports it."""
