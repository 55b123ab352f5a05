// MPI 5.0 section 14.5.3: "datarep can then be used as an argument to MPI_FILE_SET_VIEW, causing
// subsequent data access operations to call the conversion functions to convert all data items
// accessed between file data representation and native representation." ... "The conversion
// function must begin storing converted data at the location in userbuf specified by position into
// the (tiled) datatype."
// ranks: 1 3
#include "files.h"

// In the file an int is eight decimal digits. The memory's datatype is a vector with gaps.
static int reads, writes, extents, state;

static int *place(void *userbuf, MPI_Datatype datatype, MPI_Offset item) {
    MPI_Aint low, extent;
    int size_bytes;
    MPI_Type_get_extent(datatype, &low, &extent);
    MPI_Type_size(datatype, &size_bytes);
    int items = size_bytes / 4;
    char *element = (char *)userbuf + item / items * extent;
    return (int *)element + (items == 1 ? 0 : item % items * 2); // every other int
}

static int read_digits(void *userbuf, MPI_Datatype datatype, int count, void *filebuf,
                       MPI_Offset position, void *extra_state) {
    CHECK(extra_state == &state);
    ++reads;
    for (int i = 0; i < count; ++i) {
        char digits[9] = "";
        memcpy(digits, (char *)filebuf + 8 * i, 8);
        *place(userbuf, datatype, position + i) = atoi(digits);
    }
    return MPI_SUCCESS;
}

static int write_digits(void *userbuf, MPI_Datatype datatype, int count, void *filebuf,
                        MPI_Offset position, void *extra_state) {
    CHECK(extra_state == &state);
    ++writes;
    for (int i = 0; i < count; ++i) {
        char digits[16];
        snprintf(digits, sizeof digits, "%8d", *place(userbuf, datatype, position + i));
        memcpy((char *)filebuf + 8 * i, digits, 8);
    }
    return MPI_SUCCESS;
}

static int extent_of(MPI_Datatype datatype, MPI_Aint *extent, void *extra_state) {
    CHECK(extra_state == &state);
    CHECK(datatype == MPI_INT);
    ++extents;
    *extent = 8;
    return MPI_SUCCESS;
}

int main(void) {
    start_with_file();
    CHECK_SUCCESS(MPI_Register_datarep("digits", read_digits, write_digits, extent_of, &state));
    CHECK_ERROR(MPI_Register_datarep("digits", read_digits, write_digits, extent_of, &state),
                MPI_ERR_DUP_DATAREP);
    CHECK_ERROR(MPI_Register_datarep("native", read_digits, write_digits, extent_of, &state),
                MPI_ERR_DUP_DATAREP);
    MPI_File file = open_new();
    MPI_Datatype filetype;
    int whole[1] = {size}, part[1] = {1}, start[1] = {rank};
    CHECK_SUCCESS(MPI_Type_create_subarray(1, whole, part, start, MPI_ORDER_C, MPI_INT, &filetype));
    CHECK_SUCCESS(MPI_Type_commit(&filetype));
    CHECK_SUCCESS(MPI_File_set_view(file, 0, MPI_INT, filetype, "digits", MPI_INFO_NULL));
    MPI_Aint extent;
    CHECK_SUCCESS(MPI_File_get_type_extent(file, MPI_INT, &extent));
    CHECK_EQUAL(extent, 8);
    CHECK(extents > 0);

    MPI_Datatype gaps;
    CHECK_SUCCESS(MPI_Type_vector(3, 1, 2, MPI_INT, &gaps));
    CHECK_SUCCESS(MPI_Type_commit(&gaps));
    int numbers[10] = {rank,       99, rank + 100, 99, rank + 200,
                       rank + 300, 99, rank + 400, 99, rank + 500};
    int back[10] = {0};
    MPI_Status status;
    CHECK_SUCCESS(MPI_File_write_all(file, numbers, 2, gaps, &status));
    CHECK_EQUAL(count_in(&status, gaps), 2);
    CHECK_EQUAL(position_of(file), 6);
    CHECK(writes > 0);
    barrier();
    char text[9] = "";
    read_outside(8L * (3 * size + rank), text, 8);
    CHECK_EQUAL(atoi(text), rank + 300);
    CHECK_EQUAL(size_of(file), 48 * size);

    CHECK_SUCCESS(MPI_File_read_at(file, 0, back, 2, gaps, &status));
    CHECK_EQUAL(count_in(&status, gaps), 2);
    CHECK(reads > 0);
    for (int i = 0; i < 10; ++i)
        CHECK_EQUAL(back[i], numbers[i] == 99 ? 0 : numbers[i]);
    int one = 0;
    MPI_Request request;
    CHECK_SUCCESS(MPI_File_iread_at_all(file, 5, &one, 1, MPI_INT, &request));
    CHECK_SUCCESS(MPI_Wait(&request, &status));
    CHECK_EQUAL(one, rank + 500);
    // Only one item before the end of the file.
    CHECK_SUCCESS(MPI_File_read_at_all(file, 5, back, 1, gaps, &status));
    int elements;
    CHECK_SUCCESS(MPI_Get_elements(&status, gaps, &elements));
    CHECK_EQUAL(elements, 1);
    CHECK_SUCCESS(MPI_Type_free(&gaps));
    CHECK_SUCCESS(MPI_Type_free(&filetype));
    close_file(&file);
    return finish();
}
