#!/usr/bin/python3
"""Prints the commands of a GitHub workflow as a shell script, to run them where no GitHub is.

    containers/workflow_steps.py common/grade/report/github-classroom.yml >steps.sh

Run the script in the container that the workflow names, in a folder with what the workflow checks out. As on GitHub,
each step is a shell of its own that ends at its first failure. The steps after a failed one are left out unless they
say `if: always()`. Steps that use an action are left out. It needs python3-yaml.
"""

import pathlib
import shlex
import sys

import yaml


def script_of(job):
    yield "status=0"
    for name, value in job.get("env", {}).items():
        yield f": ${{{name}:={value}}}; export {name}"  # a variable that is set before keeps its value
    for step in job["steps"]:
        if "run" not in step:
            continue
        condition = "" if step.get("if") == "always()" else '[ "$status" != 0 ] || '
        yield f"{condition}sh -e -c {shlex.quote(step['run'])} || status=$?"
    yield 'exit "$status"'


def main(file):
    (job,) = yaml.safe_load(pathlib.Path(file).read_text())["jobs"].values()
    print("\n".join(script_of(job)))


if __name__ == "__main__":
    main(*sys.argv[1:])
