"""%%lab: checks a cell, then counts its traffic."""

from kernel_lab import listing, traffic, verdict
from kernel_lab.page import Page

FILE = "kernel.cu"  # the name of the file that holds the cell
NOT_COUNTED = ("compile_error", "skipped", "infra_error", "timeout")


def check(lab, options, kernel, source):
    """The result of `lab check --json`, and the page that shows it."""
    name = f"{options.lab}.{options.stage}" if options.stage else options.lab
    shared = [*kernel, *given(options, "backend", "seed")]
    if options.size:
        shared += ["--size", *options.size]
    document = lab.document("check", name, *shared, *given(options, "schedules", "timeout"))
    result = document["results"][0]
    page = Page()
    verdict.show(page, result, document["backend"])
    counted = {} if options.no_profile or result["verdict"] in NOT_COUNTED else _profile(lab, name, kernel, options)
    notes = listing.hazard_notes(result.get("hazards", ()), FILE)
    if counted.get("launches") or notes:
        listing.show(page, source, notes, traffic.counts_by_line(counted, FILE) if counted else {})
    if counted.get("launches"):
        traffic.show(page, counted)
    return result, page


def given(options, *names):
    """The options that the student gave, as words of a command."""
    pairs = ((f"--{name}", getattr(options, name)) for name in names)
    return [str(word) for flag, value in pairs if value is not None for word in (flag, value)]


def _profile(lab, name, kernel, options):
    """The simulator counts, whichever back end checked: a GPU's counters need rights that a student may lack."""
    size = ["--size", *options.size] if options.size else []
    return lab.document("profile", name, *kernel, "--backend", "sim", *size)
