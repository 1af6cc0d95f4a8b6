"""Collecting follows no link, opens only regular files, and still gives every student a row."""
# ctest: long

import csv
import hashlib
import io
import itertools
import os
import shutil
import subprocess
import tarfile
import threading
import zipfile

import pytest

from conftest import BUILD, SOLUTIONS, solution

LAB_01 = SOLUTIONS[0].name
RIGHT = solution(LAB_01)


# Most tests ask which text is judged. A text that the compiler refuses with its own word shows that in the least time.
def stamped(word):
    return f"#error {word}\n"


def judged(room, student, word, number="01"):
    """Whether the text with this word was judged as the student's."""
    row = room.row(student, number)
    return row["verdict"] == "compile_error" and f"#error {word}" in row["message"]


def message(room, student):
    row = room.row(student)
    assert row["verdict"] == "collect_error" and row["points"] == 0
    return row["message"]


def unreadable(room, student):
    row = room.row(student)
    assert row["verdict"] == "unreadable" and row["points"] == 0
    assert row["flags"] == ["ask the student for a readable file"]
    assert next(line["verdict"] for line in room.table() if line["student"] == student) == "unreadable"
    return row["message"]


# These tests ask what is collected, and the public cases are enough to see which text was judged.
PUBLIC_ONLY = {"default": {"fresh_sizes": 0}}


def grade(room, labs="01", **more):
    result = room.grade("--labs", labs, *room.policy({**PUBLIC_ONLY, **more}))
    assert result.returncode == 0, result.stderr
    return result


def put_tar(room, student, *members):
    with tarfile.open(room.submissions / f"{student}.tar.gz", "w:gz") as archive:
        for member, content in members:
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))


def link(name, target, kind=tarfile.SYMTYPE):
    member = tarfile.TarInfo(name)
    member.type, member.linkname = kind, target
    return member


def test_links_fifos_folders_and_large_files_are_named_and_not_opened(room):
    (room.hand_in("link") / "01_x.cu").symlink_to("/etc/passwd")
    os.mkfifo(room.hand_in("fifo") / "01_x.cu")
    (room.hand_in("folder") / "01_x.cu").mkdir()
    (room.hand_in("large") / "01_x.cu").write_bytes(b" " * (1 << 20) + b" ")
    (room.submissions / "linked").symlink_to("/etc")
    grade(room)
    assert "symbolic link" in message(room, "link")
    assert "FIFO" in message(room, "fifo")
    assert "folder" in message(room, "folder")
    assert "1 MiB" in message(room, "large")
    assert "symbolic link" in message(room, "linked")


def test_two_files_for_one_lab_are_refused(room):
    room.hand_in("twice", _01=RIGHT)
    (room.submissions / "twice/01_other.cu").write_text(RIGHT)
    grade(room)
    assert "two files" in message(room, "twice")


def test_a_checkout_is_searched_below_labs_only(room):
    folder = room.hand_in("tree")
    for place, text in ((f"labs/{LAB_01}", stamped("mine")), (f"solutions/{LAB_01}", "x"), (f"deep/{LAB_01}", "x")):
        (folder / place).mkdir(parents=True)
        (folder / place / "kernel.cu").write_text(text)
    grade(room)
    assert judged(room, "tree", "mine") and room.row("tree")["file"] == f"labs/{LAB_01}/kernel.cu"


def test_more_than_2000_files_are_refused(room):
    folder = room.hand_in("many", _01=RIGHT)
    for i in range(2001):
        (folder / f"{i}.txt").touch()
    grade(room)
    assert "2000 files" in message(room, "many")


def test_archives_cannot_reach_files_outside(room):
    put_tar(room, "link", (link("01_x.cu", "/etc/passwd"), b""))
    put_tar(room, "hard", (link("01_x.cu", "/etc/passwd", tarfile.LNKTYPE), b""))
    put_tar(room, "dots", (tarfile.TarInfo("../../01_x.cu"), RIGHT.encode()))
    put_tar(room, "root", (tarfile.TarInfo("/01_x.cu"), RIGHT.encode()))
    put_tar(room, "device", (link("01_x.cu", "", tarfile.CHRTYPE), b""))
    grade(room)
    assert "symbolic link" in message(room, "link")
    assert "hard link" in message(room, "hard")
    assert "leaves the archive" in message(room, "dots")
    assert "leaves the archive" in message(room, "root")
    assert "not a regular file" in message(room, "device")
    assert not (room.submissions.parent / "01_x.cu").exists() and not os.path.exists("/01_x.cu")


