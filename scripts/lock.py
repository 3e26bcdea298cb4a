"""Resolves all dependencies again into requirements.lock, with a hash for every file.

One lock for all supported Pythons: it is resolved by each of them, the newer ones bound to the answer of the oldest,
and what only some of them need gets a marker. Refuses two different versions of one package.
Usage: python3.11 scripts/lock.py, with python3.12 and python3.13 on PATH.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VERSIONS = ("3.11", "3.12", "3.13")
HEADER = (
    "# Every dependency, for use, for development and for building, with the hashes of its files.\n"
    "# Written by `make lock`; install with: pip install --require-hashes -r requirements.lock\n"
)
COMPILE = (
    *("--quiet", "--generate-hashes", "--allow-unsafe", "--strip-extras", "--no-annotate", "--no-header"),
    *("--no-emit-index-url", "--no-emit-trusted-host", "--no-emit-find-links", "--no-emit-options"),
    *("--extra", "dev", "--build-deps-for", "editable"),
)
PINNED = re.compile(r"^(?P<name>[\w.-]+)==(?P<version>[^ ;]+)(?: ; (?P<marker>.*?))? \\$")


def resolve(version: str, folder: Path, bound_to: Path | None) -> Path:
    """Return the lock that one Python resolves for itself, with the versions that ``bound_to`` names."""
    environment = folder / version
    created = subprocess.run([f"python{version}", "-m", "venv", environment], check=False)
    if created.returncode:
        sys.exit(f"error: python{version} does not work; the lock needs all of {', '.join(VERSIONS)}")
    python = environment / "bin" / "python"
    subprocess.run([python, "-m", "pip", "--quiet", "install", "pip-tools"], check=True)
    output = folder / f"{version}.lock"
    bound = ("--constraint", bound_to) if bound_to else ()
    compiler = environment / "bin" / "pip-compile"
    subprocess.run([compiler, *COMPILE, *bound, "--output-file", output, "pyproject.toml"], cwd=ROOT, check=True)
    return output


def entries(lock: Path) -> dict[str, tuple[str, str, str]]:
    """Return version, marker and hash lines by package name."""
    found: dict[str, tuple[str, str, str]] = {}
    name = ""
    for line in lock.read_text(encoding="utf-8").splitlines(keepends=True):
        if match := PINNED.match(line.rstrip("\n")):
            name = match["name"]
            found[name] = (match["version"], match["marker"] or "", "")
        elif name and line.startswith("    --hash="):
            version, marker, hashes = found[name]
            found[name] = (version, marker, hashes + line)
    return found


def merge(locks: dict[str, Path]) -> str:
    """Return one lock that gives each Python what its own lock gives it."""
    by_python = {python: entries(lock) for python, lock in locks.items()}
    merged = HEADER
    for name in sorted({name for found in by_python.values() for name in found}):
        pythons = [python for python in locks if name in by_python[python]]
        variants = {by_python[python][name] for python in pythons}
        if len(variants) > 1:
            sys.exit(f"error: {name} is resolved differently: {sorted(version for version, _, _ in variants)}")
        version, marker, hashes = variants.pop()
        markers = [marker] if marker else []
        if len(pythons) < len(locks):
            only = " or ".join(f'python_version == "{python}"' for python in pythons)
            markers.append(f"({only})" if marker and len(pythons) > 1 else only)
        condition = f" ; {' and '.join(markers)}" if markers else ""
        merged += f"{name}=={version}{condition} \\\n{hashes}"
    return merged


def main() -> None:
    """Write requirements.lock."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        locks = {VERSIONS[0]: resolve(VERSIONS[0], folder, None)}
        for version in VERSIONS[1:]:
            locks[version] = resolve(version, folder, locks[VERSIONS[0]])
        (ROOT / "requirements.lock").write_text(merge(locks), encoding="utf-8")


if __name__ == "__main__":
    main()
