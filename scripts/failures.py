"""Names every step and every test that failed, with its first line of error, in no more lines than a screen has.

    python3 scripts/failures.py FOLDER STEP...

FOLDER has STEP.log, what the step printed, and one or more STEP*.xml, what pytest reported; both may be missing. Where
there are too many failed tests for a line each, those of one file share a line.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from pathlib import Path
from xml.etree import ElementTree

LINES = 58
WIDTH = 200
_TELLING = re.compile(r":\d+: |error|Error|FAILED|-->|would reformat|would be reformatted|\*\*\* |not found|No such")


def failed_tests(folder: Path, step: str) -> dict[str, dict[str, str]]:
    """Return the failed tests of a step by file: their names, each with its first line of error."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for report in sorted(folder.glob(f"{step}*.xml")):
        try:
            cases = list(ElementTree.parse(report).iter("testcase"))  # noqa: S314  we wrote it ourselves
        except ElementTree.ParseError:
            found[report.name]["the report"] = "it ends in its middle"
            continue
        for case in cases:
            for kind in ("failure", "error"):
                told = case.find(kind)
                if told is not None:
                    place = case.get("classname", "").replace(".", "/")
                    found[place or "collection"][case.get("name", "?")] = _first_line(told)
    return found


def _first_line(told: ElementTree.Element) -> str:
    message = told.get("message", "").strip()
    if message.startswith(("collection failure", "worker ", "failed on ")) or not message:
        lines = [line[1:].strip() for line in (told.text or "").splitlines() if line.startswith("E ")]
        message = next(iter(lines), message)
    return message.splitlines()[0] if message else "no message"


def last_words(folder: Path, step: str) -> list[str]:
    """Return what a step that is not a test said of its failure."""
    try:
        lines = (folder / f"{step}.log").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ["it printed nothing"]
    lines = [line.rstrip() for line in lines if line.strip()]
    return [line for line in lines if _TELLING.search(line)][:4] or lines[-4:]


def report_of(folder: Path, step: str, *, is_brief: bool) -> list[str]:
    """Return the lines about one failed step."""
    lines = [f"failed: {step} (see {folder}/{step}.log)"]
    tests = failed_tests(folder, step)
    for place, errors in sorted(tests.items()):
        if is_brief:
            first = next(iter(errors.values()))[:WIDTH]
            lines.append(f"  {place}: {', '.join(errors)}: {first}")
        else:
            lines += [f"  {place}::{name}: {error}"[:WIDTH] for name, error in errors.items()]
    if not tests:
        lines += [f"  {line}"[:WIDTH] for line in last_words(folder, step)]
    return lines


def main(folder: Path, steps: list[str]) -> None:
    """Print the lines about all failed steps."""
    for is_brief in (False, True):
        lines = [line for step in steps for line in report_of(folder, step, is_brief=is_brief)]
        if len(lines) <= LINES:
            break
    print("\n".join(lines[:LINES]))
    if len(lines) > LINES:
        print(f"  and {len(lines) - LINES} lines more: python3 scripts/failures.py {folder} {' '.join(steps)}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
