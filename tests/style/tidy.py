"""Runs clang-tidy over the files of common/ and labs/ that the build compiles.

tidy.py CLANG_TIDY ROOT BUILD [FILE ...]: with FILEs, only over these, one by one; else over a unit for each target of
the build, which joins its files, because to read their headers takes longest. A unit without findings leaves a mark in
BUILD/tidy. It is checked again if the text of one of its files, a header of this project that it includes, its compiler
command, .clang-tidy or clang-tidy's version changes.
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
NOT_CLANGS = re.compile(r" -include \S+/cmake_pch\.hxx| -mtls-dialect=\S+")  # g++'s precompiled headers and option


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


def clang_reads(source, folders):
    return not any(TOO_NEW in text for text in project_files(source, folders).values())


def text_of(row):
    """What joins the sources of a translation unit, or the row's one source."""
    return pathlib.Path(row["file"]).read_text() if "/Unity/" in row["file"] else f'#include "{row["file"]}"\n'


def sources_of(row):
    return INCLUDE.findall(text_of(row))


def for_file(row, file):
    return row | {"file": str(file), "command": row["command"].replace(row["file"], str(file))}


def options_of(row):
    """What a row shares with the others of its target: the target's folder, and the options of the compiler."""
    command = row["command"]
    return re.search(r" -o (\S*CMakeFiles/[^/]+)", command)[1], re.sub(r" -o \S+ -c \S+", "", command)


def joined_rows(rows, unreadable, database):
    """One row for all sources of a target that no other row has, for a file that includes them."""
    groups = {}
    for row in rows:
        groups.setdefault(options_of(row), []).append(row)
    left_out, joined = set(unreadable), []
    for number, group in enumerate(groups.values()):
        lines = "".join(map(text_of, group)).splitlines(keepends=True)
        text = "".join(line for line in lines if not left_out.intersection(INCLUDE.findall(line)))
        sources = INCLUDE.findall(text)
        left_out.update(sources)
        unit = database / f"{number}.cpp" if len(sources) > 1 else pathlib.Path(*sources)
        if len(sources) > 1:
            unit.write_text(text)
        joined += [for_file(group[0], unit)] if sources else []
    return joined


def rows_to_check(root, build, wanted, unreadable):
    """compile_commands.json's rows: of the wanted files, or of the units. Tests are left out: they double the time."""
    rows = json.loads((build / "compile_commands.json").read_text())
    rows = [row | {"command": NOT_CLANGS.sub("", row["command"])} for row in rows]
    if wanted:
        all_sources = [for_file(row, source) for row in rows for source in sources_of(row)]
        return [row for row in all_sources if row["file"] in wanted and row["file"] not in unreadable]
    ours = [row for row in rows if sources_of(row)[0].startswith((f"{root}/common/", f"{root}/labs/"))]
    return joined_rows(ours, unreadable, build / "tidy-database")


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
    marks, database = build / "tidy", build / "tidy-database"
    marks.mkdir(exist_ok=True)
    database.mkdir(exist_ok=True)
    version = subprocess.run([tool, "--version"], capture_output=True, text=True, check=True).stdout
    configs = sorted((root / "common").rglob(".clang-tidy")) + [root / ".clang-tidy"]
    fixed = version + "".join(path.read_text() for path in configs)
    folders = (root / "common", root / "labs")
    unreadable = {str(path) for folder in folders for path in folder.rglob("*.cpp") if not clang_reads(path, folders)}
    rows = rows_to_check(root, build, sys.argv[4:], unreadable)
    (database / "compile_commands.json").write_text(json.dumps(rows))
    texts = [project_files(pathlib.Path(row["file"]), folders) for row in rows]
    keys = [marks / key(files, row["command"], fixed) for row, files in zip(rows, texts, strict=True)]
    new = sum(not mark.exists() for mark in keys)
    print(
        f"{len(rows)} units, {new} new or changed; {len(unreadable)} files left out for <source_location>", flush=True
    )
    with ThreadPoolExecutor(int(os.environ.get("LAB_TIDY_JOBS", len(os.sched_getaffinity(0))))) as pool:
        failed = sum(map(bool, pool.map(lambda row, mark: check(tool, build, row["file"], mark), rows, keys)))
    for mark in () if sys.argv[4:] else set(marks.iterdir()) - set(keys):
        mark.unlink()
    print(f"{failed} units have findings" if failed else "no findings")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
