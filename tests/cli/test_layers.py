"""What the agent's layer prints, whatever the interface: nothing of the fields, results and clauses below it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli import programs
from tests.cli.command import Commands

HIDDEN = "def test_hidden_expectation():\n    from artifact import newest\n    assert newest([7131], 7132) == [7133]\n"
PROGRAMS = {
    "verified": programs.HOLDING,
    "refuted": programs.WRONG,
    "weak": programs.WEAK,
    "two of them": programs.HOLDING + programs.WRONG,
    "it does not parse": b"def f(:\n    return 'sk-7f3a-unparsed'\n",
    "it fails while it is loaded": b"raise RuntimeError('sk-7f3a-loading secret')\n",
    "it ends itself": b"import os\nos._exit(77)\n",
    "a package is missing": b"import no_such_package_7f3a\n",
    "no text": b"\xff\xfe\x00\x01",
    "nothing to check": b"def f(a):\n    return a\n",
}
AGENT = ("--layer", "agent")
SHORTEST = 6


def texts(value: object) -> Iterator[str]:
    """Every text and number in a document that is long enough to be told from another."""
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from texts(item)
    elif isinstance(value, str | float) and len(str(value)) >= SHORTEST:
        yield str(value)


def below(document: dict[str, object]) -> set[str]:
    """Every text of a whole document that belongs below layer 1 and is in no sentence for the agent."""
    entries = [document, *document.get("functions", {}).values()]
    sentences = " ".join(entry["verdict"]["agent_message"] for entry in entries)
    values = [
        [
            entry["verdict"]["developer_fields"],
            entry["verdict"]["proof_ref"],
            entry.get("result"),
            entry.get("specification"),
        ]
        for entry in entries
    ]
    return {text for text in texts(values) if text not in sentences}


def agents_part(document: dict[str, object]) -> dict[str, object]:
    """Return what layer 1 leaves of a whole document."""
    verdict = document["verdict"]
    left: dict[str, object] = {"verdict": {key: verdict[key] for key in ("status", "agent_message")}}
    if "functions" in document:
        left["functions"] = {name: agents_part(each) for name, each in document["functions"].items()}
    return left


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_agent_is_told_a_sentence_and_nothing_else(name: str, commands: Commands, tmp_path: Path) -> None:
    (tmp_path / "code.py").write_bytes(PROGRAMS[name])
    (tmp_path / "hidden.py").write_text(HIDDEN)
    hidden_tests = ("--tests", "hidden.py") if name == "refuted" else ()
    asked = ("verify", "code.py", "--level", "quick", *hidden_tests)
    whole = json.loads(commands.run(*asked, "--json").stdout)
    secrets = below(whole)
    assert whole["verdict"]["developer_fields"]["constraint_id"] in secrets
    if hidden_tests:
        assert any("7131" in secret for secret in secrets)
    for mode in ((), ("--json",), ("--events",), ("--verbose",)):
        ended = commands.run(*asked, *AGENT, *mode)
        shown = ended.stdout + ended.stderr
        assert [secret for secret in secrets if secret in shown] == [], mode
        assert "7131" not in shown
        assert whole["verdict"]["agent_message"] in shown
        if mode == ("--json",):
            assert json.loads(ended.stdout) == agents_part(whole)


def test_an_answer_of_a_batch_is_a_sentence_too(commands: Commands, tmp_path: Path) -> None:
    lines = [
        {"id": str(number), "kind": "program", "source": source.decode("latin-1")}
        for number, source in enumerate(PROGRAMS.values())
    ]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    for layer in ("proof", "agent"):
        ended = commands.run("batch", "in.jsonl", f"{layer}.jsonl", "--layer", layer, "--level", "quick")
        assert ended.code == 0
    answers = {
        layer: {each["id"]: each for each in map(json.loads, (tmp_path / f"{layer}.jsonl").read_text().splitlines())}
        for layer in ("proof", "agent")
    }
    assert len(answers["proof"]) == len(PROGRAMS)
    for number, whole in answers["proof"].items():
        verdict = {key: whole["verdict"][key] for key in ("status", "agent_message")}
        assert answers["agent"][number] == {"id": number, "verdict": verdict}
