#!/bin/sh
# gdb shows names and lines of a rank that runs in a clone: a breakpoint of the program hits in each
# rank, and a crash in one has a backtrace.
#
# Usage: debugger.sh BIN WORK      Exit code 77: there is no gdb here, or it may not trace.
bin=$1 work=$2
mkdir -p "$work" && cd "$work" || exit 1
command -v gdb >/dev/null || exit 77
gdb -batch -ex run true >gdb.log 2>&1
grep -q 'exited normally' gdb.log || { echo "gdb cannot run programs here"; exit 77; }
library=$(ls "$bin"/../lib*/libmpi_abi.so.1 | head -n 1)

cat >crash.c <<'END'
#include <mpi.h>
#include <stdlib.h>
static void inner(int rank) {
    if (rank == 3)
        abort();
}
void outer(int rank) { inner(rank); }
int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    outer(rank);
    MPI_Finalize();
    return 0;
}
END
"$bin/mpicc" -g -O0 -o crash crash.c || exit 1
timeout 120 gdb -batch -nx -ex 'set startup-with-shell off' -ex 'set env THRUM_RANKS 5' -ex 'set env THRUM_WORKERS 1' \
    -ex 'set env LD_BIND_NOW 1' -ex "set env LD_PRELOAD $library" \
    -ex 'break inner if rank == 3' -ex run -ex bt ./crash >gdb.log 2>&1
if ! grep -q 'inner (rank=3) at crash.c:4' gdb.log || ! grep -q 'outer (rank=3) at crash.c:7' gdb.log ||
    ! grep -q 'main (.*) at crash.c:12' gdb.log; then
    echo "FAILED: no breakpoint and backtrace with names and lines in rank 3:"
    tail -n 30 gdb.log
    exit 1
fi
