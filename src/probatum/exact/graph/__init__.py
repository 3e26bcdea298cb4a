"""Graphs: facts as edges, paths, distances and reachability."""
