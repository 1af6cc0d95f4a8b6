#!/usr/bin/python3
"""Draws the figures and writes the HTML page from what `lab check` and `lab bench` measured.

Exit codes: 0 written, 1 there are no results yet, 2 a file is damaged (the page is written from the others).
"""

import argparse
import pathlib
import sys

import families
import figures
import page
import published
import tables
from load import load

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE_LIMIT = 3_000_000


def main(arguments=None):
    options = _options(arguments)
    folders = options.results or [options.out / "results"]
    if options.numpy:
        import numpy_baseline  # here, because Numba takes a second to load

        numpy_baseline.measure_to(options.out / "results" / "numpy.json")
    results = load(folders, options.recorded)
    published_tables, problems = published.load_published(options.labs)
    results.problems += problems
    for problem in results.problems:
        print(f"report: {problem}", file=sys.stderr)
    if not results:
        if not results.problems:
            looked = ", ".join(map(str, [*folders, options.recorded]))
            print(f"report: no results yet in {looked}; run ./lab check all and ./lab bench all", file=sys.stderr)
        return 2 if results.problems else 1
    write(results, published_tables, options)
    return 2 if results.problems else 0


def write(results, published_tables, options):
    """Writes the figures and the page; tells where they are."""
    drawings = draw_families(results.bench)
    save_all(drawings, [options.out / "figures", *([options.figures] if options.figures else [])])
    if options.figures:
        write_tables(results.bench, options.figures)
    text = page.render(results, lab_titles(options.labs), published_tables, drawings)
    for pairs in drawings.values():
        for _, figure in pairs:
            figures.close(figure)
    target = options.out / "index.html"
    target.write_text(text, encoding="utf-8")
    size = target.stat().st_size
    if size > PAGE_LIMIT:
        print(f"report: {target} has grown to {size / 1e6:.1f} MB; are there stray results?", file=sys.stderr)
    print(target)


def draw_families(rows):
    """Family stem -> (source, figure) of every place of measurement."""
    drawings = {}
    for stem, source, groups in _by_family_and_source(rows):
        figure = figures.family_figure(groups, page.place(source))
        drawings.setdefault(stem, []).append((source, figure))
    return drawings


def save_all(drawings, folders):
    for folder in folders:
        folder.mkdir(parents=True, exist_ok=True)
        for stem, pairs in drawings.items():
            for source, figure in pairs:
                figures.save(figure, folder / file_stem(stem, source))


def write_tables(rows, folder):
    for stem, source, groups in _by_family_and_source(rows):
        caption = f"{stem}. {page.place(source)}. {page.warning(source)}"
        name = file_stem(stem, source)
        (folder / f"{name}.md").write_text(tables.markdown(groups, caption), encoding="utf-8")
        (folder / f"{name}.tex").write_text(tables.latex(groups, caption), encoding="utf-8")


def file_stem(stem, source):
    """For example "transpose-sim" and "transpose-recorded-nvidia-h200"."""
    where = f"recorded {source.device}" if source.recorded else source.backend
    return page.identifier(f"{stem} {where}")


def _by_family_and_source(rows):
    for stem, members in families.families({row.lab for row in rows}).items():
        mine = [row for row in rows if row.lab in members]
        for source in families.sources(mine):
            groups = families.groups([row for row in mine if row.source.key == source.key])
            if groups:
                yield stem, source, groups


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
    parser.add_argument("--results", type=folder, action="append", metavar="DIR", help="default: OUT/results")
    parser.add_argument("--recorded", type=folder, default=ROOT / "report/results", metavar="DIR")
    parser.add_argument("--labs", type=folder, default=ROOT / "labs", metavar="DIR", help="titles, published tables")
    parser.add_argument("--out", type=folder, default=ROOT / "report/out", metavar="DIR")
    parser.add_argument("--figures", type=folder, metavar="DIR", help="also write figures and tables for a paper there")
    parser.add_argument("--numpy", action="store_true", help="first measure NumPy (and Numba) on this machine")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
