"""%%cuda: compiles a program with `lab cc`, runs it and shows its hazards."""

import json
import pathlib
import shlex
import signal
import sys

from kernel_lab import child, listing, traffic
from kernel_lab.page import WARNING, WRONG, Page

MOST_OUTPUT = 4 << 20  # bytes; a front end stalls on more
FILE = "program.cu"


def run(lab, workshop, options, source):
    """The page on a traced program's hazards; None without a trace. The program's output goes to the cell."""
    file = workshop.file("cuda", FILE, text=source)
    with workshop.temporary_files() as folder:
        program, report = pathlib.Path(folder, "program"), pathlib.Path(folder, "report.json")
        if not _compile(lab, options, file, program):
            return None
        ended = _execute(program, report, options, folder)
        _say_how_it_ended(ended, options)
        if options.backend == "cuda" or options.fast:
            return None
        return _page(json.loads(report.read_text(encoding="utf-8")), source) if report.exists() else None


def _compile(lab, options, file, program):
    traced = options.backend == "sim" and not options.fast
    words = ["cc", "--backend", options.backend, *(["--trace"] if traced else []), *shlex.split(options.flags)]
    done = lab.run(*words, file.name, "-o", program, on_stdout=_to_stderr, on_stderr=_to_stderr, folder=file.parent)
    return done.status == 0


def _execute(program, report, options, folder):
    more = {"LAB_SIM_JSON": str(report), "TMPDIR": folder}
    if options.schedules:
        more["LAB_SIM_SCHEDULES"] = str(options.schedules)
    return child.run(
        [program, *shlex.split(options.args)],
        on_stdout=lambda text: print(text, end="", flush=True),
        on_stderr=_to_stderr,
        limit_s=options.timeout,
        most_bytes=MOST_OUTPUT,
        **more,
    )


def _say_how_it_ended(ended, options):
    if ended.stopped == "time":
        print(f"stopped after {options.timeout:g} s (--timeout)", file=sys.stderr)
    elif ended.stopped == "output":
        print(f"stopped, because it printed more than {MOST_OUTPUT >> 20} MiB", file=sys.stderr)
    elif ended.status < 0:
        print(f"the program was ended by {signal.Signals(-ended.status).name}", file=sys.stderr)
    elif ended.status > 0:
        print(f"the program returned {ended.status}", file=sys.stderr)


def _page(report, source):
    page = Page()
    shown = [hazard for hazard in report["hazards"] if hazard.get("severity") != "info"]
    if shown:
        errors = sum(hazard.get("severity") == "error" for hazard in shown)
        page.heading(f"{len(shown)} hazard{'s' * (len(shown) > 1)}", "", WRONG if errors else WARNING)
    else:
        page.line(f"no hazards in {len(report['launches'])} launch{'es' * (len(report['launches']) != 1)}")
    listing.show(page, source, listing.hazard_notes(shown, FILE), traffic.counts_by_line(report, FILE))
    return page


def _to_stderr(text):
    print(text, end="", file=sys.stderr, flush=True)
