// MPI 5.0 section 11.3.1: "MPI_SESSION_INIT is always thread safe; multiple threads within an
// application may invoke it concurrently."
// ranks: 1 3
#include "session.h"

#include <pthread.h>

enum { threads_count = 6, rounds = 40 };

static void *open_and_close(void *argument) {
    (void)argument;
    for (int i = 0; i < rounds; ++i) {
        MPI_Session session = open_session(MPI_ERRORS_RETURN);
        MPI_Group group;
        int count = 0;
        CHECK_SUCCESS(MPI_Session_get_num_psets(session, MPI_INFO_NULL, &count));
        CHECK(count >= 2);
        CHECK_SUCCESS(MPI_Group_from_session_pset(session, "mpi://SELF", &group));
        CHECK_SUCCESS(MPI_Group_free(&group));
        close_session(&session);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[threads_count];
    for (int i = 0; i < threads_count; ++i)
        pthread_create(&threads[i], NULL, open_and_close, NULL);
    for (int i = 0; i < threads_count; ++i)
        pthread_join(threads[i], NULL);
    return 0;
}
