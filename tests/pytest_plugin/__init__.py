"""Tests of the pytest plugin, each with a real pytest in a process of its own."""
