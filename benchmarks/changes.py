"""Measures `probatum change` on real commits, and on bad variants that are made from them by construction.

Usage: python benchmarks/changes.py FOLDER_OF_CLONES --python VENV [--commits-each N] [--most-source-lines 60]
       [--variants NAME,NAME] [--rows FILE.jsonl] [--only REPOSITORY]

Of each clone it takes commits without merges that change sources and tests, spread over the history, whose tests that
Python can still run, and that break none of them in plain pytest. Each is judged as it is, and in every bad variant of
`benchmarks/bad_changes/variants.py` that can be made of it. Clones are only read: variants are commits in scratch
clones. Each run is one line of the rows; what is there already is not run again. Patches of all variants are kept
beside the rows. A bad variant counts as named where a reason that the commit as it is does not have is one of those
that fit the variant. Exit code 1 where a bad variant that something in the repository contradicts is VERIFIED, or a
good commit REFUTED.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.bad_changes.commits import RealCommit
from benchmarks.bad_changes.trials import Scratch
from benchmarks.bad_changes.variants import VARIANTS, Variant
from probatum.changes.classes_of_files import FileRole, role_of

_AS_IS = "as_is"
_RUNNABLE = "runnable"
_QUIET, _QUIET_REFACTOR = "quiet_change", "quiet_change_refactor"
_QUICK_SECONDS = 10.0
_LEAST_PASSING = 0.8
_TRIES_EACH = 4
_SHOWN_REASONS = 40
_COST_RATIO, _COST_SECONDS = 3.0, 10.0
_WEAKER = frozenset({"change.weakened", "change.expectation_changed", "change.regression"})
_UNNOTICED = frozenset({"change.no_witness", "change.weak_tests"})
RIGHT: Mapping[str, frozenset[str]] = {
    # A test that its edit does not mend fails before and now.
    "left_out": frozenset({"change.broken_test", "change.regression", "change.nothing_to_judge", "change.not_run"}),
    "partly_deleted": _WEAKER,
    "partly_skipped": _WEAKER,
    "partly_loosened": _WEAKER | _UNNOTICED,
    "fault": _WEAKER,
    "other_broken": _WEAKER,
    "special_case": frozenset({"change.special_case"}) | _UNNOTICED,
    "cannot_fail": frozenset({"change.weakened"}) | _UNNOTICED,
    _QUIET: _UNNOTICED | {"change.unshown"},
    _QUIET_REFACTOR: frozenset({"change.differs"}),
}
"""By variant: the constraints that name what is wrong with it."""

Row = dict[str, object]


@dataclass(frozen=True, slots=True)
class Plan:
    """What is asked for."""

    python: Path
    variants: tuple[str, ...]
    commits_each: int
    most_lines: int


class Rows:
    """The runs so far, by repository, commit and variant; each is written down as soon as it is there."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        # A line that was not written to its end is left out.
        text = path.read_text(encoding="utf-8").rpartition("\n")[0] if path.is_file() else ""
        self.every: list[Row] = [json.loads(line) for line in text.splitlines()]
        path.write_text("".join(json.dumps(row) + "\n" for row in self.every), encoding="utf-8")
        self._known = {(row["repo"], row["commit"], row["variant"]): row for row in self.every}

    def known(self, repo: str, commit: str, variant: str) -> Row | None:
        """Return a run that is there already."""
        return self._known.get((repo, commit, variant))

    def add(self, row: Row) -> None:
        """Write a run down."""
        self.every.append(row)
        self._known[row["repo"], row["commit"], row["variant"]] = row
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")


