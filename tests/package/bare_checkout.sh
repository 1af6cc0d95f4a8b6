#!/bin/bash
# Clones this checkout in a bare Debian or Ubuntu and starts its launcher there.
#   tests/package/bare_checkout.sh SUITE MIRROR [demo|check]
# demo: `./lab demo` as root, with no package installed but git. check: `./lab check 01` as a user without sudo, once an
# administrator has installed what it lists; then everything else that `lab` needs, and the tests with LAB_BARE_TESTS=1.
# bare_machine.sh says what it needs. Only what is committed is cloned. Prints the seconds that the user waits.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=bare_machine.sh
. "$(dirname "$0")/bare_machine.sh"

what=${3:-check}
bare_machine "$1" "$2" "$0" "$@"
install_packages git ca-certificates
git clone -q --bare "$project" "$machine/root/srv/kernel-lab.git"
in_machine chown -R student:student /srv/kernel-lab.git
clone="git clone -q /srv/kernel-lab.git kernel-lab && cd kernel-lab"

as_root() { in_machine sh -c "cd && git config --global --add safe.directory '*' && $1"; }
demo() {
  begin
  expect_of as_root 0 "report/out/index.html" "$clone && ./lab demo"
  waited "checkout: ./lab demo, packages absent"
  [ -s "$machine/root/root/kernel-lab/report/out/index.html" ]
}

# What a first check shows while it builds: the lesson, what to edit, and the build's progress.
check() {
  expect 3 "apt-get install" "$clone && ./lab check 01"
  # shellcheck disable=SC2046 # a list
  install_packages $(sed -n 's/.*apt-get install //p' <<<"$output")
  as_student "rm -rf kernel-lab"
  begin
  expect 1 "labs/01_vector_add/kernel.cu" "$clone && ./lab check 01"
  waited "checkout: first verdict, packages present"
  grep -q "edit" <<<"$output" && grep -q "01 · Vector addition" <<<"$output"
  expect 0 "Kernel Lab" "cd kernel-lab && ./lab --version"
  waited "checkout: everything built"
  [ -z "${LAB_BARE_TESTS:-}" ] && return
  begin
  expect 0 . "cd kernel-lab && ninja -C build/sim"
  waited "checkout: tests built as well"
}

"$what"
