"""A checkout that its user may only read, and a full disk: the path, the reason, what to do; nothing is lost."""
# ctest: slow

import json
import os
import pathlib
import shutil
import subprocess
import tempfile

import pytest

from conftest import BUILD, ROOT, checkout

SIM = ("--backend", "sim")
NOBODY = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]


@pytest.fixture
def open_path():
    """A temporary folder that other users may enter. pytest closes its own ones again whenever another one begins."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        yield folder


@pytest.fixture
def read_only(open_path):
    """A checkout in which only its owner may write, and a function that runs lab as somebody else."""
    if os.geteuid() != 0 or not shutil.which("setpriv"):
        pytest.skip("only root can run a command as another user, with setpriv")
    lab = checkout(open_path)
    subprocess.run(["chmod", "-R", "a+rX,go-w", lab.root], check=True)
    reachable = subprocess.run([*NOBODY, "test", "-x", BUILD / "bin/lab"], check=False).returncode == 0
    if not reachable:
        pytest.skip("another user cannot reach the build folder")
    return lab, lambda *arguments: lab.execute([*NOBODY, BUILD / "bin/lab", *arguments], lab.environment())


def says_why(result, path):
    assert result.returncode == 3, result.stdout + result.stderr
    assert f"cannot write {path}" in result.stderr and "Permission denied" in result.stderr, result.stderr
    assert "Next: make that folder writable" in result.stderr and "filesystem error" not in result.stderr


def test_a_hint_is_shown_before_the_progress_cannot_be_saved(read_only):
    lab, run = read_only
    result = run("hint", "03")
    assert "(1 of 3" in result.stdout
    says_why(result, lab.root / ".lab/state.json")


def test_a_verdict_is_shown_before_the_result_cannot_be_saved(read_only):
    lab, run = read_only
    lab.run("check", "02", "--solution", *SIM)  # the kernel is in the cache of the build, which nobody may not write
    shutil.rmtree(lab.root / "report/out")
    result = run("check", "02", "--solution", "--json", *SIM)
    assert result.stdout, result.stderr
    assert json.loads(result.stdout)["results"][0]["verdict"] == "pass"
    says_why(result, lab.root / "report/out/results/check-02_transpose_naive-solution-sim.json")


def test_a_kernel_that_cannot_be_built_is_no_mistake_of_the_student(read_only):
    lab, run = read_only
    kernel = lab.root / "labs/02_transpose_naive/kernel.cu"
    kernel.write_text(kernel.read_text() + f"// {lab.root}\n")
    result = run("check", "02", *SIM)
    assert result.returncode == 3 and "infra_error" in result.stdout and "compile_error" not in result.stdout
    assert f"cannot write {BUILD}/kernels/" in result.stdout and "Permission denied" in result.stdout


def test_reset_changes_nothing_that_it_cannot_save(read_only):
    lab, run = read_only
    kernel = lab.root / "labs/03_transpose_shared/kernel.cu"
    kernel.write_text("// mine\n")
    says_why(run("reset", "03"), lab.root / ".lab/kept/03_transpose_shared")
    assert kernel.read_text() == "// mine\n"


def test_commands_that_only_read_work_in_a_read_only_checkout(read_only):
    _, run = read_only
    for command in (("list",), ("next",), ("explain", "race"), ("list", "--json")):
        result = run(*command)
        assert result.returncode == 0 and result.stderr == "", result.stderr


def test_a_folder_that_may_not_be_read_is_named(read_only):
    lab, run = read_only
    (lab.root / ".lab").mkdir(mode=0o700)
    result = run("list")
    assert result.returncode == 3
    assert f"cannot use {lab.root}/.lab/course: Permission denied" in " ".join(result.stderr.split()), result.stderr


def test_watch_says_why_it_cannot_begin(read_only):
    lab, run = read_only
    says_why(run("watch", "02", *SIM), lab.root / ".lab/state.json")


def on_full_disk(folder, script, environment):
    """Runs a script in a namespace in which `folder` is a disk of 64 KiB, filled after it was prepared."""
    mount = ["unshare", "--mount", "sh", "-c", f'mount -t tmpfs -o size=64k tmpfs "{folder}" && {script}']
    return subprocess.run(mount, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def disk(tmp_path):
    if shutil.which("unshare") is None or on_full_disk(tmp_path, "true", dict(os.environ)).returncode != 0:
        pytest.skip("this user may not mount a small disk in a namespace")
    return checkout(tmp_path)


FILL = 'dd if=/dev/zero of="$HERE/filler" bs=4k 2>/dev/null'


def test_a_full_disk_loses_no_progress(disk):
    place = disk.root / ".lab"
    place.mkdir()
    lab = f'"{BUILD}/bin/lab"'
    after = 'echo "code $?"; rm "$HERE/filler"; ls -A "$HERE"; cat "$HERE/state.json"'
    script = f"{lab} hint 03 >/dev/null; {FILL}; {lab} hint 04; {after}"
    result = on_full_disk(place, script, disk.environment(HERE=str(place)))
    assert "(1 of 4" in result.stdout and "code 3" in result.stdout, result.stdout + result.stderr
    assert f"cannot write {place}/state.json: No space left on device" in result.stderr
    assert "Next: free some space" in result.stderr
    assert '"03_transpose_shared"' in result.stdout and ".tmp" not in result.stdout


def test_a_full_disk_is_no_compile_error(disk, tmp_path):
    kernels = tmp_path / "build/kernels"
    kernels.mkdir(parents=True)
    for there in BUILD.iterdir():
        if there.name != "kernels":
            (tmp_path / "build" / there.name).symlink_to(there)
    script = f'{FILL}; "{BUILD}/bin/lab" check 02 --backend sim; echo "code $?"'
    environment = disk.environment(HERE=str(kernels), LAB_BUILD=str(tmp_path / "build"))
    result = on_full_disk(kernels, script, environment)
    assert "infra_error" in result.stdout and "compile_error" not in result.stdout, result.stdout
    assert "No space left on device" in result.stdout and "code 3" in result.stdout, result.stdout + result.stderr


def test_the_launcher_says_that_its_build_folder_is_not_writable(read_only):
    lab, _ = read_only
    (lab.root / "build").mkdir()
    result = lab.execute([*NOBODY, lab.root / "lab", "list"], {"PATH": "/usr/bin:/bin", "LAB_PRESET": "sim"})
    if "missing packages" in result.stderr:
        pytest.skip("the launcher's packages are not installed")
    assert result.returncode == 3 and "cannot write" in result.stderr and str(lab.root / "build") in result.stderr
    assert ROOT != lab.root
