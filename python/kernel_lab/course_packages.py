"""Prints each course that a Python package brings by an entry point of the group kernel_lab.courses: NAME, tab, folder.

The entry point names a package, which is not imported: nothing of it runs.
"""

import importlib.metadata
import importlib.util
import pathlib
import sys


def courses():
    """{name: folder} of the courses that contain labs/."""
    found = {}
    for point in importlib.metadata.entry_points(group="kernel_lab.courses"):
        spec = importlib.util.find_spec(point.value.split(".")[0])
        for place in (spec.submodule_search_locations if spec else None) or ():
            folder = pathlib.Path(place, *point.value.split(".")[1:])
            if (folder / "labs").is_dir():
                found[point.name] = folder
    return found


if __name__ == "__main__":
    sys.path.pop(0)  # this package's folder
    for name, folder in sorted(courses().items()):
        print(f"{name}\t{folder}")
