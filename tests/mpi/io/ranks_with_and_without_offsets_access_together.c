// MPI 5.0 section 14.4: whether a rank gives an offset to a collective access or uses its pointer
// is its own affair: MPI_File_write_all on some ranks and MPI_File_write_at_all on others are one
// collective operation. ncmpi_wait_all of PnetCDF does so, and other MPIs accept it.
// ranks: 2 5
#include "files.h"

enum { kNumbers = 1000 };

static int numbers[kNumbers];

static void move(MPI_File file, int turn, int writing) {
    const MPI_Offset offset = (MPI_Offset)sizeof numbers * rank;
    MPI_Status status;
    int count = -1;
    const int has_offset = (rank + turn) % 2;
    if (!has_offset)
        CHECK_SUCCESS(MPI_File_seek(file, offset, MPI_SEEK_SET));
    if (writing)
        CHECK_SUCCESS(has_offset
                          ? MPI_File_write_at_all(file, offset, numbers, kNumbers, MPI_INT, &status)
                          : MPI_File_write_all(file, numbers, kNumbers, MPI_INT, &status));
    else
        CHECK_SUCCESS(has_offset
                          ? MPI_File_read_at_all(file, offset, numbers, kNumbers, MPI_INT, &status)
                          : MPI_File_read_all(file, numbers, kNumbers, MPI_INT, &status));
    CHECK_SUCCESS(MPI_Get_count(&status, MPI_INT, &count));
    CHECK_EQUAL(count, kNumbers);
}

static void move_begun(MPI_File file, int turn) {
    const MPI_Offset offset = (MPI_Offset)sizeof numbers * rank;
    if ((rank + turn) % 2) {
        CHECK_SUCCESS(MPI_File_read_at_all_begin(file, offset, numbers, kNumbers, MPI_INT));
        CHECK_SUCCESS(MPI_File_read_at_all_end(file, numbers, MPI_STATUS_IGNORE));
    } else {
        CHECK_SUCCESS(MPI_File_seek(file, offset, MPI_SEEK_SET));
        CHECK_SUCCESS(MPI_File_read_all_begin(file, numbers, kNumbers, MPI_INT));
        CHECK_SUCCESS(MPI_File_read_all_end(file, numbers, MPI_STATUS_IGNORE));
    }
}

static void check_numbers(int turn) {
    for (int i = 0; i < kNumbers; ++i) {
        CHECK_EQUAL(numbers[i], 10000 * rank + i + turn);
        numbers[i] = -1;
    }
}

int main(void) {
    start_with_file();
    MPI_File file = open_new();
    for (int turn = 0; turn < 2; ++turn) {
        for (int i = 0; i < kNumbers; ++i)
            numbers[i] = 10000 * rank + i + turn;
        move(file, turn, 1);
        memset(numbers, 0, sizeof numbers);
        move(file, turn + 1, 0);
        check_numbers(turn);
        move_begun(file, turn);
        check_numbers(turn);
    }
    close_file(&file);
    return finish();
}
