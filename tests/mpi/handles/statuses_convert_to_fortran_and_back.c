// MPI 5.0 section 19.3.5: "The conversion occurs on all the information in status, including that
// which is hidden."
// ranks: 2 3
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int values[4] = {rank, 1, 2, 3}, received[3], count, right = (rank + 1) % size,
        left = (rank + size - 1) % size;
    MPI_Request request;
    MPI_Status status, back, through_f08;
    MPI_Fint fortran[sizeof(MPI_Status) / sizeof(MPI_Fint) + 8];
    MPI_F08_status f08;
    MPI_Isend(values, 3, MPI_INT, right, 77, MPI_COMM_WORLD, &request);
    MPI_Probe(left, 77, MPI_COMM_WORLD, &status);
    CHECK_SUCCESS(MPI_Status_c2f(&status, fortran));
    memset(&back, 0xff, sizeof back);
    CHECK_SUCCESS(MPI_Status_f2c(fortran, &back));
    CHECK_EQUAL(back.MPI_SOURCE, left);
    CHECK_EQUAL(back.MPI_TAG, 77);
    MPI_Get_count(&back, MPI_INT, &count); // hidden information
    CHECK_EQUAL(count, 3);
    CHECK_SUCCESS(MPI_Status_c2f08(&status, &f08));
    memset(&through_f08, 0xff, sizeof through_f08);
    CHECK_SUCCESS(MPI_Status_f082c(&f08, &through_f08));
    CHECK_EQUAL(through_f08.MPI_SOURCE, left);
    MPI_Get_count(&through_f08, MPI_INT, &count);
    CHECK_EQUAL(count, 3);
    memset(&f08, 0xff, sizeof f08);
    CHECK_SUCCESS(MPI_Status_f2f08(fortran, &f08));
    memset(fortran, 0xff, sizeof fortran);
    CHECK_SUCCESS(MPI_Status_f082f(&f08, fortran));
    CHECK_SUCCESS(MPI_Status_f2c(fortran, &back));
    CHECK_EQUAL(back.MPI_SOURCE, left);
    MPI_Get_count(&back, MPI_INT, &count);
    CHECK_EQUAL(count, 3);
    MPI_Recv(received, 3, MPI_INT, left, 77, MPI_COMM_WORLD, &status);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return finish();
}
