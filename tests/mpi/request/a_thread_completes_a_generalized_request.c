// MPI 5.0 section 13.2: "progress toward the completion of this operation occurs asynchronously,
// i.e., concurrently with normal program execution. Typically, this requires execution of code
// concurrently with the execution of the user code, e.g., in a separate thread": the rank waits for
// messages and for its thread at once.
// ranks: 1 2 4
#include "messages.h"

#include <pthread.h>

enum { kRounds = 40 };

typedef struct {
    MPI_Request request;
    int input, output;
} Operation;

static int query(void *extra, MPI_Status *status) {
    MPI_Status_set_elements(status, MPI_INT, ((Operation *)extra)->output);
    MPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
}

static int free_operation(void *extra) {
    return MPI_SUCCESS;
}

static int cancel(void *extra, int complete) {
    return MPI_SUCCESS;
}

static void *work(void *argument) {
    Operation *operation = argument;
    operation->output = operation->input + 1;
    CHECK_SUCCESS(MPI_Grequest_complete(operation->request));
    return NULL;
}

int main(int argc, char **argv) {
    int provided;
    CHECK_SUCCESS(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided));
    CHECK_EQUAL(provided, MPI_THREAD_MULTIPLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    for (int round = 0; round < kRounds; ++round) {
        Operation operation = {.input = round};
        MPI_Request requests[3];
        MPI_Status statuses[3];
        int in = -1, count = -1;
        pthread_t thread;
        CHECK_SUCCESS(MPI_Grequest_start(query, free_operation, cancel, &operation, &requests[0]));
        operation.request = requests[0];
        CHECK_EQUAL(pthread_create(&thread, NULL, work, &operation), 0);
        CHECK_SUCCESS(MPI_Irecv(&in, 1, MPI_INT, left, round, MPI_COMM_WORLD, &requests[1]));
        CHECK_SUCCESS(MPI_Isend(&rank, 1, MPI_INT, right, round, MPI_COMM_WORLD, &requests[2]));
        if (round % 2) {
            CHECK_SUCCESS(MPI_Waitall(3, requests, statuses));
        } else {
            for (int done = 0, index; done < 3; ++done) {
                MPI_Status status;
                CHECK_SUCCESS(MPI_Waitany(3, requests, &index, &status));
                statuses[index] = status;
            }
        }
        CHECK_SUCCESS(MPI_Get_count(&statuses[0], MPI_INT, &count));
        CHECK_EQUAL(count, round + 1);
        CHECK(in == left && statuses[1].MPI_TAG == round);
        CHECK_EQUAL(pthread_join(thread, NULL), 0);
    }
    return finish();
}
