"""What a killed grader leaves is removed by the next one, and no untrusted user owns what is kept."""
# ctest: slow

import contextlib
import fcntl
import os
import pathlib
import signal
import tarfile

import pytest

from conftest import SOLUTIONS, solution
from waiting import wait_until

LAB_01 = SOLUTIONS[0].name
OLD = (1e9, 1e9)


@pytest.fixture
def folders(room):
    """A folder for temporary files and one for the cache, which sandboxed users may enter."""
    both = [room.submissions.parent / name for name in ("tmp", "cache")]
    for folder in both:
        folder.mkdir()
        folder.chmod(0o711)
    return {"TMPDIR": str(both[0]), "LAB_CACHE": str(both[1])}


@contextlib.contextmanager
def locked(folder):
    file = os.open(folder, os.O_RDONLY)
    fcntl.flock(file, fcntl.LOCK_EX)
    yield
    os.close(file)


def is_used(folder):
    """Whether a process still runs that was started with this folder in its arguments or its environment."""
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            said = (process / "cmdline").read_bytes() + (process / "environ").read_bytes()
            if process.name != str(os.getpid()) and str(folder).encode() in said:
                return True
    return False


def hand_in_archive(room, student):
    folder = room.hand_in(student, _01="#error unfinished")
    with tarfile.open(f"{folder}.tar.gz", "w:gz") as archive:
        archive.add(folder, student)
    (folder / "01_kernel.cu").unlink()
    folder.rmdir()


def test_folders_of_a_killed_grader_are_removed_and_those_in_use_are_not(room, folders):
    for i in range(8):
        hand_in_archive(room, f"s{i}")
    temporary = pathlib.Path(folders["TMPDIR"])
    os.environ.update(folders)
    try:
        grader = room.start("--labs", "01")
        wait_until(lambda: list(temporary.glob("kernel-lab-scratch-unpack-*")))
        grader.send_signal(signal.SIGKILL)
        grader.wait()
    finally:
        for name in folders:
            del os.environ[name]
    wait_until(lambda: not is_used(temporary))  # what unpacks lives a little longer, and would make its folder new
    left = list(temporary.glob("kernel-lab-scratch-unpack-*"))
    assert left, "the grader was killed too late to leave anything"
    used = temporary / "kernel-lab-scratch-unpack-inuse1"
    own = temporary / "lab-of-a-teacher"
    for folder in (used, own):
        folder.mkdir()
    for folder in (*left, *temporary.glob("kernel-lab-scratch-*"), own):
        os.utime(folder, OLD)
    with locked(used):
        assert room.grade("--labs", "01", "--resume", **folders).returncode == 0
    assert set(temporary.iterdir()) == {used, own}


def test_builds_of_killed_compilers_are_removed_also_if_their_number_belongs_to_another_process(room, folders):
    kernels = pathlib.Path(folders["LAB_CACHE"]) / "kernels"
    abandoned = kernels / f"{'0' * 64}.so.{os.getpid()}.part"
    abandoned.mkdir(parents=True)
    (abandoned / "kernel.so").write_bytes(b"x")
    os.utime(abandoned, OLD)
    kernels.chmod(0o755)
    room.hand_in("ada", _01="#error unfinished")  # the lab's own kernels are built
    assert room.grade("--labs", "01", **folders).returncode == 0
    assert list(kernels.glob("*.so")) and not list(kernels.glob("*.part"))


@pytest.mark.skipif(os.geteuid() != 0, reason="only as root other users build")
def test_built_kernels_belong_to_the_grader(room, folders):
    room.hand_in("ada", _01=solution(LAB_01))
    assert room.grade("--labs", "01", **folders).returncode == 0
    kept = list(pathlib.Path(folders["LAB_CACHE"]).rglob("*"))
    assert any(file.suffix == ".so" for file in kept)
    assert {file.stat().st_uid for file in kept} == {0}


def test_the_cache_of_built_kernels_has_a_limit(room, folders):
    kernels = pathlib.Path(folders["LAB_CACHE"]) / "kernels"
    kernels.mkdir()
    for i in range(6):
        with open(kernels / f"{i:064}.so", "wb") as file:
            file.truncate(150 << 20)  # without blocks on the disk
        os.utime(kernels / f"{i:064}.so", (1e9 + i, 1e9 + i))
    room.hand_in("ada", _01="#error unfinished")  # the lab's own kernels are built
    assert room.grade("--labs", "01", **folders).returncode == 0
    left = sorted(file.name for file in kernels.glob("0000*.so"))
    assert left == [f"{i:064}.so" for i in (3, 4, 5)]


def test_a_huge_object_is_not_kept(room, folders):
    huge = solution(LAB_01) + "\n__device__ char huge[100 << 20] = {1};\n"
    room.hand_in("mallory", _01=huge)
    assert room.grade("--labs", "01", **folders).returncode == 0
    kernels = pathlib.Path(folders["LAB_CACHE"]) / "kernels"
    assert sum(file.stat().st_size for file in kernels.glob("*")) < 20 << 20
    assert room.row("mallory")["verdict"] == "compile_limit"
