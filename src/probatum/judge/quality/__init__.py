"""How good an output is."""
