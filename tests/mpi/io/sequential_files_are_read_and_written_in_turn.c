// MPI 5.0 section 14.6.2: "Sequential stream files must be opened with the MPI_MODE_SEQUENTIAL flag
// set in the amode. For these files, the only permitted data access operations are shared file
// pointer reads and writes." ... "The amount of data accessed by a data access operation will be
// the amount requested unless the end of file is reached or an error is raised."
// ranks: 2 5
#include "files.h"

enum { kInts = 30000 }; // more than a pipe holds

static int out[kInts], in[kInts];

int main(void) {
    start_with_file();
    if (rank == 0)
        CHECK_EQUAL(mkfifo(file_name, 0600), 0);
    barrier();
    MPI_Comm side; // rank 0 writes, the others read
    CHECK_SUCCESS(MPI_Comm_split(MPI_COMM_WORLD, rank > 0, rank, &side));
    int side_rank, side_size, writes = rank == 0;
    MPI_Comm_rank(side, &side_rank);
    MPI_Comm_size(side, &side_size);
    MPI_File file;
    if (rank == 1)
        usleep(20000); // the writer waits for it
    CHECK_SUCCESS(MPI_File_open(side, file_name,
                                MPI_MODE_SEQUENTIAL | (writes ? MPI_MODE_WRONLY : MPI_MODE_RDONLY),
                                MPI_INFO_NULL, &file));
    MPI_Status status;
    MPI_Request requests[2];
    if (writes) {
        for (int i = 0; i < kInts; ++i)
            out[i] = i;
        usleep(10000); // the readers wait
        CHECK_SUCCESS(MPI_File_write_shared(file, out, kInts, MPI_INT, &status));
        CHECK_EQUAL(count_in(&status, MPI_INT), kInts);
        CHECK_SUCCESS(MPI_File_iwrite_shared(file, out, 10, MPI_INT, &requests[0]));
        CHECK_SUCCESS(MPI_File_iwrite_shared(file, out + 10, 10, MPI_INT, &requests[1]));
        CHECK_SUCCESS(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
        CHECK_SUCCESS(MPI_File_write_ordered(file, out, 3, MPI_INT, &status));
    } else {
        int each = kInts / side_size, first = side_rank * each;
        if (side_rank == side_size - 1)
            each = kInts - first;
        CHECK_SUCCESS(MPI_File_read_ordered(file, in, each, MPI_INT, &status));
        CHECK_EQUAL(count_in(&status, MPI_INT), each);
        for (int i = 0; i < each; ++i)
            CHECK_EQUAL(in[i], first + i);
        CHECK_SUCCESS(MPI_File_set_view(file, MPI_DISPLACEMENT_CURRENT, MPI_INT, MPI_INT, "native",
                                        MPI_INFO_NULL));
        int counts[2], sum = 0;
        MPI_Status statuses[2];
        if (side_rank == 0) {
            CHECK_SUCCESS(MPI_File_iread_shared(file, in, 20, MPI_INT, &requests[0]));
            CHECK_SUCCESS(MPI_File_iread_shared(file, in + 20, 20, MPI_INT, &requests[1]));
            CHECK_SUCCESS(MPI_Waitall(2, requests, statuses));
            for (int i = 0; i < 2; ++i)
                sum += counts[i] = count_in(&statuses[i], MPI_INT);
            CHECK_EQUAL(counts[0], 20);
            CHECK_EQUAL(counts[1], 3); // then the writer has closed it
            for (int i = 0; i < 23; ++i)
                CHECK_EQUAL(in[i], i % 20);
            CHECK_SUCCESS(MPI_File_read_shared(file, in, 1, MPI_INT, &status));
            CHECK_EQUAL(count_in(&status, MPI_INT), 0);
        }
    }
    CHECK_SUCCESS(MPI_File_close(&file));
    CHECK_SUCCESS(MPI_Comm_free(&side));
    barrier();
    if (rank == 0)
        unlink(file_name);
    return finish();
}
