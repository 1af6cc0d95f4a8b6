"""Prints a page to a PDF of A4 paper, with headless Chromium or, without one, WeasyPrint."""

import os
import shutil
import subprocess
import tempfile

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SECONDS = 120


class Lacking(Exception):
    """No program on this machine can make the PDF; the message says what to install."""


def write(page, target):
    """Where the PDF is."""
    target.unlink(missing_ok=True)
    for program in filter(None, map(shutil.which, BROWSERS)):
        if _by_browser(program, page, target):
            return target
    if not _by_weasyprint(page, target):
        raise Lacking("--pdf needs Chromium or WeasyPrint; install one: apt-get install chromium")
    return target


def _by_browser(program, page, target):
    """Ubuntu's chromium is a script that asks for a snap, so a browser may exist and print nothing."""
    with tempfile.TemporaryDirectory() as profile:
        command = [program, "--headless=new", "--disable-gpu", "--no-pdf-header-footer", f"--user-data-dir={profile}"]
        command += ["--no-sandbox"] * (os.geteuid() == 0)  # Chromium's own sandbox refuses to run as root
        command += [f"--print-to-pdf={target.resolve()}", page.resolve().as_uri()]
        try:
            subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, timeout=SECONDS)
        except (OSError, subprocess.TimeoutExpired):
            return False
    return target.is_file() and target.read_bytes().startswith(b"%PDF")


def _by_weasyprint(page, target):
    try:
        from weasyprint import HTML
    except ImportError:
        return False
    HTML(str(page)).write_pdf(str(target))
    return True
