// MPI 5.0 section 2.5.1: "A call to a deallocate routine invalidates the handle and marks the
// object for deallocation. The object is not accessible to the user after the call." "A user may
// accidentally create a dangling reference by assigning to a handle the value of another handle,
// and then deallocating the object associated with these handles." Such a reference is found out,
// also when this rank and others have made new objects of its kind since.
// ranks: 1 4
#include "files.h"

#define NEW_OBJECTS 8

// Makes an object, frees it, makes some more; then `use` of the first handle, `dangling`, must
// fail.
#define FREED_HANDLE_FAILS(Handle, make, use, free, error_class)                                   \
    do {                                                                                           \
        Handle object, dangling, objects[NEW_OBJECTS];                                             \
        CHECK_SUCCESS(make(&object));                                                              \
        dangling = object;                                                                         \
        CHECK_SUCCESS(free(&object));                                                              \
        CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD));                                                \
        CHECK_ERROR(use(dangling), error_class);                                                   \
        for (int i = 0; i < NEW_OBJECTS; ++i)                                                      \
            CHECK_SUCCESS(make(&objects[i]));                                                      \
        CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD));                                                \
        CHECK_ERROR(use(dangling), error_class);                                                   \
        for (int i = 0; i < NEW_OBJECTS; ++i)                                                      \
            CHECK_SUCCESS(use(objects[i]));                                                        \
        for (int i = 0; i < NEW_OBJECTS; ++i)                                                      \
            CHECK_SUCCESS(free(&objects[i]));                                                      \
        CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD));                                                \
    } while (0)

static int number, numbers[1];
static char text[MPI_MAX_OBJECT_NAME];

static int duplicate(MPI_Comm *comm) {
    return MPI_Comm_dup(MPI_COMM_WORLD, comm);
}

static int size_of_comm(MPI_Comm comm) {
    return MPI_Comm_size(comm, &number);
}

static int group_of_one(MPI_Group *group) {
    MPI_Group world;
    const int first = 0;
    CHECK_SUCCESS(MPI_Comm_group(MPI_COMM_WORLD, &world)); // the communicator has it, too
    CHECK_SUCCESS(MPI_Group_incl(world, 1, &first, group));
    return MPI_Group_free(&world);
}

static int size_of_group(MPI_Group group) {
    return MPI_Group_size(group, &number);
}

static int vector_of_ints(MPI_Datatype *type) {
    return MPI_Type_vector(2, 1, 2, MPI_INT, type);
}

static int size_of_type(MPI_Datatype type) {
    return MPI_Type_size(type, &number);
}

static void add(void *in, void *inout, int *length, MPI_Datatype *type) {
    for (int i = 0; i < *length; ++i)
        ((int *)inout)[i] += ((int *)in)[i];
}

static int addition(MPI_Op *op) {
    return MPI_Op_create(add, 1, op);
}

static int reduce_with(MPI_Op op) {
    return MPI_Reduce_local(&number, numbers, 1, MPI_INT, op);
}

static int keys_of(MPI_Info info) {
    return MPI_Info_get_nkeys(info, &number);
}

static void ignore(MPI_Comm *comm, int *code, ...) {}

static int handler(MPI_Errhandler *errhandler) {
    return MPI_Comm_create_errhandler(ignore, errhandler);
}

static int set_on_self(MPI_Errhandler errhandler) {
    int code = MPI_Comm_set_errhandler(MPI_COMM_SELF, errhandler);
    CHECK_SUCCESS(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    return code;
}

static int session(MPI_Session *made) {
    return MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, made);
}

static int sets_of(MPI_Session used) {
    return MPI_Session_get_num_psets(used, MPI_INFO_NULL, &number);
}

static int window(MPI_Win *win) {
    return MPI_Win_create(numbers, sizeof numbers, 1, MPI_INFO_NULL, MPI_COMM_WORLD, win);
}

static int name_of_window(MPI_Win win) {
    return MPI_Win_get_name(win, text, &number);
}

static int file(MPI_File *opened) {
    return MPI_File_open(MPI_COMM_WORLD, file_name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                         opened);
}

static int mode_of(MPI_File opened) {
    return MPI_File_get_amode(opened, &number);
}

int main(void) {
    start_with_file();
    CHECK_SUCCESS(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_SUCCESS(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    FREED_HANDLE_FAILS(MPI_Comm, duplicate, size_of_comm, MPI_Comm_free, MPI_ERR_COMM);
    FREED_HANDLE_FAILS(MPI_Group, group_of_one, size_of_group, MPI_Group_free, MPI_ERR_GROUP);
    FREED_HANDLE_FAILS(MPI_Datatype, vector_of_ints, size_of_type, MPI_Type_free, MPI_ERR_TYPE);
    FREED_HANDLE_FAILS(MPI_Op, addition, reduce_with, MPI_Op_free, MPI_ERR_OP);
    FREED_HANDLE_FAILS(MPI_Info, MPI_Info_create, keys_of, MPI_Info_free, MPI_ERR_INFO);
    FREED_HANDLE_FAILS(MPI_Errhandler, handler, set_on_self, MPI_Errhandler_free,
                       MPI_ERR_ERRHANDLER);
    FREED_HANDLE_FAILS(MPI_Session, session, sets_of, MPI_Session_finalize, MPI_ERR_SESSION);
    FREED_HANDLE_FAILS(MPI_Win, window, name_of_window, MPI_Win_free, MPI_ERR_WIN);
    FREED_HANDLE_FAILS(MPI_File, file, mode_of, MPI_File_close, MPI_ERR_FILE);
    CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 0)
        remove(file_name);
    return finish();
}
