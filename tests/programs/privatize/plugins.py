"""Libraries that ranks open with dlopen, compiled with --privatize and without, in programs of both kinds."""
import os
import unittest

from commands import BIN, CommandTest, mpiexec, run

MAIN = r'''
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int of_program = 70;
static void *handle;
static int rank;
#define FIND(type, name) ((type)dlsym(handle, name))
#define CHECK(c) do if (!(c)) { printf("rank %d: line %d: %s\n", rank, __LINE__, #c); exit(1); } while (0)

static void use_fresh(void) {
    int *number = FIND(int *, "number"), **pointer = FIND(int **, "pointer");
    CHECK(*number == 41 && *pointer == number); /* its constructor has added one */
    CHECK(*FIND(int **, "constant") == number);
    int (*next)(void) = FIND(int (*)(void), "next"), (*sum)(void) = FIND(int (*)(void), "sum");
    CHECK(next() == 1 && next() == 2);
    CHECK(sum() == 0);
    int *big = FIND(int *, "big");
    big[19999] = rank + 1;
    *number += rank;
    CHECK(FIND(int (*)(void), "of_the_program")() == 70);
    of_program += rank;
    CHECK(*FIND(int *(*)(void), "of_thread")() == 41 + rank);
}
static void use_again(void) {
    CHECK(*FIND(int *, "number") == 41 + rank && **FIND(int **, "pointer") == 41 + rank);
    CHECK(FIND(int (*)(void), "sum")() == rank + 1);
    CHECK(FIND(int (*)(void), "next")() == 3);
    CHECK(FIND(int (*)(void), "of_the_program")() == 70 + rank);
}
static void *thread(void *argument) {
    CHECK(FIND(int *(*)(void), "of_thread")() == FIND(int *, "number"));
    CHECK(FIND(int (*)(void), "sum")() == rank + 1);
    return argument;
}
static void ask_for_places(void) {
    Dl_info of_variable, of_function;
    int *number = FIND(int *, "number");
    void *next = dlsym(handle, "next");
    CHECK(dladdr(number, &of_variable) && dladdr(next, &of_function));
    CHECK(of_variable.dli_saddr == number && !strcmp(of_variable.dli_sname, "number"));
    CHECK(of_function.dli_saddr == next && !strcmp(of_function.dli_sname, "next"));
    CHECK(of_variable.dli_fbase == of_function.dli_fbase && strstr(of_variable.dli_fname, "libplugin.so"));
}
int main(int argc, char **argv) {
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int round = 0; round < 2; ++round) {
        of_program = 70;
        if (!(handle = dlopen("libplugin.so", RTLD_NOW))) {
            puts(dlerror());
            break;
        }
        use_fresh();
        ask_for_places();
        MPI_Barrier(MPI_COMM_WORLD);
        use_again();
        pthread_t t;
        CHECK(!pthread_create(&t, NULL, thread, NULL) && !pthread_join(t, NULL));
        MPI_Barrier(MPI_COMM_WORLD);
        CHECK(!dlclose(handle) && of_program == 70 + 2 * rank); /* its destructor has added rank */
    }
    if (handle)
        puts("right");
    MPI_Finalize();
    return 0;
}
'''
PLUGIN = r'''
#include <dlfcn.h>
extern int of_program;
int number = 40;
int *pointer = &number;
int *const constant = &number;
int big[20000];
static __thread int *thread_local_pointer = &number;
__attribute__((constructor)) static void construct(void) { ++number; }
__attribute__((destructor)) static void destruct(void) { of_program += number - 41; }
int next(void) { static int calls; return ++calls; }
int sum(void) { int s = 0; for (int i = 0; i < 20000; ++i) s += big[i]; return s; }
int of_the_program(void) { return of_program; }
int *of_thread(void) { return thread_local_pointer; }
'''
STATELESS = r'''
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    void *handle = dlopen("libplugin.so", RTLD_NOW);
    puts(handle ? "right" : dlerror());
    MPI_Finalize();
    return 0;
}
'''
CALLER = r'''
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    void *handle = dlopen("libplugin.so", RTLD_NOW);
    if (!handle) {
        puts(dlerror());
        return 1;
    }
    int (*step)(int) = (int (*)(int))dlsym(handle, "step");
    step(rank);
    MPI_Barrier(MPI_COMM_WORLD);
    int passed = step(1);
    printf("%s %d\n", passed == rank + 1 ? "right" : "wrong", passed);
    MPI_Finalize();
    return 0;
}
'''
SPAWNING = r'''
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
static int of_rank = 3;
int main(int argc, char **argv) {
    MPI_Comm parent, children;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL)
        MPI_Barrier(parent);
    for (int round = 0; round < 3; ++round) { /* later children get the places of earlier ones */
        if (parent == MPI_COMM_NULL) {
            MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 4, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
            MPI_Barrier(children);
        }
        void *handle = dlopen("libplugin.so", RTLD_NOW);
        int (*step)(int) = handle ? (int (*)(int))dlsym(handle, "step") : NULL;
        int first = step ? step(rank + of_rank) : -1;
        MPI_Barrier(parent == MPI_COMM_NULL ? children : parent);
        puts(step && first == rank + 3 && step(1) == rank + 4 && !dlclose(handle) ? "right" : "wrong");
        if (parent != MPI_COMM_NULL) {
            MPI_Barrier(parent);
            break;
        }
        MPI_Barrier(children);
        MPI_Comm_disconnect(&children);
    }
    if (parent != MPI_COMM_NULL)
        MPI_Comm_disconnect(&parent);
    MPI_Finalize();
    return 0;
}
'''
STEP_BY_LIBRARY = 'int add(int *, int); static int passed; int step(int n) { return add(&passed, n); }\n'
LIBRARY = 'static int all; int last; int add(int *to, int n) { all += n; last = n; *to += n; return *to == all ? all : -1; }\n'
CXX_PLUGIN = r'''
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
static std::map<std::string, int> table{{"passed", 0}};
struct Counter { int n; Counter() : n(table["passed"]) {} } static counter;
extern "C" int step(int n) try {
    table["passed"] += n;
    counter.n += n;
    if (counter.n != table["passed"])
        std::cout << "wrong" << std::endl;
    throw std::runtime_error(std::to_string(counter.n));
} catch (const std::exception &e) {
    std::cout << std::flush;
    return std::stoi(e.what());
}
'''
CLANG = {**os.environ, 'THRUM_CC': os.environ['THRUM_CLANG'],
         'THRUM_CXX': os.environ['THRUM_CLANG'].replace('clang', 'clang++')}
