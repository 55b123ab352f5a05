// MPI 5.0 section 15.3.7: "A performance variable in this class represents a set of discrete
// states." "The starting value is the current state of the implementation at the time that the
// starting value is set."
// ranks: 2
#include "variables.h"

#include <pthread.h>

enum { kWaiting = 2 }; // enumeration rank_state

static void *watch(void *unused) {
    MPI_T_pvar_handle state = measure("rank_state", MPI_T_PVAR_CLASS_STATE, NULL);
    int value = -1;
    do // the main thread is about to wait for us
        CHECK_CODE(MPI_T_pvar_read(session, state, &value), MPI_SUCCESS);
    while (value != kWaiting);
    MPI_Send(&rank, 1, MPI_INT, rank, 3, MPI_COMM_WORLD);
    return NULL;
}

int main(void) {
    int provided, number = -1;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    start_tools();
    pthread_t thread;
    pthread_create(&thread, NULL, watch, NULL);
    MPI_Recv(&number, 1, MPI_INT, rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK_EQUAL(number, rank);
    pthread_join(thread, NULL);
    CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}
