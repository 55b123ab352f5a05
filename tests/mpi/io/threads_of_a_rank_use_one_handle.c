// MPI 5.0 section 14.6.1: "If nonatomic mode is set, then all operations on fh1 are sequentially
// consistent if they are either nonconcurrent, nonconflicting, or both." Threads of a rank share
// its file pointer: each gets a place of its own.
// ranks: 1 3
#include "files.h"

#include <pthread.h>

enum { kThreads = 4, kTimes = 100 };

static MPI_File file;

static void *work(void *argument) {
    int number = *(int *)argument, record[2];
    for (int i = 0; i < kTimes; ++i) {
        record[0] = number;
        record[1] = i;
        CHECK_SUCCESS(MPI_File_write(file, record, 2, MPI_INT, MPI_STATUS_IGNORE));
    }
    return NULL;
}

int main(void) {
    int provided;
    CHECK_SUCCESS(MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided));
    CHECK_EQUAL(provided, MPI_THREAD_MULTIPLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    name_file();
    file = open_new();
    view_in_turn(file, MPI_INT, 2);
    pthread_t threads[kThreads];
    int numbers[kThreads], next[kThreads] = {0};
    for (int i = 0; i < kThreads; ++i) {
        numbers[i] = i;
        CHECK_EQUAL(pthread_create(&threads[i], NULL, work, &numbers[i]), 0);
    }
    for (int i = 0; i < kThreads; ++i)
        CHECK_EQUAL(pthread_join(threads[i], NULL), 0);
    CHECK_EQUAL(position_of(file), 2 * kThreads * kTimes);
    for (int i = 0; i < kThreads * kTimes; ++i) {
        int record[2];
        CHECK_SUCCESS(MPI_File_read_at(file, 2 * i, record, 2, MPI_INT, MPI_STATUS_IGNORE));
        CHECK(record[0] >= 0 && record[0] < kThreads);
        CHECK_EQUAL(record[1], next[record[0]]++);
    }
    close_file(&file);
    return finish();
}
