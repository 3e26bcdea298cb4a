"""What differs between two versions by syntax, and how a part of it is undone."""
