// MPI 5.0 section 14.2.1: "Specifying MPI_MODE_APPEND only guarantees that all shared and
// individual file pointers are positioned at the initial end of file when MPI_FILE_OPEN returns."
// ... "In particular, the implementation does not ensure that all writes are appended."
// ranks: 1 4
#include "files.h"

int main(void) {
    start_with_file();
    write_outside_once("0123456789", 10);
    MPI_File file;
    CHECK_SUCCESS(MPI_File_open(MPI_COMM_WORLD, file_name,
                                MPI_MODE_RDWR | MPI_MODE_APPEND | MPI_MODE_DELETE_ON_CLOSE,
                                MPI_INFO_NULL, &file));
    CHECK_EQUAL(position_of(file), 10);
    CHECK_EQUAL(shared_position_of(file), 10);
    barrier();
    char letter = (char)('a' + rank);
    CHECK_SUCCESS(MPI_File_write_ordered(file, &letter, 1, MPI_CHAR, MPI_STATUS_IGNORE));
    char all[64] = "";
    barrier();
    CHECK_EQUAL(read_outside(0, all, sizeof all), 10 + size);
    for (int i = 0; i < size; ++i)
        CHECK_EQUAL(all[10 + i], 'a' + i);
    barrier();
    if (rank == 0) { // not appended: position 0 is where it says
        CHECK_SUCCESS(MPI_File_write_at(file, 0, "X", 1, MPI_CHAR, MPI_STATUS_IGNORE));
        CHECK_EQUAL(size_of(file), 10 + size);
        read_outside(0, all, 2);
        CHECK_EQUAL(all[0], 'X');
    }
    close_file(&file);
    return finish();
}
