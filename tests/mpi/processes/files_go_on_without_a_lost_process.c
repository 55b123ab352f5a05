// Rank 0 stops, so that nobody has an answer of it any more, and is killed then. It keeps the
// shared pointer, the locks and the stream of one file, and has locked ranges of another, which
// rank 3 keeps: one in its grasp, and one that it waits for. Who waits for it gets an error, the
// ranges are released, and accesses that need nobody else work. MPI 5.0 section 11.4.2: "the
// remaining processes in MPI_COMM_WORLD should be able to continue communicating with each other
// and receive an appropriate error code when attempting communication with an aborted process
// (e.g., an error of class MPI_ERR_PROC_ABORTED)."
// ranks: 4
// exit: 137
// expect: rank 0 .* was ended by signal 9
// expect: survivors: 3
// timeout: 60
#include "files.h"

#include <pthread.h>
#include <signal.h>

enum { victim = 0, held = 0, queued = 100 }; // bytes of the file that rank 3 keeps

#define LOST(call) CHECK_ERROR(call, MPI_ERR_PROC_ABORTED)

static MPI_File plain, atomic, stream, others;
static int sleep_us; // while a range of `others` is locked

// Only within an access, whose range is locked meanwhile.
static int sleep_and_copy(void *user, MPI_Datatype type, int count, void *in_file,
                          MPI_Offset position, void *extra) {
    (void)type, (void)extra;
    memcpy(in_file, (char *)user + position, (size_t)count);
    usleep((useconds_t)sleep_us);
    return MPI_SUCCESS;
}

static int copy(void *user, MPI_Datatype type, int count, void *in_file, MPI_Offset position,
                void *extra) {
    (void)type, (void)extra;
    memcpy((char *)user + position, in_file, (size_t)count);
    return MPI_SUCCESS;
}

static int extent_of(MPI_Datatype type, MPI_Aint *extent, void *extra) {
    (void)type, (void)extra;
    *extent = 1;
    return MPI_SUCCESS;
}

static MPI_File open_by(MPI_Comm comm, const char *suffix, int mode) {
    MPI_File file;
    char name[sizeof file_name + 16];
    snprintf(name, sizeof name, "%s%s", file_name, suffix);
    CHECK_SUCCESS(MPI_File_open(comm, name, mode, MPI_INFO_NULL, &file));
    return file;
}

static void open_all(void) {
    char name[sizeof file_name + 16];
    MPI_Comm reversed;
    plain = open_by(MPI_COMM_WORLD, "", MPI_MODE_RDWR | MPI_MODE_CREATE);
    atomic = open_by(MPI_COMM_WORLD, "", MPI_MODE_RDWR);
    CHECK_SUCCESS(MPI_File_set_atomicity(atomic, 1));
    snprintf(name, sizeof name, "%s.fifo", file_name);
    if (rank == 0) {
        CHECK_EQUAL(mkfifo(name, 0600), 0);
        CHECK(open(name, O_RDWR) >= 0); // a writer, who writes nothing
    }
    barrier();
    stream = open_by(MPI_COMM_WORLD, ".fifo", MPI_MODE_RDONLY | MPI_MODE_SEQUENTIAL);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
    others = open_by(reversed, ".others", MPI_MODE_RDWR | MPI_MODE_CREATE);
    CHECK_SUCCESS(MPI_Register_datarep("slow", copy, sleep_and_copy, extent_of, NULL));
    CHECK_SUCCESS(MPI_File_set_view(others, 0, MPI_BYTE, MPI_BYTE, "slow", MPI_INFO_NULL));
    CHECK_SUCCESS(MPI_File_set_atomicity(others, 1));
    barrier();
    if (rank == 0) { // they are open
        unlink(name);
        unlink(file_name);
        snprintf(name, sizeof name, "%s.others", file_name);
        unlink(name);
    }
    barrier();
}

static int write_at(MPI_File file, int offset) {
    return MPI_File_write_at(file, offset, "x", 1, MPI_BYTE, MPI_STATUS_IGNORE);
}

static void *lock_range(void *offset) {
    CHECK_SUCCESS(write_at(others, *(int *)offset));
    return NULL;
}

