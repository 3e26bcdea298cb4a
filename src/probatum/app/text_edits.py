"""A block of lines at the end of a text that somebody else keeps; its first and its last line are marks.

What is added is taken out again exactly: every other byte stays. Refuses, as `EditError`, marks that are no pair.
"""

from __future__ import annotations


class EditError(ValueError):
    """The text cannot be edited so that the edit could be taken back; the message says why, as in 'it has ...'."""


def line_end_of(text: str) -> str:
    """Return what ends the lines of a text."""
    return "\r\n" if "\r\n" in text else "\n"


def with_block(text: str | None, block: str) -> str:
    """Return the text with the block in the place of an older one, else at the end; without a text, a new one."""
    if text is None:
        return block + "\n"
    end = line_end_of(text)
    body = block.replace("\n", end)
    if parts := _around(text, block):
        return parts[0] + body + parts[1]
    # A last line break stays last: so it is known later whether there was one.
    changed = text + end + body + end if text.endswith("\n") else text + end + end + body
    if without_block(changed, block) != text:
        raise EditError("the lines could not be taken out again exactly")
    return changed


def without_block(text: str, block: str) -> str | None:
    """Return the text before the block was added; None where the block is all that there is."""
    parts = _around(text, block)
    if parts is None:
        return text
    (before, after), end = parts, line_end_of(text)
    if not after:
        return before.removesuffix(end).removesuffix(end) if before else None
    return before.removesuffix(end) + after.removeprefix(end) if before or after != end else None


def _around(text: str, block: str) -> tuple[str, str] | None:
    begin, *_, end = block.split("\n")
    if begin not in text and end not in text:
        return None
    before, _, rest = text.partition(begin)
    if not text.count(begin) == text.count(end) == rest.count(end) == 1:
        raise EditError(f"its marks {begin!r} and {end!r} are not one pair")
    return before, rest.partition(end)[2]
