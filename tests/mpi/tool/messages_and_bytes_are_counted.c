// MPI 5.0 section 15.3.7: "A performance variable in this class counts the number of occurrences
// of a specific event" "The value of a performance variable in this class is an aggregated value
// that represents a sum of arguments processed during a specific event"
// ranks: 2 4
#include "variables.h"

enum { kMessages = 60 };

static int bytes_of(int message) {
    static const int lengths[] = {0, 8, 112, 113, 4096, 4097, 70000};
    return lengths[message % 7];
}

static char data[70000], room[70000];

int main(void) {
    start(NULL, NULL);
    start_tools();
    const int counter = MPI_T_PVAR_CLASS_COUNTER, aggregate = MPI_T_PVAR_CLASS_AGGREGATE;
    MPI_T_pvar_handle sent = counted("messages_sent", counter, NULL);
    MPI_T_pvar_handle sent_bytes = counted("bytes_sent", aggregate, NULL);
    MPI_T_pvar_handle received = counted("messages_received", counter, NULL);
    MPI_T_pvar_handle received_bytes = counted("bytes_received", aggregate, NULL);
    MPI_T_pvar_handle expected = counted("expected_receives", counter, NULL);
    MPI_T_pvar_handle unexpected = counted("unexpected_receives", counter, NULL);
    MPI_Barrier(MPI_COMM_WORLD); // all of them count
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    unsigned long long bytes = 0;
    for (int i = 0; i < kMessages; ++i) {
        MPI_Request request;
        MPI_Isend(data, bytes_of(i), MPI_CHAR, next, i, MPI_COMM_WORLD, &request);
        MPI_Recv(room, 70000, MPI_CHAR, before, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        bytes += bytes_of(i);
    }
    CHECK_EQUAL(value_of(sent), kMessages);
    CHECK_EQUAL(value_of(sent_bytes), bytes);
    CHECK_EQUAL(value_of(received), kMessages);
    CHECK_EQUAL(value_of(received_bytes), bytes);
    CHECK_EQUAL(value_of(expected) + value_of(unexpected), kMessages);
    // The order of these is known.
    unsigned long long before_that = value_of(unexpected);
    MPI_Request request;
    MPI_Isend(data, 3, MPI_CHAR, next, 0, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Recv(room, 3, MPI_CHAR, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK_EQUAL(value_of(unexpected), before_that + 1);
    before_that = value_of(expected);
    MPI_Irecv(room, 3, MPI_CHAR, before, 0, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Send(data, 3, MPI_CHAR, next, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK_EQUAL(value_of(expected), before_that + 1);
    CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}
