#!/usr/bin/python3
"""Shows the points of a grading in GitHub Actions: github_points.py GRADES

The notices are those that GitHub Classroom reads. The summary of the run gets a table.
"""

import json
import os
import pathlib
import sys


def main(folder):
    file = pathlib.Path(folder) / "grades.json"
    if not file.exists():
        sys.exit(f"{file} does not exist; the grading failed before its end")
    rows = [row for row in json.loads(file.read_text())["rows"] if row["verdict"] != "skipped"]
    points = {"totalPoints": sum(row["points"] for row in rows), "maxPoints": sum(row["max_points"] for row in rows)}
    print(f"::notice title=Autograding complete::Points {points['totalPoints']:g}/{points['maxPoints']:g}")
    print(f"::notice title=Autograding report::{json.dumps(points)}")
    table = ["| lab | verdict | points |", "|---|---|---|"]
    table += [f"| {row['lab']} | {row['verdict']} | {row['points']:g} of {row['max_points']:g} |" for row in rows]
    if summary := os.environ.get("GITHUB_STEP_SUMMARY"):
        with open(summary, "a") as page:
            page.write("\n".join(table) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
