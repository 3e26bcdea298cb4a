"""The file that the judge starts by path: loads its own folder as a package and runs the warm worker.

Runs inside the sandbox, standard library only. The package gets a name of its own, so that none of its files can be
mistaken for a module that a program imports.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path

PACKAGE = "_probatum_inside"


def main() -> None:
    """Run the worker on the descriptor given as the last argument; one argument before it names another part to run."""
    folder = Path(__file__).parent
    spec = importlib.util.spec_from_file_location(
        PACKAGE, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    if spec is None:
        raise ImportError(f"cannot load {folder} as a package")
    sys.modules[PACKAGE] = importlib.util.module_from_spec(spec)
    *named, descriptor = sys.argv[1:]
    sys.argv[:] = ["artifact"]
    importlib.import_module(f"{PACKAGE}.{named[0] if named else 'serve'}").main(int(descriptor))


if __name__ == "__main__":
    main()
