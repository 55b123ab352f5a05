// MPI 5.0 section 14.6.3: "Nonblocking data access routines inherit the following progress rule
// from nonblocking point-to-point communication: a nonblocking write is equivalent to a nonblocking
// send for which a receive is eventually posted".
// ranks: 1 3
#include "files.h"

static char text[] = "written without a call";

int main(void) {
    start_with_file();
    MPI_File file = open_new();
    MPI_Request requests[2];
    CHECK_SUCCESS(MPI_File_iwrite_at(file, 100 * rank, text, sizeof text, MPI_CHAR, &requests[0]));
    CHECK_SUCCESS(MPI_File_iwrite_at_all(file, 10000 + 100 * rank, text, sizeof text, MPI_CHAR,
                                         &requests[1]));
    char seen[sizeof text];
    for (int part = 0; part < 2; ++part) {
        do {
            usleep(1000);
            memset(seen, 0, sizeof seen);
            read_outside(10000 * part + 100 * rank, seen, sizeof seen);
        } while (memcmp(seen, text, sizeof text) != 0);
    }
    CHECK_SUCCESS(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    close_file(&file);
    return finish();
}
