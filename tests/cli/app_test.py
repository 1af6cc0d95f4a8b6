"""`lab app` starts the app of any lab, and `lab call` runs its kernels line by line."""

import json
import subprocess

import pytest

from conftest import BUILD

APP = """
import json, subprocess, sys
split = sys.argv.index("--")
print(json.dumps({"options": sys.argv[1:split], "command": sys.argv[split + 1:]}))
"""


def with_app(lab, name="01_vector_add", program=APP):
    folder = lab.root / "labs" / name / "app"
    folder.mkdir()
    (folder / "app.py").write_text(program)


def calls(lab, *arguments, requests):
    text = "".join(line + "\n" for line in requests)
    command = [BUILD / "bin/lab", "call", *arguments, "--backend", "sim"]
    done = subprocess.run(command, env=lab.environment(), input=text, text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_the_labs_that_have_an_app_are_listed(lab):
    before = lab.run("app").stdout.splitlines()
    with_app(lab)
    after = lab.run("app").stdout.splitlines()
    assert sorted(set(after) - set(before)) == ["01_vector_add: ./lab app 01"] and set(before) <= set(after)


def test_an_app_gets_its_options_and_the_command_that_calls_kernels(lab):
    with_app(lab)
    result = lab.run("app", "01", "--solution", "--colour", "red", "--backend", "sim")
    assert result.returncode == 0, result.stderr
    told = json.loads(result.stdout)
    assert told["options"] == ["--colour", "red"]
    program, command, name, *rest = told["command"]
    assert program == str(BUILD / "bin/lab") and (command, name) == ("call", "01_vector_add")
    assert "--solution" in rest and rest[rest.index("--backend") + 1] == "sim"


def test_the_exit_code_of_an_app_is_that_of_the_command(lab):
    with_app(lab, program="raise SystemExit(7)")
    assert lab.run("app", "01", "--backend", "sim").returncode == 7


@pytest.mark.parametrize(
    "arguments, says",
    [
        (["02"], "02_transpose_naive has no app; ./lab app lists the labs that have one"),
        (["--colour"], "app needs the lab before other options"),
        (["77"], "77"),
        (["01", "--launcher", "nothing"], "has no launcher nothing; it has"),
        (["01", "--kernel", "nothing.cu"], "nothing.cu does not exist"),
    ],
)
def test_wrong_usage_starts_nothing(lab, arguments, says):
    with_app(lab, program="print('started')")
    result = lab.run("app", *arguments)
    assert result.returncode == 2 and says in result.stderr, result.stderr
    assert "started" not in result.stdout


def test_a_call_runs_the_kernel_on_the_inputs_of_the_request(lab):
    requests = [
        json.dumps({"size": "3", "inputs": {"a": [1, 2, 3], "b": [10, 20, 30]}}),
        json.dumps({"size": "4"}),
    ]
    given, made = calls(lab, "01", "--solution", requests=requests)
    assert given["verdict"] == made["verdict"] == "pass"
    assert given["outputs"] == {"out": [11, 22, 33]} and len(made["outputs"]["out"]) == 4


@pytest.mark.parametrize(
    "request_line, says",
    [
        ("no JSON", "parse error"),
        ("{}", "size"),
        ('{"size": "0"}', "is no size"),
        ('{"size": "3", "inputs": {"d": [1]}}', "has no parameter d"),
        ('{"size": "3", "inputs": {"out": [1, 2, 3]}}', "out is not an input"),
        ('{"size": "3", "inputs": {"a": [1]}}', "a needs 3 values at this size, but the request has 1"),
        ('{"size": "3", "inputs": {"a": "text"}}', "type must be array"),
    ],
)
def test_a_wrong_request_is_answered_and_the_next_one_is_served(lab, request_line, says):
    wrong, right = calls(lab, "01", "--solution", requests=[request_line, '{"size": "3"}'])
    assert wrong["verdict"] == "infra_error" and says in wrong["message"] and wrong["outputs"] == {}
    assert right["verdict"] == "pass"
