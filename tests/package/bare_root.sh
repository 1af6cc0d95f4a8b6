#!/bin/bash
# Installs a package of Kernel Lab in a bare Debian or Ubuntu and checks lab 01 there as an ordinary user without sudo.
#   tests/package/bare_root.sh SUITE MIRROR PACKAGE
# SUITE is a release that debootstrap knows, such as bookworm or jammy; PACKAGE a .whl, .tar.gz or .deb, or the .zip of
# `lab grade --make-gradescope`, which is set up as Gradescope does, and grades a right and a wrong kernel. The bare system
# is made once, in $LAB_BARE_ROOTS (default: build/bare_roots), and never changed: each run works on an overlay in a mount
# namespace that ends with the script. Needs root and debootstrap. Prints the seconds that the user waits.
set -euo pipefail

suite=$1 mirror=$2 package=$(realpath "$3")
root=${LAB_BARE_ROOTS:-$(realpath "$(dirname "$0")/../..")/build/bare_roots}/$suite

make_root() {
  local components=main script=
  case $mirror in *ubuntu*) components=main,universe script=/usr/share/debootstrap/scripts/gutsy ;; esac
  mkdir -p "$(dirname "$root")"
  # shellcheck disable=SC2086 # the script may be left out
  debootstrap --variant=minbase --components=$components "$suite" "$root.part" "$mirror" $script
  mv "$root.part" "$root"
}

# A machine of its own: the bare system below, all changes in memory, its own /dev.
mount_machine() { # folder
  mount -t tmpfs none "$1"
  mkdir "$1/changes" "$1/work" "$1/root"
  mount -t overlay overlay -o "lowerdir=$root,upperdir=$1/changes,workdir=$1/work" "$1/root"
  mount -t proc proc "$1/root/proc"
  mount -t tmpfs none "$1/root/dev"
  mkdir "$1/root/dev/shm"
  mount -t tmpfs none "$1/root/dev/shm"
  chmod 1777 "$1/root/dev/shm"
  local node
  for node in null:3 zero:5 full:7 random:8 urandom:9; do
    mknod -m 666 "$1/root/dev/${node%:*}" c 1 "${node#*:}"
  done
  ln -s /proc/self/fd "$1/root/dev/fd"
  cp /etc/resolv.conf "$1/root/etc/"
}

in_machine() { chroot "$machine/root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 "$@"; }
as_student() { # shell commands, which run in the student's folder
  in_machine su student -s /bin/bash -c "set -e; cd; export COLUMNS=1000 HOME=\$PWD PATH=\$HOME/venv/bin:\$HOME/bin:/usr/bin:/bin; $1"
}
install_packages() {
  in_machine apt-get update -qq
  in_machine env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$@" >/dev/null
}
expect() { # exit code, words of the output, shell commands
  local status=0 output
  output=$(as_student "$3" 2>&1) || status=$?
  if [ "$status" != "$1" ] || ! grep -q -e "$2" <<<"$output"; then
    printf '%s\nbare_root: "%s" ended with %s, expected %s and "%s"\n' "$output" "$3" "$status" "$1" "$2" >&2
    exit 1
  fi
}
clock() { date +%s%N; }
waited() { # what, begin
  local tenths=$((($(clock) - $2) / 100000000))
  printf 'bare_root: %s %s: %s in %d.%d s\n' "$suite" "${package##*.}" "$1" $((tenths / 10)) $((tenths % 10))
}

# What Gradescope does: unpacks the archive, runs setup.sh once, and run_autograder for each submission.
as_gradescope() { # the archive
  local there=$machine/root/autograder score
  mkdir -p "$there/source" "$there/submission" "$there/results"
  /usr/bin/python3 -c 'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])' "$1" "$there/source"
  cp "$there/source/run_autograder" "$there/"
  chmod +x "$there/source/setup.sh" "$there/run_autograder"
  echo "bare_root: load $(cut -d ' ' -f 1-3 /proc/loadavg), $(nproc) cores"
  TIMEFORMAT='bare_root: setup.sh: %U s of CPU in programs, %S s in the system, %R s of wall time'
  time in_machine sh -c 'cd /autograder && source/setup.sh' >"$machine/setup.txt" 2>&1 || {
    tail -n 40 "$machine/setup.txt" >&2
    return 1
  }
  tail -n 12 "$machine/setup.txt"
  TIMEFORMAT='bare_root: run_autograder: %U s of CPU in programs, %S s in the system, %R s of wall time'
  for kernel in kernel starter; do
    cp "$(dirname "$0")/../../solutions/01_vector_add/$kernel.cu" "$there/submission/01.cu"
    time in_machine sh -c 'cd /autograder && ./run_autograder' >"$machine/run.txt" 2>&1
    score=$(/usr/bin/python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["tests"][0]["status"])' "$there/results/results.json")
    echo "bare_root: $kernel: $score"
    case $kernel in kernel) [ "$score" = passed ] ;; *) [ "$score" = failed ] ;; esac
  done
}

[ -d "$root" ] || make_root
if [ -z "${LAB_IN_NAMESPACE:-}" ]; then LAB_IN_NAMESPACE=1 exec unshare -m --propagation private bash "$0" "$@"; fi

machine=$(mktemp -d)
trap 'umount -l "$machine" && rmdir "$machine"' EXIT
mount_machine "$machine"
if [[ $package == *.zip ]]; then
  as_gradescope "$package"
  exit
fi
in_machine useradd -m student
file=$(basename "$package")
cp "$package" "$machine/root/home/student/$file"
cp "$(dirname "$0")/../../solutions/01_vector_add/kernel.cu" "$machine/root/home/student/solution.cu"
case $file in
  *.whl)
    install_packages python3-venv
    install="python3 -m venv venv && pip install -q --no-index $file"
    ;;
  *.tar.gz) install="tar xf $file && mkdir bin && ln -s ../${file%.tar.gz}/bin/lab bin/lab" ;;
  *.deb)
    install_packages "/home/student/$file"
    install=true
    ;;
esac

if ! in_machine sh -c 'command -v g++' >/dev/null; then
  expect 3 "apt-get install g++" "$install && lab start without && cd without && lab check 01"
  install_packages g++
  as_student "rm -rf venv bin without"
fi
began=$(clock)
as_student "$install"
waited "installed" "$began"
expect 0 "cd mycourse" "lab start mycourse"
expect 1 "labs/01_vector_add/kernel.cu" "cd mycourse && lab check 01"
waited "first verdict after the first command" "$began"
expect 0 "passed  01_vector_add" "cd mycourse && lab check 01 --kernel ../solution.cu"
expect 0 "passed  40_scan" "cd mycourse && lab new 40_scan && lab check 40 --solution"
