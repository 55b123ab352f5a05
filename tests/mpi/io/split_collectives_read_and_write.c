// MPI 5.0 section 14.4.5: "The begin routine (e.g., MPI_FILE_READ_ALL_BEGIN) begins a split
// collective operation that, when completed with the matching end routine (i.e.,
// MPI_FILE_READ_ALL_END) produces the result as defined for the equivalent collective routine
// (i.e., MPI_FILE_READ_ALL)."
// ranks: 1 5
#include "files.h"

enum { kInts = 300 };

int main(void) {
    start_with_file();
    MPI_File file = open_new();
    view_in_turn(file, MPI_INT, 2);
    int out[kInts], in[kInts] = {0};
    for (int i = 0; i < kInts; ++i)
        out[i] = rank * 1000 + i;
    MPI_Status status;
    CHECK_SUCCESS(MPI_File_write_all_begin(file, out, kInts, MPI_INT));
    CHECK_EQUAL(position_of(file), kInts);
    CHECK_SUCCESS(MPI_File_write_all_end(file, out, &status));
    CHECK_EQUAL(count_in(&status, MPI_INT), kInts);
    CHECK_SUCCESS(MPI_File_write_at_all_begin(file, kInts, out, kInts, MPI_INT));
    CHECK_SUCCESS(MPI_File_write_at_all_end(file, out, &status));
    CHECK_EQUAL(count_in(&status, MPI_INT), kInts);
    barrier();
    CHECK_EQUAL(size_of(file), 8LL * kInts * size);
    CHECK_SUCCESS(MPI_File_read_at_all_begin(file, 0, in, kInts, MPI_INT));
    CHECK_SUCCESS(MPI_File_read_at_all_end(file, in, &status));
    CHECK_EQUAL(count_in(&status, MPI_INT), kInts);
    CHECK_EQUAL(memcmp(in, out, sizeof in), 0);
    memset(in, 0, sizeof in);
    CHECK_SUCCESS(MPI_File_read_all_begin(file, in, kInts, MPI_INT));
    CHECK_SUCCESS(MPI_File_read_all_end(file, in, MPI_STATUS_IGNORE));
    CHECK_EQUAL(memcmp(in, out, sizeof in), 0);
    CHECK_EQUAL(position_of(file), 2 * kInts);
    close_file(&file);
    return finish();
}
