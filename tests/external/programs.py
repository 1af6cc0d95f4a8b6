"""Builds, runs and judges one program of a suite: by its CMakeLists.txt, its makefile, or one call of nvcc."""

import dataclasses
import os
import re
import signal
import subprocess
import time
from pathlib import Path

HOMES = ("CUDA_PATH", "CUDA_HOME", "CUDA_DIR", "CUDA_ROOT", "CUDA_INSTALL_PATH")  # makefiles name the toolkit by one
SOURCES = {".cu", ".cpp", ".cc", ".c"}
MAKEFILES = ("Makefile", "makefile")
NO_PROGRAMS = {".o", ".so", ".fatbin", ".cubin", ".ptx"}  # the latter three are libraries, which a module loads
FAILURE = re.compile(r"\b(FAILED|FAIL|mismatch|incorrect)\b|Non-Matching.*: [1-9]", re.IGNORECASE)
HAZARD = re.compile(r"^(\S+:\d+): (?:error|warning): ([a-z_]+) in ", re.MULTILINE)
ERROR = re.compile(r"(?:fatal )?error:? .*|undefined reference.*|cannot find -l.*|No such file.*", re.IGNORECASE)
TOO_LATE = (124, 137, -signal.SIGXCPU)  # of `timeout`, and of a limit of processor time
WAIVED = 2  # the status of NVIDIA's samples where a device lacks what they show


@dataclasses.dataclass
class Context:
    """What all programs of a suite share."""

    working: Path
    include: list[Path]
    libraries: list[str]
    variables: dict[str, str]
    seconds: int
    prefix: list[str]
    traced: bool
    arguments: dict[str, list[str]]
    needs_arguments: bool  # a program without any in the list above is built and not run
    prints: dict[str, str]  # what a program prints if it is right, where that is not the absence of a word of failure
    hazards: dict[str, list[str]]  # those that a traced program has: "race file.cu:3"
    original: Path
    environments: dict[str, dict[str, str]] = dataclasses.field(default_factory=dict)  # variables of single programs
    prepare: dict[str, str] = dataclasses.field(default_factory=dict)  # commands that make a program's inputs
    check: dict[str, str] = dataclasses.field(default_factory=dict)  # commands that read its output and fail if wrong


