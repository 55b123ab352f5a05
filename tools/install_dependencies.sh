#!/bin/sh
# Installs what building and testing need from the distribution's packages; says in one line what.
# Only looks, if nothing is missing. Debian 12 and its kin; elsewhere it checks for the tools and goes on.
# Usage: install_dependencies.sh [PACKAGE]...     PACKAGE: wanted besides
#        install_dependencies.sh --only PACKAGE...
set -eu

# The plugin headers must be those of the distribution's gcc, so gcc comes first.
gcc_version() {
    gcc -dumpversion 2>/dev/null | cut -d. -f1
}
if [ "${1-}" = --only ]; then
    shift
    packages="$*"
else
    [ -n "$(gcc_version)" ] || ! command -v apt-get >/dev/null || "$0" --only gcc g++
    packages="g++ gcc gfortran binutils lld gdb valgrind cmake ninja-build python3 pkg-config
  libfmt-dev libcli11-dev libgtest-dev catch2 doctest-dev libbenchmark-dev libdw-dev libelf-dev zlib1g-dev libpmix-dev libotf2-trace-dev libfabric-dev libhwloc-dev gcc-$(gcc_version)-plugin-dev libopenblas-dev $*"
fi

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    for tool in g++ gfortran cmake ninja python3; do
        command -v $tool >/dev/null || {
            echo "This is not a Debian system, and $tool is missing. Install the equivalents of:" $packages >&2
            exit 1
        }
    done
    exit 0
fi

missing=
for package in $packages; do
    case $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) in
    installed) ;;
    *) missing="$missing $package" ;;
    esac
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || {
        echo "These packages are missing, and there is no sudo. As root: apt-get install$missing" >&2
        exit 1
    }
    as_root=sudo
    [ -t 0 ] || as_root="sudo -n"
fi

echo "Installing Debian packages:$missing"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() {
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o Dpkg::Use-Pty=0 "$@" >>"$log" 2>&1 </dev/null
}
# Stale or empty lists make the first attempt fail.
apt install --no-install-recommends $missing ||
    { apt update && apt install --no-install-recommends $missing; } || {
        cat "$log" >&2
        echo "Could not install:$missing" >&2
        exit 1
    }
