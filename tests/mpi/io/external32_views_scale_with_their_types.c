// MPI 5.0 section 14.5.1: "For etypes and filetypes that are portable datatypes (see Section
// Semantic Terms), MPI will scale any displacements in the datatypes to match the file data
// representation." "Returns the extent of datatype in the file fh." MPI_LONG has 4 bytes in
// external32.
// ranks: 1 3
#include "files.h"

static long extent_in(MPI_File file, MPI_Datatype type) {
    MPI_Aint extent;
    MPI_Count extent_c;
    CHECK_SUCCESS(MPI_File_get_type_extent(file, type, &extent));
    CHECK_SUCCESS(MPI_File_get_type_extent_c(file, type, &extent_c));
    CHECK_EQUAL(extent, extent_c);
    return extent;
}

int main(void) {
    start_with_file();
    MPI_File file = open_new();
    CHECK_EQUAL(extent_in(file, MPI_LONG), 8);
    // Every rank: longs rank and rank + size of every 2 * size.
    MPI_Datatype filetype;
    MPI_Datatype picked, bytes_apart;
    CHECK_SUCCESS(MPI_Type_vector(2, 1, size, MPI_LONG, &picked));
    int starts[1] = {rank}, parts[1] = {1}, whole[1] = {size};
    CHECK_SUCCESS(
        MPI_Type_create_subarray(1, whole, parts, starts, MPI_ORDER_C, MPI_LONG, &filetype));
    CHECK_SUCCESS(MPI_Type_commit(&filetype));
    CHECK_SUCCESS(MPI_Type_commit(&picked));
    CHECK_SUCCESS(MPI_File_set_view(file, 0, MPI_LONG, filetype, "external32", MPI_INFO_NULL));
    CHECK_EQUAL(extent_in(file, MPI_LONG), 4);
    CHECK_EQUAL(extent_in(file, MPI_DOUBLE), 8);
    CHECK_EQUAL(extent_in(file, filetype), 4 * size);
    CHECK_EQUAL(extent_in(file, picked), 4 * (size + 1));
    // Displacements in bytes are taken as they are.
    CHECK_SUCCESS(MPI_Type_create_hvector(2, 1, 40, MPI_LONG, &bytes_apart));
    CHECK_SUCCESS(MPI_Type_commit(&bytes_apart));
    CHECK_EQUAL(extent_in(file, bytes_apart), 44);

    long numbers[5], back[5] = {0};
    for (int i = 0; i < 5; ++i)
        numbers[i] = 100 * rank + i;
    CHECK_SUCCESS(MPI_File_write_all(file, numbers, 5, MPI_LONG, MPI_STATUS_IGNORE));
    CHECK_EQUAL(position_of(file), 5);
    barrier();
    CHECK_EQUAL(size_of(file), 20 * size);
    for (int i = 0; i < 5; ++i) {
        unsigned char bytes[4];
        MPI_Offset place;
        CHECK_SUCCESS(MPI_File_get_byte_offset(file, i, &place));
        CHECK_EQUAL(place, 4 * (i * size + rank));
        CHECK_EQUAL(read_outside((long)place, bytes, 4), 4);
        CHECK_EQUAL(bytes[2] * 256 + bytes[3], numbers[i]);
    }
    CHECK_SUCCESS(MPI_File_read_at(file, 1, back, 3, MPI_LONG, MPI_STATUS_IGNORE));
    CHECK_EQUAL(back[2], numbers[3]);
    CHECK_SUCCESS(MPI_Type_free(&filetype));
    CHECK_SUCCESS(MPI_Type_free(&picked));
    CHECK_SUCCESS(MPI_Type_free(&bytes_apart));
    close_file(&file);
    return finish();
}
