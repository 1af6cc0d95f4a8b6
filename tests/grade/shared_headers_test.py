"""Kernels that include the headers for device code, which several labs share, compile in the sandbox, too."""
# ctest: slow

from conftest import SOLUTIONS, solution

SHARED = [folder.name for folder in SOLUTIONS if '"../device/' in solution(folder.name)]


def test_a_solution_with_a_header_of_several_labs_passes(room):
    assert SHARED, "no solution includes such a header"
    room.hand_in("ada", **{f"_{lab[:2]}": solution(lab) for lab in SHARED})
    numbers = ",".join(lab[:2] for lab in SHARED)
    result = room.grade("--labs", numbers, *room.policy({"default": {"fresh_sizes": 0}}))
    assert result.returncode == 0, result.stderr
    assert {row["lab"]: row["verdict"] for row in room.rows().values()} == dict.fromkeys(SHARED, "pass")
