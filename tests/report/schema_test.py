"""docs/schema/ describes what the commands print and write, no more and no less."""
# ctest: slow

import copy
import json
import shutil

import jsonschema
import pytest

from checkout import checkout
from conftest import ROOT
from data import documents

SCHEMAS = sorted(path.stem for path in documents.SCHEMAS.glob("*.json"))
SMALL = ("--backend", "sim", "--size", "64x64", "--json")
NAIVE = ("--kernel", "solutions/02_transpose_naive/kernel.cu")
COMMANDS = {
    "list": ("list", "--json"),
    "explain": ("explain", "--json"),
    "doctor": ("doctor", "--json"),
    "lint": ("lint", "02", "--json"),
    "validate": ("validate", "01", "--sample", "1", "--json"),
    "check": ("check", "03", *NAIVE, *SMALL),  # misses a gate
    "bench": ("bench", "03", "--solution", "--peers", "--gpu", "h200", *SMALL),
    "run": ("run", "02", "--solution", *SMALL),
    "profile": ("profile", "02", "--solution", *SMALL),
    "sweep": ("sweep", "02.1", "--solution", "--set", "block_rows=8,64", *SMALL),
}
if shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin"):
    COMMANDS["asm"] = ("asm", "02", "--solution", "--ptx", "--size", "64x64", "--json")


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    return checkout(tmp_path_factory.mktemp("schema"))


@pytest.fixture(scope="module")
def printed(lab):
    """What each command printed."""
    found = {}
    for schema, command in COMMANDS.items():
        done = lab.run(*command)
        assert done.returncode in (0, 1), done.stderr
        found[schema] = json.loads(done.stdout)
    return found


def objects(value):
    """Every object within a JSON value."""
    if isinstance(value, dict):
        yield value
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from objects(one)


def properties(schema):
    """(name, its schema) of each property that the schema mentions."""
    for one in objects(schema):
        if isinstance(one.get("properties"), dict):
            yield from ((name, of) for name, of in one["properties"].items() if of is not False)


def test_every_schema_is_one_and_tells_each_field_in_a_sentence():
    assert len(SCHEMAS) > 10
    for name in SCHEMAS:
        schema = json.loads((documents.SCHEMAS / f"{name}.json").read_text())
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema["title"]
        for field, of in properties(schema):
            condition = set(of) == {"const"}
            assert condition or "description" in of or "$ref" in of, f"{name}.json: {field}"


def test_the_list_of_schemas_is_complete():
    text = (ROOT / "docs/schema/README.md").read_text()
    assert [name for name in SCHEMAS if f"`{name}.json`" not in text] == []


@pytest.mark.parametrize("schema", COMMANDS)
def test_a_command_prints_what_is_documented(printed, schema):
    documents.require(schema, printed[schema], schema)


def test_the_check_in_this_test_has_gates_and_messages(printed):
    (result,) = printed["check"]["results"]
    assert result["verdict"] == "gate" and [gate["passed"] for gate in result["gates"]] == [True, False, True]
    assert printed["bench"]["modelled"]["results"][0]["before"]["us"] > 0
    assert printed["bench"]["results"][0]["peers"] and printed["profile"]["launches"][0]["lines"]


@pytest.mark.parametrize("schema", COMMANDS)
def test_a_field_that_is_not_documented_is_refused(printed, schema):
    count = sum(1 for _ in objects(printed[schema]))
    for number in range(min(count, 40)):
        document = copy.deepcopy(printed[schema])
        one = list(objects(document))[number]
        one["not_documented"] = "text"
        with pytest.raises(documents.DamagedDocument, match="not_documented|is not of type 'number'"):
            documents.require(schema, document, schema)


def test_what_commands_keep_is_documented(lab, printed):
    assert lab.run("check", "02", "--solution", *SMALL).returncode == 0
    assert lab.run("hint", "02").returncode == 0
    assert lab.run("report").returncode == 0
    kept = sorted((lab.root / "report/out/results").glob("*.json"))
    assert {path.name.split("-")[0] for path in kept} == {"bench", "check", "profile"}
    for path in kept:
        documents.require(path, json.loads(path.read_text()), path.name.split("-")[0])
    state = lab.root / ".lab/state.json"
    documents.require(state, json.loads(state.read_text()), "state")


def test_the_records_goals_and_published_figures_of_the_project_follow_their_schemas():
    kinds = {"labs/*/published": "published", "solutions/*/goals": "goals", "report/results/*_limits": "limits"}
    kinds["report/results/sim"] = "counts"
    kinds["report/results/*_memory"] = "memory"
    paths = [(path, kind) for pattern, kind in kinds.items() for path in ROOT.glob(f"{pattern}.json")]
    records = set(ROOT.glob("report/results/*.json")) - {path for path, _ in paths}
    assert len(paths) > 5 and records
    for path, kind in [*paths, *((path, "bench") for path in records)]:
        documents.require(path, documents.read(path), kind)
