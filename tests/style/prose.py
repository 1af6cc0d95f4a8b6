"""Checks the Markdown files of ROOT against prose_rules.json: prose.py ROOT [PROSELINT].

With the path of proselint, that program checks the same files in place of our own rules.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

from prose_text import only_prose, sentences
from reading_grade import reading_grade

RULES = json.loads((pathlib.Path(__file__).resolve().parent / "prose_rules.json").read_text())
WORDS = [(re.compile(rf"\b(?:{rule['word']})\b", re.IGNORECASE), rule["better"]) for rule in RULES["words"]]
LESSONS = ("labs/[0-9][0-9]_*/README.md", "labs/machine.md", "solutions/[0-9][0-9]_*/README.md")
KERNELS = ("labs/*/kernel.cu", "labs/*/lab.hpp", "labs/device/*.hpp", "solutions/*/kernel.cu", "solutions/*/starter.cu")
ROOMS = ("common", "docs", "labs", "report", "solutions", "tests")
FINDING = re.compile(r"^(?P<file>[^\n:]+\.md):(?P<line>\d+):\d+: (?P<check>[\w.]+): ", re.MULTILINE)


def files(root):
    found = [*root.glob("*.md"), *(path for room in ROOMS for path in (root / room).rglob("*.md"))]
    return sorted(path for path in found if "out" not in path.relative_to(root).parts)


def broken_rules(markdown):
    """(line, what is wrong) for each sentence that breaks a rule of ours."""
    most = RULES["most_words_in_a_sentence"]
    for sentence in sentences(markdown):
        count, quoted = len(sentence.words()), re.sub(r"\b(code|size)\d+_", "`...`", sentence.text)
        if count > most:
            yield sentence.line, f"a sentence of {count} words, at most {most}: {quoted}"
        for word, better in WORDS:
            if match := word.search(sentence.text):
                yield sentence.line, f'"{match[0]}"; better: {better}: {quoted}'


def too_hard(markdown):
    """What is wrong with a lesson that needs too many years of school; None if it is easy enough."""
    grade, most = reading_grade(markdown), RULES["highest_reading_grade_of_a_lesson"]
    return f"its reading grade is {grade:.1f}, at most {most}: shorten sentences and words" if grade > most else None


def comments_with_bad_words(source):
    """The same for the comments of a kernel, which students read; only words are checked."""
    for number, line in enumerate(source.splitlines(), 1):
        for word, better in WORDS:
            if match := word.search(line.partition("//")[2]):
                yield number, f'"{match[0]}" in a comment; better: {better}'


def own_findings(root):
    for path in files(root):
        name, markdown = path.relative_to(root), path.read_text()
        for line, wrong in broken_rules(markdown):
            yield f"{name}:{line}: {wrong}"
        if any(map(name.match, LESSONS)) and (wrong := too_hard(markdown)):
            yield f"{name}:1: {wrong}"
    for path in sorted(path for pattern in KERNELS for path in root.glob(pattern)):
        for line, wrong in comments_with_bad_words(path.read_text()):
            yield f"{path.relative_to(root)}:{line}: {wrong}"


def proselint_findings(root, program):
    with tempfile.TemporaryDirectory() as folder:
        for path in files(root):
            copy = pathlib.Path(folder) / path.relative_to(root)
            copy.parent.mkdir(parents=True, exist_ok=True)
            # A heading ends with a full stop, so that its last word is not the first of the next sentence.
            copy.write_text(re.sub(r"^(#.*[^.\n])$", r"\1.", only_prose(path.read_text()), flags=re.MULTILINE))
        done = subprocess.run([program, "check", "."], cwd=folder, capture_output=True, text=True)
        if done.returncode not in (0, 1):
            yield f"{program} ended with {done.returncode}: {done.stdout}{done.stderr}"
        off = tuple(rule["check"] for rule in RULES["proselint_off"])
        said = done.stdout + done.stderr
        for match in FINDING.finditer(said):
            if not match["check"].startswith(off):
                name = pathlib.Path(folder, match["file"]).resolve().relative_to(pathlib.Path(folder).resolve())
                end = said.find("\n/", match.end())
                wrong = said[match.end() : end if end > 0 else None].strip()
                yield f"{name}:{match['line']}: {match['check']}: {wrong}"


def main():
    root = pathlib.Path(sys.argv[1])
    found = list(proselint_findings(root, sys.argv[2]) if len(sys.argv) > 2 else own_findings(root))
    print("\n".join(found))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
