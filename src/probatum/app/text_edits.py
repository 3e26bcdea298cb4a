"""A block of lines between two marks at the end of a text that somebody else keeps.

What is added is taken out again exactly: every other byte stays. Refuses, as `EditError`, marks that are no pair.
"""

from __future__ import annotations

from dataclasses import dataclass


class EditError(ValueError):
    """The text cannot be edited so that the edit could be taken back; the message says why, as in 'it has ...'."""


@dataclass(frozen=True, slots=True)
class MarkedBlock:
    """Lines between two marks, and what a file of their own has before them."""

    begin: str
    lines: str
    end: str
    head: str = ""

    @property
    def text(self) -> str:
        """The lines with their marks."""
        return f"{self.begin}\n{self.lines}\n{self.end}"


def line_end_of(text: str) -> str:
    """Return what ends the lines of a text."""
    return "\r\n" if "\r\n" in text else "\n"


def with_block(text: str, block: MarkedBlock) -> str:
    """Return the text with the block in the place of an older one, else at the end; a last line break stays last."""
    end = line_end_of(text)
    body = block.text.replace("\n", end)
    if place := _place(text, block):
        return text[: place[0]] + body + text[place[1] :]
    changed = text + end + body + end if text.endswith("\n") else text + end + end + body
    if without_block(changed, block) != text:
        raise EditError("the lines could not be taken out again exactly")
    return changed


def without_block(text: str, block: MarkedBlock) -> str | None:
    """Return the text before the block was added; None where the block is all that the file was made for."""
    place = _place(text, block)
    if place is None:
        return text
    before, after, end = text[: place[0]], text[place[1] :], line_end_of(text)
    if (before + after).rstrip() == block.head.rstrip() and before == block.head and after in {"", end}:
        return None
    if not after:
        return before.removesuffix(end).removesuffix(end)
    return before.removesuffix(end) + after.removeprefix(end)


def _place(text: str, block: MarkedBlock) -> tuple[int, int] | None:
    counts = text.count(block.begin), text.count(block.end)
    if counts == (0, 0):
        return None
    start, stop = text.find(block.begin), text.find(block.end)
    if counts != (1, 1) or stop < start:
        raise EditError(f"its marks {block.begin!r} and {block.end!r} are not one pair")
    return start, stop + len(block.end)
