"""The layers of facts and of hallucination: what is issued, and how every claim came out as a check.

Both rest on one judgement. The layer of facts asks the trusted sources alone, the layer of hallucination the context as
well. Where both are asked for, an issue is told once, by the layer of hallucination.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from probatum.core.finding import Finding, Severity
from probatum.core.frozen import FrozenDict
from probatum.core.outside import shortened
from probatum.core.validation import ClaimStatus, IssueType
from probatum.judge.facts.certainty import certainty_of_words
from probatum.judge.facts.comparison import ComparedDetail, DetailAgreement
from probatum.judge.facts.consistency import inconsistencies
from probatum.judge.facts.details import DetailKind
from probatum.judge.facts.judging import ClaimRuling, Judgement, judged
from probatum.judge.facts.output_claims import REFERENCES
from probatum.judge.layers import CERTAINTY, Basis, CheckOutcome, LayerCheck, LayerReport, issue
from probatum.judge.request import ValidationRequest, ValidationType

_SHOWN: Final = 160
_SURE: Final = re.compile(
    r"\b(?:definitely|certainly|undoubtedly|unquestionably|indisputably|without (?:a |any )?doubt|no doubt|proven"
    r"|guaranteed|absolutely|100 ?% (?:certain|sure)|beyond (?:any )?doubt|it is (?:certain|a fact)|conclusively)\b",
    re.IGNORECASE,
)
_CITED: Final = re.compile(
    r"\((?:source|see|cf\.|via)?:?[ ]?[^()\n]{0,80}?(?:(?:19|20)[0-9]{2}[a-z]?|et al\.?)\)"
    r"|\((?:[Ss]ource|[Ss]ee|[Vv]ia):?[ ][^()\n]{1,120}\)"
    r"|\b[Aa]ccording to [^,.;\n]{1,80}|\b(?:[Aa]s )?(?:reported|stated|cited) (?:by|in) [^,.;\n]{1,60}"
)


def facts_reports(request: ValidationRequest) -> Mapping[ValidationType, LayerReport]:
    """Return the reports of those of both layers that a request asks for, from one judgement."""
    judgement = judged(request)
    asked = set(request.validation_types)
    # What was not read may say it.
    missing = Severity.WARNING if request.unread_sources else Severity.ERROR
    found: dict[ValidationType, LayerReport] = {}
    if ValidationType.FACTS in asked:
        is_told = ValidationType.HALLUCINATION not in asked
        issues = [*_unread(request), *_left_out(judgement)]
        issues += _issues(judgement, judgement.by_sources, IssueType.FACT_MISMATCH, missing) if is_told else []
        checks = _checks(ValidationType.FACTS, judgement.by_sources, judgement, request)
        reports = tuple(each.report() for each in judgement.by_sources) if is_told else ()
        found[ValidationType.FACTS] = LayerReport(ValidationType.FACTS, checks, tuple(issues), reports)
    if ValidationType.HALLUCINATION in asked:
        issues = [] if ValidationType.FACTS in asked else [*_unread(request), *_left_out(judgement)]
        issues += _issues(judgement, judgement.by_all, IssueType.HALLUCINATION, missing)
        checks = _checks(ValidationType.HALLUCINATION, judgement.by_all, judgement, request)
        reports = tuple(each.report() for each in judgement.by_all)
        found[ValidationType.HALLUCINATION] = LayerReport(ValidationType.HALLUCINATION, checks, tuple(issues), reports)
    return found


def facts_report(request: ValidationRequest) -> LayerReport:
    """Return what the trusted sources say of every claim."""
    return facts_reports(request)[ValidationType.FACTS]


def hallucination_report(request: ValidationRequest) -> LayerReport:
    """Return what the context and the trusted sources say of every claim."""
    return facts_reports(request)[ValidationType.HALLUCINATION]


def _unread(request: ValidationRequest) -> Iterator[Finding]:
    for name in request.unread_sources:
        message = f"Source '{shortened(name, _SHOWN)}' could not be read, so nothing was compared with it."
        advice = "Give the text of the source in trusted_sources, or allow its address."
        yield issue(Severity.WARNING, IssueType.SOURCE_MISSING, message, suggestion=advice, source=name)


def _left_out(judgement: Judgement) -> Iterator[Finding]:
    for each in judgement.left_out:
        yield issue(Severity.WARNING, IssueType.UNSUPPORTED_CLAIM, f"Not judged: {each}.", "root")


def _issues(
    judgement: Judgement, rulings: Sequence[ClaimRuling], mismatch: IssueType, missing: Severity
) -> Iterator[Finding]:
    is_sure = _claims_certainty(judgement)
    for ruling in rulings:
        different = [each for each in ruling.compared if each.agreement is DetailAgreement.DIFFERENT]
        yield from (_mismatch(ruling, each, mismatch) for each in different)
        if ruling.status is ClaimStatus.CONTRADICTED and not different and not ruling.invented:
            yield _contradicted(ruling, mismatch)
        yield from _unsupported(ruling, missing)
        said = ruling.claim.said
        if ruling.status is not ClaimStatus.SUPPORTED and (is_sure or _SURE.search(said)):
            message = f"Stated with certainty, but no source bears it out: {_told(said)}"
            advice = "Lower the stated confidence, or give a source."
            yield issue(Severity.WARNING, IssueType.CONFIDENCE_MISMATCH, message, ruling.claim.of.location, advice)
    yield from _without_sources(judgement)
    for found in inconsistencies(judgement.claims):
        one, other = found.first_detail.text, found.second_detail.text
        message = f"'{one}' and '{other}' contradict each other: {_told(found.first.said)} / {_told(found.second.said)}"
        advice = f"State one value: {one} or {other}."
        places = {
            "first": found.first.place_of(found.first_detail),
            "second": found.second.place_of(found.second_detail),
        }
        yield issue(Severity.ERROR, IssueType.DETAIL_INCONSISTENCY, message, found.second.of.location, advice, **places)


def _mismatch(ruling: ClaimRuling, each: ComparedDetail, kind: IssueType) -> Finding:
    label = each.label.replace("_", " ")
    if each.detail.kind is DetailKind.QUOTATION:
        message = f"Quoted as '{_told(each.detail.text)}' but {each.source} says '{_told(each.said)}'"
    else:
        message = f"{label[:1].upper()}{label[1:]} stated as" if label else "Stated as"
        message += f" '{each.detail.text}' but {each.source} says '{_told(each.said)}': {_told(ruling.claim.said)}"
    location = ruling.claim.of.location
    if label and ruling.claim.of.place and not ruling.claim.statement.key:
        location = f"{ruling.claim.of.place}:{each.label}"
    advice = f"Correct it to '{_told(each.said)}', as {each.source} has it."
    return issue(Severity.ERROR, kind, message, location, advice, **_places(ruling, each))


def _contradicted(ruling: ClaimRuling, kind: IssueType) -> Finding:
    message = f"{ruling.source} contradicts this, {ruling.reason}: {_told(ruling.claim.said)}"
    advice = f"Say what {ruling.source} says, or leave the claim out."
    return issue(Severity.ERROR, kind, message, ruling.claim.of.location, advice, **_places(ruling))


def _unsupported(ruling: ClaimRuling, severity: Severity) -> Iterator[Finding]:
    location, said = ruling.claim.of.location, ruling.claim.said
    key = ruling.claim.of.key.replace("_", " ") if ruling.claim.statement.key else ""
    cited = [match.span() for match in _CITED.finditer(ruling.claim.statement.text)]
    for each in ruling.invented:
        detail = each.detail
        is_cited = any(start <= detail.start < end for start, end in cited)
        if is_cited or detail.kind in (DetailKind.ADDRESS, DetailKind.REFERENCE):
            message = f"Cited as a source, but '{_told(detail.text)}' is none of the sources: {_told(said)}"
            advice = "Cite a source that was given, or leave the citation out."
            yield issue(severity, IssueType.SOURCE_MISSING, message, location, advice, **_places(ruling, each))
            continue
        message = f"{key[:1].upper()}{key[1:]} '{_told(detail.text)}' not found in the sources: {_told(said)}".lstrip()
        advice = "Remove the claim, or give a source for it."
        yield issue(severity, IssueType.UNSUPPORTED_CLAIM, message, location, advice, **_places(ruling, each))
    if ruling.status is ClaimStatus.UNSUPPORTED and not ruling.invented:
        message = f"No source speaks of this claim: {_told(said)}"
        advice = "Give a source for it, or mark it as not established."
        yield issue(Severity.WARNING, IssueType.UNSUPPORTED_CLAIM, message, location, advice, **_places(ruling))


def _places(ruling: ClaimRuling, each: ComparedDetail | None = None) -> dict[str, object]:
    """Return the evidence of an issue: where in the output, and where in the source."""
    told = ruling.claim.place_of(None if each is None else each.detail)
    at = ruling if each is None else each
    if at.source:
        told |= {"source": at.source, "source_start": at.start, "source_end": at.end}
    return told


def _without_sources(judgement: Judgement) -> Iterator[Finding]:
    """Yield an issue for each list of sources that an output leaves empty."""
    for steps in judgement.empty:
        if steps and str(steps[-1]).casefold() in REFERENCES:
            message = f"'{steps[-1]}' is empty, so the output names no source for its claims."
            yield issue(Severity.WARNING, IssueType.SOURCE_MISSING, message, str(steps[-1]), "Name the sources.")


def _claims_certainty(judgement: Judgement) -> bool:
    fields = (each for each in judgement.texts if each.key.casefold() in {"confidence", "certainty"})
    return any(isinstance(each.value, int | float) and 0.9 <= each.value <= 1 for each in fields)


def _checks(
    layer: ValidationType, rulings: Sequence[ClaimRuling], judgement: Judgement, request: ValidationRequest
) -> tuple[LayerCheck, ...]:
    checks = [
        _check(f"{layer.value}[{number}]", ruling, other, request)
        for number, (ruling, other) in enumerate(zip(rulings, judgement.by_all, strict=True))
    ]
    unjudged = f"not judged: {'; '.join(dict.fromkeys(judgement.no_claims))}" if judgement.no_claims else ""
    empty = "" if rulings or unjudged else "the output states no claim"
    for each in filter(None, (*judgement.left_out, unjudged, empty)):
        name = f"{layer.value}.left_out[{len(checks)}]"
        checks.append(LayerCheck(name, shortened(each, _SHOWN), CheckOutcome.UNDECIDED, Basis.NOTHING))
    return tuple(checks)


def _check(name: str, ruling: ClaimRuling, by_all: ClaimRuling, request: ValidationRequest) -> LayerCheck:
    evidence = FrozenDict({"status": ruling.status.value, "reason": shortened(ruling.reason, 500), **_places(ruling)})
    state, basis = CheckOutcome.UNDECIDED, Basis.NOTHING
    if ruling.status is ClaimStatus.SUPPORTED and ruling.basis is not Basis.NOTHING:
        state, basis = CheckOutcome.PASSED, ruling.basis
    elif ruling.status is ClaimStatus.CONTRADICTED:
        state, basis = CheckOutcome.FAILED, ruling.basis
    elif ruling.invented and by_all.invented and not request.unread_sources:
        state, basis = CheckOutcome.FAILED, Basis.ALIGNED
    if basis is Basis.ALIGNED:
        certainty = certainty_of_words(ruling.status, ruling.score, is_absent=bool(ruling.invented))
        evidence = FrozenDict({**evidence, CERTAINTY: certainty})
    return LayerCheck(name, _told(ruling.claim.said), state, basis, evidence)


def _told(text: str) -> str:
    return shortened(" ".join(text.split()), _SHOWN)
