"""Quantities: units with exact definitions, scales of temperature, and names that stand for several units."""
