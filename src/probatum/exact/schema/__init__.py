"""JSON Schema: two readings of a schema that have to agree on a document."""
