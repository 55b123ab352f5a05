// MPI 5.0 section 14.3: "If a filetype has holes in it, then the data in the holes is inaccessible
// to the calling process." Neither a collective nor an independent write touches what nobody
// writes.
// ranks: 2 6
#include "files.h"

enum { kUnits = 400 };

static unsigned char before[40 * kUnits], after[40 * kUnits], mine[3 * kUnits];

int main(void) {
    start_with_file();
    int unit = 5 * size; // of it each rank writes 3 bytes of its 5
    for (size_t i = 0; i < sizeof before; ++i)
        before[i] = (unsigned char)(i * 7);
    write_outside_once(before, (size_t)(unit * kUnits));
    MPI_File file;
    CHECK_SUCCESS(MPI_File_open(MPI_COMM_WORLD, file_name,
                                MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file));
    MPI_Datatype three, filetype;
    CHECK_SUCCESS(MPI_Type_contiguous(3, MPI_BYTE, &three));
    CHECK_SUCCESS(MPI_Type_create_resized(three, 0, unit, &filetype));
    CHECK_SUCCESS(MPI_Type_commit(&filetype));
    CHECK_SUCCESS(MPI_File_set_view(file, 5 * rank, MPI_BYTE, filetype, "native", MPI_INFO_NULL));
    for (int way = 0; way < 3; ++way) {
        memset(mine, 200 + way, sizeof mine);
        if (way == 0) {
            CHECK_SUCCESS(
                MPI_File_write_at_all(file, 0, mine, 3 * kUnits, MPI_BYTE, MPI_STATUS_IGNORE));
        } else if (way == 1) {
            CHECK_SUCCESS(
                MPI_File_write_at(file, 0, mine, 3 * kUnits, MPI_BYTE, MPI_STATUS_IGNORE));
        } else {
            MPI_Request request;
            CHECK_SUCCESS(MPI_File_iwrite_at_all(file, 0, mine, 3 * kUnits, MPI_BYTE, &request));
            CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
        }
        barrier();
        CHECK_EQUAL(read_outside(0, after, (size_t)(unit * kUnits)), unit * kUnits);
        for (int i = 0; i < unit * kUnits; ++i)
            CHECK_EQUAL(after[i], i % 5 < 3 ? 200 + way : before[i]);
        barrier();
    }
    CHECK_SUCCESS(MPI_Type_free(&three));
    CHECK_SUCCESS(MPI_Type_free(&filetype));
    close_file(&file);
    return finish();
}
