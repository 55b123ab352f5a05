// MPI 5.0 section 11.2.4: the delete functions of attributes of MPI_COMM_SELF run first in
// MPI_Finalize, and may free what libraries keep. Section 11.4.1: info objects, error handlers and
// keyvals may be made before MPI_Init and freed after MPI_Finalize. Objects that were freed while
// others use them, and predefined ones, are no leaks either.
// ranks: 1 3
// expect-not: warning
#include "check.h"

static MPI_Comm library_comm;

static int free_library(MPI_Comm comm, int keyval, void *value, void *state) {
    (void)comm, (void)value, (void)state;
    MPI_Comm_free(&library_comm);
    MPI_Comm_free_keyval(&keyval);
    return MPI_SUCCESS;
}

static void begin_library(void) {
    int keyval;
    MPI_Comm_dup(MPI_COMM_WORLD, &library_comm);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_library, &keyval, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, keyval, NULL);
}

static void add(void *in, void *inout, int *count, MPI_Datatype *type) {
    for (int i = 0; type && i < *count; ++i)
        ((int *)inout)[i] += ((int *)in)[i];
}

static void ignore(MPI_Comm *comm, int *code, ...) {
    (void)comm, (void)code;
}

// Each of them is freed before its last use ends.
static void free_early(void) {
    MPI_Comm comm;
    MPI_Datatype pair, row;
    MPI_Op op;
    MPI_Request requests[2];
    int rank, size, value = 1, sum, received[2], sent[2] = {1, 2};
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_contiguous(1, pair, &row);
    MPI_Type_commit(&row);
    MPI_Type_free(&pair);
    MPI_Irecv(received, 1, row, (rank + 1) % size, 1, comm, &requests[0]);
    MPI_Op_create(add, 1, &op);
    MPI_Iallreduce(&value, &sum, 1, MPI_INT, op, comm, &requests[1]);
    MPI_Send(sent, 1, row, (rank + size - 1) % size, 1, comm);
    MPI_Type_free(&row);
    MPI_Op_free(&op);
    MPI_Comm_free(&comm);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

// MPI_Group_free and MPI_Errhandler_free are allowed for these, and not needed.
static void get_predefined(void) {
    MPI_Group group, empty;
    MPI_Errhandler errhandler;
    MPI_Comm parent, none;
    MPI_Datatype type;
    MPI_Comm_group(MPI_COMM_SELF, &group);
    MPI_Group_difference(group, group, &empty);
    CHECK(empty == MPI_GROUP_EMPTY);
    MPI_Group_free(&group);
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &errhandler);
    CHECK(errhandler == MPI_ERRORS_ARE_FATAL);
    MPI_Comm_get_parent(&parent);
    MPI_Comm_split(MPI_COMM_WORLD, MPI_UNDEFINED, 0, &none);
    CHECK(none == MPI_COMM_NULL);
    MPI_Type_create_f90_integer(5, &type);
    MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &type);
}

static void use_files_and_windows(void) {
    MPI_File file;
    MPI_Info info;
    MPI_Win win;
    MPI_Group group;
    int *memory;
    MPI_File_open(MPI_COMM_WORLD, "/dev/null", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    MPI_File_get_info(file, &info);
    MPI_Info_free(&info);
    MPI_File_close(&file);
    MPI_Win_allocate(4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_get_group(win, &group);
    MPI_Group_free(&group);
    MPI_Win_free(&win);
}

static void use_buffers_and_messages(void) {
    static char buffer[1000];
    void *detached;
    int size, found, value = 1;
    MPI_Message message;
    MPI_Buffer_attach(buffer, sizeof buffer);
    MPI_Request request;
    MPI_Ibsend(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Improbe(0, 2, MPI_COMM_SELF, &found, &message, MPI_STATUS_IGNORE);
    CHECK(!found);
    MPI_Mprobe(0, 1, MPI_COMM_SELF, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    MPI_Mprobe(MPI_PROC_NULL, 1, MPI_COMM_SELF, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&detached, &size);
}

int main(int argc, char **argv) {
    MPI_Info early, late;
    MPI_Errhandler errhandler;
    MPI_Info_create(&early);
    MPI_Comm_create_errhandler(ignore, &errhandler);
    MPI_Init(&argc, &argv);
    MPI_Info_dup(early, &late);
    begin_library();
    free_early();
    get_predefined();
    use_files_and_windows();
    use_buffers_and_messages();
    MPI_Finalize();
    MPI_Info_free(&early);
    MPI_Info_free(&late);
    MPI_Errhandler_free(&errhandler);
    return 0;
}
