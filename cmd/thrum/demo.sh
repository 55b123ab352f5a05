#!/bin/sh
# thrum demo: compiles one of the lessons, runs it and opens its page (man thrum).
#
# demo.sh BIN LESSONS [ARGUMENTS]: BIN has mpicc and mpiexec, LESSONS the programs. What to look at is in their comments.
set -u
bin=$1 lessons=$2
shift 2

fail() {
    echo "thrum demo: $1" >&2
    exit "${2-1}"
}

list() {
    for source in "$lessons"/*.c; do
        sed -n '1s|^// Lesson \([a-z]*\): \(.*\)\.$|  \1 \2|p' "$source" | while read -r name title; do
            printf '  %-11s %s\n' "$name" "$title"
        done
    done
}

usage() {
    cat <<END
Usage: thrum demo [-n N] [--no-open] LESSON

Compiles a lesson in the current folder, runs it with N ranks, says what to look at, and opens its page. If LESSON.c is
there, that file is used: change it and run the demo again. docs/teaching.md has an exercise for each lesson.

END
    list
}

# The number of ranks that the lesson's comment names.
usual_ranks() {
    sed -n 's/^\/\/ .* mpiexec .*-n \([0-9]*\) .*/\1/p' "$lessons/$1.c"
}

# What the comment says after "Look at:".
what_to_look_at() {
    sed -n '/^\/\/ Look at:$/,/^[^\/]/s|^//   |  |p' "$lessons/$1.c"
}

# Stops if the file exists without the text that files of its kind have: nothing else is overwritten.
must_be() {
    [ ! -e "$1" ] || grep -q "$2" "$1" || fail "./$1 exists and is not $3; use another folder"
}

name='' ranks=usual open=yes
while [ $# -gt 0 ]; do
    case $1 in
    -n | -np | --np)
        [ $# -gt 1 ] || fail "$1 needs a number of ranks" 2
        ranks=$2
        shift ;;
    -n*) ranks=${1#-n} ;;
    --no-open) open=no ;;
    -h | --help) usage; exit 0 ;;
    -*) fail "unknown option $1; see thrum demo --help" 2 ;;
    *)
        [ -z "$name" ] || fail "one lesson at a time: $name or $1" 2
        name=$1 ;;
    esac
    shift
done
[ -n "$name" ] || { usage; exit 0; }
case $name in
*[!a-z]*) fail "unknown lesson $name; thrum demo lists them" 2 ;;
esac
[ -f "$lessons/$name.c" ] || fail "unknown lesson $name; thrum demo lists them" 2
[ "$ranks" != usual ] || ranks=$(usual_ranks "$name")
case $ranks in
*[!0-9]* | '' | 0* | ???????*) fail "-n $ranks: not a number of ranks from 1 to 999999" 2 ;;
esac

# All that is written is in the current folder: a learner changes the program and looks at the page again.
[ -w . ] || fail "cannot write to the folder $PWD"
for file in "$name.c" "$name" "$name.html" "$name.json"; do
    [ ! -e "$file" ] || { [ -f "$file" ] && [ -w "$file" ]; } || fail "./$file exists, but is not a writable file"
done
[ ! -e "$name" ] || od -An -c -N4 "$name" | grep -q '177   E   L   F' ||
    fail "./$name exists and is not a program; use another folder"
must_be "$name.html" 'Report of an MPI job' 'a page of mpiexec --report'
must_be "$name.json" traceEvents 'a trace'
compiler=$("$bin/mpicc" -show 2>/dev/null)
compiler=${compiler%% *}
command -v "$compiler" >/dev/null 2>&1 || fail "there is no compiler: ${compiler:-mpicc} is not installed"

if [ -e "$name.c" ]; then
    cmp -s "$name.c" "$lessons/$name.c" || echo "Using ./$name.c, which differs from the lesson."
else
    cp "$lessons/$name.c" "$name.c" 2>/dev/null || fail "cannot write ./$name.c"
    chmod u+w "$name.c"
fi
"$bin/mpicc" -g "$name.c" -o "$name" || fail "$name.c does not compile: see the message of the compiler above"

echo "\$ mpicc -g $name.c -o $name"
echo "\$ mpiexec --report $name.html --trace $name.json -n $ranks ./$name"
rm -f "$name.html" "$name.json" # if mpiexec refuses to start the job, there must be no page of an earlier one
"$bin/mpiexec" --report "$name.html" --trace "$name.json" -n "$ranks" "./$name"
code=$?

# Exit code 86 says that the job is a deadlock: what this lesson shows.
case $name:$code in
deadlock:86) echo 'This deadlock is the lesson. mpiexec noticed it at once and ended with exit code 86.' ;;
deadlock:0) echo 'The job ended normally: this program no longer deadlocks.' ;;
*:0) ;;
*)
    [ -e "$name.html" ] || fail "mpiexec ended with exit code $code" "$code"
    fail "mpiexec ended with exit code $code; what the ranks did until then is in $name.html" "$code" ;;
esac
echo
echo 'Look at:'
what_to_look_at "$name"
echo
if [ $open = yes ] && [ -n "${DISPLAY-}${WAYLAND_DISPLAY-}" ] && command -v xdg-open >/dev/null; then
    echo "Opening the page: $name.html"
    (xdg-open "$name.html" >/dev/null 2>&1 &)
else
    echo "Open the page in a browser: $name.html"
fi
