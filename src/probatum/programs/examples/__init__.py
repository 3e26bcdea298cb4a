"""Examples that documents and given tests show, in every notation that people write: calls and their values."""
