// MPI 5.0 section 14.6.1: "Sequential consistency means the behavior of a set of operations will be
// as if the operations were performed in some serial order consistent with program order; each
// access appears atomic, although the exact ordering of accesses is unspecified." Here with
// accesses that have holes, so that one access is many system calls.
// ranks: 2 8
#include "files.h"

enum { kInts = 600, kTimes = 20 };

static int out[kInts], in[kInts];

static void check_of_one(const int *numbers) {
    for (int i = 1; i < kInts; ++i)
        CHECK_EQUAL(numbers[i], numbers[0]);
}

int main(void) {
    start_with_file();
    MPI_File file = open_new();
    MPI_Datatype filetype;
    CHECK_SUCCESS(MPI_Type_create_resized(MPI_INT, 0, 8, &filetype));
    CHECK_SUCCESS(MPI_Type_commit(&filetype));
    CHECK_SUCCESS(MPI_File_set_view(file, 0, MPI_INT, filetype, "native", MPI_INFO_NULL));
    memset(in, 0, sizeof in);
    CHECK_SUCCESS(MPI_File_write_at_all(file, 0, in, kInts, MPI_INT, MPI_STATUS_IGNORE));
    int flag = 0;
    CHECK_SUCCESS(MPI_File_set_atomicity(file, 1));
    CHECK_SUCCESS(MPI_File_get_atomicity(file, &flag));
    CHECK(flag);
    if (size > 1)
        CHECK_ERROR(MPI_File_set_atomicity(file, rank == 0), MPI_ERR_NOT_SAME);
    for (int time = 0; time < kTimes; ++time) {
        for (int i = 0; i < kInts; ++i)
            out[i] = 1 + rank + 100 * time;
        MPI_Request request;
        if ((rank + time) % 4 == 0) {
            CHECK_SUCCESS(MPI_File_write_at(file, 0, out, kInts, MPI_INT, MPI_STATUS_IGNORE));
        } else if ((rank + time) % 4 == 1) {
            CHECK_SUCCESS(MPI_File_iwrite_at(file, 0, out, kInts, MPI_INT, &request));
            CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
        } else if ((rank + time) % 4 == 2) {
            CHECK_SUCCESS(MPI_File_read_at(file, 0, in, kInts, MPI_INT, MPI_STATUS_IGNORE));
            check_of_one(in);
        } else {
            CHECK_SUCCESS(MPI_File_iread_at(file, 0, in, kInts, MPI_INT, &request));
            CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
            check_of_one(in);
        }
    }
    for (int time = 0; time < kTimes; ++time) { // all write the same place in one collective call
        CHECK_SUCCESS(MPI_File_write_at_all(file, 0, out, kInts, MPI_INT, MPI_STATUS_IGNORE));
        barrier();
        CHECK_SUCCESS(MPI_File_read_at_all(file, 0, in, kInts, MPI_INT, MPI_STATUS_IGNORE));
        check_of_one(in);
        barrier();
    }
    CHECK_SUCCESS(MPI_File_set_atomicity(file, 0));
    CHECK_SUCCESS(MPI_Type_free(&filetype));
    close_file(&file);
    return finish();
}
