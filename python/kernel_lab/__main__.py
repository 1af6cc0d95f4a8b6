"""Writes the lessons as notebooks: python3 -m kernel_lab all --output notebooks, or `lab notebook`."""

import argparse
import pathlib
import sys

if not __package__:  # started as a folder
    sys.path[0] = str(pathlib.Path(__file__).resolve().parent.parent)

from kernel_lab import course, notebook  # noqa: E402


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="kernel_lab", description=__doc__.split(":")[0])
    parser.add_argument("lab", metavar="NN|all", help="the lab's number or name, or all")
    parser.add_argument("-o", "--output", default="notebooks", metavar="DIR", help="folder for the notebooks")
    parser.add_argument("--course", type=pathlib.Path, metavar="DIR", help="folder of the course")
    parser.add_argument("--solution", action="store_true", help="put the solution into the cell of the kernel")
    parser.add_argument("--force", action="store_true", help="replace notebooks that exist")
    options = parser.parse_args(arguments)
    try:
        return write(options, options.course or course.folder())
    except OSError as error:
        print(f"lab: {error}", file=sys.stderr)
        return 3


def write(options, root):
    labs = notebook.labs(root)
    chosen = [lab for lab in labs if options.lab in ("all", lab, lab[:2], lab[:2].lstrip("0"))]
    if not chosen:
        print(f"lab: no lab is called {options.lab}; there are {', '.join(lab[:2] for lab in labs)}", file=sys.stderr)
        return 2
    for lab in chosen:
        path, written = notebook.write(root, lab, options.output, options.solution, options.force)
        print(path if written else f"{path} exists and stays as it is; delete it, or choose another --output")
    return 0


if __name__ == "__main__":
    sys.exit(main())
