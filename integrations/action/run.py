"""The two scripted steps of the GitHub Action: ``verify`` runs the command once, ``comment`` shows its result.

``verify`` reads the Action's inputs from the environment, runs ``probatum verify`` once for the log, SARIF and
Markdown, and hands its exit code to the last step, so that reports are published for a failing run too. Needs git and
the standard library alone. Refuses to guess what a pull request changes where its commits are not in the clone.
"""

from __future__ import annotations

import json
import os
import posixpath
import secrets
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from urllib.parse import quote

SUMMARY_BYTES: Final = 1024 * 1024
"""How much GitHub takes as the summary of one step."""
COMMENT_BYTES: Final = 60_000
"""GitHub takes 65,536 characters as a comment."""
_PAGE_BREAK: Final = "\n---\n"
_CUT: Final = "\n\nThe rest is left out here. The log of the job has all of it.\n"


class ActionError(Exception):
    """The step cannot do its work; the message says why, and what to do."""


def main() -> int:
    """Run the step that is named; return the exit code of the step."""
    steps = {"verify": verify, "comment": comment}
    try:
        return steps[sys.argv[1]](os.environ)
    except ActionError as error:
        print(_annotation("error", str(error)))
        return 2


def verify(environment: Mapping[str, str]) -> int:
    """Verify, write the reports and the outputs; raise ActionError if the inputs cannot be used."""
    folder = Path(environment["INPUT_WORKING_DIRECTORY"])
    if not folder.is_dir():
        raise ActionError(f"working-directory: {folder} is not a folder of the repository.")
    out = Path(tempfile.mkdtemp(prefix="probatum-", dir=environment["RUNNER_TEMP"]))
    sarif, markdown = out / "probatum.sarif", out / "probatum.md"
    reports = ["--output-file", f"sarif={sarif}", "--output-file", f"markdown={markdown}"]
    command = [*_command(environment, folder), *reports, "--", *_words("paths", environment["INPUT_PATHS"])]
    exit_code = _logged(command, folder)
    if not markdown.is_file():
        text = f"# probatum wrote no report\n\nIt ended with exit code {exit_code}. The log of the job says why.\n"
        markdown.write_text(text, encoding="utf-8")
    outputs = {"exit-code": str(exit_code), "markdown": str(markdown)}
    if sarif.is_file():
        log = for_code_scanning(json.loads(sarif.read_text(encoding="utf-8")), folder)
        sarif.write_text(json.dumps(log), encoding="utf-8")
        outputs["sarif"] = str(sarif)
    with Path(environment["GITHUB_STEP_SUMMARY"]).open("a", encoding="utf-8") as summary:
        summary.write(cut(markdown.read_text(encoding="utf-8"), SUMMARY_BYTES))
    with Path(environment["GITHUB_OUTPUT"]).open("a", encoding="utf-8") as file:
        file.writelines(f"{name}={value}\n" for name, value in outputs.items())
    return 0


def _command(environment: Mapping[str, str], folder: Path) -> list[str]:
    """Return the command with its options, without paths and reports."""
    command = ["probatum", "verify", *_words("args", environment["INPUT_ARGS"])]
    revision = _revision(environment, folder)
    if revision is not None:
        command.append(f"--changed={revision}")
    for option in ("fail-on", "baseline"):
        value = environment[f"INPUT_{option.upper().replace('-', '_')}"]
        if value:
            command.append(f"--{option}={value}")
    return command


def _words(name: str, text: str) -> list[str]:
    """Split an input as a shell would, expanding nothing; raise ActionError for a quote that is not closed."""
    try:
        return shlex.split(text)
    except ValueError as error:
        raise ActionError(f"{name}: {error}.") from None


def _revision(environment: Mapping[str, str], folder: Path) -> str | None:
    """Return the revision to compare with, or None for everything; raise ActionError if it is not in the clone."""
    changed = environment["INPUT_CHANGED"]
    if changed != "auto":
        return None if changed == "never" else changed
    pull_request = _event(environment).get("pull_request")
    if pull_request is None:
        return None
    base, head = pull_request["base"]["sha"], pull_request["head"]["sha"]
    found = _git(folder, "merge-base", base, "HEAD")
    missing = f"the base {base[:12]}" if found is None else ""
    # Without its own commits, a pull request would seem to change nothing.
    if found is not None and _git(folder, "merge-base", "--is-ancestor", head, "HEAD") is None:
        missing = f"the head {head[:12]}"
    if missing:
        raise ActionError(
            f"What the pull request changes is not known: {missing} is not part of the history that was checked out. "
            "Give actions/checkout `fetch-depth: 0`, or give this action `changed: never`."
        )
    return found


