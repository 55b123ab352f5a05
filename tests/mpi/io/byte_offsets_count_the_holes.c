// MPI 5.0 section 14.4.3: "MPI_FILE_GET_BYTE_OFFSET converts a view-relative offset into an
// absolute byte position. The absolute byte position (from the beginning of the file) of offset
// relative to the current view of fh is returned in disp."
// ranks: 1
#include "files.h"

static long long byte_offset(MPI_File file, MPI_Offset offset) {
    MPI_Offset disp;
    CHECK_SUCCESS(MPI_File_get_byte_offset(file, offset, &disp));
    return disp;
}

int main(void) {
    start_with_file();
    MPI_File file = open_new();
    CHECK_EQUAL(byte_offset(file, 17), 17);
    // Ints 1, 2 and 5 of every 8.
    MPI_Datatype picked, filetype;
    int lengths[2] = {2, 1}, places[2] = {1, 5};
    CHECK_SUCCESS(MPI_Type_indexed(2, lengths, places, MPI_INT, &picked));
    CHECK_SUCCESS(MPI_Type_create_resized(picked, 0, 32, &filetype));
    CHECK_SUCCESS(MPI_Type_commit(&filetype));
    CHECK_SUCCESS(MPI_File_set_view(file, 100, MPI_INT, filetype, "native", MPI_INFO_NULL));
    static const int expected[] = {104, 108, 120, 136, 140, 152};
    for (int i = 0; i < 6; ++i)
        CHECK_EQUAL(byte_offset(file, i), expected[i]);
    CHECK_EQUAL(byte_offset(file, 3000000001LL), 100 + 32000000000LL + 4 + 4);
    MPI_Offset disp;
    CHECK_ERROR(MPI_File_get_byte_offset(file, -1, &disp), MPI_ERR_ARG);
    CHECK_SUCCESS(MPI_Type_free(&picked));
    CHECK_SUCCESS(MPI_Type_free(&filetype));
    close_file(&file);
    return finish();
}
