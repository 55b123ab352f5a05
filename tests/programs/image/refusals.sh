#!/bin/sh
# A program that cannot be cloned is refused with exit code 2 and one line that names the object, the reason and
# the remedy, whether mpiexec sees it in the file or the library in the process.
#
# Usage: refusals.sh BIN WORK      BIN: folder of mpicc and mpiexec; WORK: a folder for the programs
bin=$1 work=$2
mkdir -p "$work" && cd "$work" || exit 1
library=$(ls "$bin"/../lib*/libmpi_abi.so.1 | head -n 1)
failures=0
refusals=0

cat >program.c <<'END'
#include <stdio.h>
int *variable;
int main(void) { variable = 0; puts("ran"); return 0; }
END

# expect REGEX PROGRAM: as ranks of one process PROGRAM is refused with a line that matches. (Left to itself,
# mpiexec gives each rank of a program that cannot be cloned a process.)
expect() {
    output=$("$bin/mpiexec" -n 2 --threads=fiber "$2" 2>&1)
    code=$?
    refusals=$((refusals + 1))
    if [ $code != 2 ] || ! printf '%s\n' "$output" | grep -Eq -- "$1" || printf '%s\n' "$output" | grep -q '^ran'; then
        echo "FAILED: $2: exit code $code, expected 2 and a line that matches: $1"
        printf '%s\n' "$output"
        failures=$((failures + 1))
    fi
}

# expect_inside REGEX PROGRAM: the library itself refuses, without mpiexec's look at the file.
expect_inside() {
    output=$(env THRUM_RANKS=2 LD_BIND_NOW=1 LD_PRELOAD="$library" "$2" 2>&1)
    code=$?
    refusals=$((refusals + 1))
    if [ $code != 2 ] || ! printf '%s\n' "$output" | grep -Eq -- "$1" || printf '%s\n' "$output" | grep -q '^ran'; then
        echo "FAILED: $2 by itself: exit code $code, expected 2 and a line that matches: $1"
        printf '%s\n' "$output"
        failures=$((failures + 1))
    fi
}

gcc -fno-pie -no-pie -o fixed program.c &&
    { expect 'fixed is not position-independent.*-pie' ./fixed; expect_inside 'fixed.*not position-independent.*-pie' ./fixed; }
gcc -static -fno-pie -no-pie -o static program.c && expect 'statically linked.*-static' ./static
gcc -static-pie -fPIE -o static_pie program.c && expect 'static-pie.*-static-pie' ./static_pie

cat >text.s <<'END'
        .text
        .globl where
where:  .quad where
        .section .note.GNU-stack,"",@progbits
END
gcc -pie -Wl,-z,notext -o textrel program.c text.s 2>/dev/null &&
    { expect 'textrel has text relocations.*-fPIE' ./textrel; expect_inside 'textrel.*text relocations.*-fPIC' ./textrel; }
gcc -shared -Wl,-z,notext -o libtextrel.so text.s 2>/dev/null &&
    gcc -o uses_textrel program.c -Wl,--no-as-needed -L. -ltextrel -Wl,-rpath,"$work" &&
    expect 'libtextrel.so.*text relocations.*-fPIC' ./uses_textrel

cat >wx.s <<'END'
        .section .both,"awx",@progbits
        .quad 0
        .section .note.GNU-stack,"",@progbits
END
gcc -pie -o writable_text program.c wx.s 2>/dev/null &&
    { expect 'writable_text.*writable and executable' ./writable_text; expect_inside 'writable_text.*writable and executable' ./writable_text; }

echo 'int first(void) { return 1; }' >first.c
gcc -shared -fPIC -Wl,-z,initfirst -o libfirst.so first.c &&
    gcc -o uses_first program.c -Wl,--no-as-needed -L. -lfirst -Wl,-rpath,"$work" &&
    expect 'libfirst.so.*-z initfirst' ./uses_first

"$bin/mpicc" -fsanitize=thread -static-libtsan -o racy program.c 2>/dev/null &&
    expect "racy.*a sanitizer's run time" ./racy

# Other machines: the program with another number in its header.
"$bin/mpicc" -o linked program.c || exit 1
machine() { # NAME NUMBER REGEX
    cp linked "$1" && printf "$2" | dd of="$1" bs=1 seek=18 conv=notrunc 2>/dev/null
    expect "$1 is a program for $3, not for 64-bit x86.*Compile it on this machine" "./$1"
}
machine for_arm '\267\000' '64-bit ARM'
machine for_32_bit_x86 '\003\000' '32-bit x86'
machine for_riscv '\363\000' 'RISC-V'
"$bin/mpiexec" -n 1 ./for_arm >out 2>&1 && { echo "FAILED: one rank of a program for another machine"; failures=$((failures + 1)); }
grep -q 'for_arm' out || { echo "FAILED: one rank for another machine: $(cat out)"; failures=$((failures + 1)); }

# Rights of another user.
cp linked with_setuid && chmod u+s with_setuid && expect 'with_setuid is setuid.*chmod u-s' ./with_setuid
cp linked with_setgid && chmod g+s with_setgid && expect 'with_setgid is setgid.*chmod g-s' ./with_setgid
if [ "$(id -u)" = 0 ]; then
    cp linked of_another && chown 65534 of_another && chmod u+s of_another && chmod 755 . &&
        env THRUM_RANKS=2 LD_BIND_NOW=1 ./of_another >out 2>&1
    [ $? = 2 ] && grep -q 'setuid, setgid or has file capabilities.*chmod' out || { echo "FAILED: setuid by itself: $(cat out)"; failures=$((failures + 1)); }
