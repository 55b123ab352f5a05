"""Programs that are built for Open MPI or MPICH run as they are. They are compiled with headers that have the interface of those,
made from the same tables as the fronts: tests/fronts/ runs whole programs, `make test-fronts` packages of the distribution."""
import os
import re
import shutil
import unittest

from commands import BIN, HELLO, TREE, CommandTest, body, mpiexec, names, run

LIBRARIES = TREE / 'lib'
TOOL = r'''
#include <mpi.h>
#include <stdio.h>
int MPI_Barrier(MPI_Comm comm) { fprintf(stderr, "the tool sees a barrier\n"); return PMPI_Barrier(comm); }
'''
# Both sides of a job send an int to the next rank, and add all ranks.
PARTNER = body('''
    int got = -1, sum = 0;
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 7, &got, 1, MPI_INT, (rank + size - 1) % size, MPI_ANY_TAG, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (got != (rank + size - 1) % size || sum != size * (size - 1) / 2) return 3''')


PING = HELLO.replace('MPI_Finalize', '''for (int i = 0; i < atoi(argv[1]); ++i) {
        if (rank == 0)
            MPI_Send(&i, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(&size, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 1)
            MPI_Send(&size, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize''')


# The ten functions that MPI 3.0 removed. BOUND is the datatype MPI_UB.
REMOVED = r'''
#include <mpi.h>
#include <stddef.h>
int MPI_Address(void *, MPI_Aint *), MPI_Type_extent(MPI_Datatype, MPI_Aint *), MPI_Type_lb(MPI_Datatype, MPI_Aint *),
    MPI_Type_ub(MPI_Datatype, MPI_Aint *), MPI_Type_hvector(int, int, MPI_Aint, MPI_Datatype, MPI_Datatype *),
    MPI_Type_hindexed(int, int *, MPI_Aint *, MPI_Datatype, MPI_Datatype *), MPI_Errhandler_set(MPI_Comm, MPI_Errhandler),
    MPI_Type_struct(int, int *, MPI_Aint *, MPI_Datatype *, MPI_Datatype *), MPI_Errhandler_get(MPI_Comm, MPI_Errhandler *),
    MPI_Errhandler_create(void (*)(MPI_Comm *, int *, ...), MPI_Errhandler *);
static int handled;
static void handle(MPI_Comm *comm, int *code, ...) { handled += *comm == MPI_COMM_SELF && *code == MPI_ERR_TAG; }
int main(void) {
    int lengths[3] = {1, 2, 1}, size, wrong = 0;
    char bytes[64];
    MPI_Aint places[3] = {0, 8, 40}, first, second, extent, lower, upper;
    MPI_Datatype types[3] = {MPI_INT, MPI_DOUBLE, BOUND}, made;
    MPI_Errhandler handler, got;
    MPI_Init(NULL, NULL);
    MPI_Address(bytes, &first), MPI_Address(bytes + 5, &second);
    wrong += second - first != 5;
    MPI_Type_struct(3, lengths, places, types, &made);
    MPI_Type_extent(made, &extent), MPI_Type_lb(made, &lower), MPI_Type_ub(made, &upper), MPI_Type_size(made, &size);
    wrong += extent != 40 || lower != 0 || upper != 40 || size != 20;
    MPI_Type_free(&made), MPI_Type_struct(2, lengths, places, types, &made), MPI_Type_extent(made, &extent);
    wrong += extent != 24;
    MPI_Type_free(&made), MPI_Type_hvector(2, 1, 16, MPI_INT, &made), MPI_Type_extent(made, &extent);
    wrong += extent != 20;
    MPI_Type_free(&made), MPI_Type_hindexed(2, lengths, places, MPI_INT, &made), MPI_Type_extent(made, &extent);
    wrong += extent != 16;
    MPI_Type_free(&made);
    MPI_Errhandler_create(handle, &handler), MPI_Errhandler_set(MPI_COMM_SELF, handler), MPI_Errhandler_get(MPI_COMM_SELF, &got);
    MPI_Send(bytes, 1, MPI_CHAR, 0, -9, MPI_COMM_SELF);
    wrong += handled != 1;
    MPI_Errhandler_free(&got), MPI_Errhandler_free(&handler);
    MPI_Finalize();
    return wrong;
}
'''

