"""The command of any kind: a subject that an option names, and documents about one subject or a folder of them."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from probatum.cli import application
from probatum.kinds.output.kind import OutputKind
from tests.cli import programs
from tests.cli.command import Commands

GOOD = b'{"yes": true, "confidence": 0.9, "reason": "ok"}'
BAD = b'{"yes": "true", "confidence": 9, "reason": "ok"}'
GATE = ("--contract", "llm_boolean_gate")


class AnswerKind(OutputKind):
    command = replace(OutputKind.command, subject_option="answer")


def test_a_kind_takes_its_subject_through_an_option(commands: Commands, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(application, "kind_of_command", lambda _name: AnswerKind())
    Path("out.json").write_bytes(GOOD)
    Path("lines").write_bytes(GOOD + b"\n" + BAD + b"\n")
    assert commands.run("check", "--answer", "out.json", *GATE).code == 0
    assert commands.run("check", *GATE, "--answer=-", stdin=BAD).code == 1
    told = commands.run("check", *GATE, "--answer", "lines", "--lines")
    assert (told.code, len(told.stdout.splitlines())) == (1, 2)
    assert "Missing option '--answer'" in commands.run("check", *GATE).stderr
    assert commands.run("check", "out.json", "--answer", "out.json", *GATE).code == 2
    assert "--answer was given twice" in commands.run("check", *("--answer", "out.json") * 2, *GATE).stderr
    helped = commands.run("check", "--help").stdout
    assert re.search(r"--answer OUTPUT +A file with what was answered", helped)
    assert "Usage: probatum check [OPTIONS]\n" in helped


@pytest.mark.parametrize("form", ["html", "markdown"])
def test_a_document_about_a_folder_begins_with_the_summary(commands: Commands, form: str):
    Path("a.py").write_bytes(programs.HOLDING)
    Path("b.py").write_bytes(programs.WRONG)
    Path("c.py").write_bytes(b"")
    ended = commands.run("verify", ".", "--format", form)
    assert (ended.code, ended.stderr) == (1, "")
    assert ended.stdout.index("1 VERIFIED, 1 REFUTED.") < ended.stdout.index("Repeat")
    assert ended.stdout.count("Repeat") == 2
    line = {"html": '<span class="mark fails">✗ REFUTED</span></div>', "markdown": "- **✗ REFUTED**: b.py"}
    assert line[form] in ended.stdout
    assert "c.py: It defines no function and no class." in ended.stdout
    for layer, told in (("agent", 0), ("developer", 2)):
        assert commands.run("verify", ".", "--format", form, "--layer", layer).stdout.count("Repeat") == told


def test_a_format_is_no_mode(commands: Commands):
    for other in ("--json", "--events"):
        assert commands.run("check", "-", *GATE, "--format", "html", other).code == 2
    assert commands.run("check", "-", *GATE, "--format", "markdown", "--lines").code == 2
    assert commands.run("check", "missing.json", *GATE, "--format", "html").stdout == ""
