// MPI 5.0 section 3.8.2: MPI_MPROBE and MPI_IMPROBE "provide a mechanism to receive the specific
// message that was matched regardless of other intervening probe or receive operations": several
// threads of a rank probe with wildcards and take messages of many lengths; none is lost or mixed
// up.
// ranks: 2 3
#include "messages.h"

#include <pthread.h>
#include <stdatomic.h>

enum { kThreads = 3, kMessages = 120 };

static atomic_int taken;
static atomic_long sum;

static void *take(void *argument) {
    int mine = 0;
    for (;;) {
        MPI_Message message;
        MPI_Status status;
        int count = -1, flag = 1;
        if (mine++ % 2)
            CHECK_SUCCESS(
                MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &message, &status));
        else
            CHECK_SUCCESS(
                MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status));
        if (!flag)
            continue;
        CHECK_SUCCESS(MPI_Get_count(&status, MPI_INT, &count));
        int *data = malloc(((size_t)count + 1) * sizeof *data);
        CHECK_SUCCESS(MPI_Mrecv(data, count, MPI_INT, &message, MPI_STATUS_IGNORE));
        if (count == 0) { // the end, one for each thread
            free(data);
            return NULL;
        }
        CHECK_EQUAL(count, status.MPI_TAG);
        CHECK(data[0] == status.MPI_SOURCE && data[count - 1] == status.MPI_SOURCE);
        free(data);
        atomic_fetch_add(&taken, 1);
        atomic_fetch_add(&sum, count);
    }
}

int main(int argc, char **argv) {
    int provided;
    CHECK_SUCCESS(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided));
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        pthread_t threads[kThreads];
        for (int i = 0; i < kThreads; ++i)
            CHECK_EQUAL(pthread_create(&threads[i], NULL, take, NULL), 0);
        CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD)); // all but the ends have been sent
        for (int i = 0; i < kThreads; ++i)
            CHECK_SUCCESS(MPI_Send(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD));
        for (int i = 0; i < kThreads; ++i)
            CHECK_EQUAL(pthread_join(threads[i], NULL), 0);
        // A thread that got its end early leaves messages to the others; all are taken.
        for (int left = kMessages * (size - 1) - taken; left > 0; --left) {
            MPI_Status status;
            int count;
            static int data[20000];
            CHECK_SUCCESS(MPI_Recv(data, 20000, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG,
                                   MPI_COMM_WORLD, &status));
            CHECK_SUCCESS(MPI_Get_count(&status, MPI_INT, &count));
            atomic_fetch_add(&sum, count);
        }
        long expected = 0;
        for (int i = 0; i < kMessages; ++i)
            expected += 1 + i * i;
        CHECK_EQUAL(sum, expected * (size - 1));
    } else {
        for (int i = 0; i < kMessages; ++i) {
            int count = 1 + i * i;
            int *data = malloc((size_t)count * sizeof *data);
            for (int k = 0; k < count; ++k)
                data[k] = rank;
            CHECK_SUCCESS(MPI_Send(data, count, MPI_INT, 0, count, MPI_COMM_WORLD));
            free(data);
        }
        CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD));
    }
    return finish();
}
