"""`lab validate` as the author of a lab calls it."""
# ctest: slow

import json


def test_a_sample_of_mutants_is_checked_and_named_with_both_lines(lab):
    arguments = ("validate", "01", "--sample", "3", "--seed", "3", "--json")
    result = lab.run(*arguments)
    document = json.loads(result.stdout)
    mutants = document["labs"][0]["mutants"]
    assert document["schema"] == 1 and len(mutants) == 3
    assert all(one["before"] != one["after"] and one["line"] > 1 for one in mutants)
    assert result.returncode == (1 if any(one["verdict"] == "pass" for one in mutants) else 0)
    again = json.loads(lab.run(*arguments).stdout)["labs"][0]["mutants"]
    assert [one["after"] for one in again] == [one["after"] for one in mutants]


def test_a_list_that_cannot_be_read_is_wrong_usage_and_names_its_line(lab):
    listed = lab.root / "solutions/01_vector_add/equivalent_mutants.txt"
    listed.write_text("- no such line\n+ nor this\nGone.\n\n- broken\n")
    result = lab.run("validate", "01", "--sample", "1")
    assert result.returncode == 2 and "equivalent_mutants.txt:6" in result.stderr
