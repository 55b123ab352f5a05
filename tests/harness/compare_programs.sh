#!/bin/sh
# Runs programs that print the same lines, each as run_program.sh does, and compares what their ranks say: the lines that
# begin with "rank ". The ranks' lines come in any order.
#
# Usage: compare_programs.sh MPIEXEC MODE SOURCE PROGRAM...
mpiexec=$1 mode=$2 source=$3
shift 3
harness=${0%/*}
THRUM_TEST_OUTPUT=$(mktemp) && lines=$(mktemp) && first=$(mktemp) || exit 1
export THRUM_TEST_OUTPUT
trap 'rm -f "$THRUM_TEST_OUTPUT" "$lines" "$first"' EXIT

for program; do
    "$harness/run_program.sh" "$mpiexec" "$mode" "$source" "$program" || exit
    grep '^rank ' "$THRUM_TEST_OUTPUT" | sort >"$lines"
    if [ "$program" = "$1" ]; then
        cp "$lines" "$first"
        [ -s "$first" ] || { echo "FAILED: $1 prints nothing"; exit 1; }
    elif ! cmp -s "$first" "$lines"; then
        echo "FAILED: the output differs: < $1, > $program"
        diff "$first" "$lines"
        exit 1
    fi
done
exit 0
