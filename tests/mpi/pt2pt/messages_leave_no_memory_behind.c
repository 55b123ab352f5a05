// Messages that are packed for the way, that wait for their receive, and that are probed give their
// memory back: after a warm-up the process does not grow.
// ranks: 2
#include "world.h"

#include <unistd.h>

enum { kWarmUp = 40, kRounds = 400, kInts = 12000, kGrowthMax = 6 << 20 };

static long resident_bytes(void) {
    long pages = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file != NULL);
    CHECK_EQUAL(fscanf(file, "%ld %ld", &pages, &resident), 2);
    fclose(file);
    return resident * sysconf(_SC_PAGESIZE);
}

static int strided[2 * kInts], dense[kInts];

static void exchange(MPI_Datatype every_second, int count, int tag) {
    MPI_Request request;
    if (rank == 0) {
        CHECK_SUCCESS(MPI_Isend(strided, 1, every_second, 1, tag, MPI_COMM_WORLD, &request));
        CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD)); // the message waits for its receive
        CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
        return;
    }
    MPI_Status status;
    MPI_Message message;
    int received;
    CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_SUCCESS(MPI_Mprobe(0, tag, MPI_COMM_WORLD, &message, &status));
    CHECK_SUCCESS(MPI_Get_count(&status, MPI_INT, &received));
    CHECK_EQUAL(received, count);
    CHECK_SUCCESS(MPI_Mrecv(dense, count, MPI_INT, &message, MPI_STATUS_IGNORE));
    CHECK_EQUAL(dense[count - 1], 2 * (count - 1));
}

static void exchange_in_place(void) {
    MPI_Request request;
    CHECK_SUCCESS(MPI_Isendrecv_replace(dense, kInts, MPI_INT, 1 - rank, 9, 1 - rank, 9,
                                        MPI_COMM_WORLD, &request));
    CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    static const int counts[3] = {200, 900, kInts}; // eager, eager in larger memory, rendezvous
    MPI_Datatype types[3];
    long before = 0;
    for (int i = 0; i < 2 * kInts; ++i)
        strided[i] = i;
    for (int i = 0; i < 3; ++i) {
        CHECK_SUCCESS(MPI_Type_vector(counts[i], 1, 2, MPI_INT, &types[i]));
        CHECK_SUCCESS(MPI_Type_commit(&types[i]));
    }
    for (int round = 0; round < kWarmUp + kRounds; ++round) {
        if (round == kWarmUp)
            before = resident_bytes();
        for (int i = 0; i < 3; ++i)
            exchange(types[i], counts[i], i);
        exchange_in_place();
    }
    long growth = resident_bytes() - before;
    if (growth > kGrowthMax)
        fprintf(stderr, "%ld bytes more after %d messages of %d\n", growth, kRounds, 4 * kInts);
    CHECK(growth <= kGrowthMax);
    for (int i = 0; i < 3; ++i)
        CHECK_SUCCESS(MPI_Type_free(&types[i]));
    return finish();
}
