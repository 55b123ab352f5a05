// MPI 5.0 section 14.8: "In addition, calls to routines in this chapter may raise errors in other
// MPI classes, such as MPI_ERR_TYPE."
// ranks: 2
#include "files.h"

int main(void) {
    start_with_file();
    MPI_File file = open_new(), other;
    int number = 0;
    MPI_Status status;
    MPI_Request request;
    MPI_Datatype uncommitted;
    CHECK_SUCCESS(MPI_Type_contiguous(2, MPI_INT, &uncommitted));

    CHECK_ERROR(MPI_File_write(file, &number, -1, MPI_INT, &status), MPI_ERR_COUNT);
    CHECK_ERROR(MPI_File_read_at(file, 0, &number, -1, MPI_INT, &status), MPI_ERR_COUNT);
    CHECK_ERROR(MPI_File_iread_shared(file, &number, -1, MPI_INT, &request), MPI_ERR_COUNT);
    CHECK_ERROR(MPI_File_read_all_begin(file, &number, -1, MPI_INT), MPI_ERR_COUNT);
    CHECK_ERROR(MPI_File_write(file, &number, 1, MPI_DATATYPE_NULL, &status), MPI_ERR_TYPE);
    CHECK_ERROR(MPI_File_write(file, &number, 1, uncommitted, &status), MPI_ERR_TYPE);
    CHECK_ERROR(MPI_File_iwrite(file, &number, 1, MPI_INT, NULL), MPI_ERR_ARG);
    CHECK_ERROR(MPI_File_get_size(file, NULL), MPI_ERR_ARG);
    CHECK_ERROR(MPI_File_get_position(file, NULL), MPI_ERR_ARG);
    CHECK_ERROR(MPI_File_get_amode(file, NULL), MPI_ERR_ARG);
    CHECK_ERROR(MPI_File_get_group(file, NULL), MPI_ERR_ARG);
    CHECK_ERROR(MPI_File_get_type_extent(file, MPI_DATATYPE_NULL, NULL), MPI_ERR_TYPE);
    CHECK_ERROR(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, NULL, MPI_INFO_NULL), MPI_ERR_ARG);
    CHECK_ERROR(MPI_File_set_info(file, (MPI_Info)1), MPI_ERR_INFO);

    CHECK_ERROR(MPI_File_open(MPI_COMM_NULL, file_name, MPI_MODE_RDONLY, MPI_INFO_NULL, &other),
                MPI_ERR_COMM);
    CHECK_ERROR(MPI_File_open(MPI_COMM_WORLD, NULL, MPI_MODE_RDONLY, MPI_INFO_NULL, &other),
                MPI_ERR_ARG);
    CHECK_ERROR(MPI_File_open(MPI_COMM_WORLD, file_name, MPI_MODE_RDONLY, (MPI_Info)1, &other),
                MPI_ERR_INFO);
    CHECK_ERROR(MPI_File_open(MPI_COMM_WORLD, file_name, MPI_MODE_RDONLY, MPI_INFO_NULL, NULL),
                MPI_ERR_ARG);
    CHECK_ERROR(MPI_File_delete(NULL, MPI_INFO_NULL), MPI_ERR_ARG);
    static char long_name[10000];
    memset(long_name, 'x', sizeof long_name - 1);
    CHECK_ERROR(MPI_File_open(MPI_COMM_WORLD, long_name, MPI_MODE_RDONLY, MPI_INFO_NULL, &other),
                MPI_ERR_BAD_FILE);
    CHECK_ERROR(MPI_File_open(MPI_COMM_WORLD, "/tmp", MPI_MODE_RDWR, MPI_INFO_NULL, &other),
                MPI_ERR_BAD_FILE);
    CHECK_ERROR(MPI_File_open(MPI_COMM_WORLD, "/tmp", MPI_MODE_RDONLY, MPI_INFO_NULL, &other),
                MPI_ERR_BAD_FILE);
    char inside[600];
    snprintf(inside, sizeof inside, "%s/x", file_name);
    CHECK_ERROR(MPI_File_open(MPI_COMM_WORLD, inside, MPI_MODE_RDONLY, MPI_INFO_NULL, &other),
                MPI_ERR_BAD_FILE);
    if (geteuid() != 0) { // root may do everything
        if (rank == 0)
            chmod(file_name, 0);
        barrier();
        CHECK_ERROR(
            MPI_File_open(MPI_COMM_WORLD, file_name, MPI_MODE_RDONLY, MPI_INFO_NULL, &other),
            MPI_ERR_ACCESS);
    }
    MPI_Comm halves, inter;
    CHECK_SUCCESS(MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &halves));
    CHECK_SUCCESS(MPI_Intercomm_create(halves, 0, MPI_COMM_WORLD, 1 - rank, 5, &inter));
    CHECK_ERROR(MPI_File_open(inter, file_name, MPI_MODE_RDONLY, MPI_INFO_NULL, &other),
                MPI_ERR_COMM);
    CHECK_SUCCESS(MPI_Comm_free(&inter));
    CHECK_SUCCESS(MPI_Comm_free(&halves));
    CHECK_SUCCESS(MPI_Type_free(&uncommitted));
    close_file(&file);
    return finish();
}
