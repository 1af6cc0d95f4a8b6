"""What a newcomer sees first: `lab` alone, --version, --help, and completion in a shell."""

import re
import shutil
import subprocess

import pytest

from conftest import BUILD, ROOT


def test_lab_alone_shows_the_next_lab_and_the_first_commands(lab):
    said = lab.run()
    assert said.returncode == 0
    assert said.stdout.startswith("01_vector_add: ")
    for words in ("./lab check 01", "./lab hint NN", "./lab --help"):
        assert words in said.stdout


def test_the_version_is_that_of_the_changelog(lab):
    newest = re.search(r"^## \[(\d+\.\d+\.\d+)\]", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)[1]
    assert lab.run("--version").stdout == f"Kernel Lab {newest}\n"


def test_help_begins_with_the_commands_to_start_with(lab):
    text = lab.run("--help").stdout
    headings = re.findall(r"^(\S.*):$", text, re.MULTILINE)
    assert headings[1] == "Start with"
    first = text.split("Start with:\n")[1].split("\n\n")[0]
    assert re.findall(r"^  (\w+) ", first, re.MULTILINE) == ["check", "hint", "next"]


@pytest.mark.parametrize(
    "words, expected",
    [
        (["che"], ["check"]),
        (["check", "01."], ["01.1", "01.2"]),
        (["check", "--trace"], ["--trace-all"]),
        (["explain", "bank_c"], ["bank_conflicts"]),
        (["no_such_command", ""], []),
    ],
)
def test_words_are_completed(lab, words, expected):
    assert lab.run("complete", *words).stdout.split() == expected


def test_bash_completes_through_the_script(lab):
    script = lab.run("completion", "bash").stdout
    program = f"""{script}
COMP_WORDS=({BUILD}/bin/lab chec) COMP_CWORD=1
_kernel_lab
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    done = lab.execute(["bash", "-c", program], lab.environment())
    assert done.stdout == "check\n", done.stderr


@pytest.mark.skipif(not shutil.which("zsh"), reason="zsh is not installed")
def test_zsh_reads_the_script(lab, tmp_path):
    (tmp_path / "_lab").write_text(lab.run("completion", "zsh").stdout)
    assert subprocess.run(["zsh", "-n", tmp_path / "_lab"]).returncode == 0
