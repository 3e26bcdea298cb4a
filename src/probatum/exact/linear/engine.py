"""Decides claims about matrices of rational numbers: a property, eigenvalues, a system, or a relation of two sides.

The whole statement is one form. The facts that it rests on are the certificate, and are verified in another way than
they were found (`facts`). Refuses entries that are no rational numbers, a matrix that is not square where a
square one is due, and statements that it cannot read as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from probatum.core.errors import NotAttemptedError, nearest
from probatum.core.shape import Shape
from probatum.exact.claim import CannotDecideError, ExactClaim, Ruling, proved, refuted
from probatum.exact.linear.eigenvalues import MatrixAnswer, eigenvalue, eigenvalues, eigenvector, listed
from probatum.exact.linear.expressions import GivenMatrices, HasNoValueError, Value, value_of_side, written_rows
from probatum.exact.linear.facts import MatrixFacts
from probatum.exact.linear.matrices import SYNTAX, Matrix, beside, read_matrix, require_square
from probatum.exact.linear.properties import PROPERTIES, RELATIONS_OF, RELATIONS_OF_ANY, ZEROS, has_signs, has_zeros
from probatum.exact.numbers.expressions import Collection, Node, Relations, read_expression
from probatum.exact.numbers.real_roots import relation_holds, written_number, written_unit
from probatum.exact.numbers.writing import statement_text

HOLDS: Final = "linear.holds"
_HINT: Final = "Write for example 'eigenvalues = [3, 2]', 'rank = 2' or 'not symmetric'."
_OF: Final = r"(?: ?\(A\)| of (?:A|(?:the|this) matrix))?"
_WORDS: Final = {
    **{" is not ": "!=", " are not ": "!=", " is about ": "~=", " are about ": "~=", " equals ": "="},
    **{" is approximately ": "~=", " are approximately ": "~=", " is ": "=", " are ": "="},
    **{
        "==": "=",
        "≠": "!=",
        "≈": "~=",
        "≤": "<=",
        "≥": ">=",
        **{each: each for each in ("!=", "~=", "<=", ">=", "=", "<", ">")},
    },
}
"""What is written between two sides to the relation that it means."""
_RELATION: Final = f" ?(?P<relation>{'|'.join(map(re.escape, _WORDS))}) ?"
_PROPERTY: Final = re.compile(
    r"(?:(?:the matrix|this matrix|A) is |is )?(?P<no>not )?(?:an? )?(?P<name>[a-z][a-z -]*?)(?: matrix)?",
    re.IGNORECASE,
)
_EIGENVECTOR: Final = re.compile(
    rf"(?P<vector>\[.*\]) is (?P<no>not )?an eigenvector{_OF}"
    r"(?: (?:for|with)(?: (?:the )?eigenvalue)? (?P<value>.+))?",
    re.IGNORECASE,
)
_EIGENVALUE: Final = re.compile(
    rf"(?P<value>.+) is (?P<no>not )?an eigenvalue{_OF}"
    r"(?: (?:of|with) (?:algebraic )?multiplicity (?P<times>[1-9]\d?))?",
    re.IGNORECASE | re.ASCII,
)
_EIGENVALUES: Final = re.compile(rf"(?:the )?eigenvalues{_OF}{_RELATION}(?P<rest>.+)", re.IGNORECASE)
_HOW_MANY: Final = re.compile(
    r"(?:the )?system"
    r" (?:has (?P<many>no|an? unique|exactly one|infinitely many|a) solutions?|is (?P<is>(?:in)?consistent))",
    re.IGNORECASE,
)
_SOLUTION: Final = re.compile(
    rf"(?:(?:the |(?P<any>a ))?solution|x){_RELATION}(?P<rest>.+)"
    r"|(?P<vector>\[.*\]) (?:is (?P<one>the|a) solution|solves)(?: ?(?:of )?the system)?",
    re.IGNORECASE,
)
_NAMED: Final = re.compile(
    rf"(?:the )?(?P<name>det|determinant|tr|trace|rank|nullity|inverse|transpose){_OF}(?={_RELATION})", re.IGNORECASE
)


def decide(claim: ExactClaim) -> Ruling:
    """Return whether a statement about a matrix holds; raises as `EngineModule.decide`."""
    facts = MatrixFacts()
    answer = _answer(claim, facts)
    certificate = {"facts": facts.noted}
    if answer.holds:
        return proved(HOLDS, certificate)
    return refuted(answer.constraint, answer.detail, {**certificate, **answer.told})


def check(claim: ExactClaim, certificate: Mapping[str, object]) -> str:
    """Return what a certificate establishes; raises ValueError where it is nothing."""
    facts = MatrixFacts(Shape(certificate, "certificate").exactly("facts").items("facts"))
    answer = _answer(claim, facts)
    facts.require_end()
    if not answer.holds:
        raise ValueError("the claim does not follow from these facts")
    return HOLDS


def stated(claim: ExactClaim) -> str:
    """Return a statement as it is read, with signs in place of words; raises as `decide` for what cannot be read."""
    text = " ".join(claim.statement.split()).removesuffix(".")
    forms = (_EIGENVECTOR, _EIGENVALUE, _EIGENVALUES, _HOW_MANY, _SOLUTION)
    match = _PROPERTY.fullmatch(text)
    if match is not None and match["name"].lower().replace("-", " ") in PROPERTIES:
        return f"A is {'not ' if match['no'] else ''}{match['name'].lower()}"
    if any(form.fullmatch(text) for form in forms):
        return _with_signs(text) if " an eigen" not in text and not text.endswith("solution") else text
    return statement_text(_read_relation(text))


def _with_signs(text: str) -> str:
    for word, sign in _WORDS.items():
        text = text.replace(word, f" {sign} ") if word.startswith(" ") else text
    return text


def _answer(claim: ExactClaim, facts: MatrixFacts) -> MatrixAnswer:
    text = " ".join(claim.statement.split()).removesuffix(".")
    if not text:
        raise NotAttemptedError(SYNTAX, "The statement is empty.", _HINT)
    given = _given(claim)
    match = _PROPERTY.fullmatch(text)
    name = match["name"].lower().replace("-", " ") if match else ""
    if match is not None and name in PROPERTIES:
        return _denied(match["no"], _property(given, name, facts))
    if (match := _EIGENVECTOR.fullmatch(text)) is not None:
        return _denied(match["no"], eigenvector(given.rows, match["vector"], match["value"]))
    if (match := _EIGENVALUE.fullmatch(text)) is not None:
        return _denied(match["no"], eigenvalue(given.rows, match["value"], int(match["times"] or 0), facts))
    if (match := _EIGENVALUES.fullmatch(text)) is not None:
        return eigenvalues(given.rows, _WORDS[match["relation"].lower()], match["rest"], facts)
    if (match := _HOW_MANY.fullmatch(text)) is not None:
        return _how_many(given, match["many"] or match["is"], facts)
    if (match := _SOLUTION.fullmatch(text)) is not None:
        relation = _WORDS[(match["relation"] or "=").lower()]
        is_any = bool(match["any"] or (match["vector"] and match["one"] != "the"))
        return _solution(given, relation, match["rest"] or match["vector"], facts, is_any=is_any)
    return _relation(given, text, facts)


def _denied(no: str | None, answer: MatrixAnswer) -> MatrixAnswer:
    return MatrixAnswer(not answer.holds, "What is denied is true.", answer.told) if no else answer


def _property(given: GivenMatrices, name: str, facts: MatrixFacts) -> MatrixAnswer:
    relation = RELATIONS_OF_ANY.get(name)
    rows = given.rows if relation else require_square(given.rows)
    relation = relation or RELATIONS_OF.get(name)
    if relation is not None:
        return _relation(given, relation.format(rows=len(rows), columns=len(rows[0])), facts)
    found = has_zeros(name, rows) if name in ZEROS else has_signs(name, rows, facts)
    return MatrixAnswer(found, f"The matrix is not {name}.", {"property": name, "value": found})


def _given(claim: ExactClaim) -> GivenMatrices:
    inputs = claim.inputs
    rows = read_matrix(inputs.raw("matrix"), "matrix")
    other = read_matrix(inputs.raw("other"), "other matrix") if inputs.has("other") else None
    vector = read_matrix(inputs.raw("vector"), "vector", is_column=True) if inputs.has("vector") else None
    return GivenMatrices(rows, other, vector)


def _solutions(given: GivenMatrices, facts: MatrixFacts) -> tuple[str, Matrix]:
    """Return how many solutions the system has, and one as a column, from the kernel of [A | -b]."""
    width = len(given.rows[0])
    right = given.named("b")
    if len(right) != len(given.rows):
        raise NotAttemptedError("linear.vector", "The vector has as many numbers as the matrix has rows.")
    kernel = facts.kernel(beside(given.rows, right))
    last = [vector for vector in kernel if vector[width]]
    if not last:
        return "no", ()
    return ("one" if len(kernel) == 1 else "infinitely many"), tuple((each,) for each in last[0][:width])


def _how_many(given: GivenMatrices, claimed: str, facts: MatrixFacts) -> MatrixAnswer:
    kind = _solutions(given, facts)[0]
    due = {
        **dict.fromkeys(("no", "inconsistent"), ("no",)),
        **dict.fromkeys(("a", "consistent"), ("one", "infinitely many")),
        "infinitely many": ("infinitely many",),
    }.get(claimed.lower(), ("one",))
    return MatrixAnswer(kind in due, f"The system has {kind} solutions.", {"solutions": kind})


def _solution(given: GivenMatrices, relation: str, text: str, facts: MatrixFacts, *, is_any: bool) -> MatrixAnswer:
    if relation not in ("=", "~="):
        raise NotAttemptedError(SYNTAX, f"{relation!r} says of no vector that it is a solution.")
    node = listed(text)
    claimed = value_of_side(node, given, facts)
    kind, value = _solutions(given, facts)
    told: dict[str, object] = {"solutions": kind}
    if kind == "no":
        return MatrixAnswer(False, "The system has no solution.", told, "linear.no_solution")
    if kind == "one":
        return _held(relation, value, claimed, node)
    if relation == "~=":
        raise CannotDecideError("linear.not_unique", "Of infinitely many solutions, each rounds to another vector.")
    if len(node.items) != len(given.rows[0]) or facts.product(given.rows, claimed) != given.vector:  # type: ignore[arg-type]  # a column
        return MatrixAnswer(False, "This is no solution of the system.", told)
    if not is_any:
        raise CannotDecideError("linear.not_unique", "This is one of infinitely many solutions, not the solution.")
    return MatrixAnswer(True, "", {})


def _read_relation(text: str) -> Relations:
    named = _NAMED.match(text)
    node = read_expression(_with_signs(f"{named['name']}(A){text[named.end() :]}" if named else text), SYNTAX)
    if not isinstance(node, Relations):
        near = nearest(text[:40].lower(), PROPERTIES) or _HINT
        raise NotAttemptedError(SYNTAX, "The statement is no property, and no relation such as '='.", near)
    return node


def _relation(given: GivenMatrices, text: str, facts: MatrixFacts) -> MatrixAnswer:
    node = _read_relation(text)
    try:
        sides = [value_of_side(each, given, facts) for each in node.operands]
    except HasNoValueError as error:
        if set(node.relations) <= {"=", "~="}:
            return MatrixAnswer(False, str(error), {"value": None}, error.constraint)
        raise CannotDecideError("math.undefined", str(error)) from error
    for place, relation in enumerate(node.relations):
        answer = _held(relation, sides[place], sides[place + 1], node.operands[place + 1])
        if not answer.holds:
            return answer
    return MatrixAnswer(True, "", {})


def _held(relation: str, value: Value, claimed: Value, node: Node) -> MatrixAnswer:
    """Return whether a value stands in a relation to a claimed one, which is written so."""
    if isinstance(value, Fraction) != isinstance(claimed, Fraction):
        raise NotAttemptedError("linear.shapes", "A number is compared with a matrix.")
    if not isinstance(value, Fraction) and relation not in ("=", "!=", "~="):
        raise NotAttemptedError("linear.shapes", f"{relation!r} does not order matrices.")
    rows, others = (((each,),) if isinstance(each, Fraction) else each for each in (value, claimed))
    shapes = [(len(each), len(each[0])) for each in (rows, others)]
    if shapes[0] != shapes[1] and shapes[0] == shapes[1][::-1] and 1 in shapes[0]:
        raise NotAttemptedError("linear.shapes", "A row is compared with a column.", "A row is written [[1, 2]].")
    if relation == "!=" or shapes[0] != shapes[1]:
        holds = (rows != others) == (relation == "!=")
    else:
        is_list = relation == "~=" and isinstance(node, Collection)
        nodes = [each for row in written_rows(node) for each in row] if is_list else [node]  # type: ignore[arg-type]  # a list
        pairs = [pair for one, two in zip(rows, others, strict=True) for pair in zip(one, two, strict=True)]
        units = [written_unit(each) for each in nodes] if relation == "~=" else [Fraction(1)] * len(pairs)
        holds = all(
            relation_holds(relation, two, unit, lambda bound, one=one: (one > bound) - (one < bound))  # type: ignore[misc]  # bound now
            for (one, two), unit in zip(pairs, units, strict=True)
        )
    shown = [[written_number(each) for each in row] for row in rows]
    told = "; ".join(", ".join(row) for row in shown)
    return MatrixAnswer(holds, f"The value is {told[:200]}.", {"value": shown})
