"""Reports: pure functions from core values to text. Nothing here decides, reads a file or knows how a verdict came about."""
