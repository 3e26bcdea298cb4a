"""Identifiers for articles that come from several suppliers."""

import uuid


def article_id(supplier: str, number: str) -> str:
    """Return the identifier of an article: the UUID, version 5, of "supplier/number" in the name space of URLs.

    Neither case nor spaces around the number matter.

    >>> article_id("shop", "pen")
    '66dd07e6-d16c-5075-b850-e670b8bc707d'
    >>> article_id("Shop", " INK ")
    '9225e0ec-cee0-5c34-b5f1-9427debd12c9'
    >>> article_id("shop", "  ")
    '10cb7266-6cb2-5cc5-b007-d736b90dabd1'
    """
    name = f"{supplier}/{number.strip()}".lower()
    return str(uuid.uuid5(uuid.NAMESPACE_URL, name))
