// MPI 5.0 section 14.3: "These displacements are not required to be distinct, but they cannot be
// negative, and they must be monotonically nondecreasing. If the file is opened for writing,
// neither the etype nor the filetype is permitted to contain overlapping regions."
// "MPI_FILE_SET_VIEW is collective; the values for datarep and the extent of etype in the file data
// representation must be identical on all processes in the group"
// ranks: 1 3
#include "files.h"

static void refused(MPI_File file, MPI_Offset disp, MPI_Datatype etype, MPI_Datatype filetype,
                    const char *datarep, int error_class) {
    CHECK_ERROR(MPI_File_set_view(file, disp, etype, filetype, datarep, MPI_INFO_NULL),
                error_class);
}

static MPI_Datatype indexed(int first, int second) {
    MPI_Datatype type;
    int lengths[2] = {2, 2}, places[2] = {first, second};
    CHECK_SUCCESS(MPI_Type_indexed(2, lengths, places, MPI_INT, &type));
    CHECK_SUCCESS(MPI_Type_commit(&type));
    return type;
}

int main(void) {
    start_with_file();
    MPI_File file = open_new();
    MPI_Datatype negative = indexed(-2, 4), decreasing = indexed(4, 0), overlapping = indexed(0, 1);
    MPI_Datatype odd, empty, uncommitted;
    CHECK_SUCCESS(MPI_Type_contiguous(3, MPI_BYTE, &odd));
    CHECK_SUCCESS(MPI_Type_commit(&odd));
    CHECK_SUCCESS(MPI_Type_contiguous(0, MPI_INT, &empty));
    CHECK_SUCCESS(MPI_Type_commit(&empty));
    CHECK_SUCCESS(MPI_Type_contiguous(2, MPI_INT, &uncommitted));
    CHECK_SUCCESS(MPI_File_seek(file, 5, MPI_SEEK_SET));
    refused(file, -5, MPI_INT, MPI_INT, "native", MPI_ERR_ARG);
    refused(file, MPI_DISPLACEMENT_CURRENT, MPI_INT, MPI_INT, "native", MPI_ERR_ARG);
    refused(file, 0, MPI_INT, MPI_INT, "no_such_representation", MPI_ERR_UNSUPPORTED_DATAREP);
    refused(file, 0, MPI_INT, negative, "native", MPI_ERR_TYPE);
    refused(file, 0, MPI_INT, decreasing, "native", MPI_ERR_TYPE);
    refused(file, 0, MPI_INT, overlapping, "native", MPI_ERR_TYPE);
    refused(file, 0, overlapping, overlapping, "native", MPI_ERR_TYPE);
    refused(file, 0, MPI_INT, odd, "native", MPI_ERR_TYPE);
    refused(file, 0, empty, empty, "native", MPI_ERR_TYPE);
    refused(file, 0, MPI_INT, MPI_DATATYPE_NULL, "native", MPI_ERR_TYPE);
    refused(file, 0, MPI_INT, uncommitted, "native", MPI_ERR_TYPE);
    if (size > 1) {
        refused(file, 0, MPI_BYTE, MPI_BYTE, rank ? "native" : "external32", MPI_ERR_NOT_SAME);
        MPI_Datatype etype = rank ? MPI_INT : MPI_DOUBLE;
        refused(file, 0, etype, etype, "native", MPI_ERR_NOT_SAME);
    }
    // The view has not changed.
    CHECK_EQUAL(position_of(file), 5);
    CHECK_SUCCESS(MPI_File_set_view(file, 0, MPI_INT, empty, "native", MPI_INFO_NULL));
    int number = 0;
    MPI_Status status;
    CHECK_ERROR(MPI_File_write_at(file, 0, &number, 1, MPI_INT, &status), MPI_ERR_ARG);
    CHECK_SUCCESS(MPI_File_read_at(file, 0, &number, 1, MPI_INT, &status));
    CHECK_EQUAL(count_in(&status, MPI_INT), 0);
    close_file(&file);

    // Reading may see bytes twice.
    write_outside_once("abcdefghijkl", 12);
    CHECK_SUCCESS(MPI_File_open(MPI_COMM_WORLD, file_name, MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
    CHECK_SUCCESS(MPI_File_set_view(file, 0, MPI_INT, overlapping, "native", MPI_INFO_NULL));
    char back[17] = "";
    CHECK_SUCCESS(MPI_File_read(file, back, 4, MPI_INT, MPI_STATUS_IGNORE));
    CHECK_EQUAL(strcmp(back, "abcdefghefghijkl"), 0);
    close_file(&file);
    if (rank == 0)
        unlink(file_name);
    MPI_Type_free(&negative);
    MPI_Type_free(&decreasing);
    MPI_Type_free(&overlapping);
    MPI_Type_free(&odd);
    MPI_Type_free(&empty);
    MPI_Type_free(&uncommitted);
    return finish();
}
