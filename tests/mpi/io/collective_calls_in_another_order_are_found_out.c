// MPI 5.0 section 14.8: "MPI_ERR_NOT_SAME Collective argument not identical on all processes, or
// collective routines called in a different order by different processes"
// ranks: 2 5
#include "files.h"

int main(void) {
    start_with_file();
    MPI_File file = open_new();
    int number = 0;
    MPI_Status status;
    if (rank == size - 1)
        CHECK_ERROR(MPI_File_sync(file), MPI_ERR_NOT_SAME);
    else
        CHECK_ERROR(MPI_File_write_all(file, &number, 1, MPI_INT, &status), MPI_ERR_NOT_SAME);
    if (rank == 0)
        CHECK_ERROR(MPI_File_read_all(file, &number, 1, MPI_INT, &status), MPI_ERR_NOT_SAME);
    else
        CHECK_ERROR(MPI_File_write_all(file, &number, 1, MPI_INT, &status), MPI_ERR_NOT_SAME);
    MPI_Request request;
    if (rank == 0)
        CHECK_SUCCESS(MPI_File_iread_all(file, &number, 1, MPI_INT, &request));
    else
        CHECK_SUCCESS(MPI_File_iwrite_all(file, &number, 1, MPI_INT, &request));
    CHECK_ERROR(MPI_Wait(&request, &status), MPI_ERR_NOT_SAME);
    CHECK_SUCCESS(MPI_File_write_at_all(file, 4 * rank, &rank, 1, MPI_INT, &status));
    barrier();
    CHECK_EQUAL(size_of(file), 4 * size);
    close_file(&file);
    return finish();
}