def test_archive_bombs_and_invalid_archives_are_refused(room):
    with zipfile.ZipFile(room.submissions / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("01_x.cu", RIGHT)
        archive.writestr("zeros", b"\0" * (300 << 20))
    with zipfile.ZipFile(room.submissions / "files.zip", "w") as archive:
        for i in range(2100):
            archive.writestr(f"{i}", "")
    (room.submissions / "invalid.tar.gz").write_bytes(os.urandom(5000))
    (room.submissions / "nothing.zip").touch()
    grade(room)
    assert "256 MiB" in message(room, "bomb")
    assert "2000 files" in message(room, "files")
    assert "archive" in unreadable(room, "invalid")
    assert "archive" in unreadable(room, "nothing")


class pipe(io.BytesIO):
    """A file without seek: the archive then stores each size after its entry only."""

    def seek(self, *where):
        raise io.UnsupportedOperation


def test_a_machine_that_cannot_unpack_blames_no_student(room, tmp_path):
    put_tar(room, "ann", (tarfile.TarInfo("01_x.cu"), RIGHT.encode()))
    (tmp_path / "bin").mkdir()
    for file in BUILD.glob("bin/*"):
        (tmp_path / "bin" / file.name).symlink_to(file)
    (tmp_path / "bin/lab-unpack").unlink()
    (tmp_path / "bin/lab-unpack").write_text("#!/bin/sh\nexit 127  # as the loader does without a library\n")
    (tmp_path / "bin/lab-unpack").chmod(0o755)
    (tmp_path / "lib").symlink_to(BUILD / "lib")
    result = room.grade("--labs", "01", "--unsafe-no-sandbox", LAB_BUILD=str(tmp_path))
    assert result.returncode == 1 and "libarchive13" in result.stderr, result.stdout + result.stderr
    assert not (room.out / "grades.csv").exists()


def test_an_archive_without_sizes_is_measured_by_its_content(room):
    out = pipe()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for i in range(300):
            archive.writestr(f"{i}.cu", b"\0" * (1 << 20))
    entries = out.getvalue().partition(b"PK\1\2")[0]  # without the table of contents, which also has the sizes
    (room.submissions / "sizeless.zip").write_bytes(entries)
    grade(room)
    assert "256 MiB" in message(room, "sizeless")


def test_the_size_of_an_entry_counts_once(room):
    with zipfile.ZipFile(room.submissions / "large.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for i in range(160):
            archive.writestr(f"{i}.cu", b"\0" * (1 << 20))
    grade(room)
    assert "256 MiB" not in message(room, "large")


def test_a_file_name_that_contains_the_path_of_the_graders_copy_is_shown_once(room):
    text = b"#error no\n"
    copy = f"{room.out}/.grade/sources/{hashlib.sha256(text).hexdigest()[:32]}/kernel.cu"
    put_tar(room, "loop", (tarfile.TarInfo(f"a{copy}/01_x.cu"), text))
    grade(room)
    row = room.row("loop")
    assert row["verdict"] == "compile_error" and row["cases"][0]["message"].count("01_x.cu:1:2: error") == 1


def test_a_name_equal_to_a_displayed_name_gets_a_row_of_its_own(room):
    room.hand_in("eve\u200b", _01=stamped("first"))
    grade(room)
    given = next(iter(room.rows()))[0]
    shutil.rmtree(room.out)
    room.hand_in(given, _01=stamped("second"))
    grade(room)
    assert sorted(row["message"].partition("#error ")[2][:5] for row in room.rows().values()) == ["first", "secon"]
    assert len(room.rows()) == len(list((room.out / "students").iterdir())) == 2


def test_odd_names_are_accepted(room):
    names = ["-o x", "@args", "a b'c\"", "\u00fcml\u00e4ut", "..x", "a;rm -rf", "x" * 120]
    for number, name in enumerate(names):
        room.hand_in(name, _01=RIGHT if number < 2 else stamped(f"text{number}"))
    grade(room)
    rows = list(room.rows().values())
    assert [row["verdict"] for row in rows].count("pass") == 2 and len(rows) == len(names)
    for number in range(2, len(names)):
        assert sum(f"#error text{number}" in row["message"] for row in rows) == 1


def test_names_that_are_displayed_alike_stay_two_students(room):
    room.hand_in("a\x01b", _01=stamped("first"))
    room.hand_in("a\x02b", _01=stamped("second"))
    grade(room)
    assert len(room.rows()) == 2 and len(list((room.out / "students").iterdir())) == 2


def test_a_students_headers_do_not_replace_the_labs(room):
    folder = room.hand_in("shadow", _01=RIGHT)
    (folder / "lab.hpp").write_text("#error mine")
    (folder / "cuda_runtime.h").write_text("#error mine")
    grade(room)
    assert room.row("shadow")["verdict"] == "pass"


def put_zip(room, name, **files):
    with zipfile.ZipFile(room.submissions / name, "w") as archive:
        for file, text in files.items():
            archive.writestr(file.replace("_cu", ".cu"), text)


def test_a_folder_and_an_archive_of_one_student_are_one_submission(room):
    room.hand_in("same", _01=stamped("folder"))
    put_zip(room, "same.zip", **{"02_x_cu": stamped("archive")})
    room.hand_in("twice", _01=RIGHT)
    put_zip(room, "twice.zip", **{"01_x_cu": RIGHT})
    grade(room, "01,02")
    assert judged(room, "same", "folder") and judged(room, "same", "archive", "02")
    assert "twice/01_kernel.cu and twice.zip/01_x.cu" in message(room, "twice")
    assert {student for student, _ in room.rows()} == {"same", "twice"}


NAMES = ["01_x.CU", "01.cu", "lab01.cu", "Lab_1.cu", "lab-01-final.cu", "kernel.cu", "kernel-1.cu"]


def test_a_file_is_found_by_the_number_of_its_lab_however_it_is_written(room):
    for number, name in enumerate(NAMES):
        (room.hand_in(f"judy{number}") / name).write_text(stamped(f"text{number}"))
    grade(room)
    for number, name in enumerate(NAMES):
        student = f"judy{number}"
        assert judged(room, student, f"text{number}") and room.row(student)["file"] == name


def test_archives_of_all_usual_kinds_are_read(room):
    for ending, mode in (("tar.bz2", "w:bz2"), ("tar.xz", "w:xz"), ("TAR.GZ", "w:gz")):
        source = stamped(mode).encode()
        with tarfile.open(room.submissions / f"JUDY{mode[2:]}.{ending}", mode) as archive:
            member = tarfile.TarInfo("01_x.cu")
            member.size = len(source)
            archive.addfile(member, io.BytesIO(source))
    put_zip(room, "JUDY.ZIP", **{"01_x_cu": RIGHT})
    grade(room)
    assert {student for student, _ in room.rows()} == {"JUDY", "JUDYbz2", "JUDYxz", "JUDYgz"}
    assert room.row("JUDY")["verdict"] == "pass"
    assert all(judged(room, f"JUDY{kind}", f"w:{kind}") for kind in ("bz2", "xz", "gz"))


def test_loose_files_as_canvas_exports_them_are_one_submission_for_each_student(room):
    (room.submissions / "lee_12345_kernel.cu").write_text(stamped("lee"))
    (room.submissions / "adaking_LATE_678_91011_lab01.cu").write_text(stamped("ada"))
    grade(room)
    assert {student for student, _ in room.rows()} == {"lee_12345", "adaking_678"}
    assert judged(room, "lee_12345", "lee") and room.row("lee_12345")["file"] == "lee_12345_kernel.cu"
    assert judged(room, "adaking_678", "ada")


def test_what_is_not_graded_is_listed_with_the_reason(room):
    room.hand_in("judy", _01=stamped("hers"))
    (room.submissions / "roster.csv").write_text("judy")
    (room.submissions / "01_x.cu").write_text(RIGHT)
    result = grade(room)
    assert judged(room, "judy", "hers") and {student for student, _ in room.rows()} == {"judy"}
    with open(room.out / "not_graded.csv", newline="") as file:
        listed = {row["entry"]: row["because"] for row in csv.DictReader(file)}
    assert set(listed) == {"roster.csv", "01_x.cu"}
    assert "no student" in listed["01_x.cu"] and "roster.csv" in result.stderr


def test_an_archive_of_a_kind_that_is_not_read_is_its_students_row(room):
    for name in ("kim.rar", "lee_12345_678_x.7z"):
        (room.submissions / name).write_text("Rar!")
    grade(room)
    assert ".zip or .tar.gz" in unreadable(room, "kim") and ".zip or .tar.gz" in unreadable(room, "lee_12345")


def test_a_readable_entry_counts_beside_an_unreadable_one_which_is_listed(room):
    for student, ending in (("ann", "rar"), ("kim", "zip")):  # one after and one before the folder's name
        room.hand_in(student, _01=stamped(student))
        (room.submissions / f"{student}.{ending}").write_bytes(b"PK\3\4")
    (room.submissions / "zoe.tar.gz").write_bytes(b"no archive")
    put_zip(room, "zoe.zip", **{"01_x_cu": stamped("zoe")})
    grade(room, "01,02")
    assert all(judged(room, student, student) for student in ("ann", "kim", "zoe"))
    assert {room.row(student, "02")["verdict"] for student in ("ann", "kim", "zoe")} == {"unreadable"}
    with open(room.out / "not_graded.csv", newline="") as file:
        assert {row["entry"] for row in csv.DictReader(file)} == {"ann.rar", "kim.zip", "zoe.tar.gz"}


def test_a_row_without_a_file_says_what_was_found(room):
    (room.hand_in("judy") / "notes.txt").touch()
    (room.hand_in("judy") / "matmul.cu").touch()
    put_zip(room, "kim.zip", **{"transpose_cu": RIGHT})
    grade(room)
    assert "matmul.cu, notes.txt" in message(room, "judy") and "01_*.cu" in message(room, "judy")
    assert "transpose.cu" in message(room, "kim")


def test_reports_inside_the_submissions_are_no_submission(room):
    room.hand_in("judy", _01=stamped("hers"))
    room.out = room.submissions / "grades"
    result = grade(room, "01,01")
    assert judged(room, "judy", "hers") and [student for student, _ in room.rows()] == ["judy"]
    assert "holds the reports" in result.stderr and "twice" in result.stderr


def test_a_time_for_an_unknown_student_is_a_warning(room):
    room.hand_in("judy", _01=stamped("hers"))
    late = {"deadline": "2026-01-01T00:00:00Z", "times": {"judi": "2026-01-01T00:00:00Z"}}
    assert "judi" in grade(room, schema=1, late=late).stderr


def test_an_encrypted_archive_is_named_and_not_graded_as_an_empty_file(room):
    if not shutil.which("zip"):
        pytest.skip("zip is not installed")
    (room.submissions.parent / "01_x.cu").write_text(RIGHT)
    command = ["zip", "-q", "-P", "secret", room.submissions / "kim.zip", "01_x.cu"]
    subprocess.run(command, cwd=room.submissions.parent, check=True)
    grade(room)
    assert "encrypted" in unreadable(room, "kim")


def test_files_that_the_grader_may_not_read_are_named(room):
    if os.geteuid() == 0:
        pytest.skip("root may read every file")
    (room.hand_in("file", _01=RIGHT) / "01_kernel.cu").chmod(0)
    put_zip(room, "zip.zip", **{"01_x_cu": RIGHT})
    (room.submissions / "zip.zip").chmod(0)
    (room.hand_in("folder", _01=RIGHT)).chmod(0)
    try:
        grade(room)
        for student in ("file", "zip", "folder"):
            assert "Permission denied" in unreadable(room, student)
    finally:
        (room.submissions / "folder").chmod(0o755)


def test_a_truncated_archive_is_named_damaged(room):
    put_tar(room, "ann", (tarfile.TarInfo("01_x.cu"), RIGHT.encode() + os.urandom(20000)))
    archive = room.submissions / "ann.tar.gz"
    archive.write_bytes(archive.read_bytes()[:9000])
    grade(room)
    assert "damaged" in unreadable(room, "ann") and "no file" not in unreadable(room, "ann")


def test_a_file_with_a_byte_order_mark_compiles(room):
    (room.hand_in("judy") / "01_x.cu").write_bytes(b"\xef\xbb\xbf" + RIGHT.encode())
    grade(room)
    assert room.row("judy")["verdict"] == "pass"


def test_other_users_can_list_and_read_no_grade(room):
    room.hand_in("judy", _01=stamped("hers"))
    grade(room)
    reports = [path for path in room.out.rglob("*") if path.is_file() and ".grade" not in path.parts]
    assert {"grades.csv", "grades.json", "index.html", "results.json"} <= {path.name for path in reports}
    assert [path for path in reports if path.stat().st_mode & 0o077] == []
    folders = [room.out, room.out / "students", room.out / ".grade", room.out / ".grade/sources"]
    assert [path for path in folders if path.stat().st_mode & 0o066] == []


def test_an_archive_that_changes_into_a_link_gives_no_other_students_work(room):
    """Somebody replaces an archive by a link to another one, again and again, while it is collected."""
    put_zip(room, "judy.zip", **{"01_x_cu": "#error hers"})
    put_zip(room, "eve.zip", **{"01_x_cu": "#error mine"})
    own, archive = room.submissions.parent / "own.zip", room.submissions / "eve.zip"
    shutil.copy(archive, own)
    ended = threading.Event()

    def swap():
        scratch = room.submissions.parent / "next"
        for turn in itertools.count():
            if ended.is_set():
                return
            os.symlink("judy.zip", scratch) if turn % 2 else os.link(own, scratch)
            os.replace(scratch, archive)

    swapper = threading.Thread(target=swap)
    swapper.start()
    try:
        for _ in range(5):
            grade(room)
            row = room.row("eve")
            own_text = row["verdict"] == "compile_error" and "mine" in row["message"]
            assert own_text or "symbolic link" in row["message"]
            assert "hers" in room.row("judy")["message"]
            shutil.rmtree(room.out)
    finally:
        ended.set()
        swapper.join()
