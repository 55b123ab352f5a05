// MPI 5.0 section 9.1.2: the value of MPI_TAG_UB "must be at least 32767"; MPI_WTIME_IS_GLOBAL is 1
// "if clocks at all MPI processes in MPI_COMM_WORLD are synchronized"; the attributes are pointers
// to int.
// ranks: 1 2 5
#include "world.h"

static int attribute(int key) {
    int *value = NULL, flag = 0;
    CHECK_SUCCESS(MPI_Comm_get_attr(MPI_COMM_WORLD, key, &value, &flag));
    CHECK(flag);
    return *value;
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    int tag_ub = attribute(MPI_TAG_UB), value = -1;
    CHECK(tag_ub >= 32767);
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, tag_ub, &value, 1, MPI_INT,
                 (rank + size - 1) % size, tag_ub, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK_EQUAL(value, (rank + size - 1) % size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (tag_ub < 0x7fffffff)
        CHECK_ERROR(MPI_Send(&rank, 1, MPI_INT, rank, tag_ub + 1, MPI_COMM_WORLD), MPI_ERR_TAG);
    CHECK_EQUAL(attribute(MPI_WTIME_IS_GLOBAL), 1);
    CHECK_EQUAL(attribute(MPI_APPNUM), 0);
    CHECK(attribute(MPI_LASTUSEDCODE) >= MPI_ERR_LASTCODE);
    int smallest, largest;
    MPI_Allreduce(&tag_ub, &smallest, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&tag_ub, &largest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    CHECK_EQUAL(smallest, largest);
    return finish();
}
