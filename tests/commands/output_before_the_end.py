"""However a job ends, what its ranks have printed is written: C, C++ and Fortran; files, pipes and terminals; threads and
processes. None of the programs flushes anything."""
import errno
import itertools
import os
import pty
import re
import signal
import subprocess
import threading
import time
import unittest
from pathlib import Path

from commands import BIN, CommandTest, run

RANKS = 4
THREADS = ((), ('--workers', 2), ('--threads=os',))
PROCESSES = (('--processes',), ('--ranks-per-process', 2))
MODES = (*THREADS, *PROCESSES)
# How it ends: the exit code, and whether a signal or a time limit ends it from outside.
ENDS = {'abort': 9, 'deadlock': 86, 'error': 6, 'crash': 139, 'sigabrt': 134, 'exit': 3, 'locked': 139}
# How a Fortran program ends itself.
ENDS_OF_FORTRAN = {'stop': 1, 'error stop': 1, 'bounds': 2, 'end': 2, 'overflow': 139}
# Kinds of files besides formatted ones, as the ends of their names, and the records in them.
FILES_OF_FORTRAN = {'.stream': b'kept', '.direct': b'\0\0\0\0kept', '.records': b'\4\0\0\0kept\4\0\0\0', '.unfinished': b'kept'}
ENDS_FROM_OUTSIDE = {'term': 143, 'interrupt': 130, 'limit': 124}

# Arguments: how it ends; a file that rank 0 makes when all have printed.
END = r'''
static void end(const char *how, int rank, const char *ready) {
    int value = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) close(creat(ready, 0666));
    if (rank == 1) {
        if (!strcmp(how, "abort")) MPI_Abort(MPI_COMM_WORLD, 9);
        if (!strcmp(how, "error")) MPI_Send(&value, 1, MPI_INT, 1000, 0, MPI_COMM_WORLD);
        if (!strcmp(how, "crash")) *(volatile int *)8 = 1;
        if (!strcmp(how, "sigabrt")) abort();
        if (!strcmp(how, "exit")) exit(3);
        if (!strcmp(how, "locked")) flockfile(stdout), *(volatile int *)8 = 1;
        if (!strcmp(how, "kill")) kill(getpid(), SIGKILL);
        if (!strcmp(how, "malloc")) break_malloc();
    }
    if (!strcmp(how, "deadlock")) MPI_Recv(&value, 1, MPI_INT, rank ^ 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!strcmp(how, "term") || !strcmp(how, "interrupt") || !strcmp(how, "limit")) sleep(60);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
}
'''
HEAD = r'''
#include <malloc.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <unistd.h>
// Faults inside malloc, whose lock is held.
static void break_malloc(void) {
    static void *blocks[64];
    for (int i = 0; i < 64; ++i) blocks[i] = malloc(3000);
    for (int i = 0; i < 64; i += 2) free(blocks[i]);
    for (int i = 0; i < 64; i += 2) memset(blocks[i], 0x11, 64);
    for (int i = 0; i < 4000; ++i) *(volatile char *)malloc(2900 + i % 200) = 1;
    abort();
}
'''
C = HEAD + END + r'''
int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 3; ++i) printf("line %d of rank %d\n", i, rank);
    if (argc > 3) {
        char name[4096];
        snprintf(name, sizeof name, "%s.%d", argv[3], rank);
        FILE *file = fopen(name, "w");
        fprintf(file, "kept by rank %d\n", rank);
    }
    end(argv[1], rank, argv[2]);
    return 0;
}
'''
CXX = HEAD + '#include <iostream>\n' + END + r'''
int main(int argc, char **argv) {
    std::ios::sync_with_stdio(false);
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::cout << "line 0 of rank " << rank << '\n' << "line 1 of rank " << rank << '\n';
    std::wcout << L"line 2 of rank " << rank << L'\n';
    end(argv[1], rank, argv[2]);
}
'''
FORTRAN = '''
program main
  use mpi
  use, intrinsic :: iso_c_binding
  implicit none
  interface
    subroutine end_job(how, rank, ready) bind(c)
      import
      character(kind=c_char) :: how(*), ready(*)
      integer(c_int), value :: rank
    end subroutine
  end interface
  integer :: ierr, rank, i, values(2) = 1
  character(1000) :: how, ready, name
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call get_command_argument(1, how)
  call get_command_argument(2, ready)
  do i = 0, 2
    print '(a, i0, a, i0)', 'line ', i, ' of rank ', rank
  end do
  if (command_argument_count() > 2) then
    call get_command_argument(3, name)
    write (name, '(a, a, i0)') trim(name), '.', rank
    open (10, file=name)
    write (10, '(a, i0)') 'kept by rank ', rank
    open (11, file=trim(name) // '.stream', access='stream', form='unformatted')
    write (11) 'kept'
    open (12, file=trim(name) // '.direct', access='direct', recl=4)
    write (12, rec=2) 'kept'
    open (13, file=trim(name) // '.records', form='unformatted')
    write (13) 'kept'
    open (14, file=trim(name) // '.unfinished')
    write (14, '(a)', advance='no') 'kept'
  end if
  if (rank == 1) then
    select case (how)
    case ('stop'); call MPI_Barrier(MPI_COMM_WORLD, ierr); stop 1
    case ('error stop'); call MPI_Barrier(MPI_COMM_WORLD, ierr); error stop 'text'
    case ('bounds'); call MPI_Barrier(MPI_COMM_WORLD, ierr); print *, values(rank + len_trim(how))
    case ('end'); call MPI_Barrier(MPI_COMM_WORLD, ierr); open (20, file='/dev/null'); read (20, *) i
    case ('overflow'); call MPI_Barrier(MPI_COMM_WORLD, ierr); print *, deeper(1)
    end select
  end if
  if (how == 'locked' .and. rank == 1) print *, crash()  ! with the lock of unit 6
  call end_job(trim(how) // c_null_char, rank, trim(ready) // c_null_char)
contains
  recursive integer function deeper(depth) result(total)
    integer, value :: depth
    integer, volatile :: table(100000)
    table(depth) = depth
    total = deeper(depth + 1) + table(depth)
  end function
  integer function crash()
    integer, pointer :: nowhere
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    nullify(nowhere)
    nowhere = 1
    crash = nowhere
  end function
end program
'''


