"""Python programs, verified against their documentation."""
