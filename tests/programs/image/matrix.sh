#!/bin/sh
# Builds the programs of this folder in one way of many and runs them: compilers and linkers lay out
# data, relocations and thread-local storage in many ways, and all must be cloned right.
#
# Usage: matrix.sh list                  names of the variants
#        matrix.sh BIN WORK VARIANT      BIN: folder of mpicc and mpiexec; WORK: a folder for the programs
# Exit code 77: the compiler or linker here does not know the options of this variant.
variants='
plain               -O1 -g
unoptimised         -O0 -g
optimised           -O3
link-time           -O2 -flto
stripped            -O2 -s
sections            -Os -ffunction-sections -fdata-sections -Wl,--gc-sections
gold                -O2 -fuse-ld=gold
lld                 -O2 -fuse-ld=lld
no-plt              -O2 -fno-plt
bound-now           -O2 -Wl,-z,now
no-relro            -O2 -Wl,-z,norelro
relative-relocs     -O2 -Wl,-z,pack-relative-relocs
one-segment-text    -O2 -Wl,-z,noseparate-code
pages-of-64K        -O2 -Wl,-z,max-page-size=0x10000
pages-of-2M         -O2 -Wl,-z,max-page-size=0x200000
sysv-hash           -O2 -Wl,--hash-style=sysv
exports-all         -O2 -rdynamic
tls-descriptors     -O2 -mtls-dialect=gnu2
no-copy             -O2 -mno-direct-extern-access
medium-model        -O2 -mcmodel=medium
static-runtime      -O2 -static-libgcc -static-libstdc++
undefined-behaviour -O1 -g -fsanitize=undefined -fno-sanitize=object-size
'
here=$(cd "$(dirname "$0")" && pwd)
[ "$1" = list ] && { echo "$variants" | awk 'NF { print $1 }'; exit; }
bin=$1 work=$2 variant=$3
flags=$(echo "$variants" | awk -v name="$variant" '$1 == name { $1 = ""; print }')
[ -n "$flags" ] || { echo "unknown variant $variant"; exit 1; }
mkdir -p "$work"
include="-I$here -I$here/../../harness"
modes=fibers-2
[ "$variant" = plain ] && modes="fibers-1 fibers-2 os-threads"

# $1: the compiler for C; the C++ one for sources that end in .cc
compiler_of() {
    case $1 in
    *.cc) echo "$bin/mpicxx -std=c++20" ;;
    *) echo "$bin/mpicc" ;;
    esac
}

complain() { # command...: prints its output only if it fails
    output=$("$@" 2>&1) || { echo "FAILED: $*"; echo "$output"; return 1; }
}

echo 'int main(void) { return 0; }' >"$work/probe.c"
if ! "$bin/mpicc" $flags -o "$work/probe" "$work/probe.c" >/dev/null 2>&1 || ! "$work/probe" >/dev/null 2>&1; then
    echo "not known here:$flags"
    exit 77
fi

failures=0
for source in "$here"/*.c "$here"/*.cc; do
    name=$(basename "${source%.*}")
    compiler=$(compiler_of "$source")
    library=$(sed -n 's,^// library: ,,p' "$source")
    link="-pthread"
    if [ -n "$library" ]; then
        library_source=$(ls "$here/libraries/$library".c*)
        complain $compiler $flags $include -fPIC -shared -o "$work/lib$library.so" "$library_source" || exit 1
        link="$link -L$work -l$library -Wl,-rpath,$work"
    fi
    # plugin: NAME LIBRARY...: the library made of plugins/NAME, which needs those
    sed -n 's,^// plugin: ,,p' "$source" >"$work/plugins"
    while read -r plugin needed; do
        plugin_source=$(ls "$here/plugins/$plugin".c*)
        complain $(compiler_of "$plugin_source") $flags $include -fPIC -shared -o "$work/lib$plugin.so" "$plugin_source" \
            -L"$work" $(for n in $needed; do echo "-l$n"; done) -Wl,-rpath,'$ORIGIN' || exit 1
        link="$link -Wl,-rpath,\$ORIGIN"
    done <"$work/plugins"
    complain $compiler $flags $include -o "$work/$name" "$source" $link $(sed -n 's,^// link: ,,p' "$source") || exit 1
    for mode in $modes; do
        complain "$here/../../harness/run_program.sh" "$bin/mpiexec" $mode "$source" "$work/$name" || failures=$((failures + 1))
    done
done
[ $failures = 0 ]
