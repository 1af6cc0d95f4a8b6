#!/bin/bash
# Performs the steps of a container's Dockerfile in a bare Debian, then what its users start, for machines without a
# container engine.
#   tests/package/bare_container.sh SUITE MIRROR students|graders|devcontainer
# SUITE is the Debian that the Dockerfile names. bare_machine.sh says what it needs. Prints the seconds of the steps.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=bare_machine.sh
. "$(dirname "$0")/bare_machine.sh"

what=$3
bare_machine "$1" "$2" "$0" "$@"
in_machine userdel -r student 2>/dev/null || true # the Dockerfile makes its own
in_root() { /usr/bin/python3 "$project/containers/build_in_root.py" "$@"; }

# `./lab watch` on a terminal: it checks the starter, then the solution that a student saves, and q ends it.
watches() { # folder of the course
  expect 0 "passed" "cd $1; cp labs/01_vector_add/kernel.cu ~/starter.cu; mkfifo ~/keys
    await() { for _ in \$(seq 300); do grep -q \"\$1\" ~/screen && return; sleep 1; done; cat ~/screen; exit 9; }
    touch ~/screen; script -qefc './lab watch 01' ~/screen <~/keys >/dev/null & exec 3>~/keys
    await FAILED; cp solutions/01_vector_add/kernel.cu labs/01_vector_add/kernel.cu; await 'labs passed.*1 of\|1 of [0-9]* labs passed'
    echo q >&3; wait; cp ~/starter.cu labs/01_vector_add/kernel.cu; grep passed ~/screen"
}

students() {
  in_root "$project/containers/students/Dockerfile" "$machine/root" -- ./lab next
  expect 1 "labs/01_vector_add/kernel.cu" "cd /course && ./lab check 01"
  waited "students' container: steps and first verdict"
  watches /course
  expect 0 "01_vector_add" "cd /course && cp solutions/01_vector_add/kernel.cu labs/01_vector_add/ && ./lab pack -o ~/ada.tar.gz && tar tf ~/ada.tar.gz"
}

# A submission of the solution earns all points, and a kernel that is missing none. The sandbox is what this system allows.
graders() {
  mkdir -p "$machine/root/submissions/ada"
  cp "$project/solutions/01_vector_add/kernel.cu" "$machine/root/submissions/ada/01.cu"
  in_root "$project/containers/graders/Dockerfile" "$machine/root" -- sh -c \
    './lab doctor; ./lab grade /submissions --labs 01 --out /grades && cat /grades/grades.csv'
  grep -q '"ada",01_vector_add,pass,10,10' "$machine/root/grades/grades.csv"
  waited "graders' container: steps and a submission"
}

# The machine alone, with the checkout as its user has it, and the commands that devcontainer.json names.
devcontainer() {
  local first
  first=$(/usr/bin/python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["updateContentCommand"])' "$project/.devcontainer/devcontainer.json")
  sed '/^FROM machine/,$d' "$project/containers/students/Dockerfile" >"$machine/Dockerfile"
  in_root "$machine/Dockerfile" "$machine/root"
  git clone -q "$project" "$machine/root/home/student/kernel-lab"
  in_machine chown -R student:student /home/student/kernel-lab
  begin
  expect 1 "labs/01_vector_add/kernel.cu" "cd kernel-lab && $first && ls .vscode/tasks.json compile_commands.json && ./lab check 01"
  waited "devcontainer: first verdict after the container's start"
  watches kernel-lab
}

begin
"$what"
