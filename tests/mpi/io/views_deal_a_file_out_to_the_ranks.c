// MPI 5.0 section 14.1.1: "A group of processes can use complementary views to achieve a global
// data distribution, such as a scatter/gather pattern". "The pattern described by a filetype is
// repeated, beginning at the displacement, to define the view."
// ranks: 1 2 7
#include "files.h"

enum { kEach = 3, kTimes = 50 };

int main(void) {
    start_with_file();
    MPI_File file = open_new();
    int numbers[kEach * kTimes], back[kEach * kTimes];
    for (int i = 0; i < kEach * kTimes; ++i)
        numbers[i] = rank * 100000 + i;
    view_in_turn(file, MPI_INT, kEach);
    MPI_Status status;
    CHECK_SUCCESS(MPI_File_write(file, numbers, kEach * kTimes, MPI_INT, &status));
    CHECK_EQUAL(count_in(&status, MPI_INT), kEach * kTimes);
    barrier();
    for (int i = 0; i < kEach * kTimes * size; ++i) {
        int owner = i / kEach % size, of_owner = i / (kEach * size) * kEach + i % kEach, found;
        CHECK_EQUAL(read_outside(4L * i, &found, 4), 4);
        CHECK_EQUAL(found, owner * 100000 + of_owner);
    }
    CHECK_SUCCESS(MPI_File_read_at(file, 0, back, kEach * kTimes, MPI_INT, &status));
    CHECK_EQUAL(memcmp(numbers, back, sizeof back), 0);
    CHECK_SUCCESS(MPI_File_read_at(file, 4, back, 2, MPI_INT, &status));
    CHECK_EQUAL(back[0], numbers[4]);
    CHECK_EQUAL(back[1], numbers[5]);
    close_file(&file);
    return finish();
}