# The same in Fortran, where they have INTEGERs for addresses. BOUND is MPI_UB's number.
REMOVED_IN_FORTRAN = '''
program removed
  implicit none
  include 'mpif.h'
  integer :: lengths(3) = [1, 2, 1], places(3) = [0, 8, 40], types(3), made, extent, lower, upper, bytes
  integer :: first, second, handler, got, ierr, numbers(2), handled
  common /counted/ handled
  external :: handle
  types = [MPI_INTEGER, MPI_DOUBLE_PRECISION, BOUND]
  handled = 0
  call MPI_INIT(ierr)
  call MPI_ADDRESS(numbers(1), first, ierr)
  call MPI_ADDRESS(numbers(2), second, ierr)
  if (second - first /= 4) stop 1
  call MPI_TYPE_STRUCT(3, lengths, places, types, made, ierr)
  call MPI_TYPE_EXTENT(made, extent, ierr)
  call MPI_TYPE_LB(made, lower, ierr)
  call MPI_TYPE_UB(made, upper, ierr)
  call MPI_TYPE_SIZE(made, bytes, ierr)
  if (extent /= 40 .or. lower /= 0 .or. upper /= 40 .or. bytes /= 20) stop 2
  call MPI_TYPE_FREE(made, ierr)
  call MPI_TYPE_HVECTOR(2, 1, 16, MPI_INTEGER, made, ierr)
  call MPI_TYPE_EXTENT(made, extent, ierr)
  if (extent /= 20) stop 3
  call MPI_TYPE_FREE(made, ierr)
  call MPI_TYPE_HINDEXED(2, lengths, places, MPI_INTEGER, made, ierr)
  call MPI_TYPE_EXTENT(made, extent, ierr)
  if (extent /= 16) stop 4
  call MPI_TYPE_FREE(made, ierr)
  call MPI_ERRHANDLER_CREATE(handle, handler, ierr)
  call MPI_ERRHANDLER_SET(MPI_COMM_SELF, handler, ierr)
  call MPI_ERRHANDLER_GET(MPI_COMM_SELF, got, ierr)
  call MPI_SEND(numbers, 1, MPI_INTEGER, 0, -9, MPI_COMM_SELF, ierr)
  if (handled /= 1) stop 5
  call MPI_ERRHANDLER_FREE(got, ierr)
  call MPI_ERRHANDLER_FREE(handler, ierr)
  numbers = [1, 2]
  call MPI_ALLREDUCE(MPI_IN_PLACE, numbers, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  call MPI_COMM_SIZE(MPI_COMM_WORLD, bytes, ierr)
  if (any(numbers /= [bytes, 2 * bytes])) stop 6
  call MPI_FINALIZE(ierr)
end program
subroutine handle(comm, code)
  implicit none
  include 'mpif.h'
  integer :: comm, code, handled
  common /counted/ handled
  if (comm == MPI_COMM_SELF .and. code == MPI_ERR_TAG) handled = handled + 1
end subroutine
'''
# What a C++ program contains that includes Open MPI's mpicxx.h, and an operation of its C++ bindings.
CXX = r'''
#include <mpi.h>
extern "C" void ompi_mpi_cxx_op_intercept(void *, void *, int *, MPI_Datatype *, MPI_User_function *);
extern "C" void ompi_op_set_cxx_callback(MPI_Op, MPI_User_function *);
namespace MPI {
class Comm { public: Comm(); virtual ~Comm() {} MPI_Comm mpi_comm; };
class Intracomm : public Comm { public: virtual int answer() { return 42; } };
class Datatype { public: virtual int answer(); virtual void Free(); MPI_Datatype mpi_datatype; };
class Win { public: virtual int answer(); virtual void Free(); MPI_Win mpi_win; };
int Datatype::answer() { return 1; }
int Win::answer() { return 1; }
}
static void add(const void *in, void *out, int count, const MPI::Datatype &type) {
    int bytes;
    MPI_Type_size(type.mpi_datatype, &bytes);
    for (int i = 0; i < count; ++i)
        ((int *)out)[i] += bytes / 4 * ((const int *)in)[i];
}
static MPI::Intracomm global;
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI::Intracomm comm;
    MPI::Datatype type;
    MPI::Win win;
    MPI_Op op;
    int one = 1, sum, size;
    MPI_Op_create((MPI_User_function *)ompi_mpi_cxx_op_intercept, 1, &op);
    ompi_op_set_cxx_callback(op, (MPI_User_function *)add);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, op, MPI_COMM_WORLD);
    MPI_Type_dup(MPI_INT, &type.mpi_datatype);
    MPI_Win_create(&one, 4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &win.mpi_win);
    type.Free(), win.Free(), MPI_Op_free(&op);
    MPI_Finalize();
    return comm.answer() != 42 || comm.mpi_comm != MPI_COMM_NULL || global.mpi_comm != MPI_COMM_NULL || type.mpi_datatype != MPI_DATATYPE_NULL ||
           win.mpi_win != MPI_WIN_NULL || sum != size;
}
'''