class EndTest(CommandTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        end = cls.write('end.c', HEAD + END + 'void end_job(const char *how, int rank, const char *ready) '
                                              '{ end(how, rank, ready); }\n')
        fortran = cls.write('fortran.f90', FORTRAN)
        for compiler, arguments in (('mpicc', ('-c', end, '-o', cls.scratch / 'end.o')),
                                    ('mpifort', ('-g', '-fcheck=bounds', fortran, cls.scratch / 'end.o', '-o', cls.scratch / 'fortran'))):
            code, _, errors = run(BIN / compiler, *arguments)
            if code:
                raise RuntimeError(errors)
        cls.programs = {'C': cls.compile('c', C), 'C++': cls.compile('cxx', CXX, compiler='mpicxx'),
                        'Fortran': cls.scratch / 'fortran'}
        cls.numbers = itertools.count()

    def run_to(self, destination, command, at_ready=None, timeout=50):
        """Returns the exit code, what has come out there, and the standard error. `at_ready` gets mpiexec's process."""
        number = next(self.numbers)
        ready = self.scratch / f'ready.{number}'
        command = [str(word) for word in command if word is not None]
        command[command.index('READY')] = str(ready)
        collected, opened = [], []
        if destination == 'file':
            path = self.scratch / f'output.{number}'
            out = path.open('wb')
        elif destination == 'pipe':
            reader, out = os.pipe()
        else:
            reader, out = pty.openpty()
        job = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE, cwd=self.scratch)
        if destination == 'file':
            out.close()
        else:
            os.close(out)
            reading = threading.Thread(target=self.collect, args=(reader, collected))
            reading.start()
        if at_ready:
            deadline = time.monotonic() + timeout
            while not ready.exists() and time.monotonic() < deadline:
                time.sleep(0.01)
            time.sleep(0.1)
            at_ready(job)
        try:
            errors = job.communicate(timeout=timeout)[1].decode()
        except subprocess.TimeoutExpired:
            job.kill()
            raise
        if destination == 'file':
            return job.returncode, path.read_text(), errors
        reading.join(timeout)
        return job.returncode, b''.join(collected).decode().replace('\r\n', '\n'), errors

    @staticmethod
    def collect(reader, collected):
        while True:
            try:
                piece = os.read(reader, 65536)
            except OSError as error:
                if error.errno != errno.EIO:  # the end of a terminal
                    raise
                piece = b''
            if not piece:
                os.close(reader)
                return
            collected.append(piece)

    def is_whole(self, output, ranks=range(RANKS)):
        lines = sorted(line for line in output.splitlines() if line.startswith('line '))
        self.assertEqual(lines, sorted(f'line {i} of rank {rank}' for i in range(3) for rank in ranks), output)

    def ends(self, language, how, destination, end):
        before, after, at_ready = [], [], None
        if end == 'limit':
            before = ['--timeout', '1.5']
        elif end in ('term', 'interrupt'):
            number = signal.SIGTERM if end == 'term' else signal.SIGINT
            at_ready = lambda job: job.send_signal(number)
        command = [BIN / 'mpiexec', '-n', RANKS, *how, *before, self.programs[language], end, 'READY', *after]
        with self.subTest(language=language, how=how, destination=destination, end=end):
            code, output, errors = self.run_to(destination, command, at_ready)
            self.is_whole(output)
            self.assertEqual(code, (ENDS | ENDS_FROM_OUTSIDE | ENDS_OF_FORTRAN)[end], errors)


