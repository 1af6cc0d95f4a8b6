#!/bin/bash
# Installs a package of Kernel Lab in a bare Debian or Ubuntu and checks lab 01 there as an ordinary user without sudo.
#   tests/package/bare_root.sh SUITE MIRROR PACKAGE
# SUITE is a release that debootstrap knows, such as bookworm or jammy; PACKAGE a .whl, .tar.gz or .deb, or the .zip of
# `lab grade --make-gradescope`, which is set up as Gradescope does, and grades a right and a wrong kernel.
# bare_machine.sh says what it needs. Prints the seconds that the user waits.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=bare_machine.sh
. "$(dirname "$0")/bare_machine.sh"

package=$(realpath "$3")
bare_machine "$1" "$2" "$0" "$@"

# What Gradescope does: unpacks the archive, runs setup.sh once, and run_autograder for each submission.
as_gradescope() { # the archive
  local there=$machine/root/autograder score
  mkdir -p "$there/source" "$there/submission" "$there/results"
  /usr/bin/python3 -c 'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])' "$1" "$there/source"
  cp "$there/source/run_autograder" "$there/"
  chmod +x "$there/source/setup.sh" "$there/run_autograder"
  begin
  in_machine sh -c 'cd /autograder && source/setup.sh' >"$machine/setup.txt" 2>&1 || {
    tail -n 40 "$machine/setup.txt" >&2
    return 1
  }
  waited "gradescope: setup.sh"
  tail -n 12 "$machine/setup.txt"
  for kernel in kernel starter; do
    cp "$project/solutions/01_vector_add/$kernel.cu" "$there/submission/01.cu"
    begin
    in_machine sh -c 'cd /autograder && ./run_autograder' >"$machine/run.txt" 2>&1
    score=$(/usr/bin/python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["tests"][0]["status"])' "$there/results/results.json")
    waited "gradescope: $kernel: $score"
    case $kernel in kernel) [ "$score" = passed ] ;; *) [ "$score" = failed ] ;; esac
  done
}

if [[ $package == *.zip ]]; then
  as_gradescope "$package"
  exit
fi
file=$(basename "$package")
cp "$package" "$machine/root/home/student/$file"
cp "$project/solutions/01_vector_add/kernel.cu" "$machine/root/home/student/solution.cu"
case $file in
  *.whl)
    way=wheel
    install_packages python3-venv
    install="python3 -m venv venv && pip install -q --no-index $file"
    ;;
  *.tar.gz)
    way=tarball
    install="tar xf $file && mkdir bin && ln -s ../${file%.tar.gz}/bin/lab bin/lab"
    ;;
  *.deb)
    way="Debian package"
    install_packages "/home/student/$file"
    install=true
    ;;
esac

if ! in_machine sh -c 'command -v g++' >/dev/null; then
  expect 3 "apt-get install g++" "$install && lab start without && cd without && lab check 01"
  install_packages g++
  as_student "rm -rf venv bin without"
fi
begin
as_student "$install"
expect 0 "cd mycourse" "lab start mycourse"
expect 1 "labs/01_vector_add/kernel.cu" "cd mycourse && lab check 01"
waited "$way: first verdict"
expect 0 "passed  01_vector_add" "cd mycourse && lab check 01 --kernel ../solution.cu"
expect 0 "passed  40_scan" "cd mycourse && lab new 40_scan && lab check 40 --solution"
