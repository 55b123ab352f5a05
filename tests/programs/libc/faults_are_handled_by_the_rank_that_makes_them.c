// ranks: 1 8 64
// flags: -O0
// A synchronous signal goes to the handler of the rank that runs; it may be left by siglongjmp,
// which restores the mask that sigsetjmp has saved, and may run on the rank's own sigaltstack.
#define _GNU_SOURCE
#include "check.h"

#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static sigjmp_buf back;
static volatile sig_atomic_t times, on_alternate;
static volatile void *fault_address;
static char *alternate;
static int rank;

static void on_fault(int signal, siginfo_t *info, void *context) {
    char here;
    fault_address = info->si_addr;
    on_alternate = &here >= alternate && &here < alternate + 65536;
    ++times;
    siglongjmp(back, signal);
}

static void skip_instruction(int signal, siginfo_t *info, void *context) {
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] += 2; // ud2
    ++times;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | (rank % 2 ? SA_ONSTACK : 0);
    alternate = malloc(65536);
    CHECK(alternate != NULL);
    stack_t stack = {.ss_sp = alternate, .ss_size = 65536};
    if (rank % 2)
        CHECK_EQUAL(sigaltstack(&stack, NULL), 0);
    CHECK_EQUAL(sigaction(SIGSEGV, &action, NULL), 0);
    CHECK_EQUAL(sigaction(SIGFPE, &action, NULL), 0);
    for (volatile int i = 0; i < 5; ++i) {
        volatile int signal = sigsetjmp(back, 1);
        if (signal == 0) {
            *(volatile int *)(long)(8 * rank + 8) = 1;
            CHECK(!"not reached");
        }
        CHECK_EQUAL(signal, SIGSEGV);
        CHECK(fault_address == (void *)(long)(8 * rank + 8));
        CHECK_EQUAL(on_alternate, rank % 2);
        sigset_t mask;
        CHECK_EQUAL(sigprocmask(SIG_BLOCK, NULL, &mask), 0);
        CHECK(!sigismember(&mask, SIGSEGV)); // restored by siglongjmp
        MPI_Barrier(MPI_COMM_WORLD);
        signal = sigsetjmp(back, 1);
        if (signal == 0) {
            volatile int seven = 7, zero = 0;
            CHECK_EQUAL(seven / zero, 0);
        }
        CHECK_EQUAL(signal, SIGFPE);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    CHECK_EQUAL(times, 10);
    // A handler that returns, with the context changed.
    action.sa_sigaction = skip_instruction;
    CHECK_EQUAL(sigaction(SIGILL, &action, NULL), 0);
    double x = 0.5 + rank;
    __asm__ volatile("ud2");
    CHECK_EQUAL(times, 11);
    CHECK(x == 0.5 + rank);
    MPI_Finalize();
    return 0;
}
