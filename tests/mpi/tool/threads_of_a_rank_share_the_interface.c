// MPI 5.0 section 15.3.4: "In addition, this routine initializes the thread environment for all
// routines in the MPI tool information interface." Several threads of each rank count, read and
// allocate at once; nothing is lost.
// ranks: 2
#include "variables.h"

#include <pthread.h>

enum { kThreads = 3, kMessages = 200 };

static MPI_T_pvar_handle sent;
static MPI_Comm comms[kThreads];

static void *work(void *argument) {
    int mine = (int)(intptr_t)argument, other = 1 - rank, index, count;
    CHECK_CODE(MPI_T_pvar_get_index("bytes_sent", MPI_T_PVAR_CLASS_AGGREGATE, &index), MPI_SUCCESS);
    for (int i = 0; i < kMessages; ++i) {
        int number = i, got = -1;
        MPI_Sendrecv(&number, 1, MPI_INT, other, i, &got, 1, MPI_INT, other, i, comms[mine],
                     MPI_STATUS_IGNORE);
        CHECK_EQUAL(got, i);
        MPI_T_pvar_session own;
        MPI_T_pvar_handle bytes;
        unsigned long long value = 0;
        CHECK_CODE(MPI_T_pvar_session_create(&own), MPI_SUCCESS);
        CHECK_CODE(MPI_T_pvar_handle_alloc(own, index, NULL, &bytes, &count), MPI_SUCCESS);
        CHECK_CODE(MPI_T_pvar_start(own, bytes), MPI_SUCCESS);
        CHECK_CODE(MPI_T_pvar_read(own, bytes, &value), MPI_SUCCESS);
        CHECK_CODE(MPI_T_pvar_session_free(&own), MPI_SUCCESS);
    }
    return NULL;
}

int main(void) {
    int provided;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    start_tools();
    for (int i = 0; i < kThreads; ++i)
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    sent = counted("messages_sent", MPI_T_PVAR_CLASS_COUNTER, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    pthread_t threads[kThreads];
    for (int i = 0; i < kThreads; ++i)
        pthread_create(&threads[i], NULL, work, (void *)(intptr_t)i);
    for (int i = 0; i < kThreads; ++i)
        pthread_join(threads[i], NULL);
    CHECK_EQUAL(value_of(sent), kThreads * kMessages);
    CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    for (int i = 0; i < kThreads; ++i)
        MPI_Comm_free(&comms[i]);
    MPI_Finalize();
    return 0;
}
