"""What engines make of generated claims: python -m tests.exact.generated.measure [COUNT] [ENGINE|all] [SEED]."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from time import process_time
from typing import cast

from probatum.core.decision import Outcome
from probatum.core.errors import BudgetError, NotAttemptedError
from probatum.core.frozen import frozen_dict, thaw
from probatum.exact import engines
from probatum.exact.claim import CannotDecideError, ExactClaim
from tests.exact.generated.catalogue import FAMILIES, claims
from tests.exact.generated.claim import Family, Generated


@dataclass(slots=True)
class Tally:
    """What became of the claims of a family."""

    claims: int = 0
    false_proved: list[Generated] = field(default_factory=list)
    false_refuted: list[Generated] = field(default_factory=list)
    failed: list[tuple[Generated, str]] = field(default_factory=list)
    """Claims on which something else was raised than may be, and proofs that do not pass their check."""
    undecided: list[tuple[Generated, str]] = field(default_factory=list)
    """Claims that are not decided and should be."""
    proofs: list[tuple[ExactClaim, dict[str, object]]] = field(default_factory=list)
    slowest: tuple[float, str] = (0.0, "")
    """The processor time of the claim that takes most, in seconds, and its statement."""


def available() -> tuple[Family, ...]:
    """Return the families of the engines that are here, as far as they take what the claims need."""
    inputs = {name: {"", *(each.name for each in entry.inputs)} for name, entry in engines.ENGINES.items()}
    return tuple(family for family in FAMILIES if family.needs in inputs.get(family.engine, ()))


def add(tally: Tally, made: Generated) -> None:
    """Decide a claim, check its proof, and count it."""
    claim = ExactClaim(made.engine, made.statement, frozen_dict(dict(made.given)))
    tally.claims += 1
    try:
        ruling = engines.decide(claim)
        if ruling.outcome is Outcome.PROVED:
            certificate = cast("dict[str, object]", thaw(ruling.evidence))
            if not made.truth:
                tally.false_proved.append(made)
            if engines.check(claim, certificate) != ruling.constraint:
                tally.failed.append((made, "the check establishes something else"))
            tally.proofs.append((claim, certificate))
        elif ruling.outcome is Outcome.REFUTED:
            if made.truth:
                tally.false_refuted.append(made)
        else:
            tally.undecided.append((made, ruling.constraint))
    except (NotAttemptedError, BudgetError) as error:
        tally.undecided.append((made, f"{error.code}: {error}"))
    except CannotDecideError as error:
        tally.undecided.append((made, str(error)))
    except Exception as error:  # what engines may not raise is what is looked for
        tally.failed.append((made, f"{type(error).__name__}: {error}"))


def measured(seed: int, count: int, families: tuple[Family, ...]) -> dict[Family, Tally]:
    """Return what becomes of so many claims of each family."""
    tallies = {family: Tally() for family in families}
    for family, tally in tallies.items():
        for made in claims(seed, count, (family,)):
            start = process_time()
            add(tally, made)
            tally.slowest = max(tally.slowest, (process_time() - start, made.statement))
        if family.is_false_open:
            tally.undecided = [each for each in tally.undecided if each[0].truth]
    return tallies


def _rows(tallies: dict[Family, Tally]) -> Iterator[str]:
    names = f"{'engine':10} {'family':28} {'claims':>7} {'decided':>8}"
    yield f"{names} {'false proved':>13} {'false refuted':>14} failed slowest"
    for family, tally in tallies.items():
        share = f"{100 - 100 * (len(tally.undecided) + len(tally.failed)) / tally.claims:.1f}%" if tally.claims else "-"
        wrong = (
            f"{len(tally.false_proved):13} {len(tally.false_refuted):14} {len(tally.failed):6} {tally.slowest[0]:6.2f}s"
        )
        yield f"{family.engine:10} {family.name:28} {tally.claims:7} {share:>8} {wrong}"
    for tally in tallies.values():
        for word, found in (("FALSE PROVED", tally.false_proved), ("FALSE REFUTED", tally.false_refuted)):
            for made in found[:10]:
                yield f"{word} {made}"
        for made, reason in tally.failed[:5]:
            yield f"FAILED {reason[:200]} {made}"
        for made, reason in tally.undecided[:3]:
            yield f"undecided {made.family}: {reason[:110]} | {made.statement[:150]!r} {str(made.given)[:300]}"


def main(arguments: list[str]) -> None:
    """Print the table."""
    count = int(arguments[0]) if arguments else 40
    families = available()
    if len(arguments) > 1 and arguments[1] != "all":
        families = tuple(family for family in families if family.engine == arguments[1])
    seed = int(arguments[2]) if len(arguments) > 2 else 1
    for row in _rows(measured(seed, count, families)):
        print(row)


if __name__ == "__main__":
    main(sys.argv[1:])