def limited(
    command: list[str], folder: Path, context: Context, times: int = 1, name: str | None = None
) -> tuple[int, str]:
    """The prefix may wait, so the limit does not include it."""
    limit = ["timeout", "--kill-after=5", str(context.seconds * times)]
    done = subprocess.run(
        [*context.prefix, *limit, *command],
        cwd=folder,
        env={**context.variables, **context.environments.get(name, {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    late = "\nerror: more than the limit of time" if done.returncode in TOO_LATE else ""
    return 124 if late else done.returncode, done.stdout.decode(errors="replace") + late


def text_of(folder: Path) -> str:
    """The program's build files and sources."""
    suffixes, names = {*SOURCES, ".h", ".cuh"}, {*MAKEFILES, "CMakeLists.txt"}
    files = [file for file in folder.rglob("*") if file.suffix in suffixes or file.name in names]
    return "\n".join(file.read_text(errors="replace") for file in files)


def build_folder(folder: Path, context: Context) -> Path:
    return context.working / "cmake-build" / "all" / folder.relative_to(context.working)


def configure(folders: list[Path], context: Context) -> str:
    """Makes one project of all programs that have a CMakeLists.txt, because a project of its own takes each seconds."""
    lists = ["cmake_minimum_required(VERSION 3.20)", "project(suite LANGUAGES C CXX CUDA)"]
    lists.append("set(CMAKE_CUDA_STANDARD 17)")
    own = [folder for folder in folders if (folder / "CMakeLists.txt").exists()]
    lists += [f'add_subdirectory("{folder}" "{build_folder(folder, context)}")' for folder in own]
    project = context.working / "cmake-build"
    project.mkdir(exist_ok=True)
    (project / "CMakeLists.txt").write_text("\n".join(lists) + "\n")
    status, output = limited(["cmake", "-G", "Ninja", "-S", ".", "-B", "all"], project, context, 20) if own else (0, "")
    return output if status else ""


def build(folder: Path, context: Context) -> tuple[int, str]:
    if (folder / "CMakeLists.txt").exists():
        target = f"{folder.relative_to(context.working)}/all"
        return limited(["ninja", "-C", "all", target], context.working / "cmake-build", context)
    if any((folder / name).exists() for name in MAKEFILES):
        homes = [f"{name}={context.variables['CUDA_PATH']}" for name in HOMES]
        return limited(["make", "-B", *homes], folder, context)
    sources = sorted(file.name for file in folder.iterdir() if file.suffix in SOURCES)
    flags = ["-I.", *(f"-I{each}" for each in context.include)]
    libraries = [f"-l{each}" for each in context.libraries]
    return limited(["nvcc", *flags, *sources, *libraries, "-o", f"{folder.name}.exe"], folder, context)


def executables(folder: Path, context: Context) -> list[Path]:
    """Those that the build made; some suites hold others."""
    files = [file for file in folder.rglob("*") if file.is_file() and file.suffix not in NO_PROGRAMS]
    made = [file for file in files if not (context.original / file.relative_to(context.working)).exists()]
    return sorted(f for f in made if os.access(f, os.X_OK) and f.read_bytes()[:4] == b"\x7fELF")


def judged(status: int, output: str, name: str, context: Context) -> tuple[str, str]:
    found = {f"{kind} {place}" for place, kind in HAZARD.findall(output)}
    known = set(context.hazards.get(name, []))
    if context.traced and found != known:
        unknown = [f"reports {each}" for each in sorted(found - known)]
        return "differs", ", ".join(unknown + [f"lacks {each}" for each in sorted(known - found)])
    if status == 124:
        return "too slow", ""
    if name in context.prints:
        right = re.search(context.prints[name], output)
        return ("passes", "") if right else ("fails", f"does not print {context.prints[name]}")
    failure = FAILURE.search(output)
    if status == WAIVED and not failure:
        return "waived", ERROR.search(output)[0] if ERROR.search(output) else output.strip()[-80:]
    if (status == 0 or (context.traced and known)) and not failure:
        return "passes", ""
    return "fails", (failure or ERROR.search(output) or [f"status {status}: {output.strip()[-80:]}"])[0]


def told_by(commands: dict[str, str], made: Path, context: Context, read: str = "") -> str:
    """What the program's command in the description says if it fails."""
    command = commands.get(made.stem)
    if not command:
        return ""
    variables = {**context.variables, "SUITE_TOOLS": str(Path(__file__).parent)}
    done = subprocess.run(
        ["sh", "-c", command], cwd=made.parent, env=variables, input=read, capture_output=True, text=True, check=False
    )
    return (done.stdout + done.stderr).strip().split("\n")[-1] or "no reason" if done.returncode else ""


@dataclasses.dataclass
class Built:
    """What a build made: the word and the reason of a failure, else the executables."""

    folder: Path
    word: str
    why: str
    made: list[Path]
    seconds: float


def built(folder: Path, context: Context) -> Built:
    holds_results = build_folder(folder, context) if (folder / "CMakeLists.txt").exists() else folder
    begun = time.monotonic()
    status, output = build(folder, context)
    spent = time.monotonic() - begun
    if status != 0:
        found = ERROR.search(output)
        return Built(folder, "does not build", found[0] if found else output.strip()[-100:], [], spent)
    return Built(folder, "builds", "", executables(holds_results, context), spent)


def run(program: Built, context: Context, wanted: bool) -> tuple[str, str, float]:
    """One word, its reason and the seconds of all runs, or of the build."""
    if not wanted or not program.made:
        return program.word, program.why, program.seconds
    begun, word, why = time.monotonic(), program.word, program.why
    for made in program.made:
        known = context.arguments.get(made.stem, context.arguments.get(program.folder.name))
        if failed := told_by(context.prepare, made, context):
            return "fails", f"{made.stem}: its inputs: {failed}", time.monotonic() - begun
        for each in known or ([] if context.needs_arguments else [""]):
            command = ["sh", "-c", f"exec '{made}' {each}"]
            status, output = limited(command, made.parent, context, name=made.stem)
            word, why = judged(status, output, made.stem, context)
            if word == "passes" and (wrong := told_by(context.check, made, context, output)):
                word, why = "fails", wrong
            if word != "passes":
                return word, f"{made.stem}: {why}", time.monotonic() - begun
    return word, why, time.monotonic() - begun
