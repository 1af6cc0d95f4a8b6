"""Tells CTest which tests pytest skipped: a file whose tests are all skipped must not look green."""

from collections import Counter

SKIP_CODE = 77  # SKIP_RETURN_CODE in tests/CMakeLists.txt


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
