"""Evidence about an event, audited against a question."""