class FrontTest:
    """What holds for each front; subclasses say which."""

    @property
    def front(self):
        return LIBRARIES / 'thrum_fronts' / self.name / self.soname

    @property
    def headers(self):
        return TREE / 'generated' / 'front' / self.name

    def for_other(self, name, text, *flags):
        """Compiles a program for the other MPI."""
        source = self.write(f'{name}.c', text)
        program = self.scratch / name
        done = run('gcc', '-g', f'-I{self.headers}', source, '-o', program, '-Wl,--no-as-needed', self.front, f'-Wl,-rpath-link,{LIBRARIES}', *flags)
        self.assertEqual(done[0], 0, done[2])
        return program

    def library_of_the_distribution(self):
        """Makes one that must not be used, and returns its directory."""
        directory = self.scratch / 'distribution'
        directory.mkdir(exist_ok=True)
        source = self.write('distribution.c', 'int MPI_Init(int *a, char ***b) { return 1; }')
        done = run('gcc', '-shared', '-fPIC', source, '-o', directory / self.soname, f'-Wl,-soname,{self.soname}')
        self.assertEqual(done[0], 0, done[2])
        return str(directory)

    def test_ranks_are_threads_or_processes(self):
        program = self.for_other('hello', HELLO)
        for how in ['-n', 1], ['-n', 5], ['-n', 200], ['-n', 3, '--processes'], ['-n', 4, '--ranks-per-process', 2], ['-n', 2, '--threads=os']:
            code, output, errors = mpiexec(*how, program)
            self.assertEqual((code, errors), (0, ''), how)
            self.assertEqual(sorted(output.splitlines()), sorted(names(how[1])), how)

    def test_globals_belong_to_a_rank(self):
        program = self.for_other('globals', body('static int mine; static MPI_Comm world = MPI_COMM_WORLD; mine += rank; '
                                                    'MPI_Barrier(world); if (mine != rank || world != MPI_COMM_WORLD) return 4'))
        self.assertEqual(mpiexec('-n', 20, program)[0], 0)

    def test_the_libraries_of_the_distribution_are_not_needed_nor_used(self):
        program = self.for_other('hello', HELLO)
        for path in '', self.library_of_the_distribution():
            code, output, _ = mpiexec('-n', 2, program, env=os.environ | {'LD_LIBRARY_PATH': path})
            self.assertEqual((code, sorted(output.splitlines())), (0, names(2)))

    def test_a_report_names_the_line_of_the_program(self):
        program = self.for_other('wrong', body('\n#line 77 "wrong.c"\nMPI_Send(&rank, 1, MPI_INT, 99, 0, MPI_COMM_WORLD)'))
        self.fails(mpiexec('-n', 2, program), 6, 'MPI_Send: MPI_ERR_RANK: dest is 99', 'wrong.c:77 in main')
        program = self.for_other('stuck', body('\n#line 88 "stuck.c"\nMPI_Recv(&rank, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, '
                                                  'MPI_STATUS_IGNORE)'))
        self.fails(mpiexec('-n', 2, program), 86, 'DEADLOCK: all 2 ranks', 'stuck.c:88 in main')

    def test_programs_of_both_interfaces_talk_to_each_other(self):
        ours, its = self.compile('ours', PARTNER), self.for_other('its', PARTNER)
        for first, second in (ours, its), (its, ours):
            code, output, errors = mpiexec('-n', 2, first, ':', '-n', 2, second)
            self.assertEqual((code, errors, sorted(output.splitlines())), (0, '', names(4)))
            self.fails(mpiexec('--threads=fiber', '-n', 1, first, ':', '-n', 1, second), 2, 'are built for different MPIs', '--processes')
        code, output, errors = mpiexec('-n', 2, its, ':', '-n', 3, its)
        self.assertEqual((code, errors, sorted(output.splitlines())), (0, '', names(5)))

    def test_a_program_that_needs_both_is_refused(self):
        program = self.for_other('both', HELLO, LIBRARIES / 'libmpi_abi.so.1')
        self.fails(mpiexec('-n', 2, program), 2, f'{program} and its libraries need both {self.soname} and libmpi_abi.so.1')

    def test_a_library_that_is_built_for_open_mpi(self):
        source = self.write('solver.c', '#include <mpi.h>\nint solve(void) { int n; MPI_Comm_size(MPI_COMM_WORLD, &n); return n; }')
        solver = self.scratch / 'libsolver.so'
        self.assertEqual(run('gcc', '-shared', '-fPIC', f'-I{self.headers}', source, '-o', solver, self.front)[0], 0)
        text = 'int solve(void);\n' + body('if (solve() != size) return 5')
        program = self.for_other('uses', text, solver, f'-Wl,-rpath,{self.scratch}')
        for ranks in 1, 6:
            self.assertEqual(mpiexec('-n', ranks, program)[0], 0)

    def test_a_profiling_tool_sees_the_calls(self):
        source = self.write('tool.c', TOOL)
        tool = self.scratch / 'libtool.so'
        self.assertEqual(run('gcc', '-shared', '-fPIC', f'-I{self.headers}', source, '-o', tool)[0], 0)
        program = self.for_other('barrier', body('MPI_Barrier(MPI_COMM_WORLD)'))
        for how in ['-n', 3], ['-n', 3, '--processes']:
            code, _, errors = mpiexec(*how, program, env=os.environ | {'LD_PRELOAD': str(tool)})
            self.assertEqual((code, errors.count('the tool sees a barrier')), (0, 3), (how, errors))

    def test_behind_commands_that_execute_it(self):
        program = self.for_other('hello', HELLO)
        for command in ['env', 'A=b', program], ['nice', '-n', '1', program], ['sh', '-c', '"$0"', program]:
            code, output, _ = mpiexec('-n', 3, *command)
            self.assertEqual((code, sorted(output.splitlines())), (0, names(3)), command)

    def test_what_a_script_starts_gets_its_front(self):
        its, ours = self.for_other('hello', HELLO), self.compile('ours', HELLO)
        script = self.write('script', f'#!/bin/sh\n"{its}" && "{ours}"\n', 0o755)
        for path in '', self.library_of_the_distribution():
            environment = os.environ | {'LD_LIBRARY_PATH': path}
            for command, ranks in ([its], 3), ([ours], 3), ([its], 1):
                code, output, errors = mpiexec('-n', ranks, 'sh', '-c', f'A=b "{command[0]}"; exit $?', env=environment)
                self.assertEqual((code, errors, sorted(output.splitlines())), (0, '', names(ranks)), (path, command))
            code, output, errors = mpiexec('-n', 2, script, env=environment)
            self.assertEqual((code, errors, sorted(output.splitlines())), (0, '', sorted(names(2) * 2)), path)

    def test_a_child_does_not_inherit_the_front(self):
        program = self.for_other('child', body('system("echo preload=$LD_PRELOAD")'))
        code, output, _ = mpiexec('-n', 2, program)
        self.assertEqual((code, output.count('preload=\n')), (0, 2), output)

    def test_a_missing_function_is_named_at_the_start(self):
        stubs = ''.join(f'int {name}(void) {{ return 0; }}\n' for name in ('MPIX_Missing', 'MPI_Init', 'MPI_Comm_rank', 'MPI_Comm_size', 'MPI_Finalize'))
        other = self.scratch / self.soname
        source = self.write('other.c', stubs + 'char ompi_mpi_comm_world[512];')
        self.assertEqual(run('gcc', '-shared', '-fPIC', source, '-o', other, f'-Wl,-soname,{self.soname}')[0], 0)
        source = self.write('missing.c', 'int MPIX_Missing(void);\n' + body('if (size > 9) MPIX_Missing()'))
        program = self.scratch / 'missing'
        self.assertEqual(run('gcc', f'-I{self.headers}', source, '-o', program, other)[0], 0)
        code, output, errors = mpiexec('-n', 2, program)
        self.assertEqual((code, output), (127, ''))
        self.assertIn('undefined symbol: MPIX_Missing', errors)
        code, output, _ = run(BIN / 'thrum', 'abi', program)
        self.assertEqual(code, 1)
        self.assertIn(f'  missing  MPIX_Missing, which {program} needs', output)

    def test_abi_says_what_a_program_needs(self):
        program = self.for_other('hello', HELLO, '-pie', '-fPIE')
        code, output, errors = run(BIN / 'thrum', 'abi', program)
        self.assertEqual((code, errors), (0, ''))
        self.assertEqual(output.splitlines()[0], f'{program} is built for {self.mpi} ({self.soname}), whose interface Thrum offers')
        self.assertRegex(output, r'needs    4 functions.*; all are there\n  runs as  threads of one process')
        code, output, _ = run(BIN / 'thrum', 'abi', self.compile('ours', HELLO))
        self.assertEqual(code, 0)
        self.assertIn('is built for the MPI standard ABI (libmpi_abi.so.1)', output)
        self.assertIn('4 functions; all are there', output)
        self.assertEqual(run(BIN / 'thrum', 'abi', shutil.which('true')), (0, f'{shutil.which("true")} needs no MPI, neither itself nor by its libraries\n', ''))

    def test_functions_that_mpi_3_removed(self):
        program = self.for_other('removed', REMOVED.replace('BOUND', self.upper_bound))
        self.assertEqual(mpiexec('-n', 3, program), (0, '', ''))

    def for_other_in_fortran(self, name, text):
        source = self.write(f'{name}.f90', text)
        program = self.scratch / name
        done = run('gfortran', '-g', '-std=legacy', f'-I{self.headers}', source, '-o', program, '-Wl,--no-as-needed', self.fortran_front,
                   f'-Wl,-rpath-link,{LIBRARIES}')
        self.assertEqual(done[0], 0, done[2])
        return program

    @property
    def fortran_front(self):
        return LIBRARIES / 'thrum_fronts' / self.name / self.fortran_soname

    def test_functions_that_mpi_3_removed_in_fortran(self):
        # The program needs no library for C.
        program = self.for_other_in_fortran('removed', REMOVED_IN_FORTRAN.replace('BOUND', self.upper_bound_in_fortran))
        for how in ['-n', 1], ['-n', 3], ['--processes', '-n', 2]:
            self.assertEqual(mpiexec(*how, program), (0, '', ''), how)
        self.assertIn('all are there', run(BIN / 'thrum', 'abi', program)[1])

    def test_the_front_has_every_function_in_all_spellings(self):
        def names_in(library, pattern):
            return set(re.findall(rf'^\w+ [TW] {pattern}$', run('nm', '-D', '--defined-only', library)[1], re.M))
        functions = names_in(LIBRARIES / 'libmpi_abi.so.1', r'thrum_fortran_(\w+)') - {'register', 'call_tool', 'call_either_form'}
        functions = {name for name in functions if not re.search('^i8_|_f08(ts)?$', name)}  # of larger INTEGERs, of module mpi_f08
        self.assertGreater(len(functions), 400)
        for prefix in 'mpi_', 'pmpi_':
            for suffix in '', '_', '__':
                self.assertEqual(functions - names_in(self.fortran_front, f'{prefix}(\\w+?){suffix}'), set(), prefix + suffix)
            self.assertEqual({f.upper() for f in functions} - names_in(self.fortran_front, f'{prefix.upper()}(\\w+)'), set())

    def test_the_front_has_every_function_of_libmpi(self):
        # A name that only libmpi has would be found there, with the other interface.
        def functions(library):
            symbols = run('nm', '-D', '--defined-only', library)[1]
            return set(re.findall(r'^\w+ [TW] (P?MPI_\w+)$', symbols, re.M))
        self.assertGreater(len(functions(LIBRARIES / 'libmpi_abi.so.1')), 1000)
        self.assertEqual(functions(LIBRARIES / 'libmpi_abi.so.1') - functions(self.front), set())

    def test_handles_of_other_mpis_are_errors_of_their_call(self):
        for handle, shown in self.wrong_handles:
            program = self.for_other('handle', body(f'MPI_Barrier({handle})'))
            _, _, errors = result = mpiexec('-n', 2, program)
            self.fails(result, 5, 'MPI_Barrier: MPI_ERR_COMM', 'handle.c:')
            self.assertIn(shown, errors)

    def test_a_call_costs_few_instructions_more(self):
        if not shutil.which('valgrind'):
            self.skipTest('needs valgrind')
        def instructions(program, rounds):
            code, _, errors = mpiexec('-n', 2, '--workers', 1, 'valgrind', '--tool=cachegrind', '--cache-sim=no', '--cachegrind-out-file=/dev/null',
                                      program, rounds, timeout=120)
            self.assertEqual(code, 0, errors)
            return int(re.search(r'I\s+refs:\s+([\d,]+)', errors)[1].replace(',', ''))
        def a_round(program):
            return min((instructions(program, 3000) - instructions(program, 1000)) / 2000 for _ in range(3))
        more = (a_round(self.for_other('ping', PING, '-O2')) - a_round(self.compile('ours_ping', PING, '-O2'))) / 4
        # About 5 ns are allowed.
        self.assertLessEqual(more, self.instructions_more, 'instructions that a call has more')
        self.assertGreater(more, 0)


