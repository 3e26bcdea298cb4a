"""Where a reading's words are in the documentation, and whether they are still there as they were.

A reading quotes verbatim up to white space. What it quotes from and the signature are noted as digests when it is
added; where either says something else now, it has lapsed. Refuses to find words that only look alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from probatum.core.digest import digest_of
from probatum.readings.coverage import Quote, covered
from probatum.readings.documented import Documentation, Documents, Quotable
from probatum.readings.values import Reading, ReadingRecord, Standing, is_part


@dataclass(frozen=True, slots=True)
class Lapse:
    """Why a reading no longer counts, with both texts."""

    id: str
    reason: str
    then: str
    """The words that it quotes."""
    now: str
    """The statement that is there now, or the nearest; empty where there is none."""
    function: str = ""

    def is_about(self, name: str) -> bool:
        """Tell whether the reading is about what has this name, or about a member of that."""
        return is_part(self.function, name)

    @property
    def sentence(self) -> str:
        """It in one sentence."""
        return f"the reading {self.id} of {self.then!r} has lapsed: {self.reason}; now: {self.now or '(nothing)'}"


def collapsed(text: str) -> str:
    """Return a text with single spaces."""
    return " ".join(text.split())


def places(quotes: Sequence[str], documented: Documentation | None) -> tuple[tuple[Quotable, ...] | None, ...]:
    """Return for each quote the statements that it lies in; None where it is nowhere.

    Words that are documented and not a statement, such as a type or a signature, lie in none.
    """
    if documented is None:
        return (None,) * len(quotes)
    # Each is looked for by itself, so that what was noted does not depend on the others.
    quoted = [Quote(str(index), text, reader=str(index)) for index, text in enumerate(quotes)]
    found = covered(documented.passages, quoted, documented.elsewhere)
    lying: dict[str, tuple[Quotable, ...]] = {}
    for passage in documented.passages:
        for id_ in dict.fromkeys(found.touched.get(passage.id, ())):
            lying[id_] = (*lying.get(id_, ()), passage)
    return tuple(None if each.id in found.missing else lying.get(each.id, ()) for each in quoted)


def noted(record: ReadingRecord, documented: Documentation) -> ReadingRecord:
    """Return a record with the digests of what its readings quote from and of the signature, as they are now."""
    lying = places([each.statement for each in record.readings], documented)
    pairs = zip(record.readings, lying, strict=True)
    readings = tuple(replace(reading, digest=_digest(reading, quoted or ())) for reading, quoted in pairs)
    return replace(record, readings=readings, signature=documented.digest)


def lapses(record: ReadingRecord, documented: Documentation | None) -> tuple[Lapse, ...]:
    """Return the readings of a record that lapsed, each with its reason; rejected ones cannot.

    ``documented`` is what the record is about, as it is now. What nobody noted is not compared.
    """
    texts = [each.text for each in documented.passages] if documented is not None else []
    lying = places([each.statement for each in record.readings], documented)
    found = []
    for reading, quoted in zip(record.readings, lying, strict=True):
        if documented is None:
            reason, now = "its function is not defined any more", ""
        elif quoted is None:
            reason, now = "its words are not in the documentation any more", _nearest(reading.statement, texts)
        elif reading.digest and reading.digest != _digest(reading, quoted):
            reason, now = "the statement around its words has changed", " ".join(each.text for each in quoted)
        elif record.signature and record.signature != documented.digest:
            reason, now = "the signature has changed", documented.signature
        else:
            continue
        if reading.standing is not Standing.REJECTED:
            found.append(Lapse(record.id_of(reading), reason, collapsed(reading.statement), now, record.function))
    return tuple(found)


def current(
    records: Iterable[ReadingRecord], documents: Documents
) -> tuple[tuple[ReadingRecord, ...], tuple[Lapse, ...]]:
    """Return the records without the readings that lapsed, and those."""
    found: list[ReadingRecord] = []
    gone: list[Lapse] = []
    for record in records:
        lapsed = lapses(record, documents.about(record.function))
        old = {each.id for each in lapsed}
        kept = tuple(each for each in record.readings if record.id_of(each) not in old)
        found.append(replace(record, readings=kept) if old else record)
        gone += lapsed
    return tuple(record for record in found if record.readings), tuple(gone)


def _digest(reading: Reading, quoted: Sequence[Quotable]) -> str:
    # Words that are not a statement, such as a type, are compared by themselves.
    # What is there twice, as in a contract that repeats the docstring, is the same statement.
    text = "\n".join(dict.fromkeys(collapsed(each.text) for each in quoted)) or collapsed(reading.statement)
    return digest_of(text.encode("utf-8", "surrogatepass"))


def _nearest(words: str, texts: Sequence[str]) -> str:
    """Return the text that shares most words with a quote, empty where none shares half of them."""
    wanted = set(words.split())
    shares = {text: len(wanted & set(text.split())) for text in texts}
    nearest = max(texts, key=lambda text: shares[text], default="")
    return nearest if texts and shares[nearest] * 2 >= len(wanted) else ""
