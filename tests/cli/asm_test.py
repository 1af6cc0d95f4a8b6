"""`lab asm`: the GPU's instructions below the lines of a kernel. SASS needs nvdisasm, PTX nvcc alone."""
# ctest: slow

import json
import os
import pathlib
import re
import shutil

import pytest

USUAL = pathlib.Path("/usr/local/cuda/bin")
NVCC = os.environ.get("LAB_NVCC") or shutil.which("nvcc") or shutil.which("nvcc", path=USUAL)
NVDISASM = os.environ.get("LAB_NVDISASM") or shutil.which("nvdisasm") or shutil.which("nvdisasm", path=USUAL)
needs_nvcc = pytest.mark.skipif(not NVCC, reason="nvcc is not installed")
needs_nvdisasm = pytest.mark.skipif(not (NVCC and NVDISASM), reason="nvcc or nvdisasm is not installed")

SPILLS = """__global__ void __launch_bounds__(1024, 2) spill_kernel(const float* in, float* out) {
  float held[48];
  for (int k = 0; k < 48; ++k) held[k] = in[k * 1024 + threadIdx.x];
  __syncthreads();
  for (int k = 0; k < 48; ++k) out[(47 - k) * 1024 + threadIdx.x] = held[k] * held[(k + 7) % 48];
}
int main() {}
"""


def line_with(path, text):
    return next(i for i, line in enumerate(path.read_text().split("\n"), 1) if text in line)


def below(listing, line):
    """What stands below a source line."""
    lines = listing.split("\n")
    start = next(i for i, text in enumerate(lines) if re.match(rf" *{line}  ", text))
    end = next(i for i in range(start + 1, len(lines)) if re.match(r" {0,3}\d+  |^$", lines[i]))
    return "\n".join(lines[start + 1 : end])


def test_without_nvcc_the_answer_names_the_cure(lab):
    done = lab.run("asm", "03", LAB_NVCC="")
    assert done.returncode == 3
    assert "nvcc" in done.stderr and "install the CUDA toolkit" in done.stderr and "LAB_NVCC" in done.stderr


@needs_nvcc
def test_without_nvdisasm_the_answer_names_the_cure(lab):
    done = lab.run("asm", "03", LAB_NVDISASM="/nowhere/nvdisasm")
    assert done.returncode == 3 and done.stdout == ""
    assert "cuda-nvdisasm" in done.stderr and "--ptx" in done.stderr


@needs_nvcc
def test_ptx_and_counts_stand_below_the_line(lab):
    done = lab.run("asm", "03", "--solution", "--ptx", "--size", "64x96")
    assert done.returncode == 0, done.stderr
    kernel = lab.root / "solutions/03_transpose_shared/kernel.cu"
    load, barrier = line_with(kernel, "shared[j]["), line_with(kernel, "__syncthreads()")
    listing = done.stdout
    assert re.match(
        r"transpose_kernel: \d+ PTX instructions for sm_\d+\n  \d+ registers for each thread, 4096", listing
    )
    assert "; no spills" in listing and "transpose at 64x96" in listing
    assert "> load global: 192 requests, 4.0 sectors/request" in below(listing, load)
    assert "ld.global.u32" in below(listing, load) and "st.shared.u32" in below(listing, load)
    assert "bar.sync" in below(listing, barrier) and "ld.global" not in below(listing, barrier)


@needs_nvcc
def test_the_document_has_every_instruction_once(lab):
    done = lab.run("asm", "03", "--solution", "--ptx", "--json", "--size", "64x96", "--arch", "sm_80")
    document = json.loads(done.stdout)
    assert (document["code"], document["architecture"], document["why_not_counted"]) == ("ptx", "sm_80", "")
    (kernel,) = document["kernels"]
    assert kernel["resources"]["shared_bytes"] == 4096 and kernel["resources"]["registers"] > 8
    assert sum("bar.sync" in one["text"] for one in kernel["instructions"]) == 1
    assert {one["op"] for one in kernel["lines"]} == {"load", "store"}
    assert all(one["line"] > 0 or not one["elsewhere"] for one in kernel["instructions"])