class OpenMpi(FrontTest, CommandTest):
    name, soname, mpi, instructions_more = 'openmpi', 'libmpi.so.40', 'Open MPI', 20
    fortran_soname, upper_bound_in_fortran = 'libmpi_mpifh.so.40', '3'
    upper_bound = '(MPI_Datatype)({ extern char ompi_mpi_ub[512]; ompi_mpi_ub; })'
    wrong_handles = [('(MPI_Comm)(long)0x44000000', '0x44000000'), ('(MPI_Comm)0', 'comm is'), ('(MPI_Comm)&rank', 'comm is')]

    def test_cxx_programs(self):
        source = self.write('bindings.cc', CXX)
        program = self.scratch / 'bindings'
        cxx = LIBRARIES / 'thrum_fronts' / 'openmpi' / 'libmpi_cxx.so.40'
        done = run('g++', f'-I{self.headers}', source, '-o', program, '-Wl,--no-as-needed', cxx, self.front, f'-Wl,-rpath-link,{LIBRARIES}')
        self.assertEqual(done[0], 0, done[2])
        for how in ['-n', 1], ['-n', 5], ['--processes', '-n', 2]:
            self.assertEqual(mpiexec(*how, program), (0, '', ''), how)

    def test_module_mpi_f08_calls_what_the_front_has(self):
        # The entry points that the distribution's libmpi_usempif08.so.40 calls, and those of programs, which need not go through it.
        symbols = run('nm', '-D', '--defined-only', self.fortran_front)[1]
        for name in 'ompi_send_f', 'ompi_wtime_f', 'ompi_win_allocate_shared_f', 'ompix_bcast_init_f', 'pmpi_cart_create_', 'mpi_send_f08_':
            self.assertRegex(symbols, rf'\bT {name}\b')
        self.assertNotRegex(symbols, r'\bmpi_buffer_detach_f08_')  # its result is a TYPE(C_PTR)


