// MPI 5.0 section 14.2.7: "MPI_FILE_GET_GROUP returns a duplicate of the group of the communicator
// used to open the file associated with fh." "MPI_FILE_GET_AMODE returns, in amode, the access mode
// of the file associated with fh."
// ranks: 2 5
#include "files.h"

int main(void) {
    start_with_file();
    MPI_Comm half;
    CHECK_SUCCESS(MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half));
    MPI_File file;
    char name[600];
    snprintf(name, sizeof name, "%s.%d", file_name, rank % 2);
    int amode = MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE | MPI_MODE_UNIQUE_OPEN,
        found = 0, relation = -1;
    CHECK_SUCCESS(MPI_File_open(half, name, amode, MPI_INFO_NULL, &file));
    MPI_Group of_file, of_comm;
    CHECK_SUCCESS(MPI_Comm_group(half, &of_comm));
    CHECK_SUCCESS(MPI_Comm_free(&half)); // section 14.6.7: "Once an I/O routine completes, ..."
    CHECK_SUCCESS(MPI_File_get_group(file, &of_file));
    CHECK_SUCCESS(MPI_Group_compare(of_file, of_comm, &relation));
    CHECK_EQUAL(relation, MPI_IDENT);
    CHECK_SUCCESS(MPI_Group_free(&of_file));
    CHECK_SUCCESS(MPI_Group_free(&of_comm));
    CHECK_SUCCESS(MPI_File_get_amode(file, &found));
    CHECK_EQUAL(found, amode);
    close_file(&file);
    return finish();
}
