#!/bin/sh
# dlopen in odd ways: where plug-ins are searched, what their symbols are bound to, thread-local
# storage, closing and opening again, what is refused. Each program also runs as one rank, where the C
# library itself answers.
#
# Usage: plugins.sh BIN WORK      BIN: folder of mpicc and mpiexec; WORK: a folder for the programs
here=$(cd "$(dirname "$0")" && pwd)
bin=$1 work=$2
mkdir -p "$work" && cd "$work" || exit 1
work=$(pwd)
include="-I$here/../../harness"
failures=0

complain() {
    echo "FAILED: $*"
    cat out
    failures=$((failures + 1))
}

# run CODE ARGUMENTS...: mpiexec in every mode ends with this code; its output is left in `out`.
run() {
    wanted=$1
    shift
    for mode in "--workers 1" "--workers 2" "--threads=os"; do
        timeout 100 "$bin/mpiexec" $mode "$@" >out 2>&1 </dev/null
        code=$?
        [ $code = "$wanted" ] || complain "mpiexec $mode $*: exit code $code, expected $wanted"
    done
}

# expect COUNT REGEX: so many lines of the last output match.
expect() {
    seen=$(grep -Ec -- "$2" out)
    [ "$seen" = "$1" ] || complain "$seen lines, expected $1, match: $2"
}

# program NAME FLAGS...: from standard input, with a common beginning.
program() {
    name=$1
    shift
    cat >"$name.c" <<'END'
#define _GNU_SOURCE
#include "check.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int rank, size;
static void start(int *argc, char ***argv) {
    int level;
    MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
}
static void *find(void *handle, const char *name) {
    void *found = dlsym(handle, name);
    if (!found)
        printf("rank %d: %s\n", rank, dlerror());
    return found;
}
static inline int call(void *handle, const char *name) { return ((int (*)(void))find(handle, name))(); }
static inline void *load(const char *name, int flags) {
    void *handle = dlopen(name, flags);
    if (!handle)
        printf("rank %d: %s\n", rank, dlerror());
    CHECK(handle != NULL);
    return handle;
}
END
    cat >>"$name.c"
    "$bin/mpicc" $include -g -O1 -pthread -o "$name" "$name.c" "$@" || exit 1
}

# library FILE FLAGS...: from standard input.
library() {
    file=$1
    shift
    source=$(basename "$file" .so).c
    cat >"$source"
    gcc -g -O1 -fPIC -shared -o "$file" "$source" "$@" || exit 1
}

# Where: RUNPATH with $ORIGIN of the program, of a plug-in that opens another, RPATH, LD_LIBRARY_PATH, a
# path relative to the directory of the rank.
mkdir -p near far other one two three
echo 'static int n = 10; int near_next(void) { return ++n; }' | library near/libnear.so
echo 'static int n = 20; int far_next(void) { return ++n; }' | library near/../far/libfar.so
library near/libopener.so '-Wl,-rpath,$ORIGIN/../far' <<'END'
#include <dlfcn.h>
int opener_next(void) {
    void *handle = dlopen("libfar.so", RTLD_NOW);
    return handle ? ((int (*)(void))dlsym(handle, "far_next"))() : -1;
}
END
echo 'static int n = 30; int other_next(void) { return ++n; }' | library other/libother.so
for d in one two three; do echo "int which(void) { return sizeof \"$d\"; }" | library $d/libwhich.so; done
program search '-Wl,-rpath,$ORIGIN/near' <<'END'
int main(int argc, char **argv) {
    start(&argc, &argv);
    void *near = load("libnear.so", RTLD_NOW);
    for (int i = 0; i < rank; ++i)
        call(near, "near_next");
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_EQUAL(call(near, "near_next"), 11 + rank);
    CHECK_EQUAL(call(load("libother.so", RTLD_NOW), "other_next"), 31);
    CHECK(!dlopen("libfar.so", RTLD_NOW) && dlerror()); // only the plug-in finds it
    void *opener = load("libopener.so", RTLD_NOW);
    CHECK_EQUAL(call(opener, "opener_next"), 21);
    CHECK_EQUAL(call(opener, "opener_next"), 22);
    const char *folders[] = {"one", "two", "three"};
    CHECK_EQUAL(chdir(folders[rank % 3]), 0);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_EQUAL(call(load("./libwhich.so", RTLD_NOW), "which"), (int)strlen(folders[rank % 3]) + 1);
    CHECK_EQUAL(call(load("../near/libnear.so", RTLD_NOW), "near_next"), 12 + rank);
    MPI_Finalize();
    return 0;
}
END
LD_LIBRARY_PATH=$work/other
export LD_LIBRARY_PATH
for n in 1 2 7; do run 0 -n $n ./search; done
unset LD_LIBRARY_PATH
program search_by_rpath <<'END'
int main(int argc, char **argv) {
    start(&argc, &argv);
    CHECK_EQUAL(call(load("libfar.so", RTLD_NOW), "far_next"), 21);
    CHECK_EQUAL(call(load("libnear.so", RTLD_NOW), "near_next"), 11);
    MPI_Finalize();
    return 0;
}
END
# mpicc's own --enable-new-dtags, which comes last, would make it RUNPATH.
eval "$("$bin/mpicc" -show $include -g -O1 -pthread -o search_by_rpath search_by_rpath.c \
    '-Wl,--disable-new-dtags,-rpath,$ORIGIN/near:$ORIGIN/far' | sed 's/ -Wl,--enable-new-dtags//')" || exit 1
