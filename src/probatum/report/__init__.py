"""Reports: pure functions from core values to text. Nothing here decides or reads a file."""
