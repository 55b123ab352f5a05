// MPI 5.0 section 3.3.1: types match element by element, whatever datatypes contain them; a message
// may be shorter than its receive; MPI_PACKED matches everything. MPI_BYTE with other types, and
// unsigned with signed integers, are tolerated silently.
// ranks: 2
// expect-not: warning
// expect: ^all received$
#include "check.h"

#include <mpi.h>

#include <stdlib.h>

// Sends `count` elements in three ways: to a posted receive, as a message that waits, and as one of
// which only the envelope waits.
static void pass(MPI_Datatype sent, int sent_count, MPI_Datatype received, int received_count) {
    int rank;
    static char from[1 << 18], to[1 << 18];
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int way = 0; way < 3; ++way) {
        MPI_Request request;
        if (rank == 1 && way == 0)
            CHECK_SUCCESS(
                MPI_Irecv(to, received_count, received, 0, way, MPI_COMM_WORLD, &request));
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0 && way < 2)
            CHECK_SUCCESS(MPI_Isend(from, sent_count, sent, 1, way, MPI_COMM_WORLD, &request));
        if (rank == 0 && way == 2)
            CHECK_SUCCESS(MPI_Issend(from, sent_count, sent, 1, way, MPI_COMM_WORLD, &request));
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 1 && way > 0)
            CHECK_SUCCESS(
                MPI_Recv(to, received_count, received, 0, way, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        if (rank == 0 || way == 0)
            CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
}

static MPI_Datatype make_struct(int count, const MPI_Datatype *types) {
    int lengths[8];
    MPI_Aint places[8];
    MPI_Datatype result;
    for (int i = 0; i < count; ++i) {
        lengths[i] = 1;
        places[i] = 16 * i;
    }
    MPI_Type_create_struct(count, lengths, places, types, &result);
    MPI_Type_commit(&result);
    return result;
}

static void pass_named_types(void) {
    pass(MPI_INT, 1, MPI_INTEGER, 1);
    pass(MPI_INT32_T, 10, MPI_INT, 20);
    pass(MPI_LONG, 1, MPI_INT64_T, 1);
    pass(MPI_LONG_LONG, 3, MPI_AINT, 3);
    pass(MPI_OFFSET, 3, MPI_COUNT, 3);
    pass(MPI_DOUBLE, 4, MPI_DOUBLE_PRECISION, 4);
    pass(MPI_REAL8, 4, MPI_DOUBLE, 4);
    pass(MPI_CHAR, 9, MPI_CHARACTER, 12);
    pass(MPI_SIGNED_CHAR, 9, MPI_CHAR, 9);
    pass(MPI_C_BOOL, 2, MPI_CXX_BOOL, 2);
    pass(MPI_C_DOUBLE_COMPLEX, 2, MPI_DOUBLE_COMPLEX, 2);
    pass(MPI_UNSIGNED, 2, MPI_INT, 2);
    pass(MPI_BYTE, 16, MPI_DOUBLE, 2);
    pass(MPI_DOUBLE, 1000, MPI_BYTE, 8000);
    pass(MPI_PACKED, 16, MPI_DOUBLE, 2);
    pass(MPI_FLOAT, 0, MPI_INT, 2);
    pass(MPI_DOUBLE_INT, 4, MPI_DOUBLE_INT, 5);
}

static void pass_derived_types(void) {
    const MPI_Datatype parts[] = {MPI_INT, MPI_DOUBLE, MPI_INT, MPI_DOUBLE};
    const MPI_Datatype other_names[] = {MPI_INTEGER, MPI_REAL8, MPI_INT32_T, MPI_DOUBLE_PRECISION};
    const MPI_Datatype pair_parts[] = {MPI_DOUBLE, MPI_INT};
    MPI_Datatype once = make_struct(2, parts), twice = make_struct(4, parts);
    MPI_Datatype renamed = make_struct(4, other_names), pair = make_struct(2, pair_parts);
    MPI_Datatype column, row, many;
    MPI_Type_vector(10, 1, 10, MPI_DOUBLE, &column);
    MPI_Type_contiguous(10, MPI_DOUBLE, &row);
    MPI_Type_contiguous(500, once, &many);
    MPI_Type_commit(&column);
    MPI_Type_commit(&row);
    MPI_Type_commit(&many);
    pass(once, 2, twice, 1);
    pass(twice, 1, once, 3);
    pass(once, 1, twice, 1);
    pass(twice, 300, renamed, 300);
    pass(many, 1, renamed, 250);
    pass(once, 3, renamed, 2);
    pass(column, 3, row, 3);
    pass(column, 1, MPI_DOUBLE, 100);
    pass(pair, 3, MPI_DOUBLE_INT, 3);
    pass(MPI_DOUBLE_INT, 3, pair, 4);
    MPI_Datatype *types[] = {&once, &twice, &renamed, &pair, &column, &row, &many};
    for (int i = 0; i < 7; ++i)
        MPI_Type_free(types[i]);
}

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pass_named_types();
    pass_derived_types();
    if (rank == 0)
        printf("all received\n");
    MPI_Finalize();
    return 0;
}
