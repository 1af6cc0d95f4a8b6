"""Makes a wheel of a course's labs, which finds itself by an entry point: publish.py NAME --course DIR.

`lab publish` starts it. The wheel holds what `lab start` copies: lessons, starters and the definitions of labs.
Solutions are left out by default.
"""

import argparse
import base64
import hashlib
import pathlib
import re
import sys
import zipfile

LEFT_OUT = {"__pycache__", ".cache"}
METADATA = """Metadata-Version: 2.1
Name: {package}
Version: {version}
Summary: A course of kernels for Kernel Lab: lab start mycourse --course {name}
Requires-Python: >=3.10
"""
WHEEL = "Wheel-Version: 1.0\nGenerator: kernel_lab\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def files_below(course, room):
    for path in sorted((course / room).rglob("*")):
        if path.is_file() and not LEFT_OUT & set(path.relative_to(course).parts):
            yield path


def contents(course, with_solutions):
    """(path in the course, bytes) of each file; a kernel that somebody has edited gives way to its starter."""
    for path in files_below(course, "labs"):
        starter = course / "solutions" / path.parent.name / "starter.cu"
        kept = course / ".lab/starters" / f"{path.parent.name}.cu"
        if path.name == "kernel.cu":
            path_read = next((file for file in (starter, kept) if file.is_file()), path)
        else:
            path_read = path
        yield path.relative_to(course), path_read.read_bytes()
    if with_solutions:
        for path in files_below(course, "solutions"):
            yield path.relative_to(course), path.read_bytes()


def recorded(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def write(wheel, package, files, information):
    files = {f"{package}/__init__.py": b'"""A course of Kernel Lab."""\n', **files, **information}
    record = f"{next(iter(information)).split('/')[0]}/RECORD"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
        archive.writestr(record, "".join(map(recorded, files, files.values())) + f"{record},,\n")


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="publish", description=__doc__.split(":")[0])
    parser.add_argument("name")
    parser.add_argument("--version", default="1.0")
    parser.add_argument("--course", type=pathlib.Path, required=True, metavar="DIR")
    parser.add_argument("--output", type=pathlib.Path, default=".", metavar="DIR")
    parser.add_argument("--with-solutions", action="store_true")
    given = parser.parse_args(arguments)
    if not re.fullmatch(r"[a-z][a-z0-9_]*", given.name) or not re.fullmatch(r"\d+(\.\d+)*", given.version):
        print(
            "lab: a name has lower-case letters, digits and _; a version has digits and dots: scans, 1.0",
            file=sys.stderr,
        )
        return 2
    package = f"kernel_lab_course_{given.name}"
    about = f"{package}-{given.version}.dist-info"
    files = {f"{package}/{path}": data for path, data in contents(given.course, given.with_solutions)}
    if not files:
        print(f"lab: {given.course} has no labs", file=sys.stderr)
        return 2
    information = {
        f"{about}/METADATA": METADATA.format(package=package, version=given.version, name=given.name).encode(),
        f"{about}/WHEEL": WHEEL.encode(),
        f"{about}/entry_points.txt": f"[kernel_lab.courses]\n{given.name} = {package}\n".encode(),
    }
    wheel = given.output / f"{package}-{given.version}-py3-none-any.whl"
    try:
        given.output.mkdir(parents=True, exist_ok=True)
        write(wheel, package, files, information)
    except OSError as error:
        print(f"lab: cannot write {wheel}: {error}", file=sys.stderr)
        return 3
    labs = sorted({path.split("/")[2] for path in files if re.search(r"/labs/\d\d_\w+/", path)})
    print(f"{wheel} holds {', '.join(labs)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
