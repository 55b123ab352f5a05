// MPI 5.0 section 4.2: "A call to MPI_PREADY notifies the MPI library that a specified portion of
// the data buffer (a specific partition) is ready to be sent." Round a ring: partitions of all
// sizes, dense and with gaps, in any order, before and after the receive is started, round after
// round.
// ranks: 2 5
#include "world.h"

#include <unistd.h>

enum { kRounds = 4 };

static int value_of(int sender, int round, int i) {
    return (sender * 31 + round) * 1000003 + i;
}

// `elements` ints in `partitions` parts, the receiver's in `other` parts; in memory `stride` ints
// apart.
static void send_round_the_ring(int elements, int partitions, int other, int stride) {
    const int next = (rank + 1) % size, last = (rank + size - 1) % size;
    MPI_Datatype type;
    CHECK_SUCCESS(MPI_Type_create_resized(MPI_INT, 0, (MPI_Aint)sizeof(int) * stride, &type));
    CHECK_SUCCESS(MPI_Type_commit(&type));
    int *out = calloc((size_t)elements * (size_t)stride + 1, sizeof *out);
    int *in = calloc((size_t)elements * (size_t)stride + 1, sizeof *in);
    MPI_Request send, receive;
    CHECK_SUCCESS(MPI_Psend_init(out, partitions, elements / partitions, type, next, 3,
                                 MPI_COMM_WORLD, MPI_INFO_NULL, &send));
    CHECK_SUCCESS(MPI_Precv_init(in, other, elements / other, type, last, 3, MPI_COMM_WORLD,
                                 MPI_INFO_NULL, &receive));
    for (int round = 0; round < kRounds; ++round) {
        if ((rank + round) % 2 == 0)
            CHECK_SUCCESS(MPI_Start(&receive));
        CHECK_SUCCESS(MPI_Start(&send));
        const int each = elements / partitions;
        for (int step = 0; step < partitions; ++step) {
            const int partition = round % 2 ? partitions - 1 - step : step;
            for (int i = partition * each; i < (partition + 1) * each; ++i)
                out[(size_t)i * (size_t)stride] = value_of(rank, round, i);
            CHECK_SUCCESS(MPI_Pready(partition, send));
        }
        if ((rank + round) % 2 != 0) {
            usleep(500);
            CHECK_SUCCESS(MPI_Start(&receive));
        }
        for (int partition = other - 1; partition >= 0; --partition)
            for (int flag = 0; !flag;)
                CHECK_SUCCESS(MPI_Parrived(receive, partition, &flag));
        for (int i = 0; i < elements; ++i) // not complete yet, but all has arrived
            CHECK_EQUAL(in[(size_t)i * (size_t)stride], value_of(last, round, i));
        MPI_Status status;
        CHECK_SUCCESS(MPI_Wait(&receive, &status));
        int count;
        CHECK_SUCCESS(MPI_Get_count(&status, type, &count));
        CHECK_EQUAL(count, elements);
        CHECK_EQUAL(status.MPI_SOURCE, last);
        CHECK_SUCCESS(MPI_Wait(&send, MPI_STATUS_IGNORE));
        for (int i = 0; i < elements; ++i)
            for (int gap = 1; gap < stride; ++gap)
                CHECK_EQUAL(in[(size_t)i * (size_t)stride + (size_t)gap], 0);
    }
    CHECK_SUCCESS(MPI_Request_free(&send));
    CHECK_SUCCESS(MPI_Request_free(&receive));
    CHECK_SUCCESS(MPI_Type_free(&type));
    free(in);
    free(out);
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    send_round_the_ring(12, 4, 3, 1);
    send_round_the_ring(12, 12, 1, 3);
    send_round_the_ring(6000, 3, 2, 1);
    send_round_the_ring(6000, 2, 500, 2);
    send_round_the_ring(400000, 4, 4, 1);
    send_round_the_ring(300000, 2, 3, 2);
    return finish();
}
