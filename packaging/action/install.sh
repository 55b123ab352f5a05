#!/bin/sh
# The steps of action.yml:
#   install.sh plan      checks the input (MPI); writes the outputs "prefix", where Thrum will be, and "key" of the cache
#   install.sh install   builds and installs Thrum, unless the cache has brought it; adds it to the PATH of later steps
# GITHUB_OUTPUT, GITHUB_PATH and GITHUB_ENV are the runner's files for outputs, folders of PATH and variables.
set -eu
sources=$(cd "$(dirname "$0")/../.." && pwd)
prefix=${RUNNER_TOOL_CACHE:-$HOME/.cache}/thrum

fail() {
    echo "::error title=Set up Thrum::$*"
    exit 1
}

check_input() {
    case ${MPI:-thrum} in
    thrum) ;;
    mpich | openmpi | intelmpi | impi | msmpi) fail "mpi: $MPI: this action installs only Thrum (mpi: thrum); use mpi4py/setup-mpi for $MPI" ;;
    *) fail "mpi: $MPI: not an MPI implementation that this action knows; write mpi: thrum" ;;
    esac
    [ "$(uname -sm)" = "Linux x86_64" ] || fail "Thrum needs Linux on x86-64, and this is $(uname -sm); choose a runner such as ubuntu-latest"
    command -v apt-get >/dev/null || fail "this action installs packages with apt-get, which is missing; choose a Debian or Ubuntu image"
}

# Names what decides the result: the sources and the distribution, whose compiler and libraries it is built with.
key() {
    (cd "$sources" && find CMakeLists.txt CMakePresets.json Makefile cmake cmd compiler include src tools -type f -print0 | LC_ALL=C sort -z |
        xargs -0 sha256sum && cat /etc/os-release) | sha256sum | cut -c1-32
}

case ${1-} in
plan)
    check_input
    echo "prefix=$prefix" >>"$GITHUB_OUTPUT"
    echo "key=thrum-$(key)" >>"$GITHUB_OUTPUT" ;;
install)
    check_input
    if [ -x "$prefix/bin/mpiexec" ]; then
        "$sources/tools/install_dependencies.sh" --only gcc g++ gfortran libdw1 libfabric1 libhwloc15 libpmix2
    else
        "$sources/tools/install_dependencies.sh" --only make
        make -C "$sources" install PREFIX="$prefix"
    fi
    echo "$prefix/bin" >>"$GITHUB_PATH"
    echo "PKG_CONFIG_PATH=$prefix/lib/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}" >>"$GITHUB_ENV"
    echo "mpi=thrum" >>"$GITHUB_OUTPUT" ;;
*)
    echo "usage: install.sh plan|install" >&2
    exit 2 ;;
esac
