"""Addresses for articles."""

import unicodedata


def slugify(title: str, limit: int = 60) -> str:
    """Turn a title into the part of an address that names the article.

    Letters become small, accents go, everything else becomes one hyphen.
    A slug that is too long is cut at a hyphen where there is one.

    slugify("Hello, World!") -> "hello-world"
    slugify("Crème  brûlée") -> "creme-brulee"
    slugify("--- 2024 ---") -> "2024"
    slugify("") -> ""
    slugify("one two three", 9) -> "one-two"
    slugify("one two three", 7) -> "one-two"
    slugify("abcdefgh", 5) -> "abcde"
    """
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode("ascii")
    words = "".join(sign if sign.isalnum() else " " for sign in plain.lower()).split()
    slug = "-".join(words)
    if len(slug) <= limit:
        return slug
    cut = slug[:limit].rfind("-")
    return slug[:cut] if cut > 0 else slug[:limit]
