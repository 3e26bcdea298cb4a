"""What an output claims, and what trusted sources say of it."""
