// MPI 5.0 section 7.4.3: "Any operations that use the communicator comm (whether active or inactive
// at the time of this procedure call) will continue to work; the object is actually deallocated
// only if there are no other active references to it." Section 5.1.9: "Any communication that is
// currently using this datatype will complete normally."
// ranks: 2 7
#include "world.h"

static void sum_pairs(void *in, void *inout, int *length, MPI_Datatype *type) {
    (void)type;
    for (int i = 0; i < 2 * *length; ++i)
        ((int *)inout)[i] += ((int *)in)[i];
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    for (int round = 0; round < 20; ++round) {
        MPI_Comm comm;
        MPI_Datatype pair, column, types[64];
        MPI_Op op;
        MPI_Request requests[3], persistent;
        int largest;
        int in[2] = {rank, 1}, out[2] = {-1, -1}, ones[64], displacements[64];
        int matrix[6] = {-1, -1, -1, -1, -1, -1}, sent[64][2], got[64][2];
        CHECK_SUCCESS(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
        CHECK_SUCCESS(MPI_Type_contiguous(2, MPI_INT, &pair));
        CHECK_SUCCESS(MPI_Type_vector(3, 1, 2, MPI_INT, &column));
        CHECK_SUCCESS(MPI_Type_commit(&pair));
        CHECK_SUCCESS(MPI_Type_commit(&column));
        CHECK_SUCCESS(MPI_Op_create(sum_pairs, 1, &op));
        for (int i = 0; i < size; ++i) {
            ones[i] = 1;
            displacements[i] = i * (int)sizeof(int[2]);
            types[i] = pair;
            sent[i][0] = rank;
            sent[i][1] = i;
        }
        if (rank == 0)
            for (int i = 0; i < 6; ++i)
                matrix[i] = i;
        CHECK_SUCCESS(MPI_Iallreduce(in, out, 1, pair, op, comm, &requests[0]));
        CHECK_SUCCESS(MPI_Ibcast(matrix, 1, column, 0, comm, &requests[1]));
        CHECK_SUCCESS(MPI_Ialltoallw(sent, ones, displacements, types, got, ones, displacements,
                                     types, comm, &requests[2]));
        CHECK_SUCCESS(MPI_Allreduce_init(&rank, &largest, 1, MPI_INT, MPI_MAX, comm, MPI_INFO_NULL,
                                         &persistent));
        CHECK_SUCCESS(MPI_Type_free(&pair));
        CHECK_SUCCESS(MPI_Type_free(&column));
        CHECK_SUCCESS(MPI_Op_free(&op));
        CHECK_SUCCESS(MPI_Comm_free(&comm));
        CHECK_SUCCESS(MPI_Waitall(3, requests, MPI_STATUSES_IGNORE));
        CHECK_SUCCESS(MPI_Start(&persistent));
        CHECK_SUCCESS(MPI_Wait(&persistent, MPI_STATUS_IGNORE));
        CHECK_SUCCESS(MPI_Request_free(&persistent));
        CHECK_EQUAL(largest, size - 1);
        CHECK_EQUAL(out[0], size * (size - 1) / 2);
        CHECK_EQUAL(out[1], size);
        for (int i = 0; i < 6; i += 2)
            CHECK_EQUAL(matrix[i], i);
        for (int i = 0; i < size; ++i)
            CHECK(got[i][0] == i && got[i][1] == rank);
    }
    return finish();
}