readelf -d search_by_rpath | grep -q '(RPATH)' || { echo "FAILED: no RPATH"; exit 1; }
for n in 1 3; do run 0 -n $n ./search_by_rpath; done

# Bindings: RTLD_GLOBAL of one rank is not another's; undefined symbols; RTLD_DEEPBIND; RTLD_NEXT;
# versions; -Bsymbolic.
library libgiver.so <<'END'
static int given;
int give(void) { return 100 + ++given; }
END
library libtaker.so <<'END'
int give(void);
int take(void) { return give(); }
int idle(void) { return 7; }
END
library libdefault.so <<'END'
extern int not_there;
int use(void) { return not_there; }
END
library libdeep.so <<'END'
int common(void) { return 2; }
int call_common(void) { return common(); }
END
cp libdeep.so libdeep2.so
echo 'int common(void) { return 3; } int call_common(void) { return common(); }' | library libsymbolic.so -Wl,-Bsymbolic
library libnext.so <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
int chain(void) {
    int (*next)(void) = (int (*)(void))dlsym(RTLD_NEXT, "chain");
    return next ? 1000 + next() : -1;
}
END
echo 'int chain(void) { return 5; }' | library liblast.so
rm libnext.so && gcc -g -fPIC -shared -o libnext.so libnext.c -Wl,--no-as-needed -L. -llast '-Wl,-rpath,$ORIGIN'
echo 'OLD { global: versioned; }; NEW { global: versioned; } OLD;' >versions
library libversions.so -Wl,--version-script=versions <<'END'
static int old_calls, new_calls;
__asm__(".symver old_versioned, versioned@OLD\n.symver new_versioned, versioned@@NEW");
int old_versioned(void) { return 10 + ++old_calls; }
int new_versioned(void) { return 20 + ++new_calls; }
END
program bindings -rdynamic '-Wl,-rpath,$ORIGIN' <<'END'
int common(void) { return 1; }
int main(int argc, char **argv) {
    start(&argc, &argv);
    if (rank % 2 == 0) {
        load("libgiver.so", RTLD_NOW | RTLD_GLOBAL);
        void *taker = load("libtaker.so", RTLD_NOW);
        MPI_Barrier(MPI_COMM_WORLD);
        CHECK_EQUAL(call(taker, "take"), 101);
        CHECK_EQUAL(call(taker, "take"), 102);
        CHECK_EQUAL(((int (*)(void))dlsym(RTLD_DEFAULT, "give"))(), 103);
    } else {
        load("libgiver.so", RTLD_NOW | RTLD_LOCAL);
        MPI_Barrier(MPI_COMM_WORLD);
        CHECK(!dlopen("libtaker.so", RTLD_NOW));
        const char *message = dlerror();
        CHECK(strstr(message, "libtaker.so") && strstr(message, "undefined symbol: give"));
        CHECK(!dlsym(RTLD_DEFAULT, "give"));
        // The function is not called.
        CHECK_EQUAL(call(load("libtaker.so", RTLD_LAZY), "idle"), 7);
    }
    CHECK(!dlopen("libdefault.so", RTLD_LAZY) && strstr(dlerror(), "undefined symbol: not_there"));
    CHECK_EQUAL(call(load("libdeep.so", RTLD_NOW), "call_common"), 1);
    CHECK_EQUAL(call(load("libdeep2.so", RTLD_NOW | RTLD_DEEPBIND), "call_common"), 2);
    CHECK_EQUAL(call(load("libsymbolic.so", RTLD_NOW), "call_common"), 3);
    CHECK_EQUAL(call(load("libnext.so", RTLD_NOW), "chain"), 1005);
    void *versions = load("libversions.so", RTLD_NOW);
    int (*old_one)(void) = (int (*)(void))dlvsym(versions, "versioned", "OLD");
    CHECK(old_one && !dlvsym(versions, "versioned", "NEWER") && strstr(dlerror(), "NEWER"));
    CHECK(dlvsym(versions, "versioned", "NEW") == dlsym(versions, "versioned"));
    for (int i = 0; i < rank; ++i)
        old_one();
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_EQUAL(old_one(), 11 + rank);
    CHECK_EQUAL(call(versions, "versioned"), 21);
    MPI_Finalize();
    return 0;
}
END
# As one rank too, but there RTLD_LAZY is the C library's.
for n in 1 2 7; do run 0 -n $n ./bindings; done
program unresolved '-Wl,-rpath,$ORIGIN' <<'END'
int main(int argc, char **argv) {
    start(&argc, &argv);
    call(load("libtaker.so", RTLD_LAZY), "take");
    return 0;
}
END
run 127 -n 2 ./unresolved
expect 1 'symbol lookup error.*is not defined'

