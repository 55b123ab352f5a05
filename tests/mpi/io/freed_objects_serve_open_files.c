// MPI 5.0 section 14.6.7: "For example, the comm and info used in an MPI_FILE_OPEN, or the etype
// and filetype used in an MPI_FILE_SET_VIEW, can be freed without affecting access to the file."
// ranks: 1 4
#include "files.h"

int main(void) {
    start_with_file();
    MPI_Comm comm;
    MPI_Info info;
    MPI_File file;
    CHECK_SUCCESS(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    CHECK_SUCCESS(MPI_Info_create(&info));
    CHECK_SUCCESS(MPI_Info_set(info, "access_style", "sequential"));
    CHECK_SUCCESS(MPI_File_open(
        comm, file_name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, info, &file));
    CHECK_SUCCESS(MPI_Comm_free(&comm));
    CHECK_SUCCESS(MPI_Info_free(&info));
    MPI_Datatype pair, filetype, memory;
    CHECK_SUCCESS(MPI_Type_contiguous(2, MPI_INT, &pair));
    CHECK_SUCCESS(MPI_Type_create_resized(pair, 0, 8 * size, &filetype));
    CHECK_SUCCESS(MPI_Type_commit(&pair));
    CHECK_SUCCESS(MPI_Type_commit(&filetype));
    CHECK_SUCCESS(MPI_File_set_view(file, 8 * rank, pair, filetype, "native", MPI_INFO_NULL));
    CHECK_SUCCESS(MPI_Type_free(&pair));
    CHECK_SUCCESS(MPI_Type_free(&filetype));
    int numbers[12], back[6];
    for (int i = 0; i < 12; ++i)
        numbers[i] = 100 * rank + i;
    CHECK_SUCCESS(MPI_Type_vector(6, 1, 2, MPI_INT, &memory));
    CHECK_SUCCESS(MPI_Type_commit(&memory));
    MPI_Request requests[2];
    CHECK_SUCCESS(MPI_File_iwrite_at(file, 0, numbers, 1, memory, &requests[0]));
    CHECK_SUCCESS(MPI_File_iwrite_at_all(file, 3, numbers, 1, memory, &requests[1]));
    CHECK_SUCCESS(MPI_Type_free(&memory)); // although the operations are under way
    CHECK_SUCCESS(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    for (int half = 0; half < 2; ++half) {
        CHECK_SUCCESS(MPI_File_read_at_all(file, 3 * half, back, 6, MPI_INT, MPI_STATUS_IGNORE));
        for (int i = 0; i < 6; ++i)
            CHECK_EQUAL(back[i], numbers[2 * i]);
    }
    close_file(&file);
    return finish();
}
