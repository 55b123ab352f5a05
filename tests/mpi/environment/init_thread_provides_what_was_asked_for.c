// MPI 5.0 section 11.2.1: "If possible, the call will return provided = required"; MPI_QUERY_THREAD
// "returns in provided the current level of thread support"; MPI_IS_THREAD_MAIN "can be called by a
// thread to determine if it is the main thread".
// "required need not be the same value on all processes": the argument tells which level is asked
// for.
// ranks: 1 2
// ends: n + 4
// args: 0 : -n 1 "$program" 1 : -n 1 "$program" 2 : -n 2 "$program" 3
#include "world.h"

#include <pthread.h>

static int flag_of_thread = -1;

static void *ask(void *argument) {
    CHECK_SUCCESS(MPI_Is_thread_main(&flag_of_thread));
    return NULL;
}

int main(int argc, char **argv) {
    static const int levels[] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED,
                                 MPI_THREAD_MULTIPLE};
    CHECK(MPI_THREAD_SINGLE < MPI_THREAD_FUNNELED && MPI_THREAD_FUNNELED < MPI_THREAD_SERIALIZED &&
          MPI_THREAD_SERIALIZED < MPI_THREAD_MULTIPLE);
    CHECK_EQUAL(argc, 2);
    int required = levels[atoi(argv[1])], provided = -1, queried = -1, flag = 0;
    CHECK_SUCCESS(MPI_Init_thread(&argc, &argv, required, &provided));
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CHECK(provided >= required && provided <= MPI_THREAD_MULTIPLE);
    CHECK_SUCCESS(MPI_Query_thread(&queried));
    CHECK_EQUAL(queried, provided);
    CHECK_SUCCESS(MPI_Is_thread_main(&flag));
    CHECK(flag);
    pthread_t thread;
    CHECK_EQUAL(pthread_create(&thread, NULL, ask, NULL), 0);
    CHECK_EQUAL(pthread_join(thread, NULL), 0);
    CHECK_EQUAL(flag_of_thread, 0);
    return finish();
}
