"""The layers of facts and of hallucination: how every claim of an output comes out beside the sources.

Decided is a scalar of JSON, or a cell of a table, whose path a structured source has too: equal values support it,
different ones contradict it. A claim is supported, too, where readings that count speak for its every word. A value, a
quotation or an address that is in no source is a warning with the nearest one; everything else is open. The layer of
facts asks the trusted sources alone, the layer of hallucination the context as well; where both are asked for, an issue
is reported once, by the layer of hallucination. Refuses to compare words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from probatum.core.finding import Finding, Severity
from probatum.core.frozen import frozen_dict
from probatum.core.outside import shortened
from probatum.core.validation import ClaimReport, ClaimStatus, IssueType
from probatum.judge.facts.agreement import agreement
from probatum.judge.facts.claims import OutputClaim, claims_of
from probatum.judge.facts.sources import (
    Library,
    PathValue,
    Way,
    context_sources,
    fold,
    libraries_of,
    trusted_sources,
    way_of,
)
from probatum.judge.facts.values import QUOTATION, outer_values, words_of_value
from probatum.judge.layers import Basis, CheckOutcome, LayerCheck, LayerReport, issue
from probatum.judge.outputs import OutputView
from probatum.judge.readings import MOST_WARNINGS, Exact, claims_read, reading_issues
from probatum.judge.request import ValidationRequest, ValidationType
from probatum.readings.claim_trials import CitedWords
from probatum.readings.grounding import GroundedClaim, Grounding
from probatum.readings.stated import StatedValue, nearest_value

MOST_CLAIMS: Final = 5_000
_SHOWN: Final = 160
_ADDRESS: Final = re.compile(r"https?://[^\s<>\"'\])}|]++")
_OPEN: Final = "no reading decides it, and it is not a value at a path that a source has"


@dataclass(frozen=True, slots=True)
class ClaimRuling:
    """How one claim came out, and where a source decides it."""

    claim: OutputClaim
    status: ClaimStatus
    reason: str
    at: PathValue | None = None
    missing: tuple[StatedValue, ...] = ()
    """The values of the claim that are in no source."""
    addresses: tuple[str, ...] = ()
    """The addresses that it cites and no source has."""
    read: tuple[GroundedClaim, ...] = ()
    """The readings that speak for it."""

    def report(self) -> ClaimReport:
        """Return the ruling as a result gives it."""
        claim, source = self.claim, self.at.source if self.at else next((each.claim.source for each in self.read), "")
        quoted = next(((each.source, each.start, each.end) for each in self._cited()), (source,))
        return ClaimReport(claim.text, claim.place, claim.start, claim.end, self.status, self.reason, *quoted)

    def _cited(self) -> Iterator[CitedWords]:
        yield from (each.tried.cited for each in self.read if each.tried.cited is not None)

    def check(self, name: str) -> LayerCheck:
        """Return the ruling as a check."""
        state = _STATES.get(self.status, CheckOutcome.UNDECIDED)
        basis = Basis.NOTHING if state is CheckOutcome.UNDECIDED else Basis.READING if self.read else Basis.EXACT
        evidence: dict[str, object] = {"status": self.status.value, "reason": self.reason}
        if self.read:
            evidence["readings"] = [each.document() for each in self.read]
        if self.at is not None:
            evidence |= {"source": self.at.source, "path": self.at.path}
        return LayerCheck(name, _short(self.claim.text), state, basis, frozen_dict(evidence))


_STATES: Final = {ClaimStatus.SUPPORTED: CheckOutcome.PASSED, ClaimStatus.CONTRADICTED: CheckOutcome.FAILED}


def facts_reports(request: ValidationRequest, exact: Exact | None = None) -> Mapping[ValidationType, LayerReport]:
    """Return the reports of those of both layers that a request asks for; ``exact`` decides formal claims of readings.

    Raises UsageError where the readings cannot be read.
    """
    view = OutputView(request.output)
    claims = claims_of(view)
    libraries = libraries_of(tuple(trusted_sources(request)), tuple(context_sources(request)))
    stated = tuple(map(_stated, claims[:MOST_CLAIMS]))
    reports: dict[ValidationType, LayerReport] = {}
    asked = [each for each in _SOURCES if each in request.validation_types]
    for layer in asked:
        library = libraries[layer is ValidationType.HALLUCINATION]
        rulings, read = _with_readings(tuple(_rulings(stated, library)), request, library, exact)
        checks = [each.check(f"{layer.value}[{number}]") for number, each in enumerate(rulings)]
        beyond = f"{len(claims) - len(rulings):,} more claims" if len(claims) > len(rulings) else ""
        for about in filter(None, (beyond, "" if claims else "the output states nothing")):
            checks.append(LayerCheck(f"{layer.value}[{len(checks)}]", about, CheckOutcome.UNDECIDED, Basis.NOTHING))
        issues, claimed = tuple[Finding, ...](), tuple[ClaimReport, ...]()
        if layer is asked[-1]:
            beside = reading_issues(read, IssueType.SOURCE_MISSING)
            issues = (*_unread(request, library), *_issues(rulings, library, _SOURCES[layer]), *beside)
            claimed = tuple(each.report() for each in rulings)
        reports[layer] = LayerReport(layer, tuple(checks), issues, claimed)
    return reports


def claims_grounding(request: ValidationRequest, exact: Exact | None = None) -> Grounding:
    """Return what the readings of claims come to, under the policy of the request, beside all of its sources.

    Raises UsageError where the readings cannot be read.
    """
    with_context = tuple(context_sources(request)) if ValidationType.HALLUCINATION in request.validation_types else ()
    library = libraries_of(tuple(trusted_sources(request)), with_context)[1]
    text = _text_of(claims_of(OutputView(request.output))[:MOST_CLAIMS])[0]
    return claims_read(request, text, library.sources, exact)


def _text_of(claims: Sequence[OutputClaim]) -> tuple[str, list[int]]:
    """Return what passages of readings are sought in, and where each claim begins in it."""
    starts, at = list[int](), 0
    for each in claims:
        starts.append(at)
        at += len(each.text) + 1
    return "".join(f"{each.text}\n" for each in claims), starts


def _with_readings(
    rulings: Sequence[ClaimRuling], request: ValidationRequest, library: Library, exact: Exact | None
) -> tuple[tuple[ClaimRuling, ...], Grounding]:
    """Return the rulings with what readings that count speak for; words that state nothing establish nothing alone."""
    text, starts = _text_of([each.claim for each in rulings])
    read = claims_read(request, text, library.sources, exact)
    if not any(not each.is_narrative for each in read.counting) and not any(each.at for each in rulings):
        return tuple(rulings), read
    found = []
    for each, start in zip(rulings, starts, strict=True):
        words = read.of(start, start + len(each.claim.text)) if each.status not in _STATES else ()
        reason = f"read by {', '.join(sorted({word.meaning_by for word in words}))}"
        found.append(ClaimRuling(each.claim, ClaimStatus.SUPPORTED, reason, read=words) if words else each)
    return tuple(found), read


_SOURCES: Final = {
    ValidationType.FACTS: IssueType.FACT_MISMATCH,
    ValidationType.HALLUCINATION: IssueType.HALLUCINATION,
}
"""By layer: the type of an issue about a claim that a source contradicts."""


def _stated(claim: OutputClaim) -> tuple[OutputClaim, tuple[str, ...], tuple[StatedValue, ...]]:
    """Return a claim with the addresses and the values that it states."""
    addresses = tuple(match[0].rstrip(".,;:!?*_") for match in _ADDRESS.finditer(claim.text))
    return claim, addresses, outer_values(_ADDRESS.sub(lambda match: " " * len(match[0]), claim.text))


def _rulings(
    stated: Sequence[tuple[OutputClaim, tuple[str, ...], tuple[StatedValue, ...]]], library: Library
) -> Iterator[ClaimRuling]:
    ways = Counter(way_of(each.steps) for each, _, _ in stated)
    for claim, addresses, values in stated:
        way = way_of(claim.steps)
        found = library.by_way.get(way, ()) if way and ways[way] == 1 else ()
        yield _by_path(claim, way, found) if found else _open(claim, addresses, values, library)


def _by_path(claim: OutputClaim, way: Way, found: Sequence[PathValue]) -> ClaimRuling:
    """Return the ruling of a scalar whose path structured sources have."""
    states = [agreement(claim.value, each.value) for each in found]
    if any(states) and all(states):
        return ClaimRuling(claim, ClaimStatus.SUPPORTED, f"the value at {found[0].path} is equal", found[0])
    # The places of two lists need not be the same things.
    is_named = not any(isinstance(step, int) for step in way)
    if is_named and not any(state is not False for state in states):
        said = _short(str(found[0].value))
        return ClaimRuling(claim, ClaimStatus.CONTRADICTED, f"the value at {found[0].path} is '{said}'", found[0])
    reason = "the sources have different values there" if len(found) > 1 else "the source says it in other words"
    return ClaimRuling(claim, ClaimStatus.OPEN, reason, found[0])


def _open(claim: OutputClaim, addresses: Sequence[str], values: Sequence[StatedValue], library: Library) -> ClaimRuling:
    """Return the ruling of everything else: open, or unsupported where a value of it is in no source."""
    if not library.sources:
        return ClaimRuling(claim, ClaimStatus.OPEN, "there is no source")
    unknown = tuple(each for each in addresses if fold(each) not in library.folded and each not in _names(library))
    missing = tuple(each for each in values if not library.has(each))
    if isinstance(claim.value, str) and claim.steps and not missing and not addresses and claim.text.strip():
        whole = StatedValue(claim.text, 0, len(claim.text), QUOTATION, claim.text)
        missing = () if library.has(whole) else (whole,)
    status = ClaimStatus.UNSUPPORTED if missing or unknown else ClaimStatus.OPEN
    reason = _OPEN if status is ClaimStatus.OPEN else "a value of it is in no source"
    return ClaimRuling(claim, status, reason, None, missing, unknown)


def _names(library: Library) -> set[str]:
    return {each.name for each in library.sources}


def _unread(request: ValidationRequest, library: Library) -> Iterator[Finding]:
    for name in request.unread_sources:
        message = f"Source '{shortened(name, _SHOWN)}' could not be read, so nothing was compared with it."
        advice = "Give the text of the source in trusted_sources, or allow its address."
        yield issue(Severity.WARNING, IssueType.SOURCE_MISSING, message, suggestion=advice, source=name)
    for name in library.left_out:
        message = f"Source '{shortened(name, _SHOWN)}' is beyond the budget, so nothing was compared with it."
        yield issue(Severity.WARNING, IssueType.SOURCE_MISSING, message, source=name)
    if not library.sources and not request.unread_sources:
        message = "There is no source, so no claim was compared with anything."
        advice = "Give trusted_sources, or facts in the context."
        yield issue(Severity.WARNING, IssueType.SOURCE_MISSING, message, suggestion=advice)


def _issues(rulings: Sequence[ClaimRuling], library: Library, mismatch: IssueType) -> Iterator[Finding]:
    for each in rulings:
        if each.status is ClaimStatus.CONTRADICTED and each.at:
            yield _mismatch(each, each.at, mismatch)
        elif each.status is ClaimStatus.OPEN and each.at:
            message = f"Stated as '{_short(each.claim.text)}' but {each.at.source} says '{_short(str(each.at.value))}'"
            advice = f"Check it against {each.at.source}: {each.reason}."
            yield issue(Severity.WARNING, IssueType.FACT_MISMATCH, message, each.claim.location, advice)
    yield from islice(_warnings(rulings, library), MOST_WARNINGS)


def _mismatch(ruling: ClaimRuling, at: PathValue, kind: IssueType) -> Finding:
    name = str(ruling.claim.steps[-1]).replace("_", " ")
    message = f"{name[:1].upper()}{name[1:]} stated as '{_short(ruling.claim.text)}'"
    message += f" but {at.source} says '{_short(str(at.value))}'"
    advice = f"Correct it to '{_short(str(at.value))}', as {at.source} has it."
    return issue(Severity.ERROR, kind, message, ruling.claim.location, advice, source=at.source, path=at.path)


def _warnings(rulings: Sequence[ClaimRuling], library: Library) -> Iterator[Finding]:
    for each in rulings:
        for address in each.addresses:
            message = f"Cited as a source, but '{_short(address)}' is none of the sources: {_short(each.claim.text)}"
            advice = "Cite a source that was given, or leave the citation out."
            yield issue(Severity.WARNING, IssueType.SOURCE_MISSING, message, each.claim.location, advice)
        for value in each.missing:
            nearest = nearest_value(value, library.values)
            name = f"{each.claim.steps[-1]} ".replace("_", " ") if each.claim.steps else ""
            words = words_of_value(value)
            message = f"{name[:1].upper()}{name[1:]}'{_short(words)}' not found in the sources"
            message += f": {_short(each.claim.text)}" if words != each.claim.text else "."
            advice = f"The nearest value of the sources is '{_short(words_of_value(nearest))}'. " if nearest else ""
            advice += "Remove the claim, or give a source for it."
            yield issue(Severity.WARNING, IssueType.UNSUPPORTED_CLAIM, message, each.claim.location, advice)


def _short(text: str) -> str:
    return shortened(" ".join(text.split()), _SHOWN)
