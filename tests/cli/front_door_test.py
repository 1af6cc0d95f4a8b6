"""The launcher ./lab: what it does on machines that lack something, tried with stand-ins for the system's commands."""

import os
import shutil
import subprocess

import pytest

from checkout import BUILD, ROOT


@pytest.fixture
def machine(tmp_path):
    """A copy of the launcher and a folder of stand-in commands that comes before everything else on PATH."""
    shutil.copy(ROOT / "lab", tmp_path / "lab")
    commands = tmp_path / "commands"
    commands.mkdir()

    def command(name, script):
        (commands / name).write_text("#!/bin/sh\n" + script + "\n")
        (commands / name).chmod(0o755)

    def run(*arguments, path=None):
        environment = {"PATH": path or f"{commands}:/usr/bin:/bin", "LAB_PRESET": "sim"}
        return subprocess.run(
            [tmp_path / "lab", *arguments],
            env=environment,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
        )

    return command, run, tmp_path


def test_an_ordinary_user_without_sudo_is_told_what_to_install(machine):
    command, run, _ = machine
    command("apt-get", "echo apt-get must not run; exit 1")
    command("dpkg-query", "exit 1")
    command("id", "echo 1000")
    command("sudo", "exit 1")
    result = run("list")
    assert result.returncode == 3
    assert "apt-get install" in result.stderr
    for package in ("libboost-context-dev", "libopenblas-dev", "ninja-build"):
        assert package in result.stderr
    assert "python3" not in result.stderr, "what only the report needs is asked for by the report"
    assert result.stdout == ""


def test_a_command_in_python_asks_for_its_packages(machine):
    command, run, _ = machine
    command("apt-get", "echo apt-get must not run; exit 1")
    command("dpkg-query", "for last; do :; done; case $last in python3-*) exit 1 ;; esac; echo installed")
    command("id", "echo 1000")
    command("sudo", "exit 1")
    result = run("report")
    assert result.returncode == 3 and "python3-matplotlib" in result.stderr
    assert "libfmt-dev" not in result.stderr


def test_root_installs_exactly_the_missing_packages(machine):
    command, run, folder = machine
    command("apt-get", f'echo "$@" >>{folder}/apt.log')
    command("dpkg-query", 'for last; do :; done; [ "$last" = libffi-dev ] || echo installed')
    command("id", "echo 0")
    run("list")
    assert (folder / "apt.log").read_text().splitlines() == [
        "update -q",
        "install -q -y --no-install-recommends libffi-dev",
    ]


MEANWHILE = "for _ in $(seq 50); do [ -e {0} ] && exit 0; sleep 0.1; done; echo {0} did not come >&2; exit 100"


def test_the_first_build_runs_while_the_packages_of_the_report_are_installed(machine):
    command, run, folder = machine
    command("apt-get", f'echo "$@" >>{folder}/apt.log; [ "$1" = update ] && exit; touch {folder}/apt; '
            + MEANWHILE.format(folder / "ninja"))  # fmt: skip
    command("dpkg-query", "for last; do :; done; case $last in python3-*) exit 1 ;; esac; echo installed")
    command("id", "echo 0")
    command("cmake", "mkdir -p build/sim/bin && touch build/sim/build.ninja")
    command("ninja", f"touch {folder}/ninja; " + MEANWHILE.format(folder / "apt"))
    (folder / "build/sim/bin").mkdir(parents=True)
    (folder / "build/sim/bin/lab").symlink_to("/bin/echo")
    result = run("demo")
    assert (result.returncode, result.stdout) == (0, "demo\n"), result.stderr
    assert "python3-matplotlib" in (folder / "apt.log").read_text()


def test_packages_that_fail_beside_the_build_end_the_command_with_the_words_of_apt(machine):
    command, run, folder = machine
    command("apt-get", "echo no network >&2; exit 100")
    command("dpkg-query", "for last; do :; done; case $last in python3-*) exit 1 ;; esac; echo installed")
    command("id", "echo 0")
    command("cmake", "mkdir -p build/sim/bin && touch build/sim/build.ninja")
    command("ninja", "exit 0")
    result = run("demo")
    assert result.returncode == 3 and "no network" in result.stderr and "python3-matplotlib" in result.stderr
    assert not (folder / "build/sim/.python-ready").exists()


def test_a_failing_installation_is_an_error_that_names_the_packages(machine):
    command, run, _ = machine
    command("apt-get", "echo no network >&2; exit 100")
    command("dpkg-query", "exit 1")
    command("id", "echo 0")
    result = run("list")
    assert result.returncode == 3
    assert "no network" in result.stderr and "libfmt-dev" in result.stderr