fi

# A second program of the job that cannot be cloned: nothing starts.
output=$("$bin/mpiexec" -n 1 ./linked : -n 1 ./for_arm 2>&1)
{ [ $? = 2 ] && ! printf '%s\n' "$output" | grep -q '^ran'; } || { echo "FAILED: a second program: $output"; failures=$((failures + 1)); }

printf '#!/bin/sh\n./linked\necho after\n' >script && chmod +x script
"$bin/mpicc" -Wl,--no-as-needed -o linked program.c 
output=$("$bin/mpiexec" -n 2 ./script 2>&1)
[ $? = 0 ] && [ "$(printf '%s\n' "$output" | sort | tr '\n' ' ')" = 'after after ran ran ' ] || { echo "FAILED: a script: $output"; failures=$((failures + 1)); }
# A process that has got the variables of another one.
output=$(env THRUM_RANKS=2 THRUM_LAUNCH_PID=1 LD_BIND_NOW=1 ./linked 2>&1) && { echo "FAILED: a child of what mpiexec has started"; failures=$((failures + 1)); }
printf '%s\n' "$output" | grep -Eq 'linked.*exec ./linked' || { echo "FAILED: a child: $output"; failures=$((failures + 1)); }

printf 'hello' >text_file && chmod +x text_file
[ "$("$bin/mpiexec" -n 2 ./text_file >/dev/null 2>&1; echo $?)" != 0 ] || failures=$((failures + 1))

# More ranks than the kernel has mappings for, of one program and of several together; 30,000 are within
# its default.
limit=$(cat /proc/sys/vm/max_map_count)
if [ "$limit" -le 200000 ]; then
    cp linked other
    output=$("$bin/mpiexec" -n $((limit / 2 + 1000)) ./linked 2>&1)
    code=$?
    [ $code = 2 ] && printf '%s\n' "$output" |
        grep -Eq "[0-9]+ ranks need about [0-9]+ memory mappings \(2 for each rank of linked\), but a process may have only $limit .*enough for [0-9]+ ranks.*sysctl -w vm.max_map_count=" ||
        { echo "FAILED: too many ranks: exit code $code: $output"; failures=$((failures + 1)); }
    output=$("$bin/mpiexec" -n $((limit / 4 + 1000)) ./linked : -n $((limit / 4 + 1000)) ./other 2>&1)
    code=$?
    [ $code = 2 ] && printf '%s\n' "$output" |
        grep -Eq "need about [0-9]+ memory mappings \(2 for each rank of linked, [0-9] for each of other\), but a process may have only $limit " ||
        { echo "FAILED: too many ranks of two programs: exit code $code: $output"; failures=$((failures + 1)); }
fi
if [ "$limit" -ge 65530 ] && [ "$(awk '/MemAvailable/ { print $2 }' /proc/meminfo)" -gt 4000000 ]; then
    ran=$("$bin/mpiexec" -n 30000 ./linked | grep -c '^ran')
    [ "$ran" = 30000 ] || { echo "FAILED: $ran of 30000 ranks have run"; failures=$((failures + 1)); }
fi

# More ranks than there is memory for: the same, with figures. THRUM_MEMORY stands for the machine.
output=$(THRUM_MEMORY=100M "$bin/mpiexec" -n 20000 ./linked 2>&1)
code=$?
[ $code = 2 ] && printf '%s\n' "$output" |
    grep -Eq "20000 ranks of ./linked need at least [0-9]+ MiB of memory \([0-9.]+ KiB each.*but 100 MiB are available \(THRUM_MEMORY\), enough for [0-9]+ ranks. Use fewer ranks, compile with --privatize.*THRUM_MEMORY=SIZE" &&
    ! printf '%s\n' "$output" | grep -q '^ran' ||
    { echo "FAILED: too many ranks for memory: exit code $code: $output"; failures=$((failures + 1)); }
[ "$(THRUM_MEMORY=100M "$bin/mpiexec" -n 1000 ./linked | grep -c '^ran')" = 1000 ] || { echo "FAILED: ranks that have enough memory"; failures=$((failures + 1)); }
[ "$(THRUM_MEMORY=unlimited "$bin/mpiexec" -n 20 ./linked | grep -c '^ran')" = 20 ] || { echo "FAILED: THRUM_MEMORY=unlimited"; failures=$((failures + 1)); }
output=$(THRUM_MEMORY=1M "$bin/mpiexec" -n 100 ./linked : -n 200 ./linked 2>&1)
{ [ $? = 2 ] && printf '%s\n' "$output" | grep -q '^thrum: 300 ranks of'; } || { echo "FAILED: memory of two programs: $output"; failures=$((failures + 1)); }
# The machine's own figure of available memory.
output=$("$bin/mpiexec" -n 2000000000 ./linked 2>&1)
printf '%s\n' "$output" | grep -Eq "2000000000 ranks of ./linked need at least [0-9.]+ GiB of memory .*available \((MemAvailable|the limit of memory control group)" ||
    { echo "FAILED: two thousand million ranks: $output"; failures=$((failures + 1)); }

# A program that could not be built has not been refused.
[ $refusals = 16 ] || { echo "FAILED: only $refusals of 16 programs were tried"; failures=$((failures + 1)); }
[ $failures = 0 ]