class Mpich(FrontTest, CommandTest):
    name, soname, mpi, instructions_more = 'mpich', 'libmpi.so.12', 'MPICH, Intel MPI or MVAPICH', 30
    fortran_soname, upper_bound_in_fortran = 'libmpifort.so.12', '1275068433'
    upper_bound = '0x4c000011'
    wrong_handles = [('0x44000009', 'comm is'), ('0', 'comm is'), ('(int)(long)&rank', 'comm is'), ('5000', 'comm is')]


class Blas(CommandTest):
    def test_each_rank_gets_one_thread_of_openblas(self):
        source = self.write('blas.c', 'int dgemm_(void) { return 0; }')
        program_source = self.write('threads.c', body('const char *n = getenv("OPENBLAS_NUM_THREADS"); int dgemm_(void); if (rank == dgemm_()) '
                                                      'puts(n ? n : "none")'))
        # As alternatives of Debian: the name that the program needs is a link.
        real = self.scratch / 'openblas-pthread'
        real.mkdir()
        self.assertEqual(run('gcc', '-shared', '-fPIC', source, '-o', real / 'libblas.so.3', '-Wl,-soname,libblas.so.3')[0], 0)
        (self.scratch / 'libblas.so.3').symlink_to(real / 'libblas.so.3')
        program = self.scratch / 'threads'
        done = run(BIN / 'mpicc', program_source, '-o', program, self.scratch / 'libblas.so.3', f'-Wl,-rpath,{self.scratch}')
        self.assertEqual(done[0], 0, done[2])
        note = f'mpiexec: note: {program} uses OpenBLAS, of which each rank gets one thread: OPENBLAS_NUM_THREADS=N sets another number\n'
        clean = {name: value for name, value in os.environ.items() if name not in ('OPENBLAS_NUM_THREADS', 'OMP_NUM_THREADS')}
        for how, given, printed, said in ((['-n', 3], {}, '1\n', note), (['-n', 3, '--quiet'], {}, '1\n', ''),
                                          (['-n', 3], {'OPENBLAS_NUM_THREADS': '2'}, '2\n', ''), (['-n', 3], {'OMP_NUM_THREADS': '1'}, 'none\n', ''),
                                          (['-n', 3, '-x', 'OPENBLAS_NUM_THREADS=4'], {}, '4\n', ''), (['-n', 1], {}, 'none\n', ''),
                                          (['-n', 2, '--processes'], {}, 'none\n', '')):
            code, output, errors = mpiexec(*how, program, env=clean | given)
            self.assertEqual((code, ''.join(line for line in output.splitlines(True) if 'rank' not in line), errors), (0, printed, said), how)