def test_what_only_tests_use_is_tried_and_never_fatal(machine):
    command, run, folder = machine
    command("apt-get", f'echo "$@" >>{folder}/apt.log; case "$*" in *chromium*) exit 100 ;; esac')
    command("dpkg-query", "for last; do :; done; case $last in chromium|munge) ;; *) echo installed ;; esac")
    command("id", "echo 0")
    result = run("test")
    assert (folder / "apt.log").read_text().splitlines() == [
        "update -q",
        "install -q -y --no-install-recommends chromium",
        "install -q -y --no-install-recommends munge",
    ]
    assert "without chromium the tests that use it are skipped" in result.stderr


def test_elsewhere_than_debian_the_packages_are_listed(machine, tmp_path):
    _, run, folder = machine
    tools = folder / "tools"
    tools.mkdir()
    for name in ("sh", "dirname", "cat", "cksum", "mkdir", "echo", "printf"):
        if found := shutil.which(name):
            (tools / name).symlink_to(found)
    result = run("list", path=str(tools))
    assert result.returncode == 3
    assert "neither Debian nor Ubuntu" in result.stderr and "libffi-dev" in result.stderr


def test_the_launcher_is_executable():
    assert os.access(ROOT / "lab", os.X_OK)


def test_the_first_build_shows_how_the_first_lesson_begins(machine):
    command, run, folder = machine
    command("dpkg-query", "echo installed")
    command("cmake", "mkdir -p build/sim && touch build/sim/build.ninja")
    command("ninja", "exit 1")
    lesson = folder / "labs/01_vector_add/README.md"
    lesson.parent.mkdir(parents=True)
    picture = "![3 blocks of 8 threads. The last 4 have no\nelement.](figures/threads.svg)\n\n![Short.](a.svg)\n"
    lesson.write_text(f"# 01\n\n<!-- figure -->\n{picture}\nOne thread<!--h200 x--> adds one element.\n")
    result = run("list")
    assert result.returncode == 1 and "labs/01_vector_add/kernel.cu" in result.stderr
    assert "    One thread adds one element." in result.stderr and "<!--" not in result.stderr
    assert "figures/threads.svg" not in result.stderr and "Short" not in result.stderr


@pytest.mark.parametrize("cores, time", [(2, "5 minutes"), (4, "3 minutes"), (16, "a minute")])
def test_the_first_build_is_announced_with_the_time_that_it_takes_on_so_many_cores(machine, cores, time):
    command, run, _ = machine
    command("dpkg-query", "echo installed")
    command("cmake", "mkdir -p build/sim && touch build/sim/build.ninja")
    command("ninja", "exit 1")
    command("nproc", f"echo {cores}")
    assert f"the first build takes about {time}." in run("list").stderr


def test_the_first_commands_build_only_themselves_until_another_is_used(machine):
    command, run, folder = machine
    command("dpkg-query", "echo installed")
    command("cmake", "mkdir -p build/sim/bin && touch build/sim/build.ninja")
    command("ninja", f'for last; do :; done; echo "$last" >>{folder}/targets')
    for program in ("lab", "lab-first"):
        path = folder / "build/sim/bin" / program
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'#!/bin/sh\necho {program} "$@"\n')
        path.chmod(0o755)
    first = folder / "common/cli/commands/first"
    first.mkdir(parents=True)
    for name in ("check", "next"):
        (first / f"{name}.cpp").touch()
    ran = [run(*words) for words in (["check", "01"], [], ["bench", "01"], ["check", "01"])]
    assert [one.stdout for one in ran] == ["lab-first check 01\n", "lab-first\n", "lab bench 01\n", "lab check 01\n"]
    targets = (folder / "targets").read_text().split()
    assert targets == ["lab.first_tools", "lab.first_tools", "lab.tools", "lab.tools"]
    assert "building the other commands, once" in ran[2].stderr
    assert "the lesson begins" in ran[0].stderr.lower() and ran[3].stderr == ""


def test_the_program_of_the_first_minutes_has_the_commands_of_its_folder():
    help_text = subprocess.run([BUILD / "bin/lab-first", "--help"], capture_output=True, text=True).stdout
    named = {line.split()[0] for line in help_text.splitlines() if line.startswith("  ") and line.strip()}
    sources = (ROOT / "common/cli/commands/first").glob("*.cpp")
    assert {source.stem for source in sources} <= named
    assert "bench" not in named
