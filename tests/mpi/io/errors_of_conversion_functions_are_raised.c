// MPI 5.0 section 14.5.3: "The conversion functions should return an error code. If the returned
// error code has a value other than MPI_SUCCESS, the implementation will raise an error in the
// class MPI_ERR_CONVERSION." ... "MPI_CONVERSION_FN_NULL may be used as either write_conversion_fn
// or read_conversion_fn"
// ranks: 2
#include "files.h"

static int fail_to_convert(void *userbuf, MPI_Datatype datatype, int count, void *filebuf,
                           MPI_Offset position, void *extra_state) {
    (void)userbuf, (void)datatype, (void)count, (void)filebuf, (void)position, (void)extra_state;
    return MPI_ERR_OTHER;
}

static int native_extent(MPI_Datatype datatype, MPI_Aint *extent, void *extra_state) {
    (void)extra_state;
    MPI_Aint low;
    return MPI_Type_get_extent(datatype, &low, extent);
}

static int no_extent(MPI_Datatype datatype, MPI_Aint *extent, void *extra_state) {
    (void)datatype, (void)extra_state;
    *extent = MPI_UNDEFINED;
    return MPI_SUCCESS;
}

int main(void) {
    start_with_file();
    CHECK_SUCCESS(
        MPI_Register_datarep("failing", fail_to_convert, fail_to_convert, native_extent, NULL));
    CHECK_SUCCESS(MPI_Register_datarep("plain", MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL,
                                       native_extent, NULL));
    CHECK_SUCCESS(MPI_Register_datarep("endless", MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL,
                                       no_extent, NULL));
    CHECK_ERROR(MPI_Register_datarep(NULL, NULL, NULL, native_extent, NULL), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Register_datarep("x", NULL, NULL, NULL, NULL), MPI_ERR_ARG);
    char long_name[2 * MPI_MAX_DATAREP_STRING];
    memset(long_name, 'x', sizeof long_name);
    long_name[sizeof long_name - 1] = 0;
    CHECK_ERROR(MPI_Register_datarep(long_name, NULL, NULL, native_extent, NULL), MPI_ERR_ARG);

    MPI_File file = open_new();
    int number = 5 + rank, back = 0;
    MPI_Status status;
    MPI_Request request;
    CHECK_ERROR(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "endless", MPI_INFO_NULL),
                MPI_ERR_VALUE_TOO_LARGE);
    CHECK_SUCCESS(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "plain", MPI_INFO_NULL));
    CHECK_SUCCESS(MPI_File_write_at_all(file, rank, &number, 1, MPI_INT, &status));
    CHECK_SUCCESS(MPI_File_read_at(file, rank, &back, 1, MPI_INT, &status));
    CHECK_EQUAL(back, number);
    CHECK_SUCCESS(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "failing", MPI_INFO_NULL));
    CHECK_ERROR(MPI_File_read_at(file, rank, &back, 1, MPI_INT, &status), MPI_ERR_CONVERSION);
    CHECK_ERROR(MPI_File_write_at_all(file, rank, &back, 1, MPI_INT, &status), MPI_ERR_CONVERSION);
    CHECK_ERROR(MPI_File_read_at_all(file, rank, &back, 1, MPI_INT, &status), MPI_ERR_CONVERSION);
    CHECK_SUCCESS(MPI_File_iread_at(file, rank, &back, 1, MPI_INT, &request));
    CHECK_ERROR(MPI_Wait(&request, &status), MPI_ERR_CONVERSION);
    close_file(&file);
    return finish();
}
