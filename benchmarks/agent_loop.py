"""Prints how many bytes an agent sends and receives until its functions are decided: ask once, answer once.

Usage: python benchmarks/agent_loop.py. The functions are the examples that have recorded answers. The form before this
one, four commands a file (ask, add, list, verify), took 6,335 bytes a function on the same examples and answers.
Asserts nothing: bytes are the same on every machine.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from importlib.resources import files
from pathlib import Path

from probatum.app.agent_tools import offered_tools
from probatum.app.desk import ServiceDesk
from probatum.app.service import Service
from probatum.app.sources import NO_SOURCES
from probatum.core.disclosure import Layer
from probatum.core.frozen import thaw
from probatum.core.shape import Shape
from probatum.proof.stores import open_store

NAMES = ("late_fee", "recent_users", "user_table")
BEFORE = 6335
_PREFIX = {"result": "", "narrative": "-"}


def answers_to(cards: dict[str, dict[str, object]], folder: Path) -> dict[str, dict[str, object]]:
    """Return what was recorded of the cards' functions, by the ids of their sentences."""
    told: dict[str, dict[str, object]] = {}
    for key, card in cards.items():
        path, _, function = key.partition("::")
        rows = [json.loads(line) for line in (folder / path).with_suffix(".answers.jsonl").read_text().splitlines()]
        [row] = [each for each in rows if each["function"] == function]
        said: dict[str, object] = {}
        for each in row["statements"]:
            words = Shape(card).raw_object("say")
            said[next(name for name, text in words.items() if str(text).endswith(each["text"]))] = _clause(each)
        beside = {part: row[part] for part in ("inputs", "helpers", "reference") if row.get(part)}
        told[key] = {**said, **beside}
    return told


def _clause(row: dict[str, str]) -> str:
    prefix = f"raises {row['exception']}: " if row["kind"] == "raises" else f"{row['kind']}: "
    return _PREFIX.get(row["kind"], prefix) + row["clause"]


def main() -> None:
    """Let a stub read the examples, and print what that took."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for each in files("probatum").joinpath("examples").iterdir():
            if each.name.partition(".")[0] in NAMES:
                shutil.copy(str(each), folder)
        os.chdir(folder)
        tools = offered_tools(Layer.AGENT, folder / "proofs.sqlite")
        with Service(open_store(folder / "proofs.sqlite")) as service:
            desk = ServiceDesk(service, tools["ask"].kind, NO_SOURCES)
            question: dict[str, object] = {"paths": [f"{each}.py" for each in NAMES]}
            asked = dict(tools["ask"].tool.act(question, desk))
            cards = {key: card for key, card in asked.items() if isinstance(card, dict) and "say" in card}
            answer = {"answers": answers_to(cards, folder)}
            answered = dict(tools["answer"].tool.act(answer, desk))
    rows = {
        "rules, once a session": len(tools["answer"].tool.description),
        "ask, sent": len(json.dumps(question)),
        "ask, received": len(json.dumps(asked)),
        "answer, sent": len(json.dumps(answer)),
        "answer, received": len(json.dumps(answered)),
    }
    for title, size in rows.items():
        print(f"{title:<25}{size:>6,} bytes")
    described = sum(len(each.tool.description) + len(json.dumps(thaw(each.tool.arguments))) for each in tools.values())
    print(f"{'all tools, once a session':<25}{described:>6,} bytes, not counted")
    total = sum(rows.values()) / len(cards)
    print(f"{len(cards)} functions: {total:,.0f} bytes each, {total / BEFORE:.2f} of the form before this one")
    for key in cards:
        print(f"{key}: {Shape(answered).member(key).text('verdict')}")


if __name__ == "__main__":
    main()
