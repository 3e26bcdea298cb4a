"""Structured output, judged by contracts."""
