// MPI 5.0 section 14.8: "MPI_ERR_QUOTA Quota exceeded": beyond RLIMIT_FSIZE a write is an error of
// the call, and no signal. What fits is written, and the rest of the file is as it was.
// ranks: 3
#include "files.h"

#include <sys/resource.h>

int main(void) {
    start_with_file();
    MPI_File file = open_new();
    struct rlimit limit;
    if (rank == 0) { // the process's
        CHECK_EQUAL(getrlimit(RLIMIT_FSIZE, &limit), 0);
        limit.rlim_cur = 100000;
        CHECK_EQUAL(setrlimit(RLIMIT_FSIZE, &limit), 0);
    }
    barrier();
    static char data[60000], seen[60000];
    memset(data, 'a' + rank, sizeof data);
    MPI_Status status;
    MPI_Request request;
    int last = rank == 2;
    if (last) {
        CHECK_ERROR(MPI_File_write_at(file, 70000, data, sizeof data, MPI_CHAR, &status),
                    MPI_ERR_QUOTA);
        CHECK_SUCCESS(MPI_File_iwrite_at(file, 100000, data, 1, MPI_CHAR, &request));
        CHECK_ERROR(MPI_Wait(&request, &status), MPI_ERR_QUOTA);
    } else {
        CHECK_SUCCESS(MPI_File_write_at(file, 10000 * rank, data, 10000, MPI_CHAR, &status));
    }
    barrier();
    CHECK_EQUAL(size_of(file), 100000);
    CHECK_EQUAL(read_outside(10000, seen, 10000), 10000);
    CHECK_EQUAL(seen[0], 'b');
    CHECK_EQUAL(seen[9999], 'b');
    CHECK_EQUAL(read_outside(70000, seen, 60000), 30000);
    CHECK_EQUAL(seen[29999], 'c');
    barrier();
    // A collective write that fails for one rank fails for all.
    CHECK_ERROR(MPI_File_write_at_all(file, 40000 * rank, data, 40000, MPI_CHAR, &status),
                MPI_ERR_QUOTA);
    CHECK_ERROR(MPI_File_set_size(file, 200000), MPI_ERR_QUOTA);
    CHECK_ERROR(MPI_File_preallocate(file, 200000), MPI_ERR_QUOTA);
    CHECK_EQUAL(size_of(file), 100000);
    close_file(&file);
    return finish();
}
