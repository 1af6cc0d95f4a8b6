"""How a lab, a command or an option is named, and what a student is told who mistypes it."""
# ctest: slow

import json

import pytest

from conftest import BUILD

SIM = ("--backend", "sim")
PADDED = "labs/04_transpose_padded"


def inside(lab, folder, *arguments):
    return lab.execute([BUILD / "bin/lab", *arguments], lab.environment(), lab.root / folder)


IN_THE_FOLDER = [
    (("check", ".", *SIM), "FAILED  04_transpose_padded"),
    (("check", "kernel.cu", *SIM), "FAILED  04_transpose_padded"),
    (("bench", ".", "--size", "40x50", *SIM), "04_transpose_padded starter"),
    (("profile", ".", "--solution", *SIM), "transpose_kernel"),
    (("profile", "./kernel.cu", "--solution", *SIM), "transpose_kernel"),
    (("predict", "kernel.cu", "--solution", *SIM), "04_transpose_padded: "),
    (("hint", "."), "./lab hint 04 2"),
    (("hint", "./"), "./lab hint 04 3"),
    (("reset", "kernel.cu"), "04_transpose_padded/kernel.cu is already the starter"),
    (("explain", "."), "bank_conflicts ("),
]


def test_inside_a_labs_folder_its_path_names_the_lab(lab):
    for arguments, words in IN_THE_FOLDER:
        result = inside(lab, PADDED, *arguments)
        assert words in result.stdout, result.stdout + result.stderr
    assert "reported no failure" in inside(lab, "labs/05_matmul_naive", "explain", ".").stdout


def test_a_path_from_elsewhere_names_the_lab_too(lab):
    for folder, named in [("", PADDED), ("", PADDED + "/kernel.cu"), ("labs", "04_transpose_padded/")]:
        said = inside(lab, folder, "reset", named).stdout
        assert "04_transpose_padded/kernel.cu is already the starter" in said, named
    assert "FAILED  04_transpose_padded" in inside(lab, "", "check", PADDED + "/kernel.cu", *SIM).stdout


OTHER_PATHS = [
    (".", "is not the folder of a lab"),
    ("labs", "no lab matches"),
    ("labs/", "is not the folder of a lab"),
    ("/etc", "is not the folder of a lab"),
    ("mine.cu", "./lab check NN --kernel mine.cu"),
]


def test_another_path_is_wrong_usage(lab):
    for named, words in OTHER_PATHS:
        result = lab.run("check", named)
        assert result.returncode == 2 and words in result.stderr, result.stderr


def test_profile_takes_a_program_of_ones_own_beside_a_lab(lab):
    program = lab.root / PADDED / "mine.cu"
    program.write_text(
        "__global__ void k(int* p) { *p = 1; }\nint main() { int* p; cudaMalloc(&p, 4); k<<<1, 1>>>(p); }\n"
    )
    result = inside(lab, PADDED, "profile", "mine.cu")
    assert result.returncode == 0 and "store global" in result.stdout, result.stdout + result.stderr


MISTYPED = [
    (("chek",), "check"),
    (("porfile", "02"), "profile"),
    (("check", "02", "--solutoin"), "--solution"),
    (("check", "02", "--bakend=sim"), "--backend"),
    (("check", "transpose_nave"), "transpose_naive"),
    (("hint", "02_tarnspose_naive"), "02_transpose_naive"),
    (("explain", "rcae"), "race"),
]


def test_a_mistyped_word_gets_the_one_that_was_meant(lab):
    for arguments, meant in MISTYPED:
        result = lab.run(*arguments)
        assert result.returncode == 2 and f'did you mean "{meant}"?' in result.stderr, result.stderr


def test_nothing_is_suggested_for_a_word_that_is_far_from_all(lab):
    for arguments in (("frobnicate",), ("check", "02", "--frobnicate"), ("check", "frobnicate")):
        result = lab.run(*arguments)
        assert result.returncode == 2 and "did you mean" not in result.stderr and "frobnicate" in result.stderr


def test_a_missing_kernel_can_be_reset(lab):
    (lab.root / PADDED / "kernel.cu").unlink()
    for command in ("check", "bench", "profile", "predict"):
        result = lab.run(command, "04", *SIM)
        assert result.returncode == 2 and "./lab reset 04" in result.stderr
        assert f"{PADDED}/kernel.cu does not exist" in result.stderr and str(lab.root) not in result.stderr
    assert lab.run("reset", "04").returncode == 0 and (lab.root / PADDED / "kernel.cu").exists()


def passed(lab, names):
    (lab.root / ".lab").mkdir(exist_ok=True)
    state = {"schema": 1, "labs": {name: {"passed": True, "hints": 0} for name in names}}
    (lab.root / ".lab/state.json").write_text(json.dumps(state))


UNREACHABLE = ".least_capability = 999"  # no GPU has this compute capability, so no machine runs these labs
NOWHERE = [('.backends = {"cuda"}, ' + UNREACHABLE, "GPU"), (UNREACHABLE, "compute capability 99.9 or higher")]


@pytest.mark.parametrize("members, why", NOWHERE)
def test_next_skips_a_lab_that_this_machine_cannot_run(lab, members, why):
    others = [row["lab"] for row in json.loads(lab.run("list", "--json").stdout)["labs"]]
    assert lab.run("new", "00_made_up").returncode == 0
    definition = lab.root / "labs/00_made_up/lab.cpp"
    definition.write_text(definition.read_text().replace("}};\n\n}  // namespace", members + "}};\n\n}  // namespace"))
    assert "00_made_up" in lab.run("list").stdout

    passed(lab, [name for name in others if name != "03_transpose_shared"])
    assert "labs/03_transpose_shared/README.md" in lab.run("next").stdout

    passed(lab, others)
    said = lab.run("next").stdout
    (skipped,) = [line for line in said.split("\n") if line.startswith("Skipped")]
    assert "00_made_up" in skipped and why in skipped and "every lab that this machine can run" in said, said