# Thread-local storage: threads that were there before, initial-exec, closing and opening again.
cat >tls.c <<'END'
static int variable = 5;
__thread int *pointer = &variable, counter = 3, zero, many[MANY];
int check(int rank) {
    if (pointer != &variable || counter != 3 || zero || many[MANY - 1])
        return 0;
    counter = zero = many[MANY - 1] = rank;
    return 1;
}
int again(int rank) { return pointer == &variable && counter == rank && zero == rank && many[MANY - 1] == rank; }
END
gcc -g -O1 -fPIC -shared -DMANY=3000 -o libdynamic.so tls.c || exit 1
gcc -g -O1 -fPIC -shared -DMANY=3000 -mtls-dialect=gnu2 -o libdescriptors.so tls.c || exit 1
gcc -g -O1 -fPIC -shared -DMANY=30 -ftls-model=initial-exec -o libinitial.so tls.c || exit 1
program threads '-Wl,-rpath,$ORIGIN' <<'END'
static pthread_barrier_t barrier;
static void *handle;
static int rounds = 3;
static pthread_barrier_t started;
static void use(void) {
    int (*check)(int) = (int (*)(int))find(handle, "check"), (*again)(int) = (int (*)(int))find(handle, "again");
    CHECK(check(rank));
    sched_yield();
    CHECK(again(rank));
}
static void *later(void *argument) {
    (void)argument;
    use();
    return NULL;
}
static void *before(void *argument) {
    (void)argument;
    pthread_barrier_wait(&started);
    for (int i = 0; i < rounds; ++i) {
        pthread_barrier_wait(&barrier); // open
        use();
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}
int main(int argc, char **argv) {
    pthread_t threads[2], more;
    start(&argc, &argv);
    pthread_barrier_init(&barrier, NULL, 3);
    pthread_barrier_init(&started, NULL, 3);
    for (int i = 0; i < 2; ++i)
        pthread_create(&threads[i], NULL, before, NULL);
    pthread_barrier_wait(&started);
    for (int i = 0; i < rounds; ++i) {
        if (i == 0)
            MPI_Barrier(MPI_COMM_WORLD); // later, ranks open and close while others have it open
        handle = load(argv[1], RTLD_NOW);
        pthread_barrier_wait(&barrier);
        use();
        pthread_create(&more, NULL, later, NULL);
        pthread_join(more, NULL);
        pthread_barrier_wait(&barrier);
        CHECK_EQUAL(dlclose(handle), 0);
        CHECK(!dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD));
    }
    for (int i = 0; i < 2; ++i)
        pthread_join(threads[i], NULL);
    MPI_Finalize();
    return 0;
}
END
for n in 1 2 6; do run 0 -n $n ./threads libdynamic.so; run 0 -n $n ./threads libinitial.so; done
run 1 -n 2 ./threads libdescriptors.so
expect 2 'libdescriptors.so: its thread-local variables use TLS descriptors.*-mtls-dialect=gnu'

