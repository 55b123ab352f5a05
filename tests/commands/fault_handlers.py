"""Handlers of SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT that a program installs, or libgfortran for it: what they may do
in a process they may do in a rank, in C, C++ and Fortran, whether ranks are threads or processes."""
import signal
import unittest

from commands import BIN, CommandTest, mpiexec, run

SIGNALS = ('SEGV', 'BUS', 'FPE', 'ILL', 'ABRT')
THREADS = (('--workers', 1), ('--workers', 2), ('--threads=os',), ('--ranks-per-process', 2))
MODES = (*THREADS, ('--processes',))

# Arguments: a signal, or `all`, and what its handler does.
HANDLERS = r'''
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <execinfo.h>
#include <mpi.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#define NOINLINE __attribute__((noinline))
#define REQUIRE(x) ((x) ? (void)0 : (fprintf(stderr, "line %d: %s\n", __LINE__, #x), exit(1)))
enum { page = 4096, alternate_bytes = 1 << 16 };
static const char *kind;
static sigjmp_buf back;
static char *memory, *alternate;
static int rank, file;
static volatile int times, on_alternate, zero;

static int is(const char *text) { return strcmp(kind, text) == 0; }

static void print_frames(void) {
    void *frames[64];
    int count = backtrace(frames, 64);
    backtrace_symbols_fd(frames, count, 2);
    char **lines = backtrace_symbols(frames, count);
    for (int i = 0; i < count; ++i) {
        char wanted[32];
        snprintf(wanted, sizeof wanted, "[%p]", frames[i]);
        REQUIRE(strstr(lines[i], wanted));
    }
    free(lines);
}

// Ends the cause, so that the instruction succeeds when it runs again.
static void mend(int number, void *context) {
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    if (number == SIGSEGV) REQUIRE(mprotect(memory, page, PROT_READ | PROT_WRITE) == 0);
    if (number == SIGBUS) REQUIRE(ftruncate(file, page) == 0);
    if (number == SIGFPE) registers[REG_RCX] = 1;
    if (number == SIGILL) registers[REG_RIP] += 2;
}

static void on_fault(int number, siginfo_t *info, void *context) {
    char here;
    ++times;
    on_alternate = &here >= alternate && &here < alternate + alternate_bytes;
    REQUIRE(info->si_signo == number);
    volatile double x = 1.5; // floating point works, whatever has raised SIGFPE
    REQUIRE(x / 2 == 0.75);
    if (is("return")) mend(number, context);
    if (is("jump") || is("alternate") || is("overflow") || is("thread")) siglongjmp(back, number);
    if (is("unwind") || is("unwind-alternate")) print_frames(), _exit(9);
    if (is("exit")) exit(7);
    if (is("_exit")) _exit(8);
    if (is("abort")) signal(SIGABRT, SIG_DFL), abort();
    if (is("raise")) signal(number, SIG_DFL), raise(number);
#ifdef __cplusplus
    if (is("throw")) throw number;
#endif
}

NOINLINE void culprit(int number) {
    if (number == SIGSEGV || number == SIGBUS) *(volatile char *)memory = 1;
    if (number == SIGFPE) {
        int quotient = 7, remainder = 0;
        __asm__ volatile("idivl %2" : "+a"(quotient), "+d"(remainder) : "c"(zero) : "memory");
    }
    if (number == SIGILL) __asm__ volatile("ud2");
    if (number == SIGABRT && is("return")) raise(number); // abort() ends the process all the same
    else if (number == SIGABRT) abort();
}

NOINLINE void caller(int number) {
    culprit(number);
    __asm__ volatile("");
}

NOINLINE int overflow(int depth) {
    volatile char frame[1000];
    frame[depth % 1000] = 1;
    return depth < 0 ? 0 : frame[0] + overflow(depth + 1);
}

static void make_memory(int number) {
    if (memory) munmap(memory, page);
    if (file) close(file);
    FILE *temporary = tmpfile();
    REQUIRE(temporary);
    file = dup(fileno(temporary));
    fclose(temporary);
    if (number == SIGBUS)
        memory = (char *)mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    else
        memory = (char *)mmap(NULL, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(memory != MAP_FAILED);
}

static void install(int number) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_fault;
    int on_stack = is("alternate") || is("overflow") || is("unwind-alternate");
    action.sa_flags = SA_SIGINFO | (on_stack ? SA_ONSTACK : 0);
    stack_t stack;
    memset(&stack, 0, sizeof stack);
    stack.ss_sp = alternate;
    stack.ss_size = alternate_bytes;
    if (on_stack) REQUIRE(sigaltstack(&stack, NULL) == 0);
    REQUIRE(sigaction(number, &action, NULL) == 0);
}

static void once(int number) {
    int before = times;
    sigset_t mask;
    install(number);
    make_memory(number);
    if (is("throw")) {
#ifdef __cplusplus
        try { caller(number); } catch (int caught) { REQUIRE(caught == number); }
        sigemptyset(&mask), sigaddset(&mask, number), pthread_sigmask(SIG_UNBLOCK, &mask, NULL);
#endif
    } else {
        volatile int jumped = sigsetjmp(back, 1);
        if (!jumped && is("overflow")) overflow(0);
        else if (!jumped) caller(number);
        REQUIRE(jumped == (is("return") ? 0 : number));
    }
    REQUIRE(times == before + 1);
    REQUIRE(on_alternate == (is("alternate") || is("overflow")));
    pthread_sigmask(SIG_BLOCK, NULL, &mask);
    REQUIRE(!sigismember(&mask, number));
}

static void *in_thread(void *number) {
    once(*(int *)number);
    return NULL;
}

static void at_exit(void) { fprintf(stderr, "atexit of rank %d\n", rank); }

int main(int argc, char **argv) {
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    static const char *const names[] = {"SEGV", "BUS", "FPE", "ILL", "ABRT"};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    kind = argv[2];
    alternate = (char *)malloc(alternate_bytes);
    if (is("exit")) atexit(at_exit);
    for (int round = 0; round < 3; ++round)
        for (int i = 0; i < 5; ++i) {
            if (strcmp(argv[1], "all") && strcmp(argv[1], names[i])) continue;
            int number = signals[i];
            if (strcmp(argv[1], "all") == 0 || is("overflow")) {
                pthread_t thread;
                if (is("thread")) pthread_create(&thread, NULL, in_thread, &number), pthread_join(thread, NULL);
                else once(number);
            } else if (rank == 1) {
                install(number), make_memory(number), caller(number);
            }
            MPI_Barrier(MPI_COMM_WORLD);
        }
    if (rank == 0) printf("%d faults handled\n", times);
    MPI_Finalize();
    return 0;
}
'''

