// Both ranks are deadlocked, while another thread of each sometimes waits and sometimes computes,
// and then ends. The deadlock is found at the latest when it has ended.
// ranks: 2
// exit: 86
// expect: DEADLOCK: all 2 ranks are blocked and no message can arrive
#include "check.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ROUNDS = 300 };

static sem_t *turn; // shared with a child

static void *work(void *unused) {
    for (int i = 0; i < ROUNDS; ++i) {
        while (sem_wait(turn) != 0) {
        }
        const double end = MPI_Wtime() + 0.0005;
        while (MPI_Wtime() < end) {
        }
    }
    return unused;
}

int main(int argc, char **argv) {
    int level, rank, value;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    turn = mmap(NULL, sizeof *turn, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(turn != MAP_FAILED && sem_init(turn, 1, 0) == 0);
    if (fork() == 0) {
        for (int i = 0; i < ROUNDS; ++i) {
            usleep(1000);
            sem_post(turn);
        }
        _exit(0);
    }
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    MPI_Recv(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
