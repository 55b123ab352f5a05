// MPI 5.0 section 14.5: "The data on the storage medium is always in this canonical representation,
// and the data in memory is always in the local process's native representation." Section 14.5.2:
// "All integral values are in two's complement big-endian format." ... "All data items are stored
// contiguously in the file (if the file view is contiguous)."
// ranks: 1 2
#include "files.h"

int main(void) {
    start_with_file();
    MPI_File file = open_new();
    CHECK_SUCCESS(
        MPI_File_set_view(file, 32 * rank, MPI_BYTE, MPI_BYTE, "external32", MPI_INFO_NULL));
    int number = -2;
    double real = 1.5;
    long large = 0x01020304;
    short small = 0x0506;
    MPI_Status status;
    CHECK_SUCCESS(MPI_File_write(file, &number, 1, MPI_INT, &status));
    CHECK_EQUAL(count_in(&status, MPI_INT), 1);
    CHECK_SUCCESS(MPI_File_write_all(file, &real, 1, MPI_DOUBLE, &status));
    CHECK_EQUAL(count_in(&status, MPI_DOUBLE), 1);
    MPI_Request request;
    CHECK_SUCCESS(MPI_File_iwrite(file, &large, 1, MPI_LONG, &request));
    CHECK_SUCCESS(MPI_Wait(&request, &status));
    CHECK_EQUAL(count_in(&status, MPI_LONG), 1);
    CHECK_SUCCESS(MPI_File_iwrite_all(file, &small, 1, MPI_SHORT, &request));
    CHECK_SUCCESS(MPI_Wait(&request, &status));
    static const unsigned char expected[] = {0xff, 0xff, 0xff, 0xfe, 0x3f, 0xf8, 0, 0, 0,
                                             0,    0,    0,    1,    2,    3,    4, 5, 6};
    unsigned char bytes[18];
    CHECK_EQUAL(read_outside(32 * rank, bytes, 18), 18);
    CHECK_EQUAL(memcmp(bytes, expected, 18), 0);
    CHECK_EQUAL(position_of(file), 18);

    struct {
        int number;
        double real;
    } back = {0, 0};

    long large_back = 0;
    CHECK_SUCCESS(MPI_File_seek(file, 0, MPI_SEEK_SET));
    CHECK_SUCCESS(MPI_File_read_all(file, &back.number, 1, MPI_INT, &status));
    CHECK_SUCCESS(MPI_File_read(file, &back.real, 1, MPI_DOUBLE, &status));
    CHECK_SUCCESS(MPI_File_iread(file, &large_back, 1, MPI_LONG, &request));
    CHECK_SUCCESS(MPI_Wait(&request, &status));
    CHECK_EQUAL(count_in(&status, MPI_LONG), 1);
    CHECK_EQUAL(back.number, -2);
    CHECK(back.real == 1.5);
    CHECK_EQUAL(large_back, 0x01020304);
    // The end of the file, inside the third long: two whole ones.
    barrier();
    CHECK_SUCCESS(MPI_File_set_size(file, 11));
    long three[3] = {-1, -1, -1};
    CHECK_SUCCESS(MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "external32", MPI_INFO_NULL));
    CHECK_SUCCESS(MPI_File_read_at(file, 0, three, 3, MPI_LONG, &status));
    CHECK_EQUAL(count_in(&status, MPI_LONG), 2);
    CHECK_EQUAL(three[2], -1);
    close_file(&file);
    return finish();
}
