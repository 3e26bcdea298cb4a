"""The pytest plugin: ``pytest --probatum src`` verifies the documented functions and classes of source files.

It is loaded with every run of pytest, so it only declares: options, a mark and the fixture ``probatum``. The rest of
probatum is imported when ``--probatum`` or the fixture asks for it. Refuses a setting that means nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from probatum.pytest_plugin.choices import FAIL_ON, LEVELS, setting

if TYPE_CHECKING:
    from probatum.pytest_plugin.verdicts import SessionVerdicts

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
    parser.addini("probatum_level", "default of --probatum-level", default="")
    parser.addini("probatum_fail_on", "default of --probatum-fail-on", default=FAIL_ON[0])


def pytest_configure(config: pytest.Config) -> None:
    """Register the mark, and where ``--probatum`` is given what collects; raises UsageError for a setting."""
    config.addinivalue_line("markers", _MARK)
    if config.getoption("probatum"):
        setting(config, "level", ("", *LEVELS))
        setting(config, "fail_on", FAIL_ON)
        from probatum.pytest_plugin import collecting

        config.pluginmanager.register(collecting, "probatum-collecting")


@pytest.fixture(scope="session")
def probatum(pytestconfig: pytest.Config) -> SessionVerdicts:
    """Verdicts in a test: ``assert probatum.verify(net_price).is_verified``; the sandbox is shared by all tests."""
    from probatum.pytest_plugin.verdicts import verdicts_of

    return verdicts_of(pytestconfig)
