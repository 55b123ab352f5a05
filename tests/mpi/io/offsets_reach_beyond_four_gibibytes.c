// MPI 5.0 section 14.6.8: "MPI_Offset is an integer type of size sufficient to represent the size
// (in bytes) of the largest file supported by MPI. Displacements and offsets are always specified
// as values of type MPI_Offset."
// ranks: 1 4
#include "files.h"

int main(void) {
    start_with_file();
    MPI_File file = open_new(); // sparse: takes little space
    MPI_Offset far = (5LL << 30) + 4096;
    long long number = 1234567890123LL + rank, back = 0;
    CHECK_SUCCESS(MPI_File_write_at(file, far + 8 * rank, &number, 8, MPI_BYTE, MPI_STATUS_IGNORE));
    barrier();
    CHECK_EQUAL(size_of(file), far + 8 * size);
    CHECK_SUCCESS(
        MPI_File_set_view(file, far, MPI_LONG_LONG, MPI_LONG_LONG, "native", MPI_INFO_NULL));
    CHECK_SUCCESS(MPI_File_read_at_all(file, rank, &back, 1, MPI_LONG_LONG, MPI_STATUS_IGNORE));
    CHECK_EQUAL(back, number);
    // A tile of 1 GiB: offset 6 is in the seventh.
    MPI_Datatype filetype;
    CHECK_SUCCESS(MPI_Type_create_resized(MPI_LONG_LONG, 0, 1 << 30, &filetype));
    CHECK_SUCCESS(MPI_Type_commit(&filetype));
    CHECK_SUCCESS(
        MPI_File_set_view(file, 8 * rank, MPI_LONG_LONG, filetype, "native", MPI_INFO_NULL));
    CHECK_SUCCESS(MPI_File_write_at_all(file, 6, &number, 1, MPI_LONG_LONG, MPI_STATUS_IGNORE));
    CHECK_EQUAL(read_outside((6L << 30) + 8 * rank, &back, 8), 8);
    CHECK_EQUAL(back, number);
    CHECK_SUCCESS(MPI_File_seek(file, 0, MPI_SEEK_END));
    CHECK_EQUAL(position_of(file), 7);
    CHECK_SUCCESS(MPI_Type_free(&filetype));
    close_file(&file);
    return finish();
}
