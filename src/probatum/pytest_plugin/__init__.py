"""The pytest plugin: ``pytest --probatum src`` verifies the documented functions and classes of source files.

It is loaded with every run of pytest, so it only declares: options, a mark and the fixture ``probatum``. The rest of
probatum is imported when ``--probatum`` or the fixture asks for it. Refuses a setting that means nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from probatum.pytest_plugin.verdicts import SessionVerdicts

LEVELS = ("quick", "standard", "thorough")
FAIL_ON = ("undecided", "blocked", "refuted")
_MARK = "probatum: a function or class that probatum verifies (added to its items by --probatum)"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options and what a configuration file may set."""
    group = parser.getgroup("probatum", "verify documented functions (probatum)")
    group.addoption("--probatum", action="store_true", help="verify the documented functions of source files")
    group.addoption("--probatum-level", choices=LEVELS, help="how much work to do (default: standard)")
    group.addoption(
        "--probatum-fail-on",
        choices=FAIL_ON,
        help="the strongest outcome that fails: undecided, or with 'blocked' and 'refuted' less; what does not fail is"
        " skipped with its reason, and only VERIFIED passes (default: undecided)",
    )
    parser.addini("probatum_level", "default of --probatum-level", default=LEVELS[1])
    parser.addini("probatum_fail_on", "default of --probatum-fail-on", default=FAIL_ON[0])


def pytest_configure(config: pytest.Config) -> None:
    """Register the mark, and where ``--probatum`` is given what collects; raises UsageError for a setting."""
    config.addinivalue_line("markers", _MARK)
    if config.getoption("probatum"):
        setting(config, "level", LEVELS)
        setting(config, "fail_on", FAIL_ON)
        from probatum.pytest_plugin import collecting

        config.pluginmanager.register(collecting, "probatum-collecting")


def setting(config: pytest.Config, name: str, among: tuple[str, ...]) -> str:
    """Return an option, else what the configuration file says; raises UsageError for a value that is none of these."""
    value = str(config.getoption(f"probatum_{name}") or config.getini(f"probatum_{name}"))
    if value not in among:
        raise pytest.UsageError(f"probatum_{name} is one of {', '.join(among)}, got {value!r}")
    return value


@pytest.fixture(scope="session")
def probatum(pytestconfig: pytest.Config) -> SessionVerdicts:
    """Verdicts in a test: ``assert probatum.verify(net_price).is_verified``; the sandbox is shared by all tests."""
    from probatum.pytest_plugin.verdicts import verdicts_of

    return verdicts_of(pytestconfig)
