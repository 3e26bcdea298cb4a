"""Reads a derivation in prose: its arithmetic steps, the answers that it states, and whatever else it says.

Nothing is evaluated here. A step whose surroundings could change its meaning is read as incomplete: a word such as
``half`` or ``and`` before it, a unit between its numbers, a sentence that denies or supposes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Final

from probatum.core.errors import BudgetError
from probatum.readers.vocabulary import SCALES, words_of

_LATEX: Final = (
    (re.compile(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}"), r" ((\1)/(\2)) "),
    (re.compile(r"\\(?:text|mathrm|textbf|boxed|mathbf)\s*\{([^{}]*)\}"), r" \1 "),
    (re.compile(r"\\(?:times|cdot)(?![a-z])"), "*"),
    (re.compile(r"\\div(?![a-z])"), "/"),
    (re.compile(r"\\approx(?![a-z])"), "≈"),
    (re.compile(r"\\(?:left|right|,|;|!)"), " "),
    (re.compile(r"\\[\[\]()]"), " "),
    (re.compile(r"\\([%$])"), r"\1"),
    (re.compile(r"\{,\}"), ","),
)
_ANNOTATION: Final = re.compile(r"<<[^<>\n]*>>")
_SIGN_OR_BULLET: Final = re.compile(r"^[*+-] (?=[0-9($€£.])", re.M)
_BULLET: Final = re.compile(r"^ *(?:[*•-] +|#+ +|[0-9]{1,2}[.)] +|step +[0-9]{1,2} *[:.)])+", re.M | re.I)
_CONTINUED: Final = re.compile(r"(?<=[-+*/×÷=≈])\n|\n(?=[/×÷=≈])")
_SENTENCE_END: Final = re.compile(r"\n|(?<=[.;!?])\s+")
_TOKEN: Final = re.compile(
    r"(?P<number>(?:[$€£] ?)?(?:(?:[0-9]{1,3}(?:,[0-9]{3})++(?![0-9])|[0-9]++)(?:\.[0-9]++)?|\.[0-9]++))(?: ?%)?"
    r"|(?P<equals>≈|~=|==?)"
    r"|(?P<word>[^\W\d_]+(?:['’-][^\W\d_]+)*)"
    r"|(?P<end>\n|[.;:!?](?=\s|$))"
    r"|(?P<sign>\*\*(?=[0-9(])(?<=[0-9)]\*\*)|[-+*/×÷·^()−])"
    r"|(?P<other>\S)"
)
_SIGNS: Final = {"×": "*", "÷": "/", "·": "*", "−": "-", "**": "^"}
_SIGN_WORDS: Final = {"plus": "+", "minus": "-", "times": "*", "x": "*", "X": "*"}
_ABOUT: Final = words_of("about approximately approx roughly around")
_CHANGING: Final = words_of(
    "plus minus times divided multiplied by and or half third quarter fifth twice double triple percent percentage "
    "more less fewer than hundred thousand million billion dozen remainder r k m over from to between per squared "
    "cubed one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty sixty ninety "
    "almost nearly only first second root square doubled tripled halved negative opposite absolute average mean "
    "difference ratio inverse reciprocal am pm o'clock thrice quadruple halves dozens sqrt cbrt log ln lg exp sin cos "
    "tan sec csc cot arcsin arccos arctan sinh cosh tanh abs min max gcd lcm hcf floor ceil ceiling mod det choose "
    "maximum minimum sine cosine tangent logarithm factorial modulus"
)
"""Words that can change what the numbers beside them mean."""
_NOT_ASSERTED: Final = words_of(
    "not no never neither nor without instead if suppose assume assuming would unless whether claims claimed says said "
    "thinks thought guess guesses wrote writes answered replied believes imagine pretend could might maybe perhaps "
    "should does do did prove show check verify let round rounded rounding rounds nearest estimate estimated about "
    "approximately roughly cannot isn't doesn't don't can't won't wouldn't isn’t doesn’t ? "
    "student pupil option bug expected prints computes"
)
"""Words of a sentence that does not say of itself that its equation holds."""
_DENYING: Final = words_of(
    "false wrong wrongly incorrect incorrectly mistake mistaken mistakenly error erroneous untrue lie absurd "
    "impossible contradiction contradicts disprove disproves myth oops wait correction fallacy binary octal "
    "hexadecimal hex base modulo mod modular clock boolean logical absolute xor bitwise vector vectors magnitude fails "
    "trap unlike contrary pretend hypothetical joke strings"
)
"""Words of a text that may take back an equation, or count otherwise, anywhere in it."""
_SAYS_NOTHING: Final = words_of(
    "so then therefore thus hence next now finally first second third also again and we get have which gives that is "
    "this means to be lastly calculate compute total equals"
)
_NO_NOUN: Final = (_CHANGING - {"per"}) | _SAYS_NOTHING | {"of"}
_SAYS_NOTHING_MARKS: Final = frozenset("(),")
_ANSWER: Final = re.compile(
    r"(?:(?:so|thus|therefore|hence|finally),? )?(?:the )?(?:final )?(?:answer|result)(?: is|:| =)|a:|####", re.I
)
MAX_NOUNS: Final = 3
_BEFORE: Final = 6
MAX_STEPS: Final = 500
_MAX_SIDE: Final = 100
_MAX_RELATIONS: Final = 50
_MAX_DEPTH: Final = 20
_DATE: Final = re.compile(
    r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?![0-9])|(?<![0-9.])[0-9]{1,2}/[0-9]{1,2}/[0-9]{2,4}|(?<![0-9.,])0[0-9xXbo]"
)
_ADDED_PERCENT: Final = re.compile(r"(?!1 [-+] |[0-9.,]+%(?: [-+] [0-9.,]+%)+$).* [-+] [0-9.,]+%(?! \*)")
"""A percentage that is added to something else: '200 + 10%' can mean 220."""


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ArithmeticStep:
    """One equation, or a chain of them."""

    text: str
    """As it stands in the derivation, in one line."""
    sides: tuple[str, ...]
    relations: tuple[str, ...]
    nouns: tuple[frozenset[str], ...]
    """For each side, the words between and after its numbers."""
    is_complete: bool
    """False where what stands around it can change its meaning."""

    @property
    def math(self) -> str:
        """Return the step as mathematics."""
        return self.sides[0] + "".join(
            f" {sign} {side}" for sign, side in zip(self.relations, self.sides[1:], strict=True)
        )


@dataclass(frozen=True, slots=True)
class ReadDerivation:
    """What a derivation says."""

    steps: tuple[ArithmeticStep, ...]
    answers: tuple[tuple[int, str], ...]
    """Stated answers, each with the number of steps before it."""
    unread: tuple[str, ...]
    """What else it says."""


@dataclass(frozen=True, slots=True)
class _Side:
    text: str
    end: int
    nouns: frozenset[str]
    numbers_end: int


def read_derivation(text: str) -> ReadDerivation:
    """Return the steps, the answers and the rest of a text."""
    annotated = [each[2:-2] for each in _ANNOTATION.findall(text)]
    lines = (" ".join(line.split()) for line in _ANNOTATION.sub(" ", text).splitlines())
    plain = "\n".join(line for line in lines if line)
    for pattern, instead in _LATEX:
        plain = pattern.sub(instead, plain)
    # A dash or star before a number is a bullet or a sign: nothing is decided beside this mark.
    plain = _BULLET.sub("", _SIGN_OR_BULLET.sub("¦ ", _CONTINUED.sub(" ", plain)))
    words = re.findall(r"[a-z]+|(?:^|[.;!?]\s)no[.,!]", plain.lower())
    is_denied = any(word in _DENYING or not word.isalpha() for word in words)
    steps: list[ArithmeticStep] = []
    answers: list[tuple[int, str]] = []
    unread: list[str] = []
    begun = ""
    for sentence in _SENTENCE_END.split(plain):
        first = len(steps)
        _read_sentence(sentence, steps, answers, unread)
        if _changes_what_follows(begun):
            steps[first:] = [replace(step, is_complete=False) for step in steps[first:]]
        begun = sentence if len(steps) == first else ""
    known = {_bare(step.math) for step in steps}
    for each in annotated:
        if _bare(each) not in known:
            _read_sentence(each, steps, answers, unread)
    if len(steps) > MAX_STEPS:
        raise BudgetError("engine.too_large", f"A derivation has at most {MAX_STEPS} steps.")
    if is_denied:
        steps = [replace(step, is_complete=False) for step in steps]
    return ReadDerivation(tuple(steps), tuple(answers), tuple(unread))


def _changes_what_follows(line: str) -> bool:
    """Return whether a line before a step, which may go on in it, can change what it means."""
    words = [token.text.lower() for token in _tokens(line)]
    is_ended = bool(words) and words[-1] in (".", "!", "?", ";")
    return not is_ended and bool(_NOT_ASSERTED & set(words) or _CHANGING & set(words[-MAX_NOUNS:]))


def _bare(math: str) -> str:
    return re.sub(r"[$€£,\s]", "", math)


def _read_sentence(line: str, steps: list[ArithmeticStep], answers: list[tuple[int, str]], unread: list[str]) -> None:
    answer = _ANSWER.match(line.strip())
    if answer is not None:
        said = line.strip()[answer.end() :].strip().rstrip(".")
        number = _TOKEN.fullmatch(said)
        if number is not None and number.lastgroup == "number":
            answers.append((len(steps), said.replace(" ", "")))
            return
    tokens = _with_signs(_tokens(line))
    place = 0
    rest: list[str] = []
    while place < len(tokens):
        found = _chain(line, tokens, place)
        if found is None:
            rest += _claiming(tokens[place])
            place += 1
            continue
        step, place, left_over = found
        steps.append(step)
        rest += left_over
    if rest:
        unread.append(" ".join(rest))


def _claiming(token: _Token) -> list[str]:
    says_nothing = (
        (token.kind == "end" and token.text in ".;:")
        or token.text in _SAYS_NOTHING_MARKS
        or (token.kind == "word" and token.text.lower() in _SAYS_NOTHING)
    )
    return [] if says_nothing else [token.text]


def _tokens(line: str) -> list[_Token]:
    return [_Token(each.lastgroup or "other", each.group(), *each.span()) for each in _TOKEN.finditer(line)]


def _with_signs(tokens: list[_Token]) -> list[_Token]:
    """Return the tokens with words for signs as signs, where they stand between numbers."""
    made: list[_Token] = []
    place = 0
    while place < len(tokens):
        token = tokens[place]
        after = tokens[place + 1] if place + 1 < len(tokens) else None
        kind, text, used = token.kind, _SIGNS.get(token.text, token.text) if token.kind == "sign" else token.text, 1
        opens = after is not None and (after.kind == "number" or after.text == "(")
        closes = bool(made) and (made[-1].kind == "number" or made[-1].text == ")")
        lower = token.text.lower()
        if token.kind == "word" and after is not None:
            if opens and token.text in _SIGN_WORDS:
                kind, text = "sign", _SIGN_WORDS[token.text]
            elif opens and closes and lower == "of" and (made[-1].text.endswith("%") or _is_fraction(made)):
                kind, text = "sign", "*"
            elif lower in ("divided", "multiplied") and after.text == "by":
                kind, text, used = "sign", "/" if lower == "divided" else "*", 2
            elif opens and closes and lower in ("is", "equals", "are") and not _goes_further(tokens, place + 2):
                kind, text = "equals", "="
            elif closes and lower == "is" and after.text in _ABOUT:
                kind, text, used = "equals", "≈", 2
        elif token.kind == "equals" and after is not None and after.text in _ABOUT:
            text, used = "≈", 2
        made.append(_Token(kind, text, token.start, tokens[place + used - 1].end))
        place += used
    return made


def _goes_further(tokens: list[_Token], place: int) -> bool:
    return place < len(tokens) and tokens[place].kind in ("sign", "equals")


def _is_fraction(tokens: list[_Token]) -> bool:
    return len(tokens) >= 3 and tokens[-2].text == "/" and tokens[-3].kind == "number"


def _chain(line: str, tokens: list[_Token], start: int) -> tuple[ArithmeticStep, int, list[str]] | None:
    """Return the step that begins here, the place after it and what it says besides; None where there is none."""
    side = _side(tokens, start)
    if side is None:
        return None
    sides = [side]
    relations: list[str] = []
    while side.end < len(tokens) and tokens[side.end].kind == "equals" and len(relations) < _MAX_RELATIONS:
        following = _side(tokens, side.end + 1)
        if following is None:
            break
        relations.append("~=" if tokens[side.end].text in ("≈", "~=") else "=")
        side = following
        sides.append(side)
    if not relations or not any(_has_sign(each.text) for each in sides):
        return None
    end = side.numbers_end
    nouns = [word for each in sides[:-1] for word in each.nouns]
    text = " ".join(line[tokens[start].start : tokens[end - 1].end].split())
    complete = (
        _may_begin(tokens[max(0, start - _BEFORE) : start + 1], has_sign=_has_sign(sides[0].text))
        and _may_end(tokens, end)
        and not any(each.text.lower() in _NOT_ASSERTED for each in tokens)
        and not _DATE.search(text)
        and not (" of " in text and re.search(r" [-+] ", sides[0].text))
        and not any(_ADDED_PERCENT.match(each.text) for each in sides)
    )
    step = ArithmeticStep(
        text,
        tuple(each.text for each in sides),
        tuple(relations),
        tuple(each.nouns for each in sides),
        complete,
    )
    return step, end, nouns


def _has_sign(text: str) -> bool:
    return any(sign in text.lstrip("-+ ") for sign in "+-*/^")


def _side(tokens: list[_Token], start: int) -> _Side | None:
    """Return the longest expression that begins here, with its nouns."""
    parts: list[str] = []
    nouns: set[str] = set()
    place, depth, due = start, 0, True
    end: tuple[int, int] | None = None
    while place < min(len(tokens), start + _MAX_SIDE) and depth <= _MAX_DEPTH:
        token = tokens[place]
        if due and token.kind == "number":
            due = False
        elif due and token.text == "(":
            depth += 1
        elif due and token.kind == "sign" and token.text in "+-" and (not parts or parts[-1] not in "+-"):
            pass
        elif not due and token.text == ")" and depth:
            depth -= 1
        elif not due and token.kind == "sign" and token.text in "+-*/^" and _goes_on(tokens, place + 1):
            due = True
        else:
            break
        parts.append(token.text.replace(" ", ""))
        place += 1
        if not due:
            after = _after_nouns(tokens, place)
            if depth == 0:
                end = (place, len(parts))
            if after != place and after < len(tokens) and _joins(tokens, after, depth):
                nouns |= {each.text.lower() for each in tokens[place:after] if each.kind == "word"}
                place = after
    if end is None or depth:
        return None
    numbers_end, length = end
    after = _after_nouns(tokens, numbers_end)
    stands = after < len(tokens) and tokens[after].kind == "equals"
    follows = {tokens[numbers_end].text.lower()} if after > numbers_end else set()
    return _Side(" ".join(parts[:length]), after if stands else numbers_end, frozenset(nouns | follows), numbers_end)


def _goes_on(tokens: list[_Token], place: int) -> bool:
    return place < len(tokens) and (tokens[place].kind == "number" or tokens[place].text in ("(", "-"))


def _joins(tokens: list[_Token], place: int, depth: int) -> bool:
    token = tokens[place]
    if token.text == ")":
        return depth > 0
    return token.kind == "equals" or (token.kind == "sign" and token.text in "+-*/" and _goes_on(tokens, place + 1))


def _after_nouns(tokens: list[_Token], place: int) -> int:
    """Return the place after words that only name what a number counts."""
    end = place
    while end < len(tokens) and end - place < 2 * MAX_NOUNS:
        token = tokens[end]
        if token.kind == "word" and (len(token.text) == 1 or token.start == tokens[end - 1].end):
            break  # A name for a number, as in 2x.
        is_unit = token.text == "/" and end + 1 < len(tokens) and tokens[end + 1].kind == "word"
        if not is_unit and (token.kind != "word" or token.text.lower() in _NO_NOUN):
            break
        end += 1
    return end


def _may_begin(tokens: list[_Token], *, has_sign: bool) -> bool:
    """Return whether the last of the tokens can begin a step, whatever stands before it."""
    *before, first = tokens
    if len(before) > 1 and before[-1].text == ":":
        return has_sign and before[-2].text.lower() not in _CHANGING
    if not before:
        return True
    last = before[-1]
    if not has_sign or first.text in ("+", "-"):
        return False
    if last.kind == "word":
        recent = list(takewhile(lambda each: each.kind == "word", reversed(before)))
        words = {each.text.lower() for each in recent[:MAX_NOUNS]}
        around = before[-len(recent) - 1] if len(recent) < len(before) else None
        is_part = around is not None and (
            around.kind in ("sign", "equals") or (around.kind == "number" and ("of" in words or len(recent) == 1))
        )
        is_function = first.text == "(" and last.end == first.start
        return not is_part and not is_function and not words & _CHANGING and len(last.text) > 1
    if last.text == "(":
        around = before[-2] if len(before) > 1 else None
        return around is None or (around.kind in ("word", "end") and around.end < last.start)
    return last.kind in ("equals", "end") or (last.text == "," and last.end < first.start)


def _may_end(tokens: list[_Token], end: int) -> bool:
    if end >= len(tokens):
        return True
    first, after = tokens[end], tokens[end + 1] if end + 1 < len(tokens) else None
    if first.kind == "word":
        touches = first.start == tokens[end - 1].end
        counted = after is not None and (after.kind in ("number", "sign", "equals") and after.text not in "()")
        changes = first.text.lower() in _CHANGING - {"and", "to", "from", "per", "by"} | {"of"} or first.text in SCALES
        return not touches and not counted and not changes
    if first.text == "(":
        return first.start != tokens[end - 1].end and after is not None and after.kind == "word"
    touches = after is not None and after.start == tokens[end - 1].end + 1 and after.kind == "number"
    return (first.kind == "end" or first.text in _SAYS_NOTHING_MARKS) and not touches