has_clang = run('sh', '-c', f'command -v {CLANG["THRUM_CC"]}')[0] == 0
BY_GS_BASE, PLAIN = '--privatize', '-g'


class Plugins(CommandTest):
    def library(self, kind, text=PLUGIN, *options, name='plugin', compiler='mpicc', suffix='.c', **surroundings):
        source = self.write(name + suffix, text)
        self.succeeds(run(BIN / compiler, kind, '-O1', '-g', '-fPIC', '-shared', source, f'-L{self.scratch}', *options,
                          '-o', self.scratch / f'lib{name}.so', '-Wl,-rpath,$ORIGIN', **surroundings))

    def program(self, kind, text=MAIN, *options, compiler='mpicc', suffix='.c', **surroundings):
        self.succeeds(run(BIN / compiler, kind, '-g', '-rdynamic', '-pthread', self.write('program' + suffix, text), *options,
                          '-o', self.scratch / 'program', '-Wl,-rpath,$ORIGIN', '-ldl', **surroundings))

    def says(self, text, *options, ranks=8, **surroundings):
        code, output, errors = mpiexec('-n', ranks, *options, self.scratch / 'program', **surroundings)
        self.assertEqual((code, set(output.splitlines()), errors), (0, {text}, ''))
        self.assertEqual(output.count('\n'), ranks)

    def test_each_kind_of_plugin_in_each_kind_of_program(self):
        for of_program in (BY_GS_BASE, PLAIN):
            for of_plugin in (BY_GS_BASE, PLAIN):
                for level in ('-O0', '-O2'):
                    with self.subTest(program=of_program, plugin=of_plugin, level=level):
                        self.library(of_plugin, PLUGIN, level)
                        self.program(of_program, MAIN, level)
                        for options in (['--workers', '1'], ['--workers', '2'], ['--threads=os']):
                            self.says('right', *options)
                        self.says('right', ranks=64)
                        self.says('right', ranks=1)

    @unittest.skipUnless(has_clang, 'no clang')
    def test_plugins_of_the_other_compiler(self):
        self.library(BY_GS_BASE, env=CLANG)
        self.program(BY_GS_BASE)
        self.says('right')
        self.program(BY_GS_BASE, env=CLANG)
        self.says('right')

    def test_processors_without_instructions_for_gs_base(self):
        self.library(BY_GS_BASE)
        self.program(BY_GS_BASE)
        self.says('right', env={**os.environ, 'THRUM_FSGSBASE': '0'})

    def test_thousands_of_ranks_open_one(self):
        self.library(BY_GS_BASE)
        self.program(BY_GS_BASE)
        self.says('right', ranks=3000, timeout=200)

    def test_libraries_that_a_plugin_needs(self):
        for of_library in (BY_GS_BASE, PLAIN):
            with self.subTest(library=of_library):
                self.library(of_library, LIBRARY, name='needed')
                self.library(BY_GS_BASE, STEP_BY_LIBRARY, '-lneeded')
                self.program(BY_GS_BASE, CALLER)
                code, output, errors = mpiexec('-n', 8, self.scratch / 'program')
                self.assertEqual((code, sorted(output.splitlines()), errors), (0, [f'right {n}' for n in range(1, 9)], ''))

    def test_a_library_of_the_program_serves_its_plugins(self):
        """The program's variables are in two places far from each other then."""
        self.library(BY_GS_BASE, 'static int all; int count(int n) { return all += n; }', name='needed')
        self.library(BY_GS_BASE, 'int count(int); static int calls; int step(int n) { return ++calls == 1 ? count(n) : -1; }',
                     '-lneeded')
        self.program(BY_GS_BASE, CALLER.replace('int main', 'int count(int);\nint main').replace('step(rank)', 'count(rank)'),
                     f'-L{self.scratch}', '-lneeded')
        code, output, errors = mpiexec('-n', 8, self.scratch / 'program')
        self.assertEqual((code, sorted(output.splitlines()), errors), (0, [f'right {n}' for n in range(1, 9)], ''))

    def test_spawned_ranks_open_plugins(self):
        for kind in (BY_GS_BASE, PLAIN):
            with self.subTest(plugin=kind):
                self.library(kind, 'static int passed; int step(int n) { return passed += n; }')
                self.program(BY_GS_BASE, SPAWNING)
                code, output, errors = mpiexec('-n', 2, self.scratch / 'program')
                self.assertEqual((code, output.split(), errors), (0, ['right'] * (3 * 2 + 3 * 4), ''))

    def test_plugins_in_cxx(self):
        """In a program in C++, whose standard streams they use, and in one in C, that brings no C++ library."""
        for kind in (BY_GS_BASE, PLAIN):
            self.library(kind, CXX_PLUGIN, compiler='mpicxx', suffix='.cc')
            for compiler, suffix in (('mpicxx', '.cc'), ('mpicc', '.c')):
                with self.subTest(plugin=kind, program=compiler):
                    self.program(BY_GS_BASE, CALLER, compiler=compiler, suffix=suffix)
                    code, output, errors = mpiexec('-n', 8, self.scratch / 'program')
                    self.assertEqual((code, sorted(output.splitlines()), errors),
                                     (0, [f'right {n}' for n in range(1, 9)], ''))

    def test_one_that_is_privatised_in_part_is_refused(self):
        objects = []
        for name, text, kind in (('one', PLUGIN, BY_GS_BASE), ('two', 'int plain; int more(void) { return ++plain; }', PLAIN)):
            objects.append(self.scratch / f'{name}.o')
            self.succeeds(run(BIN / 'mpicc', kind, '-fPIC', '-c', self.write(f'{name}.c', text), '-o', objects[-1]))
        link = ['-shared', *objects, '-o', self.scratch / 'libplugin.so']
        self.fails(run(BIN / 'mpicc', '--privatize', *link), 1, 'two.o', "'plain'")
        self.succeeds(run(BIN / 'mpicc', *link))
        text = STATELESS.replace('int main', 'int of_program;\nint main')
        self.program(PLAIN, text)
        self.says('right')
        self.program(BY_GS_BASE, text)
        self.says(f'{self.scratch}/libplugin.so: contains objects compiled with --privatize, but was linked without it: '
                  'link it with mpicc --privatize, too, or compile all of it without')

    def test_one_whose_variables_want_more_alignment_than_the_programs_is_refused(self):
        self.library(BY_GS_BASE, '_Alignas(1 << 14) int large; int of_large(void) { return ++large; }')
        self.program(BY_GS_BASE, STATELESS)
        code, output, errors = mpiexec('-n', 2, self.scratch / 'program')
        self.assertEqual((code, errors), (0, ''))
        self.assertIn('aligned to 16384 bytes', output)
        self.assertIn('compile it without --privatize', output)

    def test_crash_reports_have_lines(self):
        self.library(BY_GS_BASE, 'static int *volatile nowhere;\nint step(int n) {\n    return *nowhere + n;\n}\n')
        self.program(BY_GS_BASE, CALLER)
        code, _, errors = mpiexec('-n', 3, self.scratch / 'program')
        self.assertEqual(code, 139)
        self.assertRegex(errors, r'segmentation fault.*step.*plugin.c:3')


if __name__ == '__main__':
    unittest.main()