def candidates(clone: Path, most_lines: int) -> list[tuple[str, list[str]]]:
    """Return the commits that change sources and tests, and their Python files, in an order that spreads them."""
    words = ["git", "-C", str(clone), "log", "--no-merges", "--no-renames", "--numstat", "--format=@%H %P"]
    told = subprocess.run(words, check=True, capture_output=True).stdout.decode("utf-8", "replace")
    found: list[tuple[str, list[str]]] = []
    for block in told.split("@")[1:] if not told.count("\t@") else []:
        first, *lines = block.strip().splitlines()
        sha, *parents = first.split()
        counts = [(path, added, gone) for added, gone, path in (line.split("\t", 2) for line in lines if line)]
        paths = [path for path, _, _ in counts if path.endswith(".py")]
        sources = [each for each in counts if each[0] in paths and role_of(each[0]) is FileRole.SOURCE]
        changed = sum(int(added) + int(gone) for _, added, gone in sources if added != "-")
        if parents and 0 < changed <= most_lines and any(role_of(path) is FileRole.TEST for path in paths):
            found.append((sha, paths))
    # The first N of this order lie far from each other, whatever N is.
    order = sorted(range(len(found)), key=lambda index: int(f"{index:016b}"[::-1], 2))
    return [found[index] for index in order]


def real_commit(scratch: Scratch, sha: str, paths: Sequence[str]) -> RealCommit | None:
    """Return a commit laid out, with a run of its tests; None where it is not known to be a good one.

    That is where this Python does not run most of them, or one fails in plain pytest that did not before.
    """
    sources = [path for path in paths if role_of(path) is FileRole.SOURCE]
    tests = [path for path in paths if role_of(path) in {FileRole.TEST, FileRole.SUPPORT}]
    scratch.at(sha)
    named = [path for path in tests if role_of(path) is FileRole.TEST]
    own = scratch.trial({}, named)
    if own.uncollected or len(own.passing()) < max(1.0, _LEAST_PASSING * len(own.tests)):
        return None
    listed = scratch.git("ls-files", "-z").decode("utf-8", "replace").split("\0")
    every = [path for path in listed if path.endswith(".py") and role_of(path) is FileRole.TEST]
    whole = scratch.trial({}, every)
    is_quick = whole.tests and whole.seconds <= _QUICK_SECONDS
    commit = RealCommit(scratch, sha, sources, tests, every if is_quick else named, whole if is_quick else own)
    return commit if commit.on_head.failing().keys() <= commit.on_base().failing().keys() else None


def judged(scratch: Scratch, plan: Plan, base: str, head: str, *options: str) -> Row:
    """Return what `probatum change` says of a range: exit code, verdict, reasons, seconds."""
    words = [sys.executable, "-m", "probatum", "change", f"{base}..{head}", "--repository", str(scratch.root)]
    words += ["--python", str(plan.python), "--json", "--no-cache"]
    words += ["--store", str(scratch.root.parent / "store"), *options]
    begin = time.perf_counter()
    ended = subprocess.run(words, capture_output=True, check=False, timeout=3_600)
    seconds = time.perf_counter() - begin
    try:
        told = json.loads(ended.stdout)
        fields, result = told["verdict"]["developer_fields"], told.get("result") or {}
    except (ValueError, KeyError, TypeError):
        told, fields, result = {}, {}, {}
    reasons = [[each["constraint"], each["what"]] for each in result.get("reasons", [])]
    files = sorted({each["id"].partition("::")[0] for each in result.get("tests", [])})
    return {
        "exit": ended.returncode,
        "verdict": {0: "VERIFIED", 1: "REFUTED", 3: "UNDECIDED"}.get(ended.returncode, "BLOCKED"),
        "constraint": fields.get("constraint_id", ""),
        "constraints": sorted({str(name) for name, _ in reasons}),
        "reasons": reasons[:_SHOWN_REASONS],
        "first": reasons[0][1] if reasons else ended.stderr.decode("utf-8", "replace")[-300:],
        "seconds": round(seconds, 2),
        "files": [path for path in files if path.endswith(".py")],
    }