@needs_nvcc
def test_a_program_of_ones_own_and_its_spills(lab, tmp_path):
    source = tmp_path / "spills.cu"
    source.write_text(SPILLS)
    done = lab.run("asm", str(source), "--ptx", "--brief", "--arch", "sm_90")
    assert done.returncode == 0, done.stderr
    assert re.search(r"32 registers.*registers spill: \d+ bytes stored and \d+ bytes loaded", done.stdout)
    assert re.search(r"\d+ instructions: .*48 ld\.global\.f32", below(done.stdout, 3))


@needs_nvcc
def test_a_listing_fits_into_80_columns(lab):
    done = lab.run("asm", "10", "--solution", "--ptx", COLUMNS="80")
    assert done.returncode == 0, done.stderr
    sources = set((lab.root / "solutions/10_grid_stride/kernel.cu").read_text().split("\n"))
    own = [line for line in done.stdout.split("\n") if re.sub(r"^ *\d+  ", "", line) not in sources]
    assert len(own) > 20 and max(map(len, own)) <= 80, max(own, key=len)


@needs_nvcc
def test_one_kernel_is_chosen_by_name(lab):
    all_of_them = json.loads(lab.run("asm", "10", "--solution", "--ptx", "--no-counts", "--json").stdout)["kernels"]
    assert len(all_of_them) > 1
    name = all_of_them[0]["name"]
    one = json.loads(lab.run("asm", "10", "--solution", "--ptx", "--no-counts", "--json", "--only", name).stdout)
    assert [kernel["name"] for kernel in one["kernels"]] == [name]
    unknown = lab.run("asm", "10", "--solution", "--ptx", "--no-counts", "--only", "nothing_kernel")
    assert unknown.returncode == 2 and name in unknown.stderr


@needs_nvcc
def test_a_kernel_that_does_not_compile_fails_with_the_message_of_nvcc(lab):
    kernel = lab.root / "labs/02_transpose_naive/kernel.cu"
    kernel.write_text("int x = ;\n")
    done = lab.run("asm", "02", "--ptx")
    assert done.returncode == 1
    assert "compile_error" in done.stderr and "kernel.cu(1)" in done.stderr


@needs_nvcc
@pytest.mark.parametrize("arguments", [("03", "--arch", "h200"), ("all",), ("nowhere.cu",)])
def test_wrong_usage(lab, arguments):
    assert lab.run("asm", *arguments).returncode == 2


@needs_nvdisasm
def test_sass_stands_below_the_line(lab):
    done = lab.run("asm", "03", "--solution", "--size", "64x96")
    assert done.returncode == 0, done.stderr
    kernel = lab.root / "solutions/03_transpose_shared/kernel.cu"
    load, barrier = line_with(kernel, "shared[j]["), line_with(kernel, "__syncthreads()")
    assert re.search(r"^ +[0-9a-f]{4}  (@!?P\d )?LDG", below(done.stdout, load), re.MULTILINE)
    assert "STS" in below(done.stdout, load) and "> store shared" in below(done.stdout, load)
    assert re.search(r"BAR\.SYNC", below(done.stdout, barrier))


@needs_nvdisasm
def test_sass_of_the_compiler_belongs_to_no_line(lab, tmp_path):
    source = tmp_path / "divides.cu"
    source.write_text("__global__ void divide(float* x) {\n  x[threadIdx.x] = 1 / x[threadIdx.x];\n}\nint main() {}\n")
    done = lab.run("asm", str(source))
    assert done.returncode == 0, done.stderr
    line, rest = done.stdout.split("Instructions of the compiler, which belong to no line:")
    assert "LDG" in line and "LDG" not in rest and "RET" in rest


@needs_nvcc
def test_a_program_without_a_kernel_is_wrong_usage(lab, tmp_path):
    source = tmp_path / "none.cu"
    source.write_text("int main() {}\n")
    done = lab.run("asm", str(source), "--ptx")
    assert done.returncode == 2 and "has no kernel" in done.stderr
