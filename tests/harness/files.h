// For whole-program tests of files: a name that no other run has, and what is in the file outside
// of MPI.
#ifndef THRUM_TESTS_FILES_H
#define THRUM_TESTS_FILES_H
#include "world.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static char file_name[512]; // the same on all ranks; nothing of that name exists at first

static inline void name_file(void) {
    if (rank == 0) {
        const char *directory = getenv("TMPDIR");
        snprintf(file_name, sizeof file_name, "%s/thrum-io-XXXXXX", directory ? directory : "/tmp");
        int descriptor = mkstemp(file_name);
        CHECK(descriptor >= 0);
        close(descriptor);
        unlink(file_name);
    }
    CHECK_SUCCESS(MPI_Bcast(file_name, sizeof file_name, MPI_CHAR, 0, MPI_COMM_WORLD));
}

static inline void start_with_file(void) {
    start(NULL, NULL);
    name_file();
}

// A new file for all ranks, which is gone after MPI_File_close.
static inline MPI_File open_new(void) {
    MPI_File file;
    CHECK_SUCCESS(MPI_File_open(MPI_COMM_WORLD, file_name,
                                MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                                MPI_INFO_NULL, &file));
    return file;
}

static inline void close_file(MPI_File *file) {
    CHECK_SUCCESS(MPI_File_close(file));
    CHECK(*file == MPI_FILE_NULL);
}

static inline void barrier(void) {
    CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD));
}

// The file as the operating system sees it.
static inline long read_outside(long offset, void *bytes, size_t size_bytes) {
    int descriptor = open(file_name, O_RDONLY);
    CHECK(descriptor >= 0);
    long got = (long)pread(descriptor, bytes, size_bytes, offset);
    close(descriptor);
    return got;
}

static inline void write_outside(const void *bytes, size_t size_bytes) {
    int descriptor = open(file_name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    CHECK(descriptor >= 0);
    CHECK_EQUAL(write(descriptor, bytes, size_bytes), size_bytes);
    close(descriptor);
}

// For one rank to make a file that all ranks open.
static inline void write_outside_once(const void *bytes, size_t size_bytes) {
    if (rank == 0)
        write_outside(bytes, size_bytes);
    barrier();
}

static inline int exists_outside(void) {
    return access(file_name, F_OK) == 0;
}

static inline int count_in(const MPI_Status *status, MPI_Datatype datatype) {
    int count;
    CHECK_SUCCESS(MPI_Get_count(status, datatype, &count));
    return count;
}

static inline long long size_of(MPI_File file) {
    MPI_Offset size_bytes;
    CHECK_SUCCESS(MPI_File_get_size(file, &size_bytes));
    return size_bytes;
}

static inline long long position_of(MPI_File file) {
    MPI_Offset position;
    CHECK_SUCCESS(MPI_File_get_position(file, &position));
    return position;
}

static inline long long shared_position_of(MPI_File file) {
    MPI_Offset position;
    CHECK_SUCCESS(MPI_File_get_position_shared(file, &position));
    return position;
}

// Every rank sees `each` elements of `type` in turn.
static inline void view_in_turn(MPI_File file, MPI_Datatype type, int each) {
    MPI_Datatype block, filetype;
    MPI_Aint low, extent;
    CHECK_SUCCESS(MPI_Type_get_extent(type, &low, &extent));
    CHECK_SUCCESS(MPI_Type_contiguous(each, type, &block));
    CHECK_SUCCESS(MPI_Type_create_resized(block, 0, extent * each * size, &filetype));
    CHECK_SUCCESS(MPI_Type_commit(&filetype));
    CHECK_SUCCESS(
        MPI_File_set_view(file, extent * each * rank, type, filetype, "native", MPI_INFO_NULL));
    CHECK_SUCCESS(MPI_Type_free(&block));
    CHECK_SUCCESS(MPI_Type_free(&filetype));
}
#endif
