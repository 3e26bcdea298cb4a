"""Surveying of building plots."""
