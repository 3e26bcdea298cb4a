"""Making a verdict checkable by a stranger: the artifact, the stores that keep it, and the numbered re-check."""
