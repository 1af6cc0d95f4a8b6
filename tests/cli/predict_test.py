"""`lab predict`: two guesses, then what was counted, in a pipe as on a terminal."""

import json
import subprocess

import pytest

from conftest import BUILD

SIM = ("--backend", "sim")


def predict(lab, answers, *arguments):
    return subprocess.run(
        [BUILD / "bin/lab", "predict", *arguments, *SIM],
        input=answers,
        env=lab.environment(),
        cwd=lab.root,
        text=True,
        capture_output=True,
    )


def test_guesses_stand_beside_what_was_counted(lab):
    result = predict(lab, "32\n4\n", "02", "--solution")
    assert result.returncode == 0, result.stderr
    assert "kernel.cu:" in result.stdout and "out[" in result.stdout
    store, load = result.stdout[result.stdout.rindex("your guess") :].split("measured")[1:3]
    assert "32 sectors per request; you guessed 32: right" in store and "4 are enough" in store
    assert "4 sectors per request; you guessed 4: right" in load
    kept = json.loads((lab.root / ".lab/predictions.json").read_text())
    assert [(k["lab"], k["guess"], k["measured"]) for k in kept] == [
        ("02_transpose_naive", 32, 32),
        ("02_transpose_naive", 4, 4),
    ]


def test_shared_memory_is_asked_about_where_there_is_some(lab):
    said = predict(lab, "1\n1\n", "03", "--solution").stdout
    assert "measured 32 wavefronts per request; you guessed 1\n" in said and "./lab explain bank_conflicts" in said
    assert "1 is enough" in said
    assert "measured 1 wavefront per request; you guessed 1: right" in predict(lab, "1\n1\n", "04", "--solution").stdout


def test_every_kernel_is_asked_about(lab):
    said = predict(lab, "", "09", "--solution").stdout
    for line in ("corner[size_t(u) * m + v]", "corner[u * width + v]"):
        assert line in said, "of the direct kernel, then of the tiled one"
    assert "Guess 6 numbers" in said


def test_a_question_names_the_kernel_and_whether_it_asks_for_an_average(lab):
    said = " ".join(predict(lab, "16.5\n", "05.1", "--solution").stdout.split())
    assert (
        "matmul_uncoalesced at 64x64x64: how many sectors" in said and "in the loads of this line, on average" in said
    )
    assert "measured 16.5 sectors per request" in said, "not at m = 1, where the rows of a are neighbours"
    said = " ".join(predict(lab, "4\n256\n", "01.1", "--solution").stdout.split())
    assert "do all loads of this line make" in said and "measured 256 requests; you guessed 256: right" in said


def test_requests_of_several_short_rows_are_asked_about_on_average(lab):
    said = " ".join(predict(lab, "2\n1\n", "02.1", "--solution", "--size", "3x5").stdout.split())
    assert "transpose at 3x5: how many sectors" in said and "in the loads of this line, on average" in said
    assert "measured 1.333 sectors per request" in said
    assert "so do elements that are not neighbours" in said, "the store has a step of 3 elements"


def test_a_line_that_two_launchers_share_is_asked_about_once(lab):
    said = predict(lab, "", "08", "--solution").stdout
    assert "Guess 4 numbers" in said


def test_the_load_from_shared_memory_is_asked_about_even_where_it_costs_no_more(lab):
    said = predict(lab, "", "04", "--solution").stdout
    assert "shared[threadIdx.x][j]" in said


def test_what_is_no_number_is_asked_again_and_no_guess_is_fine(lab):
    said = predict(lab, "many\n32\n\n", "02", "--solution").stdout
    assert '"many" is no number' in said and "you guessed 32" in said and "you did not guess" in said
    assert "you did not guess" in predict(lab, "", "02", "--solution").stdout


def test_a_speed_up_is_no_question_for_the_simulator(lab):
    refused = predict(lab, "4\n2\n", "03", "--solution", "--speed")
    assert refused.returncode == 2 and "--speed needs a GPU" in refused.stderr
    assert "./lab predict 03" in refused.stderr


def test_a_kernel_that_does_nothing_yet_has_nothing_to_predict(lab):
    kernel = lab.root / "labs/02_transpose_naive/kernel.cu"
    kernel.write_text('#include "lab.hpp"\nvoid transpose(const int*, int*, int, int) {}\n')
    result = predict(lab, "", "02")
    assert result.returncode == 1 and "nothing to predict" in result.stdout


def test_a_kernel_that_does_not_compile_is_shown_why(lab):
    (lab.root / "labs/02_transpose_naive/kernel.cu").write_text("broken\n")
    result = predict(lab, "1\n1\n", "02")
    assert result.returncode == 1 and "kernel.cu:1" in result.stdout


@pytest.mark.parametrize("arguments, words", [(("all",), "name one lab"), (("02", "--json"), "--json")])
def test_wrong_usage_of_predict_exits_with_2(lab, arguments, words):
    result = predict(lab, "", *arguments)
    assert result.returncode == 2 and words in result.stderr


@pytest.mark.parametrize("words", [("profile", *SIM), ("predict",)])
def test_a_lab_that_the_device_cannot_run_is_not_called_wrong(lab, words):
    command = [BUILD / "bin/lab", *words, "17", "--solution"]
    environment = lab.environment() | {"LAB_SIM_DEVICE": "a100"}
    result = subprocess.run(command, env=environment, text=True, capture_output=True)
    assert result.returncode == 3 and result.stdout == ""
    assert "this lab needs a GPU of compute capability 9.0 or higher" in " ".join(result.stderr.split())
