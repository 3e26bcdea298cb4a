"""Labelled sets through the public path, and the tables they give. Nothing here reaches past `probatum.app`."""
