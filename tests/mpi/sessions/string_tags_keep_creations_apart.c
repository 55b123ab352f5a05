// MPI 5.0 section 7.4.2: "If multiple threads at a given MPI process perform concurrent
// MPI_COMM_CREATE_FROM_GROUP operations, the user must distinguish these operations by providing
// different stringtag arguments."
// ranks: 2 4
#include "session.h"

#include <pthread.h>

enum { threads_count = 4 };

static MPI_Session session;

static void *create_and_use(void *argument) {
    long number = (long)argument;
    char tag[64];
    snprintf(tag, sizeof tag, "org.example.thread-%ld", number);
    for (int i = 0; i < 5; ++i) {
        MPI_Comm comm = communicator_of(session, "mpi://WORLD", tag);
        int mine = (int)number, lowest = -1, highest = -1;
        CHECK_SUCCESS(MPI_Allreduce(&mine, &lowest, 1, MPI_INT, MPI_MIN, comm));
        CHECK_SUCCESS(MPI_Allreduce(&mine, &highest, 1, MPI_INT, MPI_MAX, comm));
        CHECK(lowest == mine && highest == mine);
        CHECK_SUCCESS(MPI_Comm_disconnect(&comm));
    }
    return NULL;
}

int main(void) {
    session = open_session(MPI_ERRORS_RETURN);
    MPI_Comm world = communicator_of(session, "mpi://WORLD", "main");
    int rank;
    MPI_Comm_rank(world, &rank);
    pthread_t threads[threads_count];
    for (long i = 0; i < threads_count; ++i) // every rank in an order of its own
        pthread_create(&threads[i], NULL, create_and_use, (void *)((i + rank) % threads_count));
    for (int i = 0; i < threads_count; ++i)
        pthread_join(threads[i], NULL);
    CHECK_SUCCESS(MPI_Comm_disconnect(&world));
    close_session(&session);
    return 0;
}
