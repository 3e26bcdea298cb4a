"""Bytes as base64 text in its one standard spelling, so that no two texts stand for the same bytes.

Source: RFC 4648, section 4, and section 5 without padding for the alphabet of URLs. Refuses white space, the padding
of the other spelling, signs of the other alphabet, and bits that nobody reads.
"""

from __future__ import annotations

import base64


def encoded(content: bytes) -> str:
    """Return the text of some bytes."""
    return base64.b64encode(content).decode("ascii")


def decoded(text: object) -> bytes:
    """Return the bytes of a text; raises ValueError for anything but what `encoded` writes."""
    if type(text) is not str:
        raise ValueError("expected standard base64")
    try:
        content = base64.b64decode(text, validate=True)
    except ValueError:
        raise ValueError("expected standard base64") from None
    # The last sign may carry bits that no byte is made of; only one spelling has them all 0.
    if encoded(content) != text:
        raise ValueError("expected base64 in its one standard spelling")
    return content


def url_encoded(content: bytes) -> str:
    """Return the text of some bytes in the alphabet of URLs, without padding, as tokens have it."""
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode("ascii")


def url_decoded(text: str) -> bytes:
    """Return the bytes of a text; raises ValueError for any other spelling than that of `url_encoded`."""
    try:
        content = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except ValueError:
        raise ValueError("expected base64url without padding") from None
    if url_encoded(content) != text:
        raise ValueError("expected base64url in its one spelling")
    return content
