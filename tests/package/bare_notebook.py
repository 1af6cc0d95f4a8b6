#!/usr/bin/env python3
"""Executes notebooks on a machine of bare_notebook.sh: the steps for Colab, or a lesson that `lab notebook` wrote.

    bare_notebook.py colab             in the folder of the wheel
    bare_notebook.py lesson FILE...    in a course
"""

import pathlib
import sys

import nbclient
import nbformat

CHECK = "application/vnd.kernel-lab.check+json"
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
  int *out, last;
  cudaMalloc(&out, 100 * sizeof(int));
  store<<<1, 128>>>(out, 100);
  cudaMemcpy(&last, out + 99, sizeof last, cudaMemcpyDeviceToHost);
  std::printf("the last one is %d\\n", last);
  cudaFree(out);
}
"""


def executed(cells, folder="."):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in cells])
    return nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": folder}}).execute()


def displayed(notebook, mime):
    outputs = (output for cell in notebook.cells for output in cell.get("outputs", ()))
    return [output["data"][mime] for output in outputs if mime in output.get("data", {})]


def printed(notebook):
    outputs = (output for cell in notebook.cells for output in cell.get("outputs", ()))
    return "".join(output["text"] for output in outputs if output["output_type"] == "stream")


def colab():
    """A starter, a solution and a program with an access out of bounds, from nothing but the wheel."""
    starter = f"from IPython import get_ipython\nget_ipython().run_cell_magic('lab', '03', open({str(STARTER)!r}).read())"
    solution = pathlib.Path("solution.cu").read_text()
    done = executed([*STEPS, starter, f"%%lab 03\n{solution}", f"%%cuda\n{PROGRAM}", "%lab list"])
    verdicts = [result["verdict"] for result in displayed(done, CHECK)]
    text, pages = printed(done), displayed(done, "text/html")
    assert "the last one is 99" in text, text
    assert any("1 hazard" in page and "if (i &lt;= n)" in page for page in pages), pages
    assert any("<svg" in page for page in pages), "no drawing of the accesses"
    print("verdicts:", *verdicts)


STARTER = pathlib.Path("labs/03_transpose_shared/kernel.cu")


def lesson(*files):
    for file in files:
        notebook = nbformat.read(file, as_version=4)
        folder = str(pathlib.Path(file).parent)
        done = nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": folder}}).execute()
        (result,) = displayed(done, CHECK)
        assert "--help" not in printed(done), printed(done)
        print("ran", pathlib.Path(file).name, result["verdict"])


if __name__ == "__main__":
    {"colab": colab, "lesson": lesson}[sys.argv[1]](*sys.argv[2:])