# Closing: what stays, a file that has been replaced, many times.
echo 'static int n; int next(void) { return ++n; }' | library libstay.so -Wl,-z,nodelete
echo 'static int n; int next(void) { return ++n; }' | library libgo.so
echo 'static int n = 50; int next(void) { return ++n; }' | library libnew.so
program closing '-Wl,-rpath,$ORIGIN' <<'END'
int main(int argc, char **argv) {
    start(&argc, &argv);
    void *stay = load("libstay.so", RTLD_NOW), *flag = load("libnew.so", RTLD_NOW | RTLD_NODELETE);
    CHECK(call(stay, "next") == 1 && call(flag, "next") == 51);
    CHECK(dlclose(stay) == 0 && dlclose(flag) == 0);
    CHECK(dlopen("libstay.so", RTLD_NOW | RTLD_NOLOAD) == stay && call(stay, "next") == 2);
    CHECK(load("libnew.so", RTLD_NOW) == flag && call(flag, "next") == 52);
    for (int i = 0; i < 30; ++i) {
        void *go = load("libgo.so", RTLD_NOW);
        CHECK_EQUAL(call(go, "next"), 1);
        CHECK_EQUAL(call(go, "next"), 2);
        CHECK_EQUAL(dlclose(go), 0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    const char *versions[] = {"cp libgo.so libchanging.so", "cp libnew.so libchanging.so"};
    for (int i = 0; i < 2; ++i) {
        if (rank == 0)
            CHECK_EQUAL(system(versions[i]), 0);
        MPI_Barrier(MPI_COMM_WORLD);
        void *changing = load("./libchanging.so", RTLD_NOW);
        CHECK_EQUAL(call(changing, "next"), 1 + 50 * i);
        CHECK_EQUAL(dlclose(changing), 0);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
END
for n in 1 2 40; do run 0 -n $n ./closing; done

# By a constructor, before there are ranks; by constructors and destructors of plug-ins; at the end.
echo 'int base_value = 1; int base(void) { return base_value++; }' | library libbase.so
library libnested.so '-Wl,-rpath,$ORIGIN' <<'END'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
static void *base;
static int seen;
static void at_exit(void) { puts("handler of the plug-in"); }
__attribute__((constructor)) static void construct(void) {
    base = dlopen("libbase.so", RTLD_NOW);
    seen = ((int (*)(void))dlsym(base, "base"))();
    atexit(at_exit);
}
__attribute__((destructor)) static void destruct(void) {
    printf("end of the plug-in: %d\n", ((int (*)(void))dlsym(base, "base"))());
    dlclose(base);
}
int nested(void) { return seen; }
END
program nesting '-Wl,-rpath,$ORIGIN' <<'END'
static void *early;
__attribute__((constructor)) static void construct(void) { early = dlopen("libbase.so", RTLD_NOW); }
int main(int argc, char **argv) {
    start(&argc, &argv);
    CHECK(early != NULL);
    CHECK_EQUAL(call(early, "base"), 1);
    void *nested = load("libnested.so", RTLD_NOW);
    CHECK_EQUAL(call(nested, "nested"), 2);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_EQUAL(call(early, "base"), 3);
    if (argc > 1)
        CHECK_EQUAL(dlclose(nested), 0);
    CHECK_EQUAL(printf("rank %d ends\n", rank) < 0, 0);
    MPI_Finalize();
    return 0;
}
END
for n in 1 2 7; do
    run 0 -n $n ./nesting
    expect $n '^handler of the plug-in$'
    expect $n '^end of the plug-in: 4$'
    run 0 -n $n ./nesting close
    expect $n '^end of the plug-in: 4$'
done

# Two libraries of one name in different folders. Each rank gets what a process would: the one that its
# plug-in finds, or the first of the name that it has loaded itself, whatever other ranks have.
mkdir -p a b
library a/libtwin.so -Wl,-soname,libtwin.so <<'END'
static int n = 100;
int twin(void) { return ++n; }
END
library b/libtwin.so -Wl,-soname,libtwin.so <<'END'
static int n = 200;
int of_b = 7;
int twin(void) { return ++n; }
int only_in_b(void) { return of_b++; }
END
echo 'int twin(void); int use_a(void) { return twin(); }' | library libuse_a.so a/libtwin.so '-Wl,-rpath,$ORIGIN/a'
library libuse_b.so b/libtwin.so '-Wl,-rpath,$ORIGIN/b' <<'END'
extern int of_b;
int twin(void), only_in_b(void);
int use_b(void) { return twin(); }
int use_only_b(void) {
    int before = only_in_b();
    return before + 10 * of_b;
}
END
echo 'int twin(void); int use_loaded(void) { return twin(); }' | library libuse_loaded.so a/libtwin.so
program twins '-Wl,-rpath,$ORIGIN' <<'END'
static void close_all(void **handles, int count) {
    for (int i = 0; i < count; ++i)
        CHECK_EQUAL(dlclose(handles[i]), 0);
}
static void open_a(void) {
    void *h[] = {load("libuse_a.so", RTLD_NOW), NULL};
    CHECK_EQUAL(call(h[0], "use_a"), 101);
    CHECK(h[1] = load("libuse_loaded.so", RTLD_NOW)); // finds no file of the name, but has it
    CHECK_EQUAL(call(h[1], "use_loaded"), 102);
    MPI_Barrier(MPI_COMM_WORLD);
    close_all(h, 2);
}
static void open_b(void) {
    void *h[] = {load("libuse_b.so", RTLD_NOW)};
    CHECK_EQUAL(call(h[0], "use_b"), 201);
    CHECK_EQUAL(call(h[0], "use_only_b"), 87);
    CHECK_EQUAL(call(h[0], "only_in_b"), 8); // dlsym looks in what it needs, too
    MPI_Barrier(MPI_COMM_WORLD);
    close_all(h, 1);
}
static void open_both(void) { // the first of the name serves the second, too
    void *h[] = {load("libuse_b.so", RTLD_NOW), NULL, NULL};
    CHECK(h[1] = load("libuse_a.so", RTLD_NOW));
    CHECK(h[2] = load("libtwin.so", RTLD_NOW));
    CHECK_EQUAL(call(h[0], "use_b"), 201);
    CHECK_EQUAL(call(h[1], "use_a"), 202);
    CHECK_EQUAL(call(h[2], "twin"), 203);
    MPI_Barrier(MPI_COMM_WORLD);
    close_all(h, 3);
}
static void open_both_by_path(void) { // two libraries
    void *h[] = {load("./a/libtwin.so", RTLD_NOW), NULL, NULL};
    CHECK(h[1] = load("./b/libtwin.so", RTLD_NOW));
    CHECK(!dlopen("libuse_b.so", RTLD_NOW)); // gets the first, which is not enough for it
    CHECK(strstr(dlerror(), "undefined symbol") != NULL);
    CHECK(h[2] = load("libuse_a.so", RTLD_NOW));
    CHECK_EQUAL(call(h[1], "twin"), 201);
    CHECK_EQUAL(call(h[0], "twin"), 101);
    CHECK_EQUAL(call(h[2], "use_a"), 102);
    MPI_Barrier(MPI_COMM_WORLD);
    close_all(h, 3);
}
static void open_none(void) {
    CHECK(!dlopen("libuse_loaded.so", RTLD_NOW));
    CHECK(strstr(dlerror(), "libtwin.so") != NULL);
    MPI_Barrier(MPI_COMM_WORLD);
}
int main(int argc, char **argv) {
    void (*const ways[])(void) = {open_a, open_b, open_both, open_both_by_path, open_none};
    start(&argc, &argv);
    // All at once; one after the other; and in the other order: who comes first decides for nobody else.
    for (int round = 0; round < 3; ++round)
        for (int turn = 0; turn < (round ? size : 1); ++turn) {
            if (!round || turn == (round == 1 ? rank : size - 1 - rank))
                ways[(rank + atoi(argv[1])) % 5]();
            else
                MPI_Barrier(MPI_COMM_WORLD);
            MPI_Barrier(MPI_COMM_WORLD);
        }
    MPI_Finalize();
    return 0;
}
END
for kind in 0 1 2 3 4; do
    run 0 -n 1 ./twins $kind
    run 0 -n 8 ./twins $kind
done

# Libraries that the C library loads for itself; a library that the user wants shared; iconv in every rank.
echo 'static int n; int next(void) { return __atomic_add_fetch(&n, 1, 5); }' | library libtogether.so
program of_the_c_library '-Wl,-rpath,$ORIGIN' <<'END'
#include <iconv.h>
#include <netdb.h>
#include <pwd.h>
int main(int argc, char **argv) {
    start(&argc, &argv);
    iconv_t to_utf16 = iconv_open("UTF-16LE", "ISO-8859-15");
    CHECK(to_utf16 != (iconv_t)-1);
    char in[] = "abc", out[16] = "", *from = in, *to = out;
    size_t in_bytes = 3, out_bytes = sizeof out;
    CHECK_EQUAL(iconv(to_utf16, &from, &in_bytes, &to, &out_bytes), 0);
    CHECK(!memcmp(out, "a\0b\0c\0", 6));
    iconv_close(to_utf16);
    CHECK(getpwuid(0) && !strcmp(getpwuid(0)->pw_name, "root"));
    struct addrinfo *list = NULL, hints = {.ai_flags = AI_NUMERICHOST};
    CHECK_EQUAL(getaddrinfo("127.0.0.1", "80", &hints, &list), 0);
    freeaddrinfo(list);
    int mine = call(load("libtogether.so", RTLD_NOW), "next"), sum = 0;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK_EQUAL(sum, getenv("THRUM_SHARED") ? size * (size + 1) / 2 : size);
    MPI_Finalize();
    return 0;
}
END
for n in 1 2 7; do run 0 -n $n ./of_the_c_library; done
THRUM_SHARED=libtogether run 0 -n 7 -x THRUM_SHARED ./of_the_c_library

# A further program of the job: its plug-ins see its symbols.
echo 'extern int shared_name; int read_name(void) { return ++shared_name; }' | library libreads.so
for p in 1 2; do
    program reads$p -rdynamic '-Wl,-rpath,$ORIGIN' -DPROGRAM=$p <<'END'
int shared_name = 100 * PROGRAM;
int main(int argc, char **argv) {
    start(&argc, &argv);
    for (int i = 0; i < rank; ++i)
        ++shared_name;
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_EQUAL(call(load("libreads.so", RTLD_NOW), "read_name"), 100 * PROGRAM + rank + 1);
    CHECK(dlsym(RTLD_DEFAULT, "shared_name") == &shared_name);
    MPI_Finalize();
    return 0;
}
END
done
run 0 -n 2 ./reads1 : -n 2 ./reads2
"$bin/mpicc" $include -g -O1 -o reads3 reads2.c -rdynamic '-Wl,-rpath,$ORIGIN' -Dshared_name=not_shared -DPROGRAM=3 || exit 1
run 1 -n 1 ./reads2 : -n 1 ./reads3
expect 1 'rank 1: .*libreads.so: undefined symbol: shared_name'

# A crash in a plug-in tells function and line.
library libcrash.so <<'END'
int *volatile nowhere;
void crash_here(void) {
    *nowhere = 1;
}
END
program crash '-Wl,-rpath,$ORIGIN' <<'END'
int main(int argc, char **argv) {
    start(&argc, &argv);
    void *handle = load("libcrash.so", RTLD_NOW);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 2)
        ((void (*)(void))find(handle, "crash_here"))();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
END
run 139 -n 3 ./crash
expect 1 'rank 2: segmentation fault.*crash_here \(libcrash.c:3\)'

# Libraries that cannot have copies.
printf '.data\n.globl where\nwhere: .quad 0\n.text\n.globl code\ncode: .quad where\n.section .note.GNU-stack,"",@progbits\n' >text.s
gcc -shared -Wl,-z,notext -o libtext.so text.s 2>/dev/null || exit 1
program unsuitable '-Wl,-rpath,$ORIGIN' <<'END'
int main(int argc, char **argv) {
    start(&argc, &argv);
    CHECK(!dlopen("libtext.so", RTLD_NOW));
    const char *message = dlerror();
    CHECK(strstr(message, "libtext.so") && strstr(message, "text relocations") && strstr(message, "-fPIC"));
    CHECK(!dlopen("./unsuitable.c", RTLD_NOW) && strstr(dlerror(), "invalid ELF header"));
    CHECK(!dlmopen(LM_ID_NEWLM, "libbase.so", RTLD_NOW) && strstr(dlerror(), "dlmopen"));
    MPI_Finalize();
    return 0;
}
END
run 0 -n 3 ./unsuitable

[ $failures = 0 ]
