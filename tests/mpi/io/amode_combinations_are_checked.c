// MPI 5.0 section 14.2.1: "Exactly one of MPI_MODE_RDONLY, MPI_MODE_RDWR, or MPI_MODE_WRONLY, must
// be specified. It is erroneous to specify MPI_MODE_CREATE or MPI_MODE_EXCL in conjunction with
// MPI_MODE_RDONLY; it is erroneous to specify MPI_MODE_SEQUENTIAL together with MPI_MODE_RDWR."
// "Errors related to the access mode are raised in the class MPI_ERR_AMODE."
// ranks: 1 3
#include "files.h"

int main(void) {
    start_with_file();
    static const int wrong[] = {
        0,
        MPI_MODE_CREATE,
        MPI_MODE_RDONLY | MPI_MODE_WRONLY,
        MPI_MODE_RDONLY | MPI_MODE_RDWR,
        MPI_MODE_RDWR | MPI_MODE_WRONLY | MPI_MODE_CREATE,
        MPI_MODE_RDONLY | MPI_MODE_CREATE,
        MPI_MODE_RDONLY | MPI_MODE_EXCL,
        MPI_MODE_RDWR | MPI_MODE_SEQUENTIAL,
        MPI_MODE_RDWR | 1 << 20,
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        MPI_File file = MPI_FILE_NULL;
        CHECK_ERROR(MPI_File_open(MPI_COMM_WORLD, file_name, wrong[i], MPI_INFO_NULL, &file),
                    MPI_ERR_AMODE);
        CHECK(file == MPI_FILE_NULL);
        barrier();
        CHECK(!exists_outside());
    }
    return finish();
}
