"""Runs one style tool over the project's files: check.py TOOL ROOT BUILD. Status 77: the tool is not installed.

No .cu file is formatted: in lessons, wrong kernels and programs for the simulator, tests read the first lines and the
lines above a hazard, and clang-format would wrap them.
"""

import os
import pathlib
import shutil
import subprocess
import sys

SKIP_CODE = 77  # SKIP_RETURN_CODE in tests/CMakeLists.txt
ROOMS = ("common", "labs", "solutions", "report", "tests")
CLANG_FORMAT = 14  # other versions format differently


def files(root, *patterns):
    found = {path for room in ROOMS for pattern in patterns for path in (root / room).rglob(pattern)}
    return sorted(str(path) for path in found if path.is_file() and "out" not in path.relative_to(root).parts)


def shell_scripts(root):
    return [str(path) for path in (root / "lab", root / ".ci/run") if path.exists()] + files(root, "*.sh")


def skip(reason):
    print(f"SKIPPED: {reason}")
    sys.exit(SKIP_CODE)


def installed(*names, name=None):
    """The first of these programs in LAB_STYLE_TOOLS, a folder, or in PATH."""
    path = os.pathsep.join((os.environ.get("LAB_STYLE_TOOLS", ""), os.environ["PATH"]))
    found = [shutil.which(program, path=path) for program in names]
    return next(filter(None, found), None) or skip(f"{name or names[-1]} is not installed")


def clang_format(root, _):
    tool = installed(f"clang-format-{CLANG_FORMAT}", "clang-format")
    version = subprocess.run([tool, "--version"], capture_output=True, text=True, check=True).stdout
    if f"version {CLANG_FORMAT}." not in version:
        skip(f"clang-format {CLANG_FORMAT} is not installed")
    return [tool, "--dry-run", "-Werror", *files(root, "*.cpp", "*.hpp", "*.h")]


def clang_tidy(root, build):
    tool = installed("clang-tidy-14", "clang-tidy")
    return ["/usr/bin/python3", str(pathlib.Path(__file__).parent / "tidy.py"), tool, str(root), str(build)]


def ruff(root, _):
    # A mere `ruff` may be a stand-in that starts nothing, as version managers have it.
    tool = installed("ruff")
    if subprocess.run([tool, "--version"], capture_output=True).returncode != 0:
        skip("ruff is not installed")
    return [tool, "check", "--no-cache", "--config", str(root / "pyproject.toml"), *files(root, "*.py")]


def shellcheck(root, _):
    return [installed("shellcheck"), *shell_scripts(root)]


def prose(root, _):
    return ["/usr/bin/python3", str(pathlib.Path(__file__).parent / "prose.py"), str(root)]


def proselint(root, build):
    return [*prose(root, build), installed("proselint")]


COMMANDS = {
    "clang-format": clang_format,
    "clang-tidy": clang_tidy,
    "prose": prose,
    "proselint": proselint,
    "ruff": ruff,
    "shellcheck": shellcheck,
}


def main():
    tool, root, build = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    sys.exit(subprocess.run(COMMANDS[tool](root, build), cwd=root).returncode)


if __name__ == "__main__":
    main()
