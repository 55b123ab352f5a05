#!/bin/sh
# info ranks, rank N, rank apply and print in gdb: the extension is found beside the library.
#
# Usage: ranks.sh BIN WORK [privatized-]live|core|many      Exit code 77: there is no gdb here, or it may not trace.
# many: more ranks than gdb knows clones of. privatized: compiled with --privatize.
bin=$1 work=$2 what=$3
source=$(cd "$(dirname "$0")" && pwd)/ranks.c
mkdir -p "$work" && cd "$work" || exit 1
command -v gdb >/dev/null || exit 77
gdb -batch -ex run true >gdb.log 2>&1
grep -q 'exited normally' gdb.log || { echo "gdb cannot run programs here"; exit 77; }
library=$(ls "$bin"/../lib*/libmpi_abi.so.1 | head -n 1)
library=$(readlink -f "$library")
ranks=5 stop=stop_here
if [ "$what" = many ]; then # gdb cannot stop in a clone that it does not know
    ranks=5000 stop=PMPI_Abort
fi
case $what in privatized-*) privatize=--privatize what=${what#privatized-} ;; esac
"$bin/mpicc" $privatize -g -O0 -o ranks "$source" || exit 1

cat >ask <<'END'
info ranks
rank 0
bt
frame function wait_in_call
info locals
print global
print hidden
print/x hidden.first
print global + hidden.first
rank 1
frame function wait_in_call
print local
print global
rank 3
bt
print global
rank 2
bt
print global
rank apply 0,3 print global
rank apply all bt 1
rank 4711
END
[ "$what" = many ] && sed -i 's/rank apply all/rank apply 0-4/' ask
gdb_with() { # ARGUMENTS...: gdb, which may load the extension
    timeout 500 gdb -batch -nx -iex "add-auto-load-safe-path $(dirname "$library")" "$@"
}
live() { # GDB'S ARGUMENTS...
    gdb_with -ex 'set breakpoint pending on' -ex 'set startup-with-shell off' -ex "set env THRUM_RANKS $ranks" -ex 'set env THRUM_WORKERS 1' \
        -ex 'set env LD_BIND_NOW 1' -ex "set env LD_PRELOAD $library" -ex "break $stop" -ex run "$@" ./ranks
}
if [ "$what" = core ]; then
    # The kernel's core file of a job that is killed where rank 2 stops. (gdb's own generate-core-file
    # gives up at the guard pages between the stacks.)
    case $(cat /proc/sys/kernel/core_pattern) in
    core) ;;
    *) echo "core files go elsewhere here"; exit 77 ;;
    esac
    rm -f core core.*
    (ulimit -c unlimited && exec "$bin/mpiexec" -n "$ranks" --workers 1 ./ranks core) >job.log 2>&1
    core=$(ls core core.* 2>/dev/null | head -n 1)
    [ -n "$core" ] || { cat job.log; echo "no core file"; exit 1; }
    gdb_with -x ask ./ranks "$core" >gdb.log 2>&1
    rm -f "$core"
else
    live -x ask >gdb.log 2>&1
fi

failed=0
expect() { # NUMBER REGEX: so many lines match
    found=$(grep -Ec -- "$2" gdb.log)
    [ "$found" -ge "$1" ] || { echo "FAILED: $found lines, not $1, match: $2"; failed=1; }
}
# info ranks
expect 1 '^  0 +waiting +worker 0 +MPI_Recv from rank 2, tag 77, MPI_COMM_WORLD$'
expect 1 '^  1 +in kernel +spare +read$'
expect 1 '^  2 +running +worker 0$'
expect 1 '^  3-[0-9]+ +waiting +worker 0 +MPI_Barrier on MPI_COMM_WORLD$'
# rank 0: parked in MPI
expect 1 "^\[rank 0 of $ranks, waiting: MPI_Recv from rank 2, tag 77, MPI_COMM_WORLD\]"
expect 1 '#[0-9]+ .*PMPI_Recv'
expect 1 '#[0-9]+ .*wait_in_call \(rank=0\) at .*ranks.c:[23][0-9]'
expect 3 "#[0-9]+ .*main \(.*ranks.c:[45][0-9]"
expect 1 '^local = 1000'
expect 1 '^\$1 = 100$'
expect 1 '^\$2 = \{first = 200, second = -1\}$'
expect 1 '^\$3 = 0xc8$'
expect 1 '^\$4 = 300$'
# rank 1: in the kernel
expect 1 "^\[rank 1 of $ranks, in kernel: read\]"
expect 1 '^\$5 = 1001$'
expect 1 '^\$6 = 101$'
# ranks 3 and 2
expect 1 'wait_in_call \(rank=3\)'
expect 1 '^\$7 = 103$'
expect 1 "#[0-9]+ .*$stop"
expect 1 '^\$8 = 102$'
# rank apply
expect 1 '^\$9 = 100$'
expect 1 '^\$10 = 103$'
expect 7 '^Rank [0-9]+ \('
expect 1 'There is no rank 4711|^\[rank 4711 of 5000'
[ $failed = 0 ] || { echo; head -c 6000 gdb.log; }
exit $failed
