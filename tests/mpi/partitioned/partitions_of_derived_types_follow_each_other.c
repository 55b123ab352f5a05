// MPI 5.0 section 4.2.3: "The argument partitions specifies how many equal partitions of a number (
// count) of objects of datatypes make up the entire buffer to be transferred in the partitioned
// communication." "Partitions are contiguous in memory, there is no padding in between them."
// ranks: 2
#include "world.h"

static MPI_Datatype pairs(void) { // (0, 2) of four ints, backwards
    MPI_Datatype indexed, type;
    int places[2] = {2, 0};
    MPI_Type_create_indexed_block(2, 1, places, MPI_INT, &indexed);
    MPI_Type_create_resized(indexed, 0, 16, &type);
    MPI_Type_commit(&type);
    MPI_Type_free(&indexed);
    return type;
}

static MPI_Datatype triples(void) { // the first three of four ints
    MPI_Datatype first, type;
    MPI_Type_contiguous(3, MPI_INT, &first);
    MPI_Type_create_resized(first, 0, 16, &type);
    MPI_Type_commit(&type);
    MPI_Type_free(&first);
    return type;
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    int out[48], in[32];
    MPI_Datatype pair = pairs(), triple = triples();
    MPI_Request request;
    // 24 numbers: 6 partitions of 2 pairs to 4 partitions of 2 triples.
    for (int round = 0; round < 2; ++round) {
        if (rank == 0) {
            for (int i = 0; i < 48; ++i)
                out[i] = i + 100 * round;
            MPI_Psend_init(out, 6, 2, pair, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
            MPI_Type_free(&pair);
            MPI_Start(&request);
            for (int i = 5; i >= 0; --i)
                MPI_Pready(i, request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        } else {
            memset(in, -1, sizeof in);
            MPI_Precv_init(in, 4, 2, triple, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
            MPI_Type_free(&triple);
            MPI_Start(&request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            for (int n = 0; n < 24; ++n) { // the n-th number of the message
                int sent = n / 2 * 4 + (n % 2 ? 0 : 2) + 100 * round;
                CHECK_EQUAL(in[n / 3 * 4 + n % 3], sent);
            }
            for (int i = 3; i < 32; i += 4)
                CHECK_EQUAL(in[i], -1);
        }
        MPI_Request_free(&request);
        pair = rank == 0 ? pairs() : pair;
        triple = rank == 1 ? triples() : triple;
    }
    MPI_Type_free(&pair);
    MPI_Type_free(&triple);
    return finish();
}
