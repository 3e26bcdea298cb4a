"""Every mutant that can be planted in a program of the corpus compiles, so that none is missing in silence."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from probatum.programs.faults.mutants import plan_mutants
from probatum.programs.loading import read_source
from probatum.programs.source import Source
from probatum.programs.units import units_of
from probatum.sandbox import Program
from tests.house.sources import ROOT

_CORPUS = ROOT / "tests" / "corpus"
_FEWEST = 5_000

_SHAPES = {
    "sorted of a generator": "return sorted(x + 1 for x in xs)",
    "sorted of a generator in parentheses": "return sorted((x + 1 for x in xs))",
    "sorted with a last comma": "return sorted(xs, key=abs,)",
    "sorted of what is unpacked": "return sorted(*[xs])",
    "enumerate of a generator": "return list(enumerate(x for x in xs))",
    "enumerate with a last comma": "return list(enumerate(xs,))",
    "sorting in place": "xs.sort()\n    return xs",
}


def _mutants(content: bytes) -> tuple[int, list[str]]:
    """Return how many mutants a program has, and the sentences of those that do not compile."""
    source, count = read_source(Program(content)), 0
    broken: list[str] = []
    if not isinstance(source, Source):
        return count, broken
    for unit in units_of(source.module, None, None):
        for mutant in plan_mutants(source, unit.qualname, limit=100_000, seed=0):
            count += 1
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    compile(mutant.source, mutant.sentence, "exec", dont_inherit=True)
                except SyntaxError:
                    broken.append(mutant.sentence)
    return count, broken


@pytest.mark.sampled(8)
@pytest.mark.parametrize("path", sorted(_CORPUS.rglob("*.py")), ids=lambda path: str(path.relative_to(_CORPUS)))
def test_every_mutant_of_the_corpus_compiles(path: Path) -> None:
    assert _mutants(path.read_bytes())[1] == []


@pytest.mark.long
def test_the_corpus_has_mutants() -> None:
    assert sum(_mutants(path.read_bytes())[0] for path in _CORPUS.rglob("*.py")) >= _FEWEST


@pytest.mark.parametrize("shape", _SHAPES)
def test_mutants_compile_of(shape: str) -> None:
    count, broken = _mutants(f"def f(xs):\n    {_SHAPES[shape]}\n".encode())
    assert count > 0
    assert broken == []
