"""Packages that offer verifiers: the example, installed by pip; and made up ones, put into a folder."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "examples" / "plugin"


def install_example(folder: Path, example: Path = EXAMPLE) -> Path:
    """Let pip install an example into a folder below this one, without the network; return that folder."""
    site, source = folder / "site", folder / "source"
    shutil.copytree(example, source)
    options = [
        "--no-deps",
        "--no-build-isolation",
        "--no-index",
        "--disable-pip-version-check",
        "--no-warn-script-location",
    ]
    command = [sys.executable, "-m", "pip", "install", "-q", *options, "--target", str(site), str(source)]
    subprocess.run(command, check=True, capture_output=True)
    return site


def offering(
    folder: Path,
    name: str,
    source: str,
    *,
    value: str = "",
    verifier_id: str = "broken",
    group: str = "probatum.verifiers",
) -> None:
    """Put an installed package into a folder: a module, and metadata with one entry point."""
    module = f"plugin_{name}"
    (folder / f"{module}.py").write_text(source)
    metadata = folder / f"{module}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[{group}]\n{verifier_id} = {value or module + ':Verifier'}\n")
