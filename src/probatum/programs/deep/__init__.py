"""Deep verification in Python, under the names of its requirement document: types, components, and what ties them."""
