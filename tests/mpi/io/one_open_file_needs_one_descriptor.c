// MPI 5.0 section 14.1.1: "A file is opened collectively by a group of processes." The ranks of a
// process share its descriptor: many open files of many ranks do not use up the table, and all are
// closed.
// ranks: 100
#include "files.h"

#include <dirent.h>

// The smallest of some counts: other threads may have a descriptor for a moment.
static int descriptors(void) {
    int smallest = 1 << 20;
    for (int look = 0; look < 5; ++look) {
        int count = 0;
        DIR *directory = opendir("/proc/self/fd");
        CHECK(directory != NULL);
        while (readdir(directory))
            ++count;
        closedir(directory);
        if (count < smallest)
            smallest = count;
        usleep(1000);
    }
    return smallest;
}

int main(void) {
    start_with_file();
    int before = rank == 0 ? descriptors() : 0;
    MPI_File files[20];
    char name[600];
    barrier();
    for (int i = 0; i < 20; ++i) {
        snprintf(name, sizeof name, "%s.%d", file_name, i);
        CHECK_SUCCESS(MPI_File_open(MPI_COMM_WORLD, name,
                                    MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                                    MPI_INFO_NULL, &files[i]));
    }
    barrier();
    if (rank == 0)
        CHECK_EQUAL(descriptors(), before + 20);
    barrier();
    for (int i = 0; i < 20; ++i)
        CHECK_SUCCESS(MPI_File_close(&files[i]));
    barrier();
    if (rank == 0)
        CHECK_EQUAL(descriptors(), before);
    barrier();
    return finish();
}
