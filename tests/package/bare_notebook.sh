#!/bin/bash
# Does labs in notebooks on a bare Debian or Ubuntu, from the wheel, with the steps that docs/notebooks.md gives for Colab.
#   tests/package/bare_notebook.sh SUITE MIRROR WHEEL
# Colab's machines are Ubuntu 22.04 (jammy), with root, g++, IPython and ipykernel; the script installs the same versions of
# these first, from PyPI. bare_machine.sh says what else it needs. Prints the seconds until the first verdict.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=bare_machine.sh
. "$(dirname "$0")/bare_machine.sh"

wheel=$(realpath "$3")
bare_machine "$1" "$2" "$0" "$@"
install_packages g++ python3-venv ca-certificates
share_index
in_venv() { in_machine env PATH=/opt/colab/bin:/usr/bin:/bin sh -ec "$1"; }
in_machine python3 -m venv /opt/colab
case $suite in
  jammy) versions="ipython==7.34.0 ipykernel==6.17.1" ;;
  *) versions="ipython ipykernel" ;;
esac
in_venv "pip install -q $versions nbclient nbformat setuptools"

mkdir "$machine/root/content"
cp "$wheel" "$here/bare_notebook.py" "$machine/root/content/"
cp "$project/solutions/03_transpose_shared/kernel.cu" "$machine/root/content/solution.cu"
begin
expect_of in_venv 0 "verdicts: wrong_answer on sim, pass on sim" "cd /content && python3 bare_notebook.py colab"
waited "notebook: the Colab steps, first verdict and three more cells"
expect_of in_venv 0 "ran 01_vector_add.ipynb" "cd /content/mycourse && lab notebook 01 && python3 ../bare_notebook.py lesson notebooks/01*.ipynb"
printf '%s\n' "$output"
