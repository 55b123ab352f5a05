// ranks: 2 6
// timeout: 60
// wait() and waitid(P_ALL) for several children of a rank; which one ends, another rank decides.
// Children of other ranks, and those of another process group, do not count.
#define _GNU_SOURCE
#include "pairs.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILDREN = 4 };

int main(int argc, char **argv) {
    start_pairs(&argc, &argv);
    for (int way = 0; way < 4; ++way) {
        int children[CHILDREN];
        for (int i = 0; is_first && i < CHILDREN; ++i) {
            children[i] = fork();
            if (children[i] == 0) {
                if (way == 2)
                    setpgid(0, 0);
                for (;;)
                    pause();
            }
            if (way == 2)
                setpgid(children[i], children[i]);
        }
        share(children, CHILDREN);
        for (int i = CHILDREN; i-- > 0;) {
            MPI_Barrier(MPI_COMM_WORLD);
            if (!is_first) {
                CHECK_EQUAL(kill(children[i], SIGTERM), 0);
                continue;
            }
            int status = 0;
            siginfo_t info = {0};
            if (way == 0) {
                CHECK_EQUAL(wait(&status), children[i]);
            } else if (way == 1) {
                CHECK_EQUAL(waitid(P_ALL, 0, &info, WEXITED), 0);
                CHECK_EQUAL(info.si_pid, children[i]);
                CHECK_EQUAL(info.si_code, CLD_KILLED);
            } else if (way == 2) {
                CHECK_EQUAL(waitpid(0, &status, 0), -1); // none in the rank's own group
                CHECK_EQUAL(errno, ECHILD);
                CHECK_EQUAL(waitpid(-children[i], &status, 0), children[i]);
            } else {
                CHECK_EQUAL(waitpid(0, &status, WUNTRACED), children[i]);
            }
            if (way != 1)
                CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
        }
        if (is_first) {
            CHECK_EQUAL(wait(NULL), -1);
            CHECK_EQUAL(errno, ECHILD);
        }
    }
    return finish();
}