def measured(rows: Rows, scratch: Scratch, commit: RealCommit, name: str, variant: Variant, plan: Plan) -> Row:
    """Judge a variant and return its row; the commit as it is is one with no file of its own."""
    scratch.at(commit.sha)
    base = scratch.git("rev-parse", variant.base).decode().strip()
    head = commit.sha
    row: Row = {"repo": scratch.root.name, "commit": commit.sha, "variant": name, "made": True}
    row |= {"why": variant.why, "plain": variant.is_plain}
    if name != _AS_IS:
        message = variant.message or scratch.git("log", "-1", "--format=%B", commit.sha).decode("utf-8", "replace")
        head = scratch.commit(base, variant.files, message)
        folder = rows.path.with_suffix(".patches")
        folder.mkdir(exist_ok=True)
        patch = folder / f"{scratch.root.name}-{commit.sha[:10]}-{name}.patch"
        patch.write_bytes(scratch.git("diff", "--binary", base, head))
        row["patch"] = str(patch)
    row |= judged(scratch, plan, base, head, *(["--refactor"] if name == _QUIET_REFACTOR else []))
    scratch.at(head)
    files = row["files"] if isinstance(row["files"], list) and row["files"] else list(commit.tests)
    row["plain_seconds"] = round(scratch.plain_seconds(files), 2)
    scratch.at(commit.sha)
    return row


def runs_of(rows: Rows, scratch: Scratch, sha: str, paths: Sequence[str], plan: Plan) -> Iterator[Row]:
    """Yield the rows of one commit that are not there yet; nothing where its tests cannot be run."""
    repo = scratch.root.name
    missing = [name for name in plan.variants if rows.known(repo, sha, name) is None]
    runnable = rows.known(repo, sha, _RUNNABLE)
    if (runnable is not None and not runnable["made"]) or (runnable is not None and not missing):
        return
    commit = real_commit(scratch, sha, paths)
    if runnable is None:
        yield {"repo": repo, "commit": sha, "variant": _RUNNABLE, "made": commit is not None}
    if commit is None:
        return
    made: dict[str, Variant | None] = {}
    for name in missing:
        kind = _QUIET if name == _QUIET_REFACTOR else name
        if kind not in made:
            made[kind] = _variant(commit, kind)
        variant = made[kind]
        if variant is None:
            yield {"repo": repo, "commit": sha, "variant": name, "made": False}
        else:
            yield measured(rows, scratch, commit, name, variant, plan)


def _variant(commit: RealCommit, name: str) -> Variant | None:
    if name == _AS_IS:
        return Variant(commit.parent, {}, "")
    try:
        return VARIANTS[name](commit)
    except (ValueError, SyntaxError, LookupError, RecursionError, OSError, subprocess.SubprocessError) as error:
        print(f"{commit.sha[:10]} {name} cannot be made: {error!r}", file=sys.stderr)
        return None


def run(clone: Path, rows: Rows, plan: Plan) -> None:
    """Measure the commits of one clone."""
    taken = 0
    found = candidates(clone, plan.most_lines)
    with tempfile.TemporaryDirectory() as folder:
        python = plan.python / "bin" / "python" if plan.python.is_dir() else plan.python
        scratch = Scratch(clone, Path(folder), python)
        for sha, paths in found[: plan.commits_each * _TRIES_EACH]:
            if taken == plan.commits_each:
                break
            for row in runs_of(rows, scratch, sha, paths, plan):
                rows.add(row)
                if row["made"] and row["variant"] != _RUNNABLE:
                    print(f"{clone.name} {sha[:10]} {row['variant']}: {row['verdict']} {row['constraint']}", flush=True)
            known = rows.known(clone.name, sha, _RUNNABLE)
            taken += bool(known and known["made"])
    print(f"{clone.name}: {len(found)} candidates, {taken} commits", flush=True)


def is_named(row: Row, as_is: Row | None) -> bool:
    """Tell whether a reason that the commit as it is does not have fits the variant."""
    own = as_is["reasons"] if as_is is not None and isinstance(as_is.get("reasons"), list) else []
    reasons = row["reasons"]
    assert isinstance(reasons, list)
    assert isinstance(own, list)
    return any(each[0] in RIGHT[str(row["variant"])] and each not in own for each in reasons)


