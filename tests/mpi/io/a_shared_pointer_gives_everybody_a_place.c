// MPI 5.0 section 14.4.4: "MPI maintains exactly one shared file pointer per collective
// MPI_FILE_OPEN (shared among processes in the communicator group)." ... "the effect of multiple
// calls to shared file pointer routines is defined to behave as if the calls were serialized"
// ranks: 1 8
#include "files.h"

enum { kTimes = 100 };

int main(void) {
    start_with_file();
    MPI_File file = open_new();
    CHECK_SUCCESS(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    MPI_Request requests[kTimes];
    int pairs[kTimes][2];
    for (int i = 0; i < kTimes; ++i) {
        pairs[i][0] = rank;
        pairs[i][1] = i;
        if (i % 2)
            CHECK_SUCCESS(MPI_File_iwrite_shared(file, pairs[i], 2, MPI_INT, &requests[i]));
        else {
            CHECK_SUCCESS(MPI_File_write_shared(file, pairs[i], 2, MPI_INT, MPI_STATUS_IGNORE));
            requests[i] = MPI_REQUEST_NULL;
        }
    }
    CHECK_SUCCESS(MPI_Waitall(kTimes, requests, MPI_STATUSES_IGNORE));
    barrier();
    CHECK_EQUAL(shared_position_of(file), 2 * kTimes * size);
    CHECK_EQUAL(position_of(file), 0);
    CHECK_EQUAL(size_of(file), 8LL * kTimes * size);
    int *next = calloc((size_t)size, sizeof *next);
    for (int i = 0; i < kTimes * size; ++i) { // each rank's in the order of its calls
        int pair[2];
        CHECK_EQUAL(read_outside(8L * i, pair, 8), 8);
        CHECK(pair[0] >= 0 && pair[0] < size);
        CHECK_EQUAL(pair[1], next[pair[0]]++);
    }
    free(next);

    CHECK_SUCCESS(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    int sum = 0, all = 0, count;
    do {
        int pair[2];
        MPI_Status status;
        CHECK_SUCCESS(MPI_File_read_shared(file, pair, 2, MPI_INT, &status));
        count = count_in(&status, MPI_INT);
        sum += count;
    } while (count > 0);
    CHECK_SUCCESS(MPI_Allreduce(&sum, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK_EQUAL(all, 2 * kTimes * size);
    CHECK_EQUAL(shared_position_of(file), 2 * kTimes * size);
    barrier();
    MPI_Request request;
    CHECK_SUCCESS(MPI_File_iread_shared(file, &sum, 1, MPI_INT, &request));
    MPI_Status status;
    CHECK_SUCCESS(MPI_Wait(&request, &status));
    CHECK_EQUAL(count_in(&status, MPI_INT), 0);
    close_file(&file);
    return finish();
}
