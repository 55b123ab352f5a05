#!/bin/sh
# Runs an application of examples/bsp with several numbers of processes and both ways of synchronisation; it
# compares its result with one process itself. MPIEXEC "none": the program starts 1, 2 and 7 processes by itself.
# Usage: run.sh MPIEXEC MODE PROGRAM
mpiexec=$1 mode=$2 program=$3 options=
case $mode in
fibers-1) export THRUM_WORKERS=1 ;;
fibers-2) export THRUM_WORKERS=2 ;;
os-threads) export THRUM_THREADS=os ;;
processes) options=--processes ;;
processes-2) options="--ranks-per-process 2" ;;
esac
if [ "$mpiexec" = none ]; then
    for n in 1 2 7; do
        output=$(timeout 60 "$program" "$n" "two words" </dev/null 2>&1) || { echo "$output"; exit 1; }
        [ "$output" = "before
$n processes
after" ] || { printf 'unexpected output:\n%s\n' "$output"; exit 1; }
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
        output=$("$mpiexec" -n $n $options --timeout 60 "$program" -c $size $way 2>&1) || { echo "$output"; exit 1; }
        echo "$output"
        case $output in *" result equal"*) ;; *) exit 1 ;; esac
    done
done