# The argument says what goes wrong.
FORTRAN = '''
subroutine culprit(what)
  use, intrinsic :: iso_c_binding
  implicit none
  character(*), intent(in) :: what
  integer, pointer :: nowhere(:)
  real, volatile :: zero = 0
  interface
    integer(c_int) function c_raise(number) bind(c, name='raise')
      import
      integer(c_int), value :: number
    end function
  end interface
  select case (what)
  case ('SEGV')
    nullify(nowhere)
    nowhere(5) = 1
    print *, nowhere(5)
  case ('FPE')
    zero = 1 / zero
    print *, zero
  case ('ILL')
    print *, c_raise(4_c_int)
  case ('BUS')
    print *, c_raise(7_c_int)
  case ('ABRT')
    call abort()
  end select
end subroutine

program main
  use mpi
  implicit none
  integer :: ierr, rank
  character(10) :: what
  call get_command_argument(1, what)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  if (rank == 1) call culprit(what)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
end program
'''


def code_of(name):
    return 128 + getattr(signal, 'SIG' + name)


class Handlers(CommandTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        flags = ('-g', '-O1', '-rdynamic', '-pthread')
        cls.programs = (cls.compile('handlers_c', HANDLERS, *flags),
                        cls.compile('handlers_cxx', HANDLERS, *flags, '-fnon-call-exceptions', compiler='mpicxx'))

    def handles(self, kind, times, *more, which='all', programs=()):
        """Every rank handles every fault, and goes on."""
        for program in programs or self.programs:
            for how in MODES:
                with self.subTest(program=program.name, kind=kind, how=how):
                    output = self.succeeds(mpiexec('-n', 4, *how, *more, program, which, kind))
                    self.assertEqual(output, f'{times} faults handled\n')

    def ends(self, kind, code, *patterns, names=SIGNALS):
        """Rank 1 ends by its handler."""
        for program in self.programs:
            for how in MODES:
                for name in names:
                    with self.subTest(program=program.name, kind=kind, how=how, signal=name):
                        result = mpiexec('-n', 3, *how, program, name, kind)
                        self.assertEqual(result[0], code or code_of(name), result)
                        for pattern in patterns:
                            self.assertRegex(result[2], pattern)

    def test_a_handler_returns_when_it_has_mended_the_cause(self):
        self.handles('return', 15)

    def test_a_handler_leaves_by_siglongjmp(self):
        self.handles('jump', 15)

    def test_a_handler_of_a_thread_leaves_by_siglongjmp(self):
        self.handles('thread', 15)

    def test_a_handler_runs_on_its_alternate_stack(self):
        self.handles('alternate', 15)

    def test_a_stack_overflow_is_handled_on_the_alternate_stack(self):
        self.handles('overflow', 3, '--stack', '256K', which='SEGV')

    def test_a_handler_throws_an_exception(self):
        self.handles('throw', 15, programs=self.programs[1:])

    # glibc 2.41 puts a space before the address.
    FRAMES = (r'handlers_c(xx)?\(.*culprit.*\+0x\w+\) ?\[0x\w+\]\n(.*\n)?.*handlers_c(xx)?\(.*caller.*\+0x\w+\) ?\[0x\w+\]\n'
              r'(.*\n)?.*handlers_c(xx)?\(main\+0x',)

    def test_a_handler_sees_the_function_that_has_faulted(self):
        self.ends('unwind', 9, *self.FRAMES)

    def test_a_handler_on_an_alternate_stack_sees_it_too(self):
        self.ends('unwind-alternate', 9, *self.FRAMES, names=('SEGV', 'FPE'))

    def test_a_handler_ends_its_rank(self):
        self.ends('exit', 7, r'(?m)^atexit of rank 1$')
        self.ends('_exit', 8)
        self.ends('abort', 134, names=('SEGV', 'ABRT'))

    def test_a_handler_raises_the_signal_again(self):
        self.ends('raise', None)
        for how in THREADS:
            for name, what in (('SEGV', 'segmentation fault at address 0x'), ('FPE', 'integer division by zero')):
                with self.subTest(how=how, signal=name):
                    result = mpiexec('-n', 3, *how, self.programs[0], name, 'raise')
                    self.fails(result, code_of(name))
                    self.assertRegex(result[2], rf'thrum: rank 1: {what}.* in culprit \(.*handlers_c\.c:\d+\)')


class Fortran(CommandTest):
    def test_the_line_is_named(self):
        source = self.write('fault.f90', FORTRAN)
        program = self.scratch / 'fault'
        line = {name: 1 + next(i for i, text in enumerate(FORTRAN.splitlines()) if what in text)
                for name, what in (('SEGV', 'nowhere(5) = 1'), ('FPE', '1 / zero'), ('ILL', 'c_raise(4'),
                                   ('BUS', 'c_raise(7'), ('ABRT', 'call abort'))}
        self.succeeds(run(BIN / 'mpifort', '-g', '-fbacktrace', '-ffpe-trap=zero', source, '-o', program))
        for how in MODES:
            for name in SIGNALS:
                with self.subTest(how=how, signal=name):
                    result = mpiexec('-n', 3, *how, program, name)
                    # In a process that is one rank the crash report replaces libgfortran's, but for ABORT, after
                    # which libgfortran takes the default action of SIGABRT.
                    is_reported_by_libgfortran = how in THREADS or name == 'ABRT'
                    is_reported_by_thrum = how != ('--processes',) or name != 'ABRT'
                    self.fails(result, code_of(name), 'rank 1')
                    if is_reported_by_libgfortran:
                        self.assertRegex(result[2], rf'in culprit_?\n\s+at .*fault\.f90:{line[name]}\n')
                    if is_reported_by_thrum:
                        self.assertRegex(result[2], rf'thrum: .*\bculprit_? \(.*fault\.f90:{line[name]}\)')


if __name__ == '__main__':
    unittest.main()
