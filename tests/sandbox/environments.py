"""Makes virtual environments for tests, by hand: nothing is installed and nothing is fetched."""

from __future__ import annotations

import os
import sys
from pathlib import Path

VERSION = "python{}.{}".format(*sys.version_info[:2])


def make_environment(folder: Path, packages: dict[str, str], distribution: tuple[str, str] | None = None) -> Path:
    """Return the interpreter of a new environment with these files among its packages."""
    place = folder / "lib" / VERSION / "site-packages"
    (folder / "bin").mkdir(parents=True)
    place.mkdir(parents=True)
    (folder / "pyvenv.cfg").write_text(f"home = {Path(sys.executable).parent}\ninclude-system-site-packages = false\n")
    interpreter = folder / "bin" / "python"
    interpreter.symlink_to(os.path.realpath(sys.executable))
    for name, text in packages.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    if distribution is not None:
        name, number = distribution
        metadata = place / f"{name}-{number}.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {number}\n")
        (metadata / "RECORD").write_text("".join(f"{each},,\n" for each in packages))
    return interpreter
