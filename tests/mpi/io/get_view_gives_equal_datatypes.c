// MPI 5.0 section 14.3: "The etype and filetype are new datatypes with typemaps equal to the
// typemaps of the current etype and filetype, respectively. The data representation is returned in
// datarep."
// ... "The etype and filetype returned are both in a committed state."
// ranks: 2
#include "files.h"

int main(void) {
    start_with_file();
    MPI_File file = open_new();
    MPI_Datatype pair, filetype, etype_found, filetype_found;
    CHECK_SUCCESS(MPI_Type_contiguous(2, MPI_SHORT, &pair));
    CHECK_SUCCESS(MPI_Type_vector(3, 1, 4, pair, &filetype));
    CHECK_SUCCESS(MPI_Type_commit(&pair));
    CHECK_SUCCESS(MPI_Type_commit(&filetype));
    CHECK_SUCCESS(MPI_File_set_view(file, 20 + rank, pair, filetype, "internal", MPI_INFO_NULL));
    CHECK_SUCCESS(MPI_Type_free(&pair));
    CHECK_SUCCESS(MPI_Type_free(&filetype));
    MPI_Offset disp;
    char datarep[MPI_MAX_DATAREP_STRING];
    CHECK_SUCCESS(MPI_File_get_view(file, &disp, &etype_found, &filetype_found, datarep));
    CHECK_EQUAL(disp, 20 + rank);
    CHECK_EQUAL(strcmp(datarep, "internal"), 0);
    int bytes;
    MPI_Aint low, extent;
    CHECK_SUCCESS(MPI_Type_size(etype_found, &bytes));
    CHECK_EQUAL(bytes, 4);
    CHECK_SUCCESS(MPI_Type_size(filetype_found, &bytes));
    CHECK_EQUAL(bytes, 12);
    CHECK_SUCCESS(MPI_Type_get_extent(filetype_found, &low, &extent));
    CHECK_EQUAL(extent, 36);
    short data[2] = {1, 2}, back[2];
    MPI_Request request;
    CHECK_SUCCESS(MPI_Irecv(back, 1, etype_found, rank, 0, MPI_COMM_WORLD, &request));
    CHECK_SUCCESS(MPI_Send(data, 1, etype_found, rank, 0, MPI_COMM_WORLD));
    CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_SUCCESS(MPI_Type_free(&etype_found));
    CHECK_SUCCESS(MPI_Type_free(&filetype_found));
    close_file(&file);
    return finish();
}