static void be_the_victim(void) {
    static int ranges[] = {held, queued};
    char command[100];
    pthread_t thread;
    usleep(100000);
    sleep_us = 60000000;
    for (int i = 0; i < 2; ++i)
        pthread_create(&thread, NULL, lock_range, &ranges[i]);
    usleep(200000);
    snprintf(command, sizeof command, "(sleep 1; kill -9 %d) <&- >&- 2>&- &", (int)getpid());
    barrier();
    CHECK_EQUAL(system(command), 0);
    raise(SIGSTOP);
}

// Until it has stopped, it answers.
static void wait_for_it(void) {
    MPI_Request write, read;
    MPI_Offset position;
    char byte;
    int code;
    if (rank == 1) {
        CHECK_SUCCESS(MPI_File_iread_shared(stream, &byte, 1, MPI_BYTE, &read));
        do
            CHECK_SUCCESS(MPI_File_iwrite_at(atomic, 1, "x", 1, MPI_BYTE, &write));
        while ((code = MPI_Wait(&write, MPI_STATUS_IGNORE)) == MPI_SUCCESS);
        LOST(MPI_Wait(&read, MPI_STATUS_IGNORE));
    } else if (rank == 2) {
        while ((code = MPI_File_get_position_shared(plain, &position)) == MPI_SUCCESS)
            ;
    } else {
        while ((code = write_at(atomic, 2)) == MPI_SUCCESS)
            ;
    }
    LOST(code);
}

static void ask_in_vain(void) {
    MPI_Request request;
    MPI_Offset position;
    char byte;
    LOST(MPI_File_get_position_shared(atomic, &position));
    LOST(MPI_File_write_shared(plain, "x", 1, MPI_BYTE, MPI_STATUS_IGNORE));
    LOST(MPI_File_read_shared(plain, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE));
    LOST(MPI_File_iwrite_shared(plain, "x", 1, MPI_BYTE, &request));
    LOST(write_at(atomic, 3));
    CHECK_SUCCESS(MPI_File_iwrite_at(atomic, 3, "x", 1, MPI_BYTE, &request));
    LOST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    LOST(MPI_File_read_shared(stream, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE));
    LOST(MPI_File_write_at_all(plain, 4, "x", 1, MPI_BYTE, MPI_STATUS_IGNORE));
    LOST(MPI_File_write_ordered(plain, "x", 1, MPI_BYTE, MPI_STATUS_IGNORE));
    LOST(MPI_File_read_ordered(stream, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE));
    CHECK_SUCCESS(MPI_File_iwrite_at_all(plain, 4, "x", 1, MPI_BYTE, &request));
    LOST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    LOST(MPI_File_seek_shared(plain, 0, MPI_SEEK_SET));
}

static void access_alone(void) {
    char byte = 0;
    CHECK_SUCCESS(
        MPI_File_write_at(plain, 10 + rank, &"0123"[rank], 1, MPI_BYTE, MPI_STATUS_IGNORE));
    CHECK_SUCCESS(MPI_File_read_at(plain, 10 + rank, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE));
    CHECK_EQUAL(byte, "0123"[rank]);
}

int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    name_file();
    open_all();
    if (rank == victim)
        be_the_victim();
    pthread_t thread;
    if (rank == 1) { // has this range, most times, while the victim asks for it and dies
        static int range = queued;
        sleep_us = 2500000;
        pthread_create(&thread, NULL, lock_range, &range);
    }
    barrier();
    wait_for_it();
    if (rank == 1) {
        pthread_join(thread, NULL);
        sleep_us = 0;
    }
    for (int i = 0; i < 3; ++i) { // whose locks have been released
        CHECK_SUCCESS(write_at(others, held));
        CHECK_SUCCESS(write_at(others, queued));
    }
    ask_in_vain();
    access_alone();
    if (rank == 3) {
        for (int i = 1; i < 3; ++i)
            CHECK_SUCCESS(MPI_Recv(NULL, 0, MPI_INT, i, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        puts("survivors: 3");
    } else {
        CHECK_SUCCESS(MPI_Send(NULL, 0, MPI_INT, 3, 8, MPI_COMM_WORLD));
    }
    MPI_Finalize();
    return 0;
}