class Abi(CommandTest):
    def test_abi_with_other_files(self):
        self.fails(run(BIN / 'thrum', 'abi'), 2, 'needs one program')
        self.fails(run(BIN / 'thrum', 'abi', self.scratch / 'nothing'), 127, 'No such file')
        script = self.write('run.sh', '#!/bin/sh\n')
        script.chmod(0o755)
        self.assertIn('is a script', run(BIN / 'thrum', 'abi', script)[1])
        self.assertIn('Usage: thrum abi PROGRAM', run(BIN / 'thrum', 'abi', '--help')[1])
        source = self.write('mpich.c', 'int f(void) { return 0; }')
        library = self.scratch / 'libmpi_mt.so.12'
        self.assertEqual(run('gcc', '-shared', '-fPIC', source, '-o', library, '-Wl,-soname,libmpi_mt.so.12')[0], 0)
        program = self.scratch / 'mpich'
        main = self.write('main.c', 'int f(void); int main(void) { return f(); }')
        self.assertEqual(run('gcc', main, library, '-o', program)[0], 0)
        code, output, _ = run(BIN / 'thrum', 'abi', program)
        self.assertEqual(code, 1)
        self.assertIn('built for MPICH, Intel MPI or MVAPICH (it needs libmpi_mt.so.12)', output)


if __name__ == '__main__':
    unittest.main()
