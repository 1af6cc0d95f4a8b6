"""Every form of lab 17's encore multiplies right, also those that are chosen for large products only."""
# ctest: long

import json
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("LAB_BUILD", ROOT / "build/sim"))
FOLDERS = [ROOT / folder for folder in ("solutions/17_matmul_hopper", "labs/17_matmul_hopper", "common/kernel")]


def run_plans(folder, mode, *arguments):
    program, report = folder / "plans", folder / "report.json"
    labcc = [BUILD / "bin/labcc", *mode, "-std=c++20", "-O2", *[f"-I{path}" for path in FOLDERS]]
    subprocess.run([*labcc, pathlib.Path(__file__).with_name("ring_plans.cu"), "-o", program], check=True)
    done = subprocess.run([program, *arguments], capture_output=True, text=True,
                          env={**os.environ, "LAB_SIM_JSON": str(report)})  # fmt: skip
    assert done.returncode == 0, done.stderr
    *wrong, last = done.stdout.splitlines()
    assert wrong == []
    return int(last.split()[0]), report


def test_every_form_is_right_with_whole_tiles_and_with_shared_ones(tmp_path):
    plans, _ = run_plans(tmp_path, ["--fast"])
    assert plans >= 4 * 55


def test_clusters_wait_for_what_they_use(tmp_path):
    plans, report = run_plans(tmp_path, ["--trace", "-g"], "2")
    assert plans >= 4 * 35
    assert json.loads(report.read_text())["hazards"] == []
