// MPI 5.0 section 14.6.5: "Multiple nonblocking collective I/O operations can be outstanding on a
// single file handle." ... "All nonblocking collective I/O calls are local."
// ranks: 1 2 8
#include "files.h"

enum { kRounds = 30, kInts = 64 };

static int out[kRounds][kInts], in[kRounds][kInts];

int main(void) {
    start_with_file();
    MPI_File file = open_new();
    MPI_Request requests[kRounds];
    MPI_Status statuses[kRounds];
    view_in_turn(file, MPI_INT, 4);
    for (int round = 0; round < kRounds; ++round) {
        for (int i = 0; i < kInts; ++i)
            out[round][i] = round * 100000 + rank * 1000 + i;
        if (round % 2)
            CHECK_SUCCESS(MPI_File_iwrite_at_all(file, round * kInts, out[round], kInts, MPI_INT,
                                                 &requests[round]));
        else {
            CHECK_SUCCESS(MPI_File_seek(file, round * kInts, MPI_SEEK_SET));
            CHECK_SUCCESS(MPI_File_iwrite_all(file, out[round], kInts, MPI_INT, &requests[round]));
            CHECK_EQUAL(position_of(file), (round + 1) * kInts);
        }
    }
    // The calls are local: rank 0 goes on only when it hears from the last rank, which comes last.
    int token = 1;
    if (rank == size - 1)
        CHECK_SUCCESS(MPI_Send(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD));
    if (rank == 0 && size > 1)
        CHECK_SUCCESS(MPI_Recv(&token, 1, MPI_INT, size - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    else if (size == 1)
        CHECK_SUCCESS(MPI_Recv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_SUCCESS(MPI_Waitall(kRounds, requests, statuses));
    barrier();
    CHECK_SUCCESS(MPI_File_seek(file, 0, MPI_SEEK_SET));
    for (int round = 0; round < kRounds; ++round) {
        CHECK_EQUAL(count_in(&statuses[round], MPI_INT), kInts);
        if (round % 2)
            CHECK_SUCCESS(MPI_File_iread_at_all(file, round * kInts, in[round], kInts, MPI_INT,
                                                &requests[round]));
        else {
            CHECK_SUCCESS(MPI_File_seek(file, round * kInts, MPI_SEEK_SET));
            CHECK_SUCCESS(MPI_File_iread_all(file, in[round], kInts, MPI_INT, &requests[round]));
        }
    }
    CHECK_SUCCESS(MPI_Waitall(kRounds, requests, statuses));
    CHECK_EQUAL(memcmp(in, out, sizeof in), 0);
    CHECK_EQUAL(size_of(file), 4LL * kRounds * kInts * size);
    close_file(&file);
    return finish();
}
