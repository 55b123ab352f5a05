// MPI 5.0 section 14.3: "Note that filetypes from different processes may still overlap each
// other."
// ranks: 1 16
#include "files.h"

enum { kInts = 5000 };

static int numbers[kInts], back[kInts];

int main(void) {
    start_with_file();
    for (int i = 0; i < kInts; ++i)
        numbers[i] = i * i;
    write_outside_once(numbers, sizeof numbers);
    MPI_File file;
    MPI_Status status;
    CHECK_SUCCESS(MPI_File_open(MPI_COMM_WORLD, file_name,
                                MPI_MODE_RDONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file));
    CHECK_SUCCESS(MPI_File_read_all(file, back, kInts, MPI_INT, &status));
    CHECK_EQUAL(count_in(&status, MPI_INT), kInts);
    CHECK_EQUAL(memcmp(numbers, back, sizeof back), 0);
    // Overlapping windows, and beyond the end.
    memset(back, 0, sizeof back);
    int first = rank * 300, left = kInts - first > 600 ? 600 : kInts - first;
    CHECK_SUCCESS(MPI_File_read_at_all(file, 4 * first, back, 600, MPI_INT, &status));
    CHECK_EQUAL(count_in(&status, MPI_INT), left);
    CHECK_EQUAL(memcmp(numbers + first, back, 4 * (size_t)left), 0);
    // Every third int, from everybody's own start.
    MPI_Datatype filetype;
    CHECK_SUCCESS(MPI_Type_create_resized(MPI_INT, 0, 12, &filetype));
    CHECK_SUCCESS(MPI_Type_commit(&filetype));
    CHECK_SUCCESS(MPI_File_set_view(file, 4 * rank, MPI_INT, filetype, "native", MPI_INFO_NULL));
    CHECK_SUCCESS(MPI_File_read_all(file, back, 1000, MPI_INT, MPI_STATUS_IGNORE));
    for (int i = 0; i < 1000; ++i)
        CHECK_EQUAL(back[i], numbers[rank + 3 * i]);
    CHECK_SUCCESS(MPI_Type_free(&filetype));
    close_file(&file);
    return finish();
}