def table(rows: Rows, names: Sequence[str]) -> int:
    """Print the figures by variant; return how many verdicts are wrong."""
    wrong = 0
    print("\n| variant | not made | made | VERIFIED | REFUTED | UNDECIDED | BLOCKED | named rightly |")
    print("|---|---|---|---|---|---|---|---|")
    for name in names:
        every = [row for row in rows.every if row["variant"] == name]
        for is_plain in (True, False):
            made = [row for row in every if row["made"] and row["plain"] is is_plain]
            if not made and not is_plain:
                continue
            ends = Counter(str(row["verdict"]) for row in made)
            named = sum(
                is_named(row, rows.known(str(row["repo"]), str(row["commit"]), _AS_IS))
                for row in made
                if name != _AS_IS
            )
            shown = "–" if name == _AS_IS or not made else f"{named} ({100 * named / len(made):.0f} %)"
            left = sum(not row["made"] for row in every) if is_plain else ""
            cells = [ends[each] for each in ("VERIFIED", "REFUTED", "UNDECIDED", "BLOCKED")]
            label = name if is_plain else f"{name}, nothing old contradicts it"
            print(f"| {label} | {left} | {len(made)} | {' | '.join(map(str, cells))} | {shown} |")
            wrong += ends["REFUTED"] if name == _AS_IS else ends["VERIFIED"] if is_plain else 0
    return wrong


def details(rows: Rows) -> None:
    """Print why good commits are not VERIFIED, which bad variants are, which are named wrongly, and what it costs."""
    good = [row for row in rows.every if row["variant"] == _AS_IS and row["made"]]
    if good:
        share = sum(row["verdict"] == "VERIFIED" for row in good) / len(good)
        print(f"\ngood commits: {100 * share:.0f} % VERIFIED; the others by their first reason:")
        for name, count in Counter(
            str(row["constraint"]) for row in good if row["verdict"] != "VERIFIED"
        ).most_common():
            print(f"  {count:>4}  {name}")
    for row in rows.every:
        if not row["made"] or row["variant"] in {_RUNNABLE, _AS_IS}:
            if row["variant"] == _AS_IS and row["verdict"] in {"REFUTED", "BLOCKED"}:
                print(f"good, and {row['verdict']}: {row['repo']} {row['commit']}: {row['first']}")
            continue
        where = f"{row['repo']} {row['commit']} {row['variant']}: {row['why']}\n    {row['patch']}"
        if row["verdict"] == "VERIFIED":
            print(f"bad, and VERIFIED{'' if row['plain'] else ' (nothing old contradicts it)'}: {where}")
        elif not is_named(row, rows.known(str(row["repo"]), str(row["commit"]), _AS_IS)):
            print(f"named {row['constraints']}: {where}")
    costs = [(float(str(row["seconds"])), float(str(row["plain_seconds"]))) for row in good]
    if costs:
        ratio = statistics.median(seconds / plain for seconds, plain in costs)
        within = sum(seconds <= _COST_RATIO * plain + _COST_SECONDS for seconds, plain in costs)
        middle = statistics.median(seconds - _COST_RATIO * plain for seconds, plain in costs)
        print(
            f"\ncost: {ratio:.1f} x of plain pytest on the affected files at the median; at the median {middle:.1f} s"
        )
        print(
            f"more than {_COST_RATIO:g} x of it (bound {_COST_SECONDS:g} s); {within} of {len(costs)} within the bound"
        )


def main() -> int:
    """Run what is not there yet, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones", type=Path)
    parser.add_argument("--python", type=Path, required=True)
    parser.add_argument("--commits-each", type=int, default=12)
    parser.add_argument("--most-source-lines", type=int, default=60)
    parser.add_argument("--variants", default="")
    parser.add_argument("--rows", type=Path, default=Path("build/changes.jsonl"))
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    told = subprocess.run([sys.executable, "-m", "probatum", "change", "--help"], capture_output=True, check=True)
    has_refactor = b"--refactor" in told.stdout
    every = [_AS_IS, *VARIANTS, *([_QUIET_REFACTOR] if has_refactor else [])]
    names = [each for each in every if not given.variants or each in given.variants.split(",")]
    plan = Plan(given.python.absolute(), tuple(names), given.commits_each, given.most_source_lines)
    rows = Rows(given.rows)
    for clone in sorted(given.clones.iterdir()):
        if (clone / ".git").exists() and given.only in {"", clone.name}:
            run(clone, rows, plan)
    wrong = table(rows, names)
    details(rows)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
