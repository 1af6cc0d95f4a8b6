"""Runs clang-tidy over the files of common/ and labs/ that the build compiles.

tidy.py CLANG_TIDY ROOT BUILD [FILE ...]: with FILEs, only over these. A file without findings leaves a mark in
BUILD/tidy.
It is checked again if its text, a header of this project that it includes, its compiler command, .clang-tidy or
clang-tidy's version changes.
"""

import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

TOO_NEW = b"#include <source_location>"  # clang 14 does not have it, and cannot read a file that includes it
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
PRECOMPILED = re.compile(r" -include \S+/cmake_pch\.hxx")  # by g++, and clang cannot read it


def project_files(source, folders):
    """The source and all files that it includes by a quoted name and that are found beside it or in the folders."""
    found, waiting = {}, [source]
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found[path] = path.read_bytes()
        for name in INCLUDE.findall(found[path].decode(errors="replace")):
            waiting += [place / name for place in (path.parent, *folders) if (place / name).is_file()][:1]
    return found


def of_each_source(row):
    """The rows of the sources that a translation unit joins, or the row itself."""
    row = row | {"command": PRECOMPILED.sub("", row["command"])}
    if "/Unity/" not in row["file"]:
        return [row]
    sources = INCLUDE.findall(pathlib.Path(row["file"]).read_text())
    return [row | {"file": s, "command": row["command"].replace(row["file"], s)} for s in sources]


def write_database(build, folder):
    """Writes compile_commands.json with an entry for each source to the folder."""
    rows = json.loads((build / "compile_commands.json").read_text())
    folder.mkdir(exist_ok=True)
    (folder / "compile_commands.json").write_text(json.dumps([one for row in rows for one in of_each_source(row)]))


def chosen_sources(root, build, wanted):
    """{source: compiler command}. Tests are left out: they would double the time."""
    rows = json.loads((build / "tidy-database" / "compile_commands.json").read_text())
    places = wanted or (f"{root}/common/", f"{root}/labs/")
    return {row["file"]: row["command"] for row in rows if row["file"].startswith(tuple(places))}


def key(texts, command, fixed):
    digest = hashlib.sha256(f"{fixed}\n{command}\n".encode())
    for path, text in sorted(texts.items()):
        digest.update(f"{path}\n".encode() + text)
    return digest.hexdigest()[:32]


def check(tool, build, source, mark):
    if mark.exists():
        return 0
    # Here a finding is an error. In .clang-tidy it is a warning, because clangd shows it to students as well.
    command = [tool, "-quiet", "-warnings-as-errors=*", "-p", str(build / "tidy-database"), source]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if done.returncode == 0:
        mark.touch()
    else:
        print(f"{done.stdout}{done.stderr if not done.stdout else ''}", flush=True)
    return done.returncode


def main():
    tool, root, build = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    marks = build / "tidy"
    marks.mkdir(exist_ok=True)
    version = subprocess.run([tool, "--version"], capture_output=True, text=True, check=True).stdout
    configs = sorted((root / "common").rglob(".clang-tidy")) + [root / ".clang-tidy"]
    fixed = version + "".join(path.read_text() for path in configs)
    write_database(build, build / "tidy-database")
    sources = chosen_sources(root, build, sys.argv[4:])
    texts = {source: project_files(pathlib.Path(source), (root / "common", root / "labs")) for source in sources}
    readable = [source for source in sources if not any(TOO_NEW in text for text in texts[source].values())]
    keys = {source: marks / key(texts[source], sources[source], fixed) for source in readable}
    new = sum(not mark.exists() for mark in keys.values())
    left_out = len(sources) - len(readable)
    print(f"{len(readable)} files, {new} new or changed; {left_out} left out for <source_location>", flush=True)
    with ThreadPoolExecutor(int(os.environ.get("LAB_TIDY_JOBS", len(os.sched_getaffinity(0))))) as pool:
        failed = sum(map(bool, pool.map(lambda source: check(tool, build, source, keys[source]), readable)))
    for mark in () if sys.argv[4:] else set(marks.iterdir()) - set(keys.values()):
        mark.unlink()
    print(f"{failed} files have findings" if failed else "no findings")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
