// MPI 5.0 section 14.3: "A filetype is either a single etype or a derived MPI datatype constructed
// from multiple instances of the same etype." Here: distributed arrays and subarrays, written and
// read with different distributions.
// ranks: 1 4 6
#include "files.h"

enum { kRows = 24, kColumns = 36 };

static double matrix[kRows * kColumns];

int main(void) {
    start_with_file();
    MPI_File file = open_new();
    int sizes[2] = {kRows, kColumns};
    int kinds[2] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_BLOCK};
    int arguments[2] = {2, MPI_DISTRIBUTE_DFLT_DARG}, processes[2] = {size, 1};
    if (size % 2 == 0) {
        processes[0] = size / 2;
        processes[1] = 2;
    }
    MPI_Datatype blocks, columns;
    CHECK_SUCCESS(MPI_Type_create_darray(size, rank, 2, sizes, kinds, arguments, processes,
                                         MPI_ORDER_C, MPI_DOUBLE, &blocks));
    CHECK_SUCCESS(MPI_Type_commit(&blocks));
    // Every element is its place in the matrix; this rank's are found through memory.
    for (int i = 0; i < kRows * kColumns; ++i)
        matrix[i] = i;
    int bytes, position = 0;
    static double mine[kRows * kColumns];
    CHECK_SUCCESS(MPI_Type_size(blocks, &bytes));
    CHECK_SUCCESS(MPI_Pack(matrix, 1, blocks, mine, (int)sizeof mine, &position, MPI_COMM_SELF));
    CHECK_EQUAL(position, bytes);
    CHECK_SUCCESS(MPI_File_set_view(file, 64, MPI_DOUBLE, blocks, "native", MPI_INFO_NULL));
    CHECK_SUCCESS(MPI_File_write_all(file, mine, bytes / 8, MPI_DOUBLE, MPI_STATUS_IGNORE));
    CHECK_EQUAL(size_of(file), 64 + 8 * kRows * kColumns);

    int first = kColumns * rank / size, end = kColumns * (rank + 1) / size;
    int parts[2] = {kRows, end - first}, starts[2] = {0, first};
    CHECK_SUCCESS(
        MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_DOUBLE, &columns));
    CHECK_SUCCESS(MPI_Type_commit(&columns));
    CHECK_SUCCESS(MPI_File_set_view(file, 64, MPI_DOUBLE, columns, "native", MPI_INFO_NULL));
    int count = kRows * (end - first);
    CHECK_SUCCESS(MPI_File_read_all(file, mine, count, MPI_DOUBLE, MPI_STATUS_IGNORE));
    for (int i = 0; i < count; ++i)
        CHECK_EQUAL(mine[i], i / (end - first) * kColumns + first + i % (end - first));
    CHECK_SUCCESS(MPI_Type_free(&blocks));
    CHECK_SUCCESS(MPI_Type_free(&columns));
    close_file(&file);
    return finish();
}
