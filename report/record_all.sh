#!/bin/sh
# Measures every solution and every encore on this machine's GPU, beside the CPU and the peers that can be built, and
# keeps the result as report/results/NAME.json, and what limits the kernels as NAME_limits.json; then brings the figures in
# the solutions' READMEs up to date.
# Usage: report/record_all.sh NAME [--no-cpu]     takes some twenty minutes, most of them for the CPU's programs
set -eu
cd "$(dirname "$0")/.."
[ $# -ge 1 ] || { echo "usage: report/record_all.sh NAME [--no-cpu]" >&2; exit 2; }
name=$1
shift
lab=${LAB:-./lab}

# What is wrong is not worth timing.
$lab check all --solution --backend cuda
$lab check all --encore --backend cuda
$lab bench all --solution --peers --backend cuda "$@"
$lab bench all --encore --peers --backend cuda "$@"
report/record.py "$name"
report/record_limits.py "$name" || echo "what could not be profiled keeps its old row" >&2
report/record_memory.py "$name"
report/update_readmes.py
