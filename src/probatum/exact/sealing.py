"""Certificates that no digit can be changed of: a digest of their other members stands in them.

Refuses a certificate with another digest. What it says is still checked: a digest proves nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

from probatum.core.canonical import canonical_bytes
from probatum.core.digest import digest_of
from probatum.core.frozen import thaw
from probatum.core.shape import Shape


def sealed(certificate: Mapping[str, object]) -> dict[str, object]:
    """Return a certificate with its digest."""
    return {**certificate, "digest": digest_of(canonical_bytes(thaw(certificate)))}


def unsealed(certificate: Mapping[str, object]) -> Shape:
    """Return a certificate without its digest; raises ValueError where that is another one."""
    rest = {key: value for key, value in certificate.items() if key != "digest"}
    try:
        digest = digest_of(canonical_bytes(thaw(rest)))
    except RecursionError as error:
        raise ValueError("the certificate is nested too deep") from error
    if Shape(certificate, "certificate").text("digest") != digest:
        raise ValueError("the certificate has another digest")
    return Shape(rest, "certificate")
