#!/bin/sh
# Runs an application of examples/bsp with several numbers of processes and both ways of synchronisation; it
# compares its result with one process itself. MPIEXEC "none": the program starts 1, 2 and 7 processes by itself.
# Each run counts the ranks that have ended well (harness/rank_ends.h).
# Usage: run.sh MPIEXEC MODE PROGRAM
mpiexec=$1 mode=$2 program=$3 options=
case $mode in
fibers-1) export THRUM_WORKERS=1 ;;
fibers-2) export THRUM_WORKERS=2 ;;
os-threads) export THRUM_THREADS=os ;;
processes) options=--processes ;;
processes-2) options="--ranks-per-process 2" ;;
hosts) options="--launcher fork --hosts a:64,b:64 --map-by node" ;;
*) echo "unknown mode $mode"; exit 1 ;;
esac
THRUM_TEST_RANKS=$(mktemp) || exit 1
export THRUM_TEST_RANKS
trap 'rm -f "$THRUM_TEST_RANKS"' EXIT

failed() {
    printf 'FAILED: %s; output:\n%s\n' "$*" "$output"
    exit 1
}

# Runs a command whose job has $1 ranks; $output is what it prints.
run() {
    n=$1
    shift
    : >"$THRUM_TEST_RANKS"
    output=$("$@" </dev/null 2>&1) || failed "exit code $?: $*"
    ended=$(grep -c well "$THRUM_TEST_RANKS")
    [ "$ended" = "$n" ] || failed "$ended ranks have ended well, expected $n: $*"
}

if [ "$mpiexec" = none ]; then
    for n in 1 2 7; do
        run $n timeout 60 "$program" "$n" "two words"
        [ "$output" = "before
$n processes
after" ] || failed "unexpected output of $n processes"
    done
    exit 0
fi
case ${program##*/} in
gauss) size="-n 61" ;;
lu) size="-n 50" ;;
ocean) size="-n 40 -s 3" ;;
nbody) size="-n 400 -s 4" ;;
esac
for n in 1 3 8; do
    for way in "" -g; do
        run $n "$mpiexec" -n $n $options --timeout 60 "$program" -c $size $way
        echo "$output"
        case $output in *" result equal"*) ;; *) failed "no line says that the result is equal" ;; esac
    done
done
