// MPI 5.0 section 14.4.1: "Explicit offset operations perform data access at the file position
// given directly as an argument---no file pointer is used nor updated."
// ranks: 1 4
#include "files.h"

int main(void) {
    start_with_file();
    MPI_File file = open_new();
    CHECK_SUCCESS(MPI_File_set_view(file, 16, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    CHECK_SUCCESS(MPI_File_seek(file, 3, MPI_SEEK_SET));
    int numbers[2] = {rank, -rank}, back[2] = {7, 7};
    MPI_Status status;
    CHECK_SUCCESS(MPI_File_write_at(file, 2 * rank, numbers, 2, MPI_INT, &status));
    CHECK_EQUAL(count_in(&status, MPI_INT), 2);
    CHECK_SUCCESS(MPI_File_write_at_all(file, 2 * rank, numbers, 2, MPI_INT, &status));
    CHECK_EQUAL(count_in(&status, MPI_INT), 2);
    int left = (rank + size - 1) % size;
    barrier();
    CHECK_SUCCESS(MPI_File_read_at(file, 2 * left, back, 2, MPI_INT, &status));
    CHECK_EQUAL(back[0], left);
    CHECK_EQUAL(back[1], -left);
    back[0] = 9;
    CHECK_SUCCESS(MPI_File_read_at_all(file, 2 * left, back, 1, MPI_INT, &status));
    CHECK_EQUAL(back[0], left);
    CHECK_EQUAL(position_of(file), 3);
    CHECK_EQUAL(shared_position_of(file), 0);
    CHECK_EQUAL(size_of(file), 16 + 8 * size);
    CHECK_ERROR(MPI_File_read_at(file, -1, back, 1, MPI_INT, &status), MPI_ERR_ARG);
    CHECK_ERROR(MPI_File_read_at(file, 1LL << 61, back, 1, MPI_INT, &status), MPI_ERR_ARG);
    close_file(&file);
    return finish();
}
