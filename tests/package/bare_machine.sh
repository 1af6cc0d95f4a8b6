# Functions for scripts that try Kernel Lab in a bare Debian or Ubuntu; bare_*.sh of this folder source it.
# bare_machine SUITE MIRROR makes the system once, in $LAB_BARE_ROOTS (default: build/bare_roots), and never changes it:
# each script works on an overlay in memory, in a mount namespace that ends with the script. Needs root and debootstrap.
# shellcheck shell=bash

here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
project=$(realpath "$here/../..")

# bare_machine SUITE MIRROR SCRIPT ARGUMENTS: enters a namespace by starting the script again, then makes $machine.
bare_machine() {
  suite=$1 root=${LAB_BARE_ROOTS:-$project/build/bare_roots}/$1
  [ -d "$root" ] || make_root "$1" "$2"
  shift 2
  if [ -z "${LAB_IN_NAMESPACE:-}" ]; then LAB_IN_NAMESPACE=1 exec unshare -m --propagation private bash "$@"; fi
  machine=$(mktemp -d)
  trap 'umount -l "$machine" && rmdir "$machine"' EXIT
  mount_machine "$machine"
  in_machine useradd -m -s /bin/bash student
  # shellcheck disable=SC1090 # for example one that brings a compiler cache, where no seconds count
  [ -z "${LAB_BARE_SETUP:-}" ] || . "$LAB_BARE_SETUP"
}

make_root() { # suite, mirror
  local components=main script=
  case $2 in *ubuntu*) components=main,universe script=/usr/share/debootstrap/scripts/gutsy ;; esac
  mkdir -p "$(dirname "$root")"
  # shellcheck disable=SC2086 # the script may be left out
  debootstrap --variant=minbase --components=$components "$1" "$root.part" "$2" $script
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
  mkdir "$1/root/dev/pts"
  mount -t devpts -o newinstance,ptmxmode=0666,mode=620 none "$1/root/dev/pts"
  ln -s pts/ptmx "$1/root/dev/ptmx"
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

# A machine that reaches packages of Python through an index or with certificates of its own does so in the bare system.
share_index() {
  local name
  for name in PIP_INDEX_URL PIP_EXTRA_INDEX_URL; do
    [ -z "${!name:-}" ] || printf '[global]\n%s = %s\n' "$(tr 'A-Z_' 'a-z-' <<<"${name#PIP_}")" "${!name}" >>"$machine/root/etc/pip.conf"
  done
  cp -L /etc/ssl/certs/ca-certificates.crt "$machine/root/etc/ssl/certs/"
}

# expect CODE WORDS COMMANDS: runs the student's commands; their exit code and a line of their output must be these.
expect() { expect_of as_student "$@"; }
expect_of() { # function that runs the commands, exit code, words, commands
  local status=0
  output=$("$1" "$4" 2>&1) || status=$?
  if [ "$status" != "$2" ] || ! grep -q -e "$3" <<<"$output"; then
    printf '%s\n%s: "%s" ended with %s, expected %s and "%s"\n' "$output" "${0##*/}" "$4" "$status" "$2" "$3" >&2
    exit 1
  fi
}

# Tenths of a second, of wall time and of the CPU time of this script's children, which tells a busy machine from slow
# work. `times` knows nothing in a subshell.
clock() {
  times >"$machine/times"
  wall_and_cpu="$(($(date +%s%N) / 100000000)) $(awk 'NR == 2 { split($1 "m" $2, t, /[ms]+/); printf "%d", 10 * (60 * (t[1] + t[3]) + t[2] + t[4]) }' "$machine/times")"
}
begin() {
  clock
  began=$wall_and_cpu
}
waited() { # what
  clock
  awk -v a="$began" -v b="$wall_and_cpu" -v what="$1" -v suite="$suite" -v load="$(cut -d ' ' -f 1 /proc/loadavg)" -v cores="$(nproc)" \
    'BEGIN { split(a, x); split(b, y)
      printf "bare: %s: %s in %.1f s (%.1f s of CPU, %d cores, load %s)\n", suite, what, (y[1] - x[1]) / 10, (y[2] - x[2]) / 10, cores, load }'
}
