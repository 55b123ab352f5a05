#!/bin/sh
# Spawned ranks in gdb: rank N, bt and print know their images.
#
# Usage: children.sh BIN WORK           Exit code 77: there is no gdb here, or it may not trace.
bin=$1 work=$2
source=$(cd "$(dirname "$0")" && pwd)/children.c
mkdir -p "$work" && cd "$work" || exit 1
command -v gdb >/dev/null || exit 77
gdb -batch -ex run true >gdb.log 2>&1
grep -q 'exited normally' gdb.log || { echo "gdb cannot run programs here"; exit 77; }
library=$(readlink -f "$(ls "$bin"/../lib*/libmpi_abi.so.1 | head -n 1)")
"$bin/mpicc" -g -O0 -o children "$source" || exit 1

cat >ask <<'END'
info ranks
rank 1
frame function wait_in_child
print local
print global
rank 2
bt
print global
rank 0
print global
END
timeout 500 gdb -batch -nx -iex "add-auto-load-safe-path $(dirname "$library")" -ex 'set breakpoint pending on' \
    -ex 'set startup-with-shell off' -ex 'set env THRUM_RANKS 1' -ex 'set env THRUM_SPAWN 1' -ex 'set env THRUM_WORKERS 1' \
    -ex 'set env LD_BIND_NOW 1' -ex "set env LD_PRELOAD $library" -ex 'break stop_here' -ex run -x ask "$(pwd)/children" >gdb.log 2>&1

failed=0
expect() { # REGEX: a line matches
    grep -Eq -- "$1" gdb.log || { echo "FAILED: no line matches: $1"; failed=1; }
}
expect '^  1 +waiting +worker 0 +MPI_Recv from rank 1, tag 88, MPI_COMM_WORLD$'
expect '^  2 +waiting +worker 0 +MPI_Recv from rank 0, tag 88, MPI_COMM_WORLD$'
expect '^\[rank 1 of 3, waiting: MPI_Recv from rank 1, tag 88, MPI_COMM_WORLD\]'
expect '^\$1 = 2000$'
expect '^\$2 = 300$'
expect '#[0-9]+ .*wait_in_child \(rank=1\) at .*children.c:[12][0-9]'
expect '^\$3 = 301$'
expect '^\$4 = 100$'
[ $failed = 0 ] || { echo; head -c 6000 gdb.log; }
exit $failed
