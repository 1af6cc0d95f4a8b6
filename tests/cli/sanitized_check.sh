#!/bin/sh
# Runs `lab check` of a build with sanitizers: sanitized_check.sh BUILD. An error that they find ends a process, and the
# verdict is another one then. Writes to a temporary folder only.
set -eu
build=$1
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
cd "$(dirname "$0")/../.."
cp -r labs solutions tests common "$root"
export LAB_ROOT="$root" LAB_BUILD="$build" LAB_CACHE="$root/cache" COLUMNS=200

expect() { # words, arguments...: the output must have the words
  words=$1
  shift
  "$build/bin/lab-first" check "$@" --backend sim --timeout 300 --no-color >"$root/output" 2>&1 || true
  if ! grep -q "$words" "$root/output" || grep -q 'Sanitizer\|runtime error' "$root/output"; then
    echo "lab check $*: expected $words"
    cat "$root/output"
    exit 1
  fi
}

expect '^passed .*no hazards' 01 --solution
expect '^passed .*no hazards' 08.2 --solution
expect '^FAILED .*wrong_answer' 02
expect '^FAILED .*out_of_bounds' 02 --kernel tests/mutants/02_transpose_naive/no_guard.patch
