"""Runs a composite action as far as that needs no network: its `run` steps, with what the runner would give them.

Steps that use another action are recorded and skipped. Of expressions, names with dots are known, and comparisons with
text that `&&` joins: an expression that is more than that is an error here, so that none goes untested.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

import yaml

from tests.integrations.repository import ACTION, Repository

_EXPRESSION = re.compile(r"\$\{\{\s*(.+?)\s*\}\}")
_NAME = re.compile(r"[a-z_]+(\.[\w-]+)+")
_COMPARISON = re.compile(r"(?P<name>[a-z_]+(\.[\w-]+)+) (?P<sign>[!=]=) '(?P<text>[^']*)'")


@dataclass(slots=True)
class Job:
    """What a run of the action has left."""

    exit_code: int = 0
    log: str = ""
    outputs: dict[str, str] = field(default_factory=dict)
    used: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    summary: str = ""

    @property
    def workflow_commands(self) -> list[str]:
        """The lines of the log that the runner would obey."""
        found, stopped = [], ""
        for line in self.log.splitlines():
            if not stopped and line.startswith("::stop-commands::"):
                stopped = line.removeprefix("::stop-commands::")
            elif stopped and line == f"::{stopped}::":
                stopped = ""
            elif not stopped and line.startswith("::"):
                found.append(line)
        return found


def run_action(
    repository: Repository, event_name: str = "push", event: Mapping[str, object] | None = None, **inputs: str
) -> Job:
    """Run the action in a repository; inputs are named with `_` for `-`."""
    action = yaml.safe_load(ACTION.read_text(encoding="utf-8"))
    given = {name.replace("_", "-"): value for name, value in inputs.items()}
    assert given.keys() <= action["inputs"].keys()
    place = repository.folder.parent / "runner"
    place.mkdir(exist_ok=True)
    files = {name: place / name.lower() for name in ("GITHUB_EVENT_PATH", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    files["GITHUB_EVENT_PATH"].write_text(json.dumps(event or {}), encoding="utf-8")
    files["GITHUB_STEP_SUMMARY"].write_text("", encoding="utf-8")
    names = {
        **{f"inputs.{name}": given.get(name, declared["default"]) for name, declared in action["inputs"].items()},
        "github.event_name": event_name, "github.sha": "0" * 40, "github.token": "a token",
        "runner.os": "Linux", "runner.temp": str(place),
    }  # fmt: skip
    surroundings = {
        **{name: str(path) for name, path in files.items()}, "GITHUB_ACTION_PATH": str(ACTION.parent),
        "GITHUB_REPOSITORY": "shop/shop", "RUNNER_TEMP": str(place),
    }  # fmt: skip
    job = Job()
    for step in action["runs"]["steps"]:
        if "if" in step and not _holds(step["if"], names):
            continue
        if "uses" in step:
            job.used.append((step["uses"], {key: _filled(value, names) for key, value in step["with"].items()}))
            continue
        assert step["shell"] == "bash"
        assert not _EXPRESSION.search(step["run"]), "an expression in a script is code of whoever gives its value"
        files["GITHUB_OUTPUT"].write_text("", encoding="utf-8")
        script = place / "script.sh"
        script.write_text(step["run"], encoding="utf-8")
        own = {name: _filled(value, names) for name, value in step.get("env", {}).items()}
        done = repository.run("bash", "--noprofile", "--norc", "-eo", "pipefail", str(script), extra=surroundings | own)
        job.log += done.output
        for line in files["GITHUB_OUTPUT"].read_text(encoding="utf-8").splitlines():
            name, _, value = line.partition("=")
            names[f"steps.{step['id']}.outputs.{name}"] = value
        if done.exit_code:
            job.exit_code = done.exit_code
            break
    job.summary = files["GITHUB_STEP_SUMMARY"].read_text(encoding="utf-8")
    job.outputs = {name: _filled(output["value"], names) for name, output in action["outputs"].items()}
    return job


def _filled(text: str, names: Mapping[str, str]) -> str:
    return _EXPRESSION.sub(lambda match: _value(match[1], names), text)


def _value(name: str, names: Mapping[str, str]) -> str:
    assert _NAME.fullmatch(name), name
    # As in the runner, what no step has put out is empty; anything else that is unknown is a mistake.
    return names.get(name, "") if name.startswith("steps.") else names[name]


def _holds(condition: str, names: Mapping[str, str]) -> bool:
    parts = [_COMPARISON.fullmatch(part) for part in condition.split(" && ")]
    assert all(parts), condition
    return all((_value(part["name"], names) == part["text"]) is (part["sign"] == "==") for part in parts if part)
