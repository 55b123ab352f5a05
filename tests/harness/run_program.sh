#!/bin/sh
# Runs one whole-program test in one mode and judges it. The comment on top of the source says how (in Fortran
# a line begins with "! " instead of "// "):
#
#   // ranks: 1 2 5        numbers of ranks to run with (default 4)
#   // args: -x 3          arguments of the program
#   // options: --stack 1M more options for mpiexec
#   // env: NAME=VALUE ... environment
#   // exit: 7             expected exit code (default 0); "exit: nonzero" for any other
#   // expect: REGEX       extended regular expression that a line of the output matches; repeatable
#   // expect-not: REGEX   one that no line matches; repeatable
#   // timeout: 20         seconds for each run (default 60)
#   // modes: fibers-1     run in these modes only (default: all)
#   // needs: strace       a command without which the test is skipped
#   // flags: -O0          more flags for the compiler (read by CMake)
#   // ends: n + 3         ranks that end with exit code 0 by exit() or from main, with those that the program starts
#                          (default n, the number of ranks; "any": not counted). Counted if the exit code is 0
#
# A run passes if its exit code is the expected one, each of the ranks has ended (rank_ends.h), and the output matches.
#
# Usage: run_program.sh MPIEXEC MODE SOURCE PROGRAM      MODE: fibers-1, fibers-2, os-threads, processes (a
# process for each rank), processes-2 (for every two) or hosts (THRUM_TEST_HOSTS says which, as options of mpiexec)
# THRUM_TEST_OUTPUT names a file that gets the output of the last run.
# THRUM_TEST_TIME_SCALE multiplies the time limits (sanitizers are slow). Exit code 77: not for this mode.
mpiexec=$1 mode=$2 source=$3 program=$4
ranks=4 args= options= environment= code=0 timeout=60 expect= expect_not= ends=n modes="fibers-1 fibers-2 os-threads processes processes-2 hosts"
newline='
'
while IFS= read -r line; do
    case $line in
    '//'*) line=${line#//} ;;
    '!'*) line=${line#!} ;;
    *) break ;;
    esac
    case $line in
    ' ranks: '*) ranks=${line#*: } ;;
    ' args: '*) args=${line#*: } ;;
    ' options: '*) options=${line#*: } ;;
    ' env: '*) environment=${line#*: } ;;
    ' exit: '*) code=${line#*: } ;;
    ' timeout: '*) timeout=${line#*: } ;;
    ' modes: '*) modes=${line#*: } ;;
    ' needs: '*)
        command -v ${line#*: } >/dev/null || { echo "skipped: ${line#*: } is not installed"; exit 77; } ;;
    ' ends: '*) ends=${line#*: } ;;
    ' expect: '*) expect=$expect${line#*: }$newline ;;
    ' expect-not: '*) expect_not=$expect_not${line#*: }$newline ;;
    esac
done <"$source"

case " $modes " in
*" $mode "*) ;;
*) echo "not for mode $mode"; exit 77 ;;
esac
case $mode in
fibers-1) how="--workers 1" ;;
fibers-2) how="--workers 2" ;;
os-threads) how="--threads=os" ;;
processes) how="--processes" ;;
processes-2) how="--ranks-per-process 2" ;;
hosts)
    how=${THRUM_TEST_HOSTS:---launcher fork --hosts a:64,b:64 --map-by node}
    # A core of a shared machine may stand still for longer than the usual 4 s.
    export THRUM_HOST_TIMEOUT="${THRUM_HOST_TIMEOUT:-20}" ;;
*) echo "unknown mode $mode"; exit 1 ;;
esac

THRUM_TEST_RANKS=$(mktemp) || exit 1
export THRUM_TEST_RANKS
trap 'rm -f "$THRUM_TEST_RANKS"' EXIT

failed() {
    echo "FAILED: $*"
    echo "command: $environment $mpiexec -n $n $how $options $program $args"
    echo "output:"
    printf '%s\n' "$output"
    exit 1
}

for n in $ranks; do
    : >"$THRUM_TEST_RANKS"
    output=$(eval "exec env $environment \"\$mpiexec\" -n $n $how --timeout $((timeout * ${THRUM_TEST_TIME_SCALE:-1})) \
                   $options \"\$program\" $args" 2>&1 </dev/null)
    actual=$?
    [ -z "$THRUM_TEST_OUTPUT" ] || printf '%s\n' "$output" >"$THRUM_TEST_OUTPUT"
    case $code in
    nonzero) [ $actual != 0 ] && [ $actual != 124 ] || failed "exit code $actual, expected one that tells of failure" ;;
    *) [ $actual = "$code" ] || failed "exit code $actual, expected $code" ;;
    esac
    ended=$(grep -c well "$THRUM_TEST_RANKS")
    case $code-$ends in
    0-any) ;;
    0-*) [ "$ended" = $(($ends)) ] || failed "$ended ranks have ended well, expected $(($ends))" ;;
    esac
    # Whatever exit code the program has, what a sanitizer reports fails it.
    printf '%s\n' "$output" | grep -Eq '(ERROR|WARNING): [A-Za-z]+Sanitizer|: runtime error: ' &&
        failed "a sanitizer has reported"
    IFS=$newline
    for regex in $expect; do
        printf '%s\n' "$output" | grep -Eq -- "$regex" || failed "no line matches: $regex"
    done
    for regex in $expect_not; do
        printf '%s\n' "$output" | grep -Eq -- "$regex" && failed "a line matches: $regex"
    done
    unset IFS
done
exit 0
