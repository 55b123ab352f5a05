// MPI 5.0 section 14.8, MPI_ERR_NOT_SAME: "collective routines called in a different order by
// different processes". MPI_Error_string tells which.
// ranks: 2
#include "files.h"

static void check_string(int code, const char *one, const char *other) {
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;
    CHECK_ERROR(code, MPI_ERR_NOT_SAME);
    CHECK_SUCCESS(MPI_Error_string(code, text, &length));
    if (!strstr(text, one) || !strstr(text, other)) {
        fprintf(stderr, "\"%s\" does not name %s and %s\n", text, one, other);
        CHECK(0);
    }
}

int main(void) {
    start_with_file();
    MPI_File file = open_new();
    MPI_Request request;
    int number = 0;
    check_string(rank ? MPI_File_sync(file)
                      : MPI_File_write_at_all(file, 0, &number, 1, MPI_INT, MPI_STATUS_IGNORE),
                 "MPI_File_sync", "MPI_File_write_at_all");
    check_string(rank ? MPI_File_read_all(file, &number, 1, MPI_INT, MPI_STATUS_IGNORE)
                      : MPI_File_write_all(file, &number, 1, MPI_INT, MPI_STATUS_IGNORE),
                 "MPI_File_read_all", "MPI_File_write_all");
    if (rank)
        CHECK_SUCCESS(MPI_File_iread_all(file, &number, 1, MPI_INT, &request));
    else
        CHECK_SUCCESS(MPI_File_iwrite_all(file, &number, 1, MPI_INT, &request));
    check_string(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_File_iread_all",
                 "MPI_File_iwrite_all");
    close_file(&file);
    return finish();
}
