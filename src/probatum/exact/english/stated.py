"""What a text states in so many words: the atoms of its sentences in controlled English, each with its sentence.

Sentences that the grammar does not read state nothing here. Refuses a text that may speak about its own sentences
('The following is false.'), and takes nothing from what stands in quotation marks or brackets.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from probatum.core.errors import BudgetError
from probatum.core.shape import Shape
from probatum.exact.claim import CannotDecideError, Ruling, proved, refuted, undecided, unreadable
from probatum.exact.english.atoms import Atom, SentenceReading
from probatum.exact.english.sentences import ReadingError, read_sentence
from probatum.exact.english.words import CLOSED, CONTRACTED, Lexicon, Sentence, sentences_of

MAX_CONTEXT: Final = 100_000
MAX_SENTENCES: Final = 2_000
_ENCLOSED: Final = re.compile(
    r"\"(?:[^\"\n]|\n(?![ \t]*\n))*\"|\"[^\0]*|„[^“”]*(?:[“”]|$)|“[^”]*(?:”|$)|«[^»]*(?:»|$)|‹[^›]*(?:›|$)"
    r"|‘[^’]*(?:’|$)|(?<!\w)'[^']*(?:'(?!\w)|$)|[「『《][^」』》]*(?:[」』》]|$)|``(?s:.*?)(?:''|``|$)"
    r"|\([^)]*(?:\)|$)|\[[^\]]*(?:\]|$)|\{[^}]*(?:\}|$)"
    r"|~~(?s:.*?)(?:~~|$)|<!--(?s:.*?)(?:-->|$)|<(?P<tag>del|s|strike|q|blockquote)\b(?s:.*?)(?:</(?P=tag)>|$)"
)
"""What is quoted, put in brackets or struck out; a quotation that its paragraph does not end goes on."""
_POINTS: Final = re.compile(
    r"\b(?:this|that|these|those|it|following|follows|above|below|foregoing|previous|next|preceding|none|everything"
    r"|nothing|all|statements?|sentences?|text|story|report|article|rest|so|here|what|things|claims|points|words|line"
    r"|opposite|reverse)\b",
    re.IGNORECASE,
)
_JUDGES: Final = re.compile(
    r"\b(?:false|untrue|true|wrong|fictions?|fictional|hoax|jokes?|lies?|rumou?rs?|denie[sd]|retracted"
    r"|hypothetical\w*|hypothes[ei]s|claim(?:s|ed)?|sa(?:id|ys?)|believe[sd]?|dream\w*|imagine\w*|suppose\w*"
    r"|pretend\w*|assum\w*|novel|made (?:\w+ )?up|invented|happened|alleg\w*|satire|parody|if|unless|example"
    r"|(?:in)?correct\w*|right|inaccura\w+|accurate|(?:un)?confirmed|verif\w+|(?:dis)?prove[dn]?|disput\w+|debunk\w+|refute[sd]?"
    r"|error|contradict\w*|mistak\w+|misconceptions?|bogus|fabricat\w+|misleading|doubt\w*|thinks?|thought|told|tells?"
    r"|opinions?|quot\w+|films?|movie|play|legend|fairy|otherwise|reported\w*|apparent\w*|tests?"
    r"|template|sample|draft|dummy|placeholder|trust\w*|ignored?|deleted?|disregard\w*|predict\w*|forecast\w*|case)\b",
    re.IGNORECASE,
)
_REMARK: Final = re.compile(
    r"(?:not|no|never|nope|nonsense|fake|myths?|hardly|psych|sike|oops|sorry|scratch|strike|correction|erratum|yeah"
    r"|april fools?|on the contrary|far from|quite the|i take|once upon|in the event|do not|translate|imagine)\b.{0,40}"
    r"|(?:in an?|in (?:his|her|their|my|your)|or|at least|except|as if|only|according|allegedly|reportedly|supposedly"
    r"|so|if|unless)\b(?!.*(?:,| then )).{0,40}"
    r"|.{0,30}\b(?:not|kidding|fake|myths?|misconceptions?|otherwise|so|disagrees?|disputes|denies|denied|doubts)",
    re.IGNORECASE,
)
"""A remark such as 'Just kidding' or 'Not at all', which need not point to what it is about."""
_OWN: Final = re.compile(
    r"^if\b|\b(?:said|says|claims|claimed|believes|believed|alleges|alleged) that(?= \w)", re.IGNORECASE
)
"""A condition or a report with its content, which says nothing about other sentences."""
_SEPARATOR: Final = re.compile(r"(?<![0-9.,])[0-9]{1,3}(?:,[0-9]{3})+(?![0-9,]|\.[0-9]*,)")


@dataclass(frozen=True, slots=True)
class Stated:
    """A text, its sentences that state something, and what they state."""

    sentences: tuple[Sentence, ...] = ()
    lexicon: Lexicon = field(default_factory=lambda: Lexicon(frozenset()))
    plain: frozenset[str] = frozenset()
    """Each whole sentence that stands there as a statement, in its normal form."""
    atoms: Mapping[Atom, int] = field(default_factory=dict)
    """With the first sentence that states each, counted from 1."""


def sentences_within(text: str, engine: str) -> tuple[Sentence, ...]:
    """Return the sentences of a context; raises NotAttemptedError for an empty one, and BudgetError."""
    if len(text) > MAX_CONTEXT:
        raise BudgetError("engine.too_large", f"A context has at most {MAX_CONTEXT:,} characters.")
    sentences = sentences_of(text)
    if not any(each.text for each in sentences):
        raise unreadable(f"{engine}.empty", "", 0, "The context is empty")
    if len(sentences) > MAX_SENTENCES:
        raise BudgetError("engine.too_large", f"A context has at most {MAX_SENTENCES:,} sentences.")
    return sentences


def one_sentence(statement: str, engine: str) -> str:
    """Return the one sentence of a claim; raises NotAttemptedError."""
    found = sentences_of(statement)
    if not any(each.text for each in found):
        raise unreadable(f"{engine}.empty", "", 0, "The claim is empty")
    if len(found) > 1 or found[0].end_sign not in {"", "."}:
        end = found[0].end
        raise unreadable(f"{engine}.statement", statement, end, "A claim is one sentence that states something")
    return found[0].text


def stated_in(text: str, claim: str, engine: str) -> Stated:
    """Return what a text states; raises as `sentences_within`, and CannotDecideError."""
    sentences = sentences_within(text, engine)
    lexicon = Lexicon.of([*(each.text for each in sentences), claim])
    enclosed = [match.span() for match in _ENCLOSED.finditer(text)]
    plain: set[str] = set()
    atoms: dict[Atom, int] = {}
    read = [_reading_of(each.text, lexicon) for each in sentences]
    for number, (sentence, reading) in enumerate(zip(sentences, read, strict=True), start=1):
        facts = None if isinstance(reading, str) else reading.facts
        is_remark = reading == "unread" and bool(sentence.end_sign) and sentence.text.count(" ") < 2
        goes_on = number < len(sentences) and not sentence.end_sign and sentences[number].text[:1].islower()
        may_go_on = number > 1 and read[number - 2] == "unread" and _is_next_line(text, sentences[number - 2], sentence)
        is_statement = sentence.end_sign in {"", "."} and not goes_on and not may_go_on
        judges = is_remark or _may_judge(sentence.text, is_read=facts is not None)
        if judges and normal(sentence.text) != normal(claim):
            detail = f"Sentence {number} may speak about the others, so that they need not be meant as they stand."
            told = {"sentence": number, "text": sentence.text[:200]}
            raise CannotDecideError(f"{engine}.scope", detail, told)
        if is_statement and " " in sentence.text and not _is_enclosed(sentence, enclosed, may_enclose=True):
            plain.add(normal(sentence.text))
        if is_statement and not _is_enclosed(sentence, enclosed):
            for atom in facts or ():
                atoms.setdefault(atom, number)
    return Stated(sentences, lexicon, frozenset(plain), atoms)


def _is_next_line(text: str, before: Sentence, sentence: Sentence) -> bool:
    """Return whether a line begins a sentence that the line before need not have ended."""
    return not before.end_sign and text.count("\n", before.end, sentence.start) == 1


def _may_judge(text: str, *, is_read: bool) -> bool:
    """Return whether a sentence may speak about the others: it points and judges, remarks, or leads to what follows."""
    rest = _OWN.sub("", text)
    judges = _JUDGES.search(rest) is not None
    may_remark = not is_read or text.count(" ") < 2  # 'Urban legends' can be read as a name and a verb.
    is_remark = may_remark and (_REMARK.fullmatch(text) is not None or (judges and text.count(" ") < 4))
    return text.endswith(":") or is_remark or (judges and _POINTS.search(rest) is not None)


def normal(text: str) -> str:
    """Return a sentence whatever the case of a first word such as 'the', with numbers without separators."""
    plain = _SEPARATOR.sub(lambda match: match.group().replace(",", ""), CONTRACTED.sub(r"\1 not", text))
    first = plain.partition(" ")[0]
    return f"{plain[:1].lower()}{plain[1:]}" if first.lower() in CLOSED and first != "I" else plain


def _reading_of(text: str, lexicon: Lexicon) -> SentenceReading | str:
    """Return the reading of a sentence, or of which kind the error is that it has none."""
    try:
        return read_sentence(text, lexicon)
    except ReadingError as error:
        return error.kind


def facts_of(text: str, lexicon: Lexicon) -> frozenset[Atom] | None:
    """Return the atoms that a sentence states of named things; None where it is not read as such."""
    reading = _reading_of(text, lexicon)
    return None if isinstance(reading, str) else reading.facts


def compared(text: str, stated: Stated, engine: str) -> Ruling:
    """Return whether the atoms of a sentence are stated or denied by a text."""
    facts = facts_of(text, stated.lexicon)
    if not facts:
        return undecided(f"{engine}.not_read", "The claim could not be read as facts about named things.")
    if not stated.atoms:
        return undecided(f"{engine}.no_facts", "No sentence of the text could be read as a fact about a named thing.")
    missing = [atom for atom in sorted(facts) if atom not in stated.atoms]
    denied = [atom for atom in sorted(facts) if atom.denied in stated.atoms]
    if any(atom in stated.atoms for atom in denied):
        return undecided(f"{engine}.contradiction", "The text states a part of the claim and its opposite.")
    if denied:
        told = {"atom": denied[0].denied.text, "sentence": stated.atoms[denied[0].denied]}
        return refuted(f"{engine}.denied", "The text states the opposite of the claim.", told)
    if not missing:
        atoms = [{"atom": atom.text, "sentence": stated.atoms[atom]} for atom in sorted(facts)]
        return proved(f"{engine}.stated", {"atoms": atoms})
    part = "only a part of the claim" if len(missing) < len(facts) else "no part of the claim"
    constraint = f"{engine}.partial" if len(missing) < len(facts) else f"{engine}.not_stated"
    return undecided(constraint, f"The text states {part}.", {"missing": missing[0].text})


def check_atoms(text: str, stated: Stated, shape: Shape) -> None:
    """Raise ValueError unless exactly the atoms of a sentence are told with the sentences that state them."""
    told = [(each.text("atom"), each.exactly("atom", "sentence").whole("sentence")) for each in shape.items("atoms")]
    atoms = sorted(facts_of(text, stated.lexicon) or ())
    if not atoms or [text for text, _ in told] != [atom.text for atom in atoms]:
        raise ValueError("these are not the parts of the claim")
    for atom, (_, place) in zip(atoms, told, strict=True):
        if atom.denied in stated.atoms or stated.atoms.get(atom) != place:
            raise ValueError("the sentence does not state this part, or another one denies it")


def _is_enclosed(sentence: Sentence, enclosed: list[tuple[int, int]], *, may_enclose: bool = False) -> bool:
    """True where any of a sentence stands in quotation marks or brackets; or more than a part inside of it."""
    for start, stop in enclosed:
        if start <= sentence.end and sentence.start < stop:
            is_inside = sentence.start < start and stop <= sentence.end
            if not (may_enclose and is_inside):
                return True
    return False
