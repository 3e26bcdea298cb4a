"""Decides whether a text states a claim in so many words: as one of its sentences, or by what the grammar reads there.

Nothing is weighed and nothing is inferred. A sentence with a hedge, a speaker, a condition or a denial around the claim
does not state it. Other words, other adverbials and other figures leave a claim undecided. Advice of models travels
along and decides nothing. Refuses an empty claim or text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from probatum.core.decision import Outcome
from probatum.core.errors import BudgetError, NotAttemptedError
from probatum.core.shape import Shape
from probatum.exact.claim import CannotDecideError, ExactClaim, Ruling, proved, refuted, undecided
from probatum.exact.english.advice import with_advice
from probatum.exact.english.stated import Stated, check_atoms, compared, normal, one_sentence, stated_in
from probatum.exact.english.words import CONTRACTED, PREPOSITIONS, is_content, tokens_of_sentence

HOLDS: Final = "facts.stated"
_POINTING: Final = re.compile(
    r"(?:he|she|it|they|this|that|these|those|we|i|you|there|here|his|her|its|their|our|my|your|however|but|and|so|also"
    r"|then|thus|therefore|instead|otherwise)\b",
    re.IGNORECASE,
)
_COPULA: Final = re.compile(r"(?P<subject>[^,;:]+?) (?P<verb>is|was) (?P<denial>not )?(?P<rest>[^,;:]+)")
_SCALES: Final = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_FIGURE: Final = re.compile(
    rf"(?P<sign>[$€£¥]?)(?<![\w.])(?P<number>[0-9]+(?:\.[0-9]+)?)(?P<percent>%?)(?: (?P<scale>{'|'.join(_SCALES)})\b)?"
)


def decide(claim: ExactClaim) -> Ruling:
    """Return whether a text states a claim; raises as `EngineModule.decide`."""
    return with_advice(claim, _decide)


def check(claim: ExactClaim, certificate: Mapping[str, object]) -> str:
    """Return what a certificate establishes; raises ValueError where it is nothing."""
    try:
        text, stated = _read(claim)
    except (NotAttemptedError, BudgetError, CannotDecideError) as error:
        raise ValueError(str(error)) from error
    shape = Shape(certificate, "certificate").member()
    if _opposite(text) in stated.plain or compared(text, stated, "facts").outcome is Outcome.REFUTED:
        raise ValueError("the text states the opposite")
    if shape.has("atoms"):
        check_atoms(text, stated, shape.exactly("atoms"))
    else:
        place = shape.exactly("sentence").whole("sentence", 1, len(stated.sentences))
        same = [number for number, each in enumerate(stated.sentences, 1) if normal(each.text) == normal(text)]
        if place not in same[:1] or normal(text) not in stated.plain:
            raise ValueError("the claim is not this sentence")
    return HOLDS


def _read(claim: ExactClaim) -> tuple[str, Stated]:
    text = one_sentence(claim.statement, "facts")
    stated = stated_in(claim.inputs.text("context"), text, "facts")
    if _POINTING.match(text):
        raise CannotDecideError("facts.pronoun", "The claim begins with a word that points to something before it.")
    return text, stated


def _decide(claim: ExactClaim) -> Ruling:
    text, stated = _read(claim)
    by_atoms = compared(text, stated, "facts")
    opposite = _opposite(text)
    is_denied = opposite in stated.plain
    if by_atoms.constraint == "facts.contradiction":
        return by_atoms
    if normal(text) in stated.plain or by_atoms.outcome is Outcome.PROVED:
        if is_denied or by_atoms.outcome is Outcome.REFUTED:
            return undecided("facts.contradiction", "The text states the claim and its opposite.")
        if normal(text) not in stated.plain:
            return by_atoms
        sentences = [normal(each.text) for each in stated.sentences]
        return proved(HOLDS, {"sentence": sentences.index(normal(text)) + 1})
    if is_denied:
        return refuted("facts.denied", "The text states the opposite of the claim.", {"opposite": str(opposite)})
    if by_atoms.outcome is Outcome.REFUTED or by_atoms.constraint == "facts.partial":
        return by_atoms
    other = sorted(_figures(text) - _figures(claim.inputs.text("context")))
    if other:
        return undecided("facts.figures", "A figure of the claim is not in the text.", {"figures": other})
    return undecided("facts.not_stated", "No sentence of the text states the claim in so many words.")


def _figures(text: str) -> set[str]:
    """Return the figures of a text as exact numbers with their sign: '$5.2 million' is '$5200000'."""
    found = set[str]()
    for each in _FIGURE.finditer(normal(text)):
        number = Fraction(each["number"][:40]) * _SCALES.get(each["scale"] or "", 1)
        found.add(f"{each['sign']}{number}{each['percent']}")
    return found


def _opposite(text: str) -> str | None:
    """Return the sentence with 'not' put in or taken out, in its normal form, where that surely denies it.

    That is so for 'the ... is ...' and names: no quantity, no list, no clause and no hedge in the sentence.
    """
    parts = _COPULA.fullmatch(CONTRACTED.sub(r"\1 not", text))
    if parts is None:
        return None
    subject, rest = tokens_of_sentence(parts["subject"]), tokens_of_sentence(parts["rest"])
    is_name = subject[0][0].isupper() and is_content(subject[0].lower())
    if not (is_name or subject[0].lower() == "the") or not all(map(_is_plain, (*subject[1:], *rest))):
        return None
    denial = "" if parts["denial"] else "not "
    return normal(f"{parts['subject']} {parts['verb']} {denial}{parts['rest']}")


def _is_plain(word: str) -> bool:
    is_number = word.lstrip("$€£")[:1].isdecimal() or word in _SCALES
    return is_number or word in PREPOSITIONS or word in {"the", "a", "an"} or is_content(word.lower())
