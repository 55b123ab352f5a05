// MPI 5.0 section 14.4.1: "A nonblocking I/O call initiates an I/O operation, but does not wait for
// it to complete." ... "Nonblocking operations are completed via MPI_TEST, MPI_WAIT, or any of
// their variants. Data access operations, when completed, return the amount of data accessed in
// status."
// ranks: 1 4
#include "files.h"

enum { kRequests = 40, kInts = 1000 };

static int out[kRequests][kInts], in[kRequests][kInts];

int main(void) {
    start_with_file();
    MPI_File file = open_new();
    MPI_Request requests[kRequests];
    MPI_Status statuses[kRequests];
    view_in_turn(file, MPI_INT, 10);
    for (int i = 0; i < kRequests; ++i) {
        for (int k = 0; k < kInts; ++k)
            out[i][k] = rank * 1000000 + i * 1000 + k;
        CHECK_SUCCESS(MPI_File_iwrite_at(file, i * kInts, out[i], kInts, MPI_INT, &requests[i]));
    }
    CHECK_SUCCESS(MPI_Waitall(kRequests, requests, statuses));
    for (int i = 0; i < kRequests; ++i) {
        int cancelled = 1;
        CHECK(requests[i] == MPI_REQUEST_NULL);
        CHECK_EQUAL(count_in(&statuses[i], MPI_INT), kInts);
        CHECK_SUCCESS(MPI_Test_cancelled(&statuses[i], &cancelled));
        CHECK_EQUAL(cancelled, 0);
        CHECK_SUCCESS(MPI_File_iread_at(file, i * kInts, in[i], kInts, MPI_INT, &requests[i]));
    }
    for (int done = 0; done < kRequests; ++done) {
        int index = -1, flag = 0;
        if (done % 2) {
            CHECK_SUCCESS(MPI_Waitany(kRequests, requests, &index, statuses));
        } else {
            while (!flag)
                CHECK_SUCCESS(MPI_Testany(kRequests, requests, &index, &flag, statuses));
        }
        CHECK(index >= 0);
        CHECK_EQUAL(count_in(statuses, MPI_INT), kInts);
        CHECK_EQUAL(memcmp(in[index], out[index], sizeof in[index]), 0);
    }
    // Nothing at all is complete, too.
    CHECK_SUCCESS(MPI_File_iwrite(file, NULL, 0, MPI_INT, requests));
    CHECK_SUCCESS(MPI_Wait(requests, statuses));
    CHECK_EQUAL(count_in(statuses, MPI_INT), 0);
    // A request may be freed before it is complete: "Any ongoing communication that is associated
    // with the request will be allowed to complete" (section 3.7.3). Sooner or later the file has
    // the data.
    CHECK_SUCCESS(MPI_File_iwrite_at(file, 0, out[1], kInts, MPI_INT, requests));
    CHECK_SUCCESS(MPI_Request_free(requests));
    CHECK(requests[0] == MPI_REQUEST_NULL);
    do
        CHECK_SUCCESS(MPI_File_read_at(file, 0, in[0], kInts, MPI_INT, MPI_STATUS_IGNORE));
    while (memcmp(in[0], out[1], sizeof in[0]) != 0);
    close_file(&file);
    return finish();
}
