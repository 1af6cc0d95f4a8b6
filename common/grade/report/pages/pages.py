#!/usr/bin/python3
"""Writes the pages of a grading from its grades.json: index.html for the teacher and a page for each student.

`lab grade` calls it. The rows contain untrusted text, which the templates escape. Exit code 1: a page is missing.
"""

import argparse
import json
import os
import pathlib
import sys

try:
    import jinja2
except ImportError:
    sys.exit("Jinja2 is missing: install python3-jinja2")

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER))  # `-I` leaves it out
import overview  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folder", type=pathlib.Path, help="contains grades.json, and gets the pages")
    folder = parser.parse_args().folder
    rows = json.loads((folder / "grades.json").read_text(encoding="utf-8"))["rows"]
    students, templates = by_student(rows), environment()
    student_page, class_page = (templates.get_template(f"{name}.html.j2") for name in ("student", "class"))
    for student in students:
        write_whole(folder / student["page"], student_page.render(title=student["name"], **student))
    write_whole(
        folder / "index.html",
        class_page.render(
            title="Grades",
            students=students,
            labs=overview.labs(rows),
            causes=overview.causes(rows),
            groups=overview.GROUPS,
        ),
    )


def by_student(rows):
    """The students in the order of their first rows. Their names may be equal; their pages are not."""
    found = {}
    for row in rows:
        found.setdefault(row["page"], []).append(row)
    return [
        {
            "page": page,
            "name": mine[0]["student"],
            "rows": mine,
            "points": sum(row["points"] for row in mine),
            "max_points": sum(row["max_points"] for row in mine),
            "extra": sum(row["extra"] for row in mine),
        }
        for page, mine in found.items()
    ]


def environment():
    templates = jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters["g"] = "{:g}".format
    return templates


def write_whole(path, text):
    """Replaces a file in one step, and returns when it is on the disk."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644), "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(fresh, path)


if __name__ == "__main__":
    try:
        main()
    except (OSError, ValueError, KeyError, TypeError, jinja2.TemplateError) as error:
        sys.exit(f"{type(error).__name__}: {error}")
