#!/usr/bin/python3
"""Writes the student's page, the course's page and the figures from what `lab check` and `lab bench` left.

Exit codes: 0 written, 1 there are no results yet, 2 a file is damaged (the pages are written from the others), 3 a
Python package or the program that makes a PDF is missing.
"""

import argparse
import dataclasses
import pathlib
import sys

try:
    from data import changed, families, goals, published, source_labels, writing
    from data.load import load
    from figures import drawings
    from pages import course, mine, modelled_times, pdf, tables
except ModuleNotFoundError as missing:
    print(
        f"report: the Python package {missing.name} is missing; install the wheel with its extra [report], or Debian's "
        "python3-jsonschema, python3-jinja2, python3-matplotlib and python3-numpy",
        file=sys.stderr,
    )
    sys.exit(3)

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE_LIMIT = 3_000_000


def main(arguments=None):
    options = _options(arguments)
    options.solutions = options.solutions or options.labs.parent / "solutions"
    folders = [*options.results] or [options.out / "results"]
    if options.numpy:
        import numpy_baseline  # here, because Numba takes a second to load

        numpy_baseline.measure_to(options.out / "results" / "numpy.json")
    results = load(folders, options.recorded)
    results.bench = [row for row in results.bench if row.source.backend != "sim"]  # these are no times of a GPU
    results.problems += [f"{folder}: there is no such folder" for folder in options.results if not folder.is_dir()]
    published_tables, problems = published.load_published(options.labs)
    results.problems += problems
    goals_found, problems = goals.load_goals(options.solutions)
    results.problems += problems
    for problem in results.problems:
        print(f"report: {problem}", file=sys.stderr)
    if not results:
        if not results.problems:
            looked = ", ".join(map(str, [*folders, options.recorded]))
            print(f"report: no results yet in {looked}; run ./lab check all and ./lab bench all", file=sys.stderr)
        return 2 if results.problems else 1
    mark_untouched(results, options.labs, options.solutions)
    changed.mark_changed(results, options.labs)
    try:
        write(results, published_tables, goals_found, options)
        if options.pdf:
            print(pdf.write(options.out / "index.html", options.out / "report.pdf"))
    except pdf.Lacking as error:
        print(f"report: {error}", file=sys.stderr)
        return 3
    except OSError as error:
        print(f"report: cannot write {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    return 2 if results.problems else 0


def write(results, published_tables, goals_found, options):
    """Writes the figures and the pages; tells where they are."""
    drawn = drawings.draw(results)
    drawings.save(drawn, [options.out / "figures", *([options.figures] if options.figures else [])])
    if options.figures:
        write_tables(results, published_tables, options.figures)
    standings = goals.standings(goals_found, results)
    titles = lab_titles(options.labs)
    pages = {
        options.out / "index.html": mine.render(results, titles, drawn, options.author),
        options.out / "course.html": course.render(results, titles, published_tables, standings, drawn),
    }
    for target, text in pages.items():
        writing.write(target, text)
        size = target.stat().st_size
        if size > PAGE_LIMIT:
            print(f"report: {target} has grown to {size / 1e6:.1f} MB; are there stray results?", file=sys.stderr)
        print(target)


def write_tables(results, published_tables, folder):
    """Markdown and LaTeX of each family's results and of the tutorials' tables, without the page's theme."""
    for stem, source, rows in drawings.by_family_and_source(results.bench):
        caption = f"{stem}. {source_labels.name(source)}. {source_labels.warning(source)}"
        name = drawings.identifier(f"{stem} {source_labels.stem(source)}")
        if groups := families.groups(rows):
            _write_both(folder / name, tables.of_groups(groups), caption)
    for name, parts, caption in modelled_times.tables(results):
        _write_both(folder / drawings.identifier(name), parts, caption)
    for stem, found in published_tables.items():
        rows = [row for row in results.bench if families.stem(row.lab) == stem]
        for number, table in enumerate(found, 1):
            parts = published.side_by_side(table, rows, results.baselines)
            name = drawings.identifier(f"published {stem} {number if len(found) > 1 else ''}")
            _write_both(folder / name, parts, f"{table.title}. {table.sentence}")


def _write_both(stem, parts, caption):
    writing.write(stem.with_suffix(".md"), tables.markdown(parts, caption))
    writing.write(stem.with_suffix(".tex"), tables.latex(parts, caption))


def mark_untouched(results, labs, solutions):
    """A starter that is still as it was handed out has not failed; its lab has not begun."""

    def same(lab):
        mine, pristine = labs / lab / "kernel.cu", solutions / lab / "starter.cu"
        return mine.is_file() and pristine.is_file() and mine.read_bytes() == pristine.read_bytes()

    for index, check in enumerate(results.checks):
        if check.variant == "starter" and check.verdict != "skipped" and not check.source.recorded and same(check.lab):
            results.checks[index] = dataclasses.replace(check, verdict="not_begun", cases=(), hazards=(), gates=())


def lab_titles(labs):
    """Folder name -> the first heading of the lesson, for every lab there is."""
    return {path.name: _heading(path / "README.md") for path in sorted(labs.glob("[0-9][0-9]_*")) if path.is_dir()}


def _heading(path):
    if not path.is_file():
        return ""
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    return next((line.lstrip("# ").strip() for line in lines if line.startswith("# ")), "")


def _options(arguments):
    parser = argparse.ArgumentParser(prog="report.py", description=__doc__.splitlines()[0])
    folder = pathlib.Path
    parser.add_argument("--results", type=folder, action="append", default=[], metavar="DIR", help="or OUT/results")
    parser.add_argument("--recorded", type=folder, default=ROOT / "report/results", metavar="DIR")
    parser.add_argument("--labs", type=folder, default=ROOT / "labs", metavar="DIR", help="titles, published tables")
    parser.add_argument("--solutions", type=folder, metavar="DIR", help="goals, starters; default: beside --labs")
    parser.add_argument("--out", type=folder, default=ROOT / "report/out", metavar="DIR")
    parser.add_argument("--figures", type=folder, metavar="DIR", help="also write figures and tables for a paper there")
    parser.add_argument("--pdf", action="store_true", help="also print the student's page to OUT/report.pdf")
    parser.add_argument("--author", default="", metavar="NAME", help="your name, for the head of your page")
    parser.add_argument("--numpy", action="store_true", help="first measure NumPy (and Numba) on this machine")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
