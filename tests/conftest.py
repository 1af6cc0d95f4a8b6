"""Tells CTest which tests pytest skipped: a file whose tests are all skipped must not look green."""

import os
import time
from collections import Counter

import pytest

# Taken from the environment, so that no pytest or program that a test starts ends by it.
UNTIL = float(os.environ.pop("LAB_TESTS_UNTIL", "inf"))

SKIP_CODE = 77  # SKIP_RETURN_CODE in tests/CMakeLists.txt


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup():
    if time.time() > UNTIL:
        pytest.skip("the time that this run may take is over")


def _skipped(reporter):
    """{reason: count} of the skipped tests, whether one by one or as a whole file."""
    return Counter(report.longrepr[2].removeprefix("Skipped: ") for report in reporter.stats.get("skipped", []))


def _ran(reporter):
    return sum(len(reporter.stats.get(word, [])) for word in ("passed", "failed", "error", "xfailed", "xpassed"))


def pytest_terminal_summary(terminalreporter):
    skipped, ran = _skipped(terminalreporter), _ran(terminalreporter)
    for reason, count in skipped.items():
        # tests/run_suite.py reads these lines.
        start = f"SKIPPED {count} of {ran + skipped.total()}" if ran else "SKIPPED"
        terminalreporter.write_line(f"{start}: {' '.join(reason.split())}")


def pytest_sessionfinish(session):
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter and _skipped(reporter) and not _ran(reporter):
        session.exitstatus = SKIP_CODE
