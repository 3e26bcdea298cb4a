"""Means that could reach the runner: what a new test may do as every test does, and what it may not."""

from __future__ import annotations

import pytest

from probatum.changes.tampering import means_added

_TEST = (
    "import builtins, json, os, sys, time\nfrom unittest import mock\n\n\ndef test_it(monkeypatch, other):\n    {}\n"
)
_ORDINARY = (
    "monkeypatch.setattr(sys, 'argv', ['shop'])",
    "monkeypatch.setattr(time, 'time', lambda: 0)",
    "monkeypatch.delattr(sys, 'ps1')",
    "mock.patch.object(os, 'getcwd', return_value='/')",
    "monkeypatch.setattr('sys.argv', [])",
    "monkeypatch.setenv('HOME', '/')",
)
_MEANS = (
    "monkeypatch.setattr(sys, 'modules', {})",
    "monkeypatch.setattr(sys, '_getframe', None)",
    "monkeypatch.setattr(sys, other, None)",
    "monkeypatch.setattr(builtins, '__import__', other)",
    "monkeypatch.setattr(other, 'name', sys)",
    "mock.patch.object(sys, 'settrace', other)",
    "other.look(sys, 'argv')",
    "sys._getframe()",
)


@pytest.mark.parametrize("statement", _ORDINARY)
def test_what_every_test_may_do_is_no_means(statement: str) -> None:
    assert means_added({}, {"tests/test_it.py": _TEST.format(statement).encode()}) == ()


@pytest.mark.parametrize("statement", _MEANS)
def test_what_could_reach_the_runner_is_told(statement: str) -> None:
    [found] = {each.line for each in means_added({}, {"tests/test_it.py": _TEST.format(statement).encode()})}
    assert found == 6


@pytest.mark.parametrize("statement", [*_ORDINARY[:4], *_MEANS])
def test_a_source_does_not_get_a_module_patched(statement: str) -> None:
    assert means_added({}, {"src/shop.py": _TEST.format(statement).encode()})
