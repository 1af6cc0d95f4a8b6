#!/bin/sh
# Gradescope runs this once as root, when it builds the image in which submissions are graded. The programs are built;
# only the compiler for kernels and a few packages are missing. At the end it grades the labs' solutions, so that a
# machine that cannot grade is noticed now, and so that the starters of the labs are built.
set -eu
autograder=${AUTOGRADER:-/autograder}
export DEBIAN_FRONTEND=noninteractive
apt-get update -q
apt-get install -q -y --no-install-recommends g++ libarchive13 bubblewrap patch python3 python3-jinja2

# Untrusted programs run as other users, which must be able to enter these folders.
chmod o+x "$autograder" "$autograder/source"
cd "$autograder/source/kernel-lab"
chmod +x bin/*
chmod -R o+rX .
for mode in fast trace; do
  bin/labcc --precompile --shared --$mode -O2 -std=c++20 -o precompiled/cuda_runtime.h.gch/$mode
done

test=$(mktemp -d "$autograder/test-XXXXXX")
chmod 711 "$test"
labs=$(cat "$autograder/source/labs")
for lab in $(echo "${labs:-$(ls solutions)}" | tr ',' ' '); do
  mkdir -p "$test/in/solution/labs/$lab"
  cp "solutions/$lab/kernel.cu" "$test/in/solution/labs/$lab/"
done
bin/lab grade "$test/in" --out "$test/out" --backend sim ${labs:+--labs "$labs"} --fail-on failure
rm -rf "$test"
