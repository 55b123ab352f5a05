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

# A plug-in: a breakpoint that waits for it hits in the copy of the rank, with names and lines.
cat >plugin.c <<'END'
static int calls;
int plugin_function(int rank) {
    calls += rank;
    return calls;
}
END
cat >opens.c <<'END'
#include <dlfcn.h>
#include <mpi.h>
int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    void *handle = dlopen("./libplugin.so", RTLD_NOW);
    MPI_Barrier(MPI_COMM_WORLD);
    int sum = ((int (*)(int))dlsym(handle, "plugin_function"))(rank);
    MPI_Finalize();
    return sum != rank;
}
END
gcc -g -O0 -fPIC -shared -o libplugin.so plugin.c && "$bin/mpicc" -g -O0 -o opens opens.c || exit 1
timeout -s KILL 120 gdb -batch -nx -ex 'set startup-with-shell off' -ex 'set env THRUM_RANKS 4' \
    -ex 'set env THRUM_WORKERS 1' -ex 'set env LD_BIND_NOW 1' -ex "set env LD_PRELOAD $library" \
    -ex 'set breakpoint pending on' -ex 'break plugin.c:3 if rank == 3' -ex run -ex bt ./opens >gdb.log 2>&1
if ! grep -q 'plugin_function (rank=3) at plugin.c:3' gdb.log || ! grep -q 'main (.*) at opens.c:9' gdb.log; then
    echo "FAILED: no breakpoint and backtrace with names and lines in a plug-in of rank 3:"
    tail -n 30 gdb.log
    exit 1
fi
