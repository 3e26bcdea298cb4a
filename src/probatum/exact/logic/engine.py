"""Decides claims of logic over declared names: what follows, what can hold together, and what an optimum is.

A statement is a condition, which is claimed to follow from the premises; ``satisfiable`` or ``unsatisfiable``, alone or
with a condition in brackets; or ``maximum(x + y) == 5``, which is claimed to be attained. A condition that does not
follow is undecided, with a model that shows it, and false only where its opposite follows. Premises that cannot hold
together prove nothing. Nothing is divided by zero: where that could decide a claim, it is undecided. Every model is
evaluated exactly. Refuses names that are not declared, mixed types, and a claim about nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from probatum.core.canonical import canonical_bytes
from probatum.core.digest import digest_of
from probatum.core.errors import BudgetError, NotAttemptedError
from probatum.core.shape import Shape
from probatum.exact.claim import CannotDecideError, ExactClaim, Ruling, proved, refuted, undecided, unreadable
from probatum.exact.expressions import FunctionCall, Name, Node, Relations, read_expression
from probatum.exact.logic.reading import SYNTAX, TYPE, TermBuilder, require_declared, sorts_of
from probatum.exact.logic.search import Model, check_refuted, settle
from probatum.exact.logic.terms import (
    BOOL,
    REAL,
    TRUE,
    Term,
    Value,
    conjunction,
    constant,
    defined,
    disjunction,
    divided,
    negation,
    printed,
    term,
    value_of,
    variables,
)

HOLDS: Final = "logic.holds"
FAILS: Final = "logic.fails"
NO_CLAIM: Final = "logic.no_claim"
NOT_ENTAILED: Final = "logic.not_entailed"
UNDEFINED: Final = "logic.undefined"
VACUOUS: Final = "logic.vacuous_premises"
NOT_ATTAINED: Final = "logic.supremum_not_attained"
MAX_PREMISES: Final = 200
CLOSE: Final = Fraction(1, 10**6)
"""How near cases have to come to an optimum that none attains, to be told so."""
_OPTIMA: Final = ("maximum", "minimum")
_TOGETHER: Final = ("satisfiable", "unsatisfiable")


@dataclass(frozen=True, slots=True)
class LogicClaim:
    """A claim as it is read."""

    form: str
    premises: tuple[Term, ...]
    conclusion: Term
    """What is to follow; of an optimum, that its term has the claimed value."""
    beyond: Term
    """Of an optimum: what no case may do."""

    @property
    def holding(self) -> Term:
        """Return that every premise has a value and is true."""
        return conjunction(*(part for each in self.premises for part in (defined(each), each)))

    @property
    def open(self) -> Term:
        """Return that no premise has a value and is false."""
        return conjunction(*(disjunction(negation(defined(each)), each) for each in self.premises))


def decide(claim: ExactClaim) -> Ruling:
    """Return whether a claim of logic holds; raises as `EngineModule.decide`."""
    read = _read(claim)
    if read.form in ("satisfiable", "unsatisfiable"):
        return _decide_together(claim, read)
    if read.form == "entailment":
        return _decide_entailment(claim, read)
    return _decide_optimum(claim, read)


def check(claim: ExactClaim, certificate: Mapping[str, object]) -> str:
    """Return what a certificate establishes; raises ValueError where it is nothing.

    A condition follows from premises exactly where these and its opposite have no model (Tarski 1936); a model is
    evaluated, and that there is none is checked by `refutations`.
    """
    read = _read(claim)
    shape = Shape(certificate, "certificate").exactly("form", "digest", may=("model", "refutation"))
    rest = {key: value for key, value in certificate.items() if key != "digest"}
    if shape.text("form") != read.form or shape.text("digest") != _digest(claim, rest):
        raise ValueError("the certificate is of another claim, or was changed")
    held, unheld = _to_show(read)
    if shape.has("model") is not (held is not None) or shape.has("refutation") is not (unheld is not None):
        raise ValueError("a model or a refutation is missing, or is not due")
    if held is not None and value_of(held, _model_from(shape.member("model"), held)) is not True:
        raise ValueError("the model does not make true what it should")
    if unheld is not None:
        check_refuted(unheld, shape.member("refutation"))
    return HOLDS


def stated(claim: ExactClaim) -> str:
    """Return the claim in canonical form, with its premises and the types of its names."""
    read = _read(claim)
    names = variables(conjunction(*read.premises, read.conclusion, read.beyond))
    premises = list(map(printed, read.premises))
    sorts = f"[{', '.join(f'{name}: {sort}' for name, sort in names.items())}] " if names else ""
    if read.form in _TOGETHER:
        return f"{sorts}{read.form}({' and '.join(premises)})"
    said = printed(read.conclusion)
    if read.form in _OPTIMA:
        value, aim = map(printed, read.conclusion.args)
        said = f"{read.form}({aim}) == {value}"
    return f"{sorts}{'; '.join(premises)} |= {said}" if premises else f"{sorts}{said}"


def _to_show(read: LogicClaim) -> tuple[Term | None, Term | None]:
    """Return what has a model where a claim is proved, and what has none."""
    holding = read.holding
    if read.form == "satisfiable":
        return _without_zero(holding), None
    if read.form == "unsatisfiable":
        return None, read.open
    if read.form == "entailment":
        held = _without_zero(holding) if read.premises else None
        return held, conjunction(holding, negation(_true_for_sure(read.conclusion)))
    held = _without_zero(conjunction(holding, read.conclusion))
    return held, conjunction(holding, negation(_true_for_sure(negation(read.beyond))))


def _without_zero(condition: Term) -> Term:
    """Return that a condition holds and nothing in it is divided by zero, evaluated or not."""
    return conjunction(divided(condition), condition)


def _true_for_sure(condition: Term) -> Term:
    return conjunction(defined(condition), condition)


def _decide_together(claim: ExactClaim, read: LogicClaim) -> Ruling:
    model, no_model = settle(_without_zero(read.holding))
    if model is not None:
        if read.form == "satisfiable":
            return _proved(claim, read, model, None)
        return refuted(FAILS, "The conditions hold together in the model.", {"model": _written(model)})
    if not read.holding.is_total:
        other, no_model = settle(read.open)
        if other is not None:
            return undecided(UNDEFINED, "The conditions are not false where something is divided by zero.")
    if read.form == "unsatisfiable":
        return _proved(claim, read, None, no_model)
    return refuted(FAILS, "The conditions cannot hold together.", {"refutation": no_model})


def _decide_entailment(claim: ExactClaim, read: LogicClaim) -> Ruling:
    held, unheld = _to_show(read)
    against = _without_zero(conjunction(*read.premises, negation(read.conclusion)))
    counter_model, refutation = settle(against)
    if counter_model is not None:
        return _not_entailed(read, counter_model)
    model = None if held is None else settle(held)[0]
    if held is not None and model is None:
        return _without_case(read)
    if unheld != against:
        case, refutation = settle(unheld or TRUE)
        if case is not None:
            return undecided(UNDEFINED, "Where every premise is true, the statement can divide by zero.")
    return _proved(claim, read, model, refutation)


def _not_entailed(read: LogicClaim, counter_model: Model) -> Ruling:
    """Return that a claim is false where its opposite follows as well, and else that it is open, with the model."""
    written = {"model": _written(counter_model)}
    try:
        other, refutation = settle(conjunction(read.holding, negation(_true_for_sure(negation(read.conclusion)))))
    except CannotDecideError:
        other, refutation = counter_model, {}
    if other is None:
        shown = {**written, "refutation": refutation}
        return refuted(FAILS, "The opposite of the statement follows from the premises.", shown)
    return undecided(NOT_ENTAILED, "In the model every premise is true and the statement is not.", written)


def _without_case(read: LogicClaim) -> Ruling:
    """Return the ruling on a claim whose premises have no model."""
    if all(each.is_total for each in read.premises) or settle(read.open)[0] is None:
        return undecided(VACUOUS, "The premises cannot hold together, so anything would follow from them.")
    return undecided(UNDEFINED, "The premises are true nowhere, and divide by zero where they are not false.")


def _decide_optimum(claim: ExactClaim, read: LogicClaim) -> Ruling:
    held, unheld = _to_show(read)
    better, _ = settle(_without_zero(conjunction(*read.premises, read.beyond)))
    if better is not None:
        return refuted(FAILS, "The model goes beyond the claimed optimum.", {"model": _written(better)})
    model, _ = settle(held or TRUE)
    if model is None and settle(_without_zero(read.holding))[0] is None:
        return _without_case(read)
    case, refutation = settle(unheld or TRUE)
    if case is not None:
        return undecided(UNDEFINED, "Where every premise is true, the term can divide by zero.")
    if model is not None:
        return _proved(claim, read, model, refutation)
    # Nor may the value be reached where a part that divides by zero is not evaluated.
    reached, never = settle(conjunction(read.open, disjunction(negation(defined(read.conclusion)), read.conclusion)))
    if reached is not None:
        return undecided(UNDEFINED, "The claimed value is reached where something is divided by zero.")
    value, aim = read.conclusion.args
    near = (_shifted(value, -CLOSE), aim) if read.form == "maximum" else (aim, _shifted(value, CLOSE))
    nearly = term("<", BOOL, *near)
    is_near = settle(_without_zero(conjunction(*read.premises, nearly)))[0] is not None
    constraint = NOT_ATTAINED if is_near else FAILS
    return refuted(constraint, "No case has the claimed value.", {"refutation": never})


def _shifted(value: Term, by: Fraction) -> Term:
    return term("+", REAL, value, constant(by, REAL))


def _proved(claim: ExactClaim, read: LogicClaim, model: Model | None, refutation: object) -> Ruling:
    certificate: dict[str, object] = {"form": read.form}
    if model is not None:
        certificate["model"] = _written(model)
    if refutation is not None:
        certificate["refutation"] = refutation
    return proved(HOLDS, {**certificate, "digest": _digest(claim, certificate)})


def _digest(claim: ExactClaim, certificate: Mapping[str, object]) -> str:
    """Return the digest that binds a certificate to its claim, so that neither changes without the other."""
    return digest_of(canonical_bytes({"claim": claim.to_json(), "certificate": dict(certificate)}))


def _written(model: Model) -> dict[str, object]:
    return {name: value if isinstance(value, bool) else str(value) for name, value in model.items()}


def _model_from(shape: Shape, condition: Term) -> Model:
    sorts = variables(condition)
    shape.exactly(*sorts)
    model: dict[str, Value] = {}
    for name, sort in sorts.items():
        if sort == BOOL:
            model[name] = shape.flag(name)
            continue
        written = shape.text(name)
        if not re.fullmatch("-?[0-9]{1,2000}(/0*[1-9][0-9]{0,2000})?", written) or str(Fraction(written)) != written:
            raise ValueError(f"{name} has no number in its one spelling")
        number = Fraction(written)
        if sort != REAL and number.denominator != 1:
            raise ValueError(f"{name} has no value of the type {sort}")
        model[name] = number
    return model


def _read(claim: ExactClaim) -> LogicClaim:
    sorts = sorts_of(claim.given.get("declare") or [])
    texts = _premise_texts(claim.given.get("premise") or [])
    nodes = [read_expression(text, SYNTAX, percent_is_modulo=True) for text in texts]
    if not claim.statement.strip():
        raise NotAttemptedError(NO_CLAIM, "The statement is empty.")
    form, stated = _form_of(read_expression(claim.statement, SYNTAX, percent_is_modulo=True))
    if not nodes and not stated:
        raise NotAttemptedError(NO_CLAIM, "Nothing is said to hold together.", "Give a premise, or a condition.")
    require_declared([*nodes, *stated], sorts)
    pairs = zip(texts, nodes, strict=True)
    premises = [TermBuilder(text, sorts).condition(node) for text, node in pairs]
    builder = TermBuilder(claim.statement, sorts)
    conclusion = beyond = TRUE
    if form in _OPTIMA:
        conclusion, beyond = _optimum(form, claim.statement, stated, builder)
    elif form == "entailment":
        conclusion = builder.condition(stated[0])
    else:
        premises += [builder.condition(each) for each in stated]
    # All together is bounded as one term is.
    term("and", BOOL, *premises, conclusion)
    return LogicClaim(form, tuple(premises), conclusion, beyond)


def _form_of(node: Node) -> tuple[str, Sequence[Node]]:
    """Return the form of a statement, and the expressions in it: of an optimum its term and its value."""
    match node:
        case Name(name=name) if name in _TOGETHER:
            return name, ()
        case FunctionCall(name=name, arguments=[condition]) if name in _TOGETHER:
            return name, (condition,)
        case Relations(operands=[FunctionCall(name=name, arguments=[aim]), value], relations=["="]) if name in _OPTIMA:
            return name, (aim, value)
        case _:
            return "entailment", (node,)


def _optimum(form: str, text: str, nodes: Sequence[Node], builder: TermBuilder) -> tuple[Term, Term]:
    aim, claimed = map(builder.number, nodes)
    if variables(claimed):
        raise unreadable(TYPE, text, nodes[1].start, "The optimum is a number without names")
    try:
        number = value_of(claimed, {})
    except ZeroDivisionError as error:
        raise CannotDecideError(UNDEFINED, "The claimed value is divided by zero.") from error
    value = constant(Fraction(number), claimed.sort)
    attained = term("=", BOOL, value, aim)
    return attained, term("<", BOOL, *((value, aim) if form == "maximum" else (aim, value)))


def _premise_texts(given: object) -> Sequence[str]:
    texts = [given] if isinstance(given, str) else given
    if not isinstance(texts, list) or not all(isinstance(each, str) for each in texts):
        raise NotAttemptedError(SYNTAX, "Premises are texts.")
    if len(texts) > MAX_PREMISES:
        raise BudgetError("engine.too_large", f"There are at most {MAX_PREMISES} premises.")
    return texts
