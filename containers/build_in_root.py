#!/usr/bin/python3
"""Performs the steps of a Dockerfile in a Debian that debootstrap makes, for machines without a container engine.

    containers/build_in_root.py containers/students/Dockerfile /srv/student -- ./lab check 01 --solution

The command after "--" runs where the image would start its own. It knows FROM, RUN, COPY, ENV, USER and WORKDIR as this
folder uses them. It needs root and debootstrap. An existing folder is the FROM of the first stage.
"""

import argparse
import fnmatch
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import time

PROJECT = pathlib.Path(__file__).resolve().parent.parent
SUITES = {"debian:12": "bookworm", "debian:13": "trixie"}
MIRROR = "http://deb.debian.org/debian"


def steps(dockerfile):
    """(instruction, arguments) of each step; comments are left out and continued lines joined."""
    text = re.sub(r"^\s*#.*\n", "", dockerfile, flags=re.MULTILINE)
    lines = re.sub(r"\\\n", " ", text).splitlines()
    words = (re.fullmatch(r"([A-Z]+)\s+(.*)", line.strip()) for line in lines if line.strip())
    return [(word[1], " ".join(word[2].split())) if word else ("", "") for word in words]


def ignored(patterns, path):
    """Whether .dockerignore leaves out a path relative to the context."""
    plain = [pattern for pattern in patterns if not pattern.startswith("**/")]
    anywhere = [pattern[3:] for pattern in patterns if pattern.startswith("**/")]
    return str(path) in plain or any(fnmatch.fnmatch(path.name, pattern) for pattern in anywhere)


def patterns_in(context):
    lines = (context / ".dockerignore").read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#")]


class machine:
    """A root file system, and how the next step runs in it."""

    def __init__(self, root, context):
        self.root, self.context = root, context
        self.user, self.folder, self.variables = "root", "/", {}

    def start_from(self, image):
        image = image.split(" AS ")[0]
        if image in SUITES and not (self.root / "etc").exists():
            command = ["debootstrap", "--variant=minbase", "--components=main", SUITES[image], self.root, MIRROR]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    def run(self, command):
        home = "/root" if self.user == "root" else f"/home/{self.user}"
        variables = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": home}
        settings = [f"{name}={value}" for name, value in {**variables, **self.variables}.items()]
        # The processes and the mounts of a step end with it.
        enter = ["unshare", "--mount", "--pid", "--fork", f"--mount-proc={self.root}/proc"]
        inside = ["chroot", f"--userspec={self.user}", self.root, "/usr/bin/env", "-i", *settings]
        script = f"cd {shlex.quote(self.folder)} && {command}"
        subprocess.run([*enter, *inside, "/bin/sh", "-c", script], check=True, stdin=subprocess.DEVNULL)

    def copy(self, arguments):
        owner = re.match(r"--chown=(\S+) ", arguments)
        source, target = arguments[owner.end() if owner else 0 :].split()
        assert source == ".", f"COPY {source} is not supported"
        patterns = patterns_in(self.context)

        def left_out(folder, names):
            here = pathlib.Path(folder).relative_to(self.context)
            return [name for name in names if ignored(patterns, here / name)]

        place = self.root / target.lstrip("/")
        shutil.copytree(self.context, place, ignore=left_out, symlinks=True, dirs_exist_ok=True)
        before, self.user = self.user, "root"
        self.run(f"chown -R {owner[1] if owner else 'root:root'} {shlex.quote(target)}")
        self.user = before

    def perform(self, instruction, arguments):
        if instruction == "FROM":
            self.start_from(arguments)
        elif instruction == "RUN":
            self.run(arguments)
        elif instruction == "COPY":
            self.copy(arguments)
        elif instruction == "ENV":
            self.variables.update(word.split("=", 1) for word in shlex.split(arguments))
        elif instruction == "USER":
            self.user = arguments
        elif instruction == "WORKDIR":
            self.folder = arguments
            (self.root / arguments.lstrip("/")).mkdir(parents=True, exist_ok=True)
        elif instruction not in ("CMD", "ENTRYPOINT"):
            sys.exit(f"{instruction or 'a line without an instruction'} is not supported")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dockerfile", type=pathlib.Path)
    parser.add_argument("root", type=pathlib.Path, help="the folder of the root file system")
    parser.add_argument("command", nargs="*", help="runs at the end")
    given = parser.parse_args()
    made = machine(given.root.resolve(), PROJECT)
    for instruction, arguments in steps(given.dockerfile.read_text()):
        began = time.monotonic()
        made.perform(instruction, arguments)
        print(f"{time.monotonic() - began:7.1f} s  {instruction} {arguments[:80]}", flush=True)
    if given.command:
        made.run(shlex.join(given.command))


if __name__ == "__main__":
    main()
