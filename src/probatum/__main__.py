"""The command `probatum`, and the one place that puts the command line, the benches and the servers together.

Every ending has one line and one exit code: a named error its own, an interruption 130, an internal defect 70 with
the command that describes it. Refuses to show a traceback unless PROBATUM_DEBUG=1 asks for it.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from probatum.core.version import __version__

if TYPE_CHECKING:
    from probatum.app.bench_port import BenchReport, BenchRequest
    from probatum.app.editor_port import EditorRequest
    from probatum.app.mcp_port import McpRequest
    from probatum.app.service_port import ServiceRequest
    from probatum.core.events import Listener

INTERRUPTED = 130
INTERNAL_DEFECT = 70
_COLLECTED_AFTER = 50_000
"""How many new objects a collection of garbage waits for: most are code and syntax, which stay."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    _open_what_is_closed()
    gc.set_threshold(_COLLECTED_AFTER)
    if given == ["--version"]:
        print(f"probatum {__version__}")
        return 0
    return _run(_names_last(given), is_own_process=arguments is None)


def _names_last(given: list[str]) -> list[str]:
    """Return arguments with ``-::NAME``, a name in standard input, where it is not taken for an option."""
    names = [] if "--" in given else [each for each in given if each.startswith("-::")]
    return [*(each for each in given if each not in names), "--", *names] if names else given


def _open_what_is_closed() -> None:
    """Stand in for standard streams that the caller closed, as daemons and some schedulers do."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115  # lives as long as the process
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  # as above
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  # as above


def _run(arguments: Sequence[str], *, is_own_process: bool) -> int:
    from probatum.app.settings import read_settings
    from probatum.cli.output import Mode, note, report_error
    from probatum.core.errors import BudgetError, ProbatumError

    mode = Mode.of(as_json="--json" in arguments, events="--events" in arguments)
    try:
        from probatum.cli.application import run

        if is_own_process:
            from probatum.workers.watchdog import watch

            watch()
        return run(arguments, _run_bench, _run_service, _run_mcp, _run_editor)
    except MemoryError:
        sentence = "What was to be read needs more memory than the judge may use. Nothing was decided."
        return report_error(BudgetError("verifier.out_of_memory", sentence), mode)
    except ProbatumError as error:
        return report_error(error, mode)
    except KeyboardInterrupt:
        note("interrupted")
        return INTERRUPTED
    except Exception as error:
        if read_settings().debug:
            raise
        sentence = f"An internal defect: {type(error).__name__} at {_place(error)}. Nothing was decided."
        hint = "Please report it with what this prints: probatum doctor --json (PROBATUM_DEBUG=1 shows more)."
        report_error(ProbatumError("internal.defect", sentence, hint), mode)
        return INTERNAL_DEFECT


def _run_bench(request: BenchRequest, listener: Listener) -> BenchReport:
    from probatum.bench.runner import run_bench

    return run_bench(request, listener)


def _run_service(request: ServiceRequest) -> int:
    try:
        from probatum.web.running import run_service
    except ModuleNotFoundError as error:
        from probatum.core.errors import NotAttemptedError

        sentence = f"The service needs the package {error.name}, which is not installed."
        raise NotAttemptedError("service.not_installed", sentence, "pip install 'probatum[service]'") from error
    return run_service(request)


def _run_mcp(request: McpRequest) -> int:
    try:
        from probatum.mcp_server.running import run_mcp
    except ModuleNotFoundError as error:
        from probatum.core.errors import NotAttemptedError

        sentence = f"The server of tools needs the package {error.name}, which is not installed."
        raise NotAttemptedError("mcp.not_installed", sentence, "pip install 'probatum[mcp]'") from error
    return run_mcp(request)


def _run_editor(request: EditorRequest) -> int:
    try:
        from probatum.language_server.running import run_editor
    except ModuleNotFoundError as error:
        from probatum.core.errors import NotAttemptedError

        sentence = f"The server of editors needs the package {error.name}, which is not installed."
        raise NotAttemptedError("server.not_installed", sentence, "pip install 'probatum[editor]'") from error
    return run_editor(request)


def _place(error: BaseException) -> str:
    """Name the innermost line of ours that the exception passed, without its text."""
    trace, place = error.__traceback__, "an unknown place"
    while trace is not None:
        module = trace.tb_frame.f_globals.get("__name__", "")
        if module.startswith("probatum") or module == "__main__":
            place = f"{module}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place


if __name__ == "__main__":
    sys.exit(main())