def _git(folder: Path, *arguments: str) -> str | None:
    """Return what git prints, or None where it fails."""
    done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None


def _logged(command: list[str], folder: Path) -> int:
    """Run a command for the log and return its exit code, 70 for a signal.

    Programs decide what the log shows, and the runner takes lines of a log for its commands: it is told not to.
    """
    token = secrets.token_hex(16)
    print(f"::stop-commands::{token}\n$ {shlex.join(command)}", flush=True)
    try:
        exit_code = subprocess.run(command, cwd=folder, check=False).returncode
    finally:
        print(f"\n::{token}::", flush=True)
    return exit_code if exit_code >= 0 else 70


def for_code_scanning(log: object, folder: Path) -> object:
    """Return a SARIF log as GitHub reads it: with paths from the repository's root."""
    root = quote(Path(os.path.relpath(folder)).as_posix())
    for place in _places(log):
        uri = str(place["uri"])
        if "://" not in uri:
            place["uri"] = posixpath.normpath(posixpath.join(root, uri))
    return log


def _places(value: object) -> list[dict[str, object]]:
    """Return every artifact location inside a JSON value."""
    if isinstance(value, dict):
        own = [value["artifactLocation"]] if isinstance(value.get("artifactLocation"), dict) else []
        return own + [place for each in value.values() for place in _places(each)]
    return [place for each in value for place in _places(each)] if isinstance(value, list) else []


def comment(environment: Mapping[str, str]) -> int:
    """Write the result as a comment on the pull request, over the one that an earlier run has left.

    A comment that cannot be written is a warning: it changes no verdict.
    """
    repository, number = environment["GITHUB_REPOSITORY"], _event(environment)["pull_request"]["number"]
    marker = f"<!-- probatum {quote(environment['INPUT_WORKING_DIRECTORY'])} -->"
    body = f"{marker}\n{cut(Path(environment['MARKDOWN']).read_text(encoding='utf-8'), COMMENT_BYTES)}"
    own = f'.[] | select(.user.type == "Bot" and (.body | startswith("{marker}"))) | .id'
    try:
        comments = f"repos/{repository}/issues/{number}/comments"
        earlier = _gh("--paginate", comments, "--jq", own).split()
        target = ["--method", "PATCH", f"repos/{repository}/issues/comments/{earlier[0]}"] if earlier else [comments]
        _gh(*target, "--input", "-", given=json.dumps({"body": body}))
    except (OSError, subprocess.CalledProcessError) as error:
        reason = str(getattr(error, "stderr", None) or error).strip()
        print(_annotation("warning", f"No comment was written: {reason}. The job needs `pull-requests: write`."))
    return 0


def _gh(*arguments: str, given: str | None = None) -> str:
    """Call GitHub's interface and return the answer; raise CalledProcessError or OSError where it fails."""
    return subprocess.run(
        ["gh", "api", *arguments], input=given, capture_output=True, text=True, encoding="utf-8", check=True
    ).stdout


def cut(text: str, most: int) -> str:
    """Return a Markdown text of at most so many bytes: whole pages, as far as they fit."""
    encoded = text.encode("utf-8")
    if len(encoded) <= most:
        return text
    kept = encoded[: most - len(_CUT.encode("utf-8"))].decode("utf-8", "ignore")
    whole = kept.rfind(_PAGE_BREAK)
    return kept[: whole if whole > 0 else max(kept.rfind("\n"), 0)] + _CUT


def _event(environment: Mapping[str, str]) -> dict[str, dict[str, dict[str, str]]]:
    """Return the event that started the workflow."""
    event: dict[str, dict[str, dict[str, str]]] = json.loads(
        Path(environment["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8")
    )
    return event


def _annotation(level: str, message: str) -> str:
    """Return the line that makes the runner show a message."""
    escaped = message.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return f"::{level} title=probatum::{escaped}"


if __name__ == "__main__":
    sys.exit(main())
