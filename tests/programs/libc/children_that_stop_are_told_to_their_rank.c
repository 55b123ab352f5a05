// ranks: 1 6
// POSIX: SIGCHLD comes when a child stops or goes on (but for SA_NOCLDSTOP), and waitpid() tells of
// it with WUNTRACED and WCONTINUED. To the rank whose child it is.
#define _GNU_SOURCE
#include "check.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t stopped, continued, ended;
static volatile pid_t whose;

static void on_child(int signal, siginfo_t *info, void *context) {
    whose = info->si_pid;
    if (info->si_code == CLD_STOPPED)
        ++stopped;
    else if (info->si_code == CLD_CONTINUED)
        ++continued;
    else
        ++ended;
}

static pid_t start_child(void) {
    pid_t child = fork();
    if (child == 0)
        for (;;)
            pause();
    CHECK(child > 0);
    return child;
}

static void wait_until(volatile sig_atomic_t *count, int least) {
    while (*count < least)
        usleep(1000);
}

int main(int argc, char **argv) {
    int rank, status = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_child;
    action.sa_flags = SA_SIGINFO | SA_RESTART | (rank == 1 ? SA_NOCLDSTOP : 0);
    CHECK_EQUAL(sigaction(SIGCHLD, &action, NULL), 0);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank % 2 == 0) {
        pid_t child = start_child(), other = start_child();
        for (int round = 1; round <= 3; ++round) {
            CHECK_EQUAL(kill(child, SIGSTOP), 0);
            wait_until(&stopped, round);
            CHECK_EQUAL(whose, child);
            CHECK_EQUAL(stopped, round);
            CHECK_EQUAL(waitpid(round % 2 ? child : -1, &status, WUNTRACED), child);
            CHECK(WIFSTOPPED(status) && WSTOPSIG(status) == SIGSTOP);
            CHECK_EQUAL(kill(child, SIGCONT), 0);
            wait_until(&continued, round);
            CHECK_EQUAL(continued, round);
            CHECK_EQUAL(waitpid(child, &status, WCONTINUED), child);
            CHECK(WIFCONTINUED(status));
        }
        CHECK_EQUAL(ended, 0);
        kill(child, SIGKILL);
        kill(other, SIGKILL);
        CHECK(waitpid(-1, &status, 0) > 0 && waitpid(-1, &status, 0) > 0);
        CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    } else if (rank == 1) {
        pid_t child = start_child();
        CHECK_EQUAL(kill(child, SIGSTOP), 0);
        siginfo_t info;
        CHECK_EQUAL(waitid(P_ALL, 0, &info, WSTOPPED | WNOWAIT), 0);
        CHECK_EQUAL(info.si_pid, child);
        CHECK_EQUAL(info.si_code, CLD_STOPPED);
        CHECK_EQUAL(kill(child, SIGKILL), 0);
        wait_until(&ended, 1);
        CHECK_EQUAL(waitid(P_PID, (id_t)child, &info, WEXITED), 0);
        CHECK_EQUAL(info.si_status, SIGKILL);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank % 2)
        CHECK_EQUAL(stopped + continued, 0);
    MPI_Finalize();
    return 0;
}
