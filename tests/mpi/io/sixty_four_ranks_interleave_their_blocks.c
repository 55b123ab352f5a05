// MPI 5.0 section 14.2.8: "Collective buffering is an optimization performed on collective
// accesses. Accesses to the file are performed on behalf of all processes in the group by a number
// of target nodes. These target nodes coalesce small requests into large disk accesses."
// ranks: 64 3
#include "files.h"

enum { kBlock = 1024, kBlocks = 128 };

static unsigned char mine[kBlock * kBlocks], back[kBlock * kBlocks], outside[kBlock];

int main(void) {
    start_with_file();
    MPI_File file = open_new();
    view_in_turn(file, MPI_BYTE, kBlock);
    for (int i = 0; i < kBlock * kBlocks; ++i)
        mine[i] = (unsigned char)(rank * 37 + i * 11 + i / kBlock);
    MPI_Status status;
    CHECK_SUCCESS(MPI_File_write_all(file, mine, sizeof mine, MPI_BYTE, &status));
    CHECK_EQUAL(count_in(&status, MPI_BYTE), sizeof mine);
    CHECK_EQUAL(size_of(file), (long long)sizeof mine * size);
    for (int i = rank % 7; i < kBlocks; i += 7) {
        CHECK_EQUAL(read_outside(((long)i * size + rank) * kBlock, outside, kBlock), kBlock);
        CHECK_EQUAL(memcmp(outside, mine + i * kBlock, kBlock), 0);
    }
    CHECK_SUCCESS(MPI_File_read_at_all(file, 0, back, sizeof back, MPI_BYTE, &status));
    CHECK_EQUAL(count_in(&status, MPI_BYTE), sizeof mine);
    CHECK_EQUAL(memcmp(back, mine, sizeof mine), 0);
    // One rank has nothing, another only a bit, at an odd place.
    int count = rank == 1 ? 0 : rank == 2 ? 17 : kBlock;
    CHECK_SUCCESS(MPI_File_write_at_all(file, 5, mine, count, MPI_BYTE, &status));
    CHECK_EQUAL(count_in(&status, MPI_BYTE), count);
    CHECK_SUCCESS(MPI_File_read_at(file, 5, back, count, MPI_BYTE, &status));
    CHECK_EQUAL(memcmp(back, mine, (size_t)count), 0);
    close_file(&file);
    return finish();
}
