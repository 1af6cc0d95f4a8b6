#!/usr/bin/env python3
"""Executes notebooks on a machine of bare_notebook.sh, or on a GPU: the steps for Colab, or lessons.

    bare_notebook.py colab [FILE]      in the folder of the wheel; FILE gets the executed notebook
    bare_notebook.py gpu [FILE]        the same with a wheel that has a GPU back end, on a machine with a GPU
    bare_notebook.py lesson FILE...    in a course; notebooks that `lab notebook` wrote

It needs nbclient and ipykernel. solution.cu is the solution of lab 03.
"""

import pathlib
import re
import sys

import nbclient
import nbformat

CHECK = "application/vnd.kernel-lab.check+json"
STARTER = "labs/03_transpose_shared/kernel.cu"
STEPS = (
    "!pip install -q kernel_lab-*.whl",
    "!lab start mycourse",
    "%cd mycourse",
    "%load_ext kernel_lab",
)
PROGRAM = """\
#include <cstdio>
__global__ void store(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) out[i] = i;
}
int main() {
  int *out, last = -1;
  cudaMalloc(&out, 100 * sizeof(int));
  store<<<1, 128>>>(out, 100);
  cudaMemcpy(&last, out + 99, sizeof last, cudaMemcpyDeviceToHost);
  std::printf("the last one is %d\\n", last);
  cudaFree(out);
}
"""
HAZARDS = f"%%cuda\n{PROGRAM}"
NAME = 'cudaDeviceProp device; cudaGetDeviceProperties(&device, 0); std::printf("on %s\\n", device.name);'
ON_GPU = "%%cuda --backend cuda\n" + PROGRAM.replace("<=", "<").replace("int *out, last", f"{NAME} int *out, last")


def executed(notebook, folder):
    """The notebook after all its cells ran, and what they printed."""
    done = nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": folder}}).execute()
    return done, "".join(each["text"] for each in outputs(done) if each["output_type"] == "stream")


def outputs(notebook):
    return [output for cell in notebook.cells for output in cell.get("outputs", ())]


def displayed(notebook, mime):
    return [output["data"][mime] for output in outputs(notebook) if mime in output.get("data", {})]


def starter(options=""):
    """A cell as a student's, who runs the starter as it is."""
    return f"get_ipython().run_cell_magic('lab', '03 {options}', open('{STARTER}').read())"


def run_cells(cells, kept):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in cells])
    done, text = executed(notebook, ".")
    if kept:
        nbformat.write(done, kept)
    pages = displayed(done, "text/html")
    assert any("1 hazard" in page and "i &lt;= n" in page for page in pages), text
    assert any("<svg" in page for page in pages), "no drawing of the accesses"
    headings = [re.search(r"03_\w+ on (\w+): ", page) for page in pages]
    results = zip(filter(None, headings), displayed(done, CHECK), strict=True)
    verdicts = [f"{result['verdict']} on {heading[1]}" for heading, result in results]
    print("verdicts:", ", ".join(verdicts))
    return text


def colab(kept=None):
    """A starter, a solution and a program with an access out of bounds, from nothing but the wheel."""
    solution = pathlib.Path("solution.cu").read_text()
    text = run_cells([*STEPS, starter(), f"%%lab 03\n{solution}", HAZARDS, "%lab list"], kept)
    assert "the last one is" in text, text


def gpu(kept=None):
    """The same cells on a GPU; beside it the simulator, times, and machine code where the toolkit can list it."""
    solution = pathlib.Path("solution.cu").read_text()
    more = [f"%%lab 03 --backend sim\n{solution}", f"%%lab 03\n{solution}", "%lab bench 03", "%lab asm 03 --brief"]
    text = run_cells([*STEPS, "%lab doctor", starter(), *more, HAZARDS, ON_GPU], kept)
    print(text)
    assert "on NVIDIA" in text and "the last one is 99" in text, "the program did not run on the GPU"


def lesson(*files):
    for file in files:
        done, text = executed(nbformat.read(file, as_version=4), str(pathlib.Path(file).parent))
        (result,) = displayed(done, CHECK)
        assert "--help" not in text, text
        print("ran", pathlib.Path(file).name, result["verdict"])


if __name__ == "__main__":
    {"colab": colab, "gpu": gpu, "lesson": lesson}[sys.argv[1]](*sys.argv[2:])
