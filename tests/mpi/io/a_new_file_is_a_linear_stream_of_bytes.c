// MPI 5.0 section 14.2.1: "Initially, all processes view the file as a linear byte stream, and each
// process views data in its own native representation (no data representation conversion is
// performed)."
// ranks: 1 3
#include "files.h"

int main(void) {
    start_with_file();
    MPI_File file = open_new();
    MPI_Offset disp = -1;
    MPI_Datatype etype, filetype;
    char datarep[MPI_MAX_DATAREP_STRING];
    CHECK_SUCCESS(MPI_File_get_view(file, &disp, &etype, &filetype, datarep));
    CHECK_EQUAL(disp, 0);
    CHECK(etype == MPI_BYTE && filetype == MPI_BYTE);
    CHECK_EQUAL(strcmp(datarep, "native"), 0);
    CHECK_EQUAL(position_of(file), 0);
    CHECK_EQUAL(size_of(file), 0);
    barrier();
    int flag = 1;
    CHECK_SUCCESS(MPI_File_get_atomicity(file, &flag));
    CHECK_EQUAL(flag, 0);

    int number = 1000 + rank, seen = 0;
    CHECK_SUCCESS(MPI_File_write_at(file, 4 * rank, &number, 1, MPI_INT, MPI_STATUS_IGNORE));
    CHECK_EQUAL(read_outside(4 * rank, &seen, 4), 4);
    CHECK_EQUAL(seen, number);
    close_file(&file);
    return finish();
}
