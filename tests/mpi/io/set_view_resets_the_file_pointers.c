// MPI 5.0 section 14.3: "In addition, MPI_FILE_SET_VIEW resets the individual file pointers and the
// shared file pointer to zero."
// ranks: 1 3
#include "files.h"

int main(void) {
    start_with_file();
    MPI_File file = open_new();
    CHECK_SUCCESS(MPI_File_seek(file, 12, MPI_SEEK_SET));
    CHECK_SUCCESS(MPI_File_seek_shared(file, 13, MPI_SEEK_SET));
    CHECK_EQUAL(position_of(file), 12);
    CHECK_EQUAL(shared_position_of(file), 13);
    barrier();
    CHECK_SUCCESS(MPI_File_set_view(file, 8, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    CHECK_EQUAL(position_of(file), 0);
    CHECK_EQUAL(shared_position_of(file), 0);
    close_file(&file);
    return finish();
}
