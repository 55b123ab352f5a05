// MPI 5.0 section 14.4.3: "After an individual file pointer operation is initiated, the individual
// file pointer is updated to point to the next etype after the last one that will be accessed. The
// file pointer is updated relative to the current view of the file."
// ranks: 1 3
#include "files.h"

int main(void) {
    start_with_file();
    MPI_File file = open_new();
    view_in_turn(file, MPI_INT, 1);
    double pair[2] = {rank + 0.5, rank + 0.25}, back[2];
    CHECK_SUCCESS(MPI_File_write(file, pair, 2, MPI_DOUBLE, MPI_STATUS_IGNORE)); // as MPI_INTs
    CHECK_EQUAL(position_of(file), 4);
    CHECK_SUCCESS(MPI_File_write_all(file, pair, 1, MPI_DOUBLE, MPI_STATUS_IGNORE));
    CHECK_EQUAL(position_of(file), 6);
    CHECK_SUCCESS(MPI_File_seek(file, -4, MPI_SEEK_CUR));
    CHECK_SUCCESS(MPI_File_read(file, back, 2, MPI_DOUBLE, MPI_STATUS_IGNORE));
    CHECK(back[0] == pair[1] && back[1] == pair[0]);
    CHECK_EQUAL(position_of(file), 6);

    MPI_Request requests[2];
    CHECK_SUCCESS(MPI_File_seek(file, 0, MPI_SEEK_SET));
    CHECK_SUCCESS(MPI_File_iread(file, &back[0], 1, MPI_DOUBLE, &requests[0]));
    CHECK_EQUAL(position_of(file), 2);
    CHECK_SUCCESS(MPI_File_iread(file, &back[1], 1, MPI_DOUBLE, &requests[1]));
    CHECK_EQUAL(position_of(file), 4);
    CHECK_SUCCESS(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    CHECK(back[0] == pair[0] && back[1] == pair[1]);
    // No part of an etype is accessed.
    char byte = 0;
    CHECK_ERROR(MPI_File_write(file, &byte, 1, MPI_CHAR, MPI_STATUS_IGNORE), MPI_ERR_TYPE);
    CHECK_EQUAL(position_of(file), 4);
    close_file(&file);
    return finish();
}
