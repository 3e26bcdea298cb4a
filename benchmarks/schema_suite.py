"""Prints how much of the official JSON Schema suite and of the JSON parsing suite holds.

Usage: python benchmarks/schema_suite.py FOLDER, with json-schema-suite.jsonl and json-schema-remotes.json, the two
with ``-older`` in their names, and json-test-suite.jsonl in it. Formats are annotations, as the suite has them; what
its schemas refer to comes from the remotes. Exits with 1 where a case does not hold. Refuses a folder without files.
"""

from __future__ import annotations

import base64
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from probatum.core.errors import ProbatumError
from probatum.readers.json_schema.parsing import NotJsonError, decoded, parse
from probatum.readers.json_schema.schema import compiled

DRAFTS = {
    "draft4": "draft-04",
    "draft6": "draft-06",
    "draft7": "draft-07",
    "draft2019-09": "2019-09",
    "draft2020-12": "2020-12",
}


def rows(path: Path) -> list[dict[str, Any]]:
    """Return the cases of a file, one in each line."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _with_remotes(folder: Path, suffix: str) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    remotes = json.loads((folder / f"json-schema-remotes{suffix}.json").read_text(encoding="utf-8"))
    return ((row, remotes) for row in rows(folder / f"json-schema-suite{suffix}.jsonl"))


def schema_cases(folder: Path) -> bool:
    """Print what holds for each draft, and every case that does not."""
    held: Counter[str] = Counter()
    total: Counter[str] = Counter()
    failures = []
    for row, remotes in (pair for suffix in ("", "-older") for pair in _with_remotes(folder, suffix)):
        draft = row["draft"]
        total[draft] += 1
        try:
            ready = compiled(row["schema"], formats=False, resources=remotes, draft=DRAFTS[draft])
            said = str(ready.is_satisfied_by(row["data"]))
        except ProbatumError as error:
            said = str(error)
        if said == str(row["valid"]):
            held[draft] += 1
        else:
            failures.append(f"  {draft} {row['file']} {row['group']!r}: expected {row['valid']}, got {said}")
    for draft, count in sorted(total.items()):
        print(f"JSON Schema {DRAFTS[draft]:<10} {held[draft]:>5} of {count} hold")
    print("\n".join(failures[:50]))
    return not failures


def parsing_cases(folder: Path) -> bool:
    """Print what the strict reader accepts of each kind, and every case that is wrong."""
    counts: Counter[tuple[str, str]] = Counter()
    failures = []
    for row in rows(folder / "json-test-suite.jsonl"):
        try:
            parsed = parse(decoded(base64.b64decode(row["base64"])))
            said = "accepted with duplicate keys" if parsed.duplicates else "accepted"
        except NotJsonError:
            said = "refused"
        except ProbatumError as error:
            said = f"beyond the budget ({error.code})"
        counts[row["expect"], said] += 1
        is_wrong = {"y": not said.startswith("accepted"), "n": said.startswith("accepted"), "i": False}[row["expect"]]
        if is_wrong:
            failures.append(f"  {row['file']}: {said}")
    names = {"y": "must be accepted", "n": "must be refused", "i": "may be either"}
    for (expect, said), count in sorted(counts.items()):
        print(f"JSON parsing, {names[expect]:<17} {count:>4} {said}")
    print("\n".join(failures[:50]))
    return not failures


def main() -> None:
    """Print both tables."""
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_dir():
        sys.exit(__doc__)
    folder = Path(sys.argv[1])
    results = [schema_cases(folder), parsing_cases(folder)]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
