"""Whether what changed still does what its documentation shows."""