class Ends(EndTest):
    def test_ends_by_a_rank_with_the_output_in_a_pipe(self):
        for language, how, end in itertools.product(self.programs, MODES, ENDS):
            self.ends(language, how, 'pipe', end)

    def test_ends_by_a_rank_with_the_output_in_a_file(self):
        for language, how, end in itertools.product(self.programs, ((), *PROCESSES), ENDS):
            self.ends(language, how, 'file', end)

    def test_ends_by_fortran_itself(self):
        for how, destination, end in itertools.product(MODES, ('file', 'pipe'), ENDS_OF_FORTRAN):
            self.ends('Fortran', how, destination, end)

    def test_ends_from_outside(self):
        for language, how, end in itertools.product(self.programs, ((), *PROCESSES), ENDS_FROM_OUTSIDE):
            self.ends(language, how, 'pipe', end)

    def test_output_on_a_terminal(self):
        for language, how, end in itertools.product(self.programs, ((), *PROCESSES), ('abort', 'crash', 'deadlock', 'term')):
            self.ends(language, how, 'terminal', end)

    def test_a_process_that_is_killed_takes_no_others_output_along(self):
        for language in self.programs:
            with self.subTest(language=language):
                code, output, errors = self.run_to(
                    'pipe', [BIN / 'mpiexec', '--processes', '-n', RANKS, self.programs[language], 'kill', 'READY'])
                self.assertEqual(code, 137, errors)
                self.assertIn('rank 1', errors)
                # (What rank 1 had buffered is gone; libgfortran does not buffer for pipes.)
                self.is_whole(re.sub('line . of rank 1\n', '', output), [0, 2, 3])

    def test_a_crash_inside_malloc_does_not_keep_the_job(self):
        for how in ((), *PROCESSES):
            with self.subTest(how=how):
                begin = time.monotonic()
                code, output, errors = self.run_to(
                    'pipe', [BIN / 'mpiexec', '-n', RANKS, *how, self.programs['C'], 'malloc', 'READY'])
                self.assertIn(code, (134, 139), errors)
                self.is_whole(output)
                self.assertLess(time.monotonic() - begin, 20)

    def test_a_signal_inside_malloc(self):
        """Writing output then allocates nothing: the C library would find its heap half changed, and complain."""
        unfinished = 'x' * 600  # longer than what a stream keeps room for
        program = self.compile('in_malloc', C.replace('end(argv[1]', f'''
            printf("{unfinished}");
            if (rank == 1) fflush(stdout);
            MPI_Barrier(MPI_COMM_WORLD);
            if (rank == 0) {{
                for (close(creat(argv[2], 0666));;) {{
                    void *blocks[100];
                    for (int i = 0; i < 100; ++i) blocks[i] = malloc(2000);
                    for (int i = 0; i < 100; ++i) free(blocks[i]);
                }}
            }}
            end(argv[1]'''))
        lines = ''
        for how, _ in itertools.product(((), ('--prefix',), ('--ranks-per-process', 2)), range(6)):
            with self.subTest(how=how):
                code, output, errors = self.run_to('pipe', [BIN / 'mpiexec', '-n', RANKS, *how, program, 'term', 'READY'],
                                                   lambda job: job.send_signal(signal.SIGTERM))
                self.assertEqual(code, 143, errors)
                self.assertEqual(output.count(unfinished), RANKS, output)
                # What the ranks were doing is there, too, if the heap allows it.
                lines += errors
                summary, *more = [line for line in errors.splitlines() if not line.startswith('thrum:   ')]
                self.assertRegex(summary, '^(thrum|mpiexec): terminated: ')
                self.assertEqual(more, [], errors)
        # It does so although rank 0 is in malloc, with its lock.
        self.assertRegex(lines, 'thrum:   ranks? 0(,1)?: outside MPI')

    def test_a_handler_of_sigterm_goes_on_working(self):
        handler = 'static void on_term(int s) { write(1, "handled\\n", 8); if (getenv("STAY")) return; _exit(0); }\nint main('
        program = self.compile('handler', C.replace('int main(', handler).replace(
            'end(argv[1]', 'if (rank != 1) signal(SIGTERM, on_term); end(argv[1]'))
        for stay, least_s in ((False, 0), (True, 1.5)):  # then SIGKILL
            with self.subTest(stay=stay):
                begin = time.monotonic()
                code, output, errors = self.run_to('pipe', [
                    'env', *(['STAY=1'] if stay else []), BIN / 'mpiexec', '--processes', '-n', RANKS, program, 'abort', 'READY'])
                self.assertEqual(code, 9, errors)
                self.assertEqual(output.count('handled'), RANKS - 1, output)
                self.assertGreater(time.monotonic() - begin, least_s)
                self.assertLess(time.monotonic() - begin, 20)

    def test_open_files_are_written(self):
        for language, how, end in itertools.product(('C', 'Fortran'), ((), *PROCESSES),
                                                ('abort', 'crash', 'deadlock', 'exit')):
            with self.subTest(language=language, how=how, end=end):
                kept = self.scratch / f'kept.{next(self.numbers)}'
                self.run_to('pipe', [BIN / 'mpiexec', '-n', RANKS, *how, self.programs[language], end, 'READY', kept])
                for rank in range(RANKS):
                    self.assertEqual(Path(f'{kept}.{rank}').read_text(), f'kept by rank {rank}\n')
                    for kind, content in FILES_OF_FORTRAN.items() if language == 'Fortran' else ():
                        self.assertEqual(Path(f'{kept}.{rank}{kind}').read_bytes().rstrip(b'\n'), content, kind)

    def late_libraries(self):
        """Libraries that print lines, and their names. Python, for example, loads libgfortran and libstdc++ with its modules."""
        printing = {
            'late_fortran.f90': """
subroutine print_lines(rank) bind(c)
  use, intrinsic :: iso_c_binding
  integer(c_int), value :: rank
  integer :: i
  do i = 0, 2
    print '(a, i0, a, i0)', 'line ', i, ' of rank ', rank
  end do
end subroutine
""",
            'late_cxx.cc': """
#include <iostream>
extern "C" void print_lines(int rank) {
    std::ios::sync_with_stdio(false);
    for (int i = 0; i < 3; ++i) std::cout << "line " << i << " of rank " << rank << '\\n';
}
"""}
        for name, source in printing.items():
            library = self.scratch / f'lib{name}.so'
            compiler = 'gfortran' if name == 'late_fortran.f90' else 'g++'
            self.succeeds(run(compiler, '-shared', '-fPIC', self.write(name, source), '-o', library))
            yield name, library

    def test_libraries_that_are_loaded_late(self):
        """The program has neither."""
        program = self.compile('late', '#include <dlfcn.h>\n' + HEAD + END + r"""
int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    void *library = dlopen(argv[3], RTLD_NOW | RTLD_LOCAL);
    if (!library) printf("%s", dlerror());
    ((void (*)(int))dlsym(library, "print_lines"))(rank);
    end(argv[1], rank, argv[2]);
}
""", '-ldl')
        for name, library in self.late_libraries():
            for how, end in itertools.product(((), *PROCESSES), ('abort', 'crash', 'exit', 'deadlock')):
                with self.subTest(library=name, how=how, end=end):
                    code, output, errors = self.run_to(
                        'file', [BIN / 'mpiexec', '-n', RANKS, *how, program, end, 'READY', library])
                    self.is_whole(output)
                    self.assertEqual(code, ENDS[end], errors)

    def test_late_libraries_while_ranks_are_in_malloc(self):
        """Their flushing must not allocate: it may have stopped a rank inside malloc."""
        program = self.compile('in_malloc', '#define _GNU_SOURCE\n#include <dlfcn.h>\n#include <sys/syscall.h>\n' + HEAD + r"""
static volatile int state; // 1: the next malloc does not return; 2: it is there, so its thread may not allocate
static volatile long thread;
void *__libc_malloc(size_t size);
void *malloc(size_t size) {
    if (state == 2 && syscall(SYS_gettid) == thread) _exit(99);
    if (state == 1) {
        thread = syscall(SYS_gettid);
        state = 2;
        for (;;) syscall(SYS_pause);
    }
    return __libc_malloc(size);
}
int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    void *library = dlopen(argv[2], RTLD_NOW | RTLD_LOCAL);
    ((void (*)(int))dlsym(library, "print_lines"))(rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) close(creat(argv[1], 0666));
    if (rank == 1) {
        usleep(300000);
        MPI_Abort(MPI_COMM_WORLD, 9);
    }
    state = 1;
    free(malloc(1));
}
""", '-ldl')
        for name, library in self.late_libraries():
            with self.subTest(library=name):
                code, output, errors = self.run_to('file', [BIN / 'mpiexec', '-n', RANKS, '--processes', program, 'READY', library])
                self.is_whole(output)
                self.assertEqual(code, 9, errors)

    def test_a_program_that_contains_libgfortran(self):
        """With -static-libgfortran. Its crash handlers are those of the program then: they decide in a process."""
        program = self.scratch / 'contains'
        self.succeeds(run(BIN / 'mpifort', '-static-libgfortran', self.scratch / 'fortran.f90', self.scratch / 'end.o',
                          '-o', program))
        for how, end in itertools.product(((), *PROCESSES), ('abort', 'exit', 'deadlock')):
            with self.subTest(how=how, end=end):
                kept = self.scratch / f'kept.{next(self.numbers)}'
                code, output, errors = self.run_to(
                    'file', [BIN / 'mpiexec', '-n', RANKS, *how, program, end, 'READY', kept])
                self.is_whole(output)
                self.assertEqual(code, ENDS[end], errors)
                for rank in range(RANKS):
                    self.assertEqual(Path(f'{kept}.{rank}').read_text(), f'kept by rank {rank}\n')

    def test_a_job_that_cannot_start_writes_what_constructors_have_printed(self):
        program = self.compile('constructor', '#include <mpi.h>\n#include <stdio.h>\n'
                               '__attribute__((constructor)) static void print(void) { printf("constructed\\nunfinished"); }\n'
                               'int main(int argc, char **argv) { MPI_Init(&argc, &argv); MPI_Finalize(); }\n')
        # More addresses than a process has.
        code, output, errors = run(BIN / 'mpiexec', '-n', 2000, '--stack', '100G', program)
        self.assertEqual(code, 1, errors)
        self.assertIn('cannot reserve 1999 stacks', errors)
        self.assertEqual(output, 'constructed\nunfinished')

    def test_one_rank_with_and_without_mpiexec(self):
        source = C.replace('rank == 1', 'rank == 0').replace('rank ^ 1', 'rank')
        program = self.compile('alone', source)
        fortran = self.programs['Fortran']
        for launcher, destination, end in itertools.product(((BIN / 'mpiexec', '-n', 1), ()), ('file', 'pipe'),
                                                            ('abort', 'error', 'crash', 'sigabrt', 'exit', 'deadlock')):
            with self.subTest(launcher=launcher, destination=destination, end=end):
                code, output, errors = self.run_to(destination, [*launcher, program, end, 'READY'])
                self.is_whole(output, [0])
                self.assertIn(code, (ENDS[end], ENDS[end] - 128 - 2 * (ENDS[end] - 128)), errors)
        for launcher, end in itertools.product(((BIN / 'mpiexec', '-n', 1), ()), ('term', 'interrupt')):
            number = signal.SIGTERM if end == 'term' else signal.SIGINT
            for name, one in (('C', program), ('Fortran', fortran)):
                with self.subTest(launcher=launcher, end=end, language=name):
                    code, output, errors = self.run_to('pipe', [*launcher, one, end, 'READY'],
                                                       lambda job: job.send_signal(number))
                    self.is_whole(output, [0])
                    self.assertEqual(code, ENDS_FROM_OUTSIDE[end], errors)


if __name__ == '__main__':
    unittest.main()
