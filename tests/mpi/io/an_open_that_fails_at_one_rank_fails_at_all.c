// MPI 5.0 section 14.2.1: "MPI_FILE_OPEN is a collective routine: all processes must provide the
// same value for amode, and all processes must provide filenames that reference the same file." If
// one of them cannot open it, all get that error, and nobody waits for ever.
// ranks: 2 5
#include "files.h"

#include <sys/resource.h>

// The calling process has no descriptors left, until it gives them back.
static rlim_t take_descriptors(void) {
    struct rlimit limit;
    CHECK_EQUAL(getrlimit(RLIMIT_NOFILE, &limit), 0);
    const rlim_t before = limit.rlim_cur;
    const int next = dup(0); // the lowest that is free
    CHECK(next >= 0);
    close(next);
    limit.rlim_cur = (rlim_t)next;
    CHECK_EQUAL(setrlimit(RLIMIT_NOFILE, &limit), 0);
    return before;
}

static void give_descriptors_back(rlim_t before) {
    struct rlimit limit;
    CHECK_EQUAL(getrlimit(RLIMIT_NOFILE, &limit), 0);
    limit.rlim_cur = before;
    CHECK_EQUAL(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

int main(void) {
    start_with_file();
    char name[600];
    MPI_File file = MPI_FILE_NULL;
    const int amode = MPI_MODE_CREATE | MPI_MODE_RDWR;
    for (int one = 0; one < size; ++one) {
        // Its name leads nowhere.
        snprintf(name, sizeof name, "%s%s", file_name, rank == one ? "-is-no/directory" : "");
        CHECK_ERROR(MPI_File_open(MPI_COMM_WORLD, name, amode, MPI_INFO_NULL, &file),
                    MPI_ERR_NO_SUCH_FILE);
        CHECK(file == MPI_FILE_NULL);
        // It wants something else.
        CHECK_ERROR(MPI_File_open(MPI_COMM_WORLD, file_name,
                                  rank == one ? MPI_MODE_CREATE | MPI_MODE_WRONLY : amode,
                                  MPI_INFO_NULL, &file),
                    MPI_ERR_NOT_SAME);
    }
    // Rank 0 opens it in any case, and in other processes somebody else.
    int full = rank == 0;
    for (int time = 0; time < 2; ++time) {
        barrier();
        const rlim_t before = full ? take_descriptors() : 0;
        barrier();
        CHECK_ERROR(MPI_File_open(MPI_COMM_WORLD, file_name, amode, MPI_INFO_NULL, &file),
                    MPI_ERR_IO);
        if (full)
            give_descriptors_back(before);
        // The same in the process of the last rank, which may be another.
        pid_t pid = getpid(), first = pid, last = pid;
        MPI_Bcast(&first, (int)sizeof first, MPI_BYTE, 0, MPI_COMM_WORLD);
        MPI_Bcast(&last, (int)sizeof last, MPI_BYTE, size - 1, MPI_COMM_WORLD);
        full = rank == size - 1;
        if (first == last)
            break;
    }
    barrier();
    CHECK_SUCCESS(MPI_File_open(MPI_COMM_WORLD, file_name, amode | MPI_MODE_DELETE_ON_CLOSE,
                                MPI_INFO_NULL, &file));
    CHECK_SUCCESS(MPI_File_write_at_all(file, 4 * rank, &rank, 1, MPI_INT, MPI_STATUS_IGNORE));
    close_file(&file);
    return finish();
}
