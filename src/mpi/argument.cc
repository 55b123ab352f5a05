// The sentences of what can be wrong with an argument: each names it and its value.
#include "mpi/argument.h"

#include "datatype/describe.h"

namespace thrum::arg {

Error bad_handle(int error_class, const char *name, const void *handle, const char *what) {
    struct Null {
        const void *handle;
        const char *name;
    };

    static constexpr uintptr_t constants_end = 4096;
    const Null nulls[] = {{MPI_COMM_NULL, "MPI_COMM_NULL"},
                          {MPI_GROUP_NULL, "MPI_GROUP_NULL"},
                          {MPI_WIN_NULL, "MPI_WIN_NULL"},
                          {MPI_FILE_NULL, "MPI_FILE_NULL"},
                          {MPI_SESSION_NULL, "MPI_SESSION_NULL"},
                          {MPI_INFO_NULL, "MPI_INFO_NULL"},
                          {MPI_ERRHANDLER_NULL, "MPI_ERRHANDLER_NULL"},
                          {MPI_OP_NULL, "MPI_OP_NULL"},
                          {MPI_REQUEST_NULL, "MPI_REQUEST_NULL"},
                          {MPI_DATATYPE_NULL, "MPI_DATATYPE_NULL"}};
    for (const Null &null : nulls)
        if (handle == null.handle)
            return fail(error_class, "%s is %s", name, null.name);
    // Section 11.1: these are valid while the World Model is active.
    const Null of_world[] = {{MPI_COMM_WORLD, "MPI_COMM_WORLD"},
                             {MPI_COMM_SELF, "MPI_COMM_SELF"},
                             {MPI_INFO_ENV, "MPI_INFO_ENV"}};
    for (const Null &constant : of_world)
        if (handle == constant.handle)
            return fail(error_class,
                        "%s is %s, which is valid after MPI_Init and before MPI_Finalize", name,
                        constant.name);
    auto value = reinterpret_cast<uintptr_t>(handle);
    if (value < constants_end)
        return fail(error_class, "%s is %lu, which is not the handle of any %s", name, value, what);
    return fail(error_class, "%s is %p, which is not a %s, or one that has been freed", name,
                handle, what);
}

Error bad_count(const char *name, MPI_Count value) {
    return fail(MPI_ERR_COUNT, "%s is %lld, but must not be negative", name,
                static_cast<long long>(value));
}

namespace {

Error out_of_range(int error_class, const char *name, int value, const Scope &scope) {
    if (scope.win)
        return fail(error_class, "%s is %d, but the window has %d rank%s", name, value,
                    scope.win->size, scope.win->size == 1 ? "" : "s");
    if (!scope.comm)
        return fail(error_class, "%s is %d, which is not a rank", name, value);
    const Communicator &comm = *scope.comm;
    const char *comm_name = *comm.name ? comm.name : "the communicator";
    const char *side = comm.inter ? "remote " : "";
    if (value == MPI_ANY_SOURCE)
        return fail(error_class, "%s is MPI_ANY_SOURCE, which is no rank to send to", name);
    if (value == MPI_PROC_NULL || value == MPI_ROOT)
        return fail(error_class, "%s is %s, but %s is not an inter-communicator", name,
                    value == MPI_ROOT ? "MPI_ROOT" : "MPI_PROC_NULL", comm_name);
    return fail(error_class, "%s is %d, but %s has %d %srank%s", name, value, comm_name,
                comm.remote_size, side, comm.remote_size == 1 ? "" : "s");
}

} // namespace

Error bad_rank(const char *name, int value, Scope scope) {
    return out_of_range(MPI_ERR_RANK, name, value, scope);
}

Error bad_root(const char *name, int value, Scope scope) {
    return out_of_range(MPI_ERR_ROOT, name, value, scope);
}

Error bad_tag(const char *name, int value, bool wildcard) {
    if (value == MPI_ANY_TAG)
        return fail(MPI_ERR_TAG, "%s is MPI_ANY_TAG, which only a receive may have", name);
    return fail(MPI_ERR_TAG, "%s is %d, but must not be negative%s", name, value,
                wildcard ? " (unless MPI_ANY_TAG)" : "");
}

Error null_pointer(const char *name) {
    return fail(MPI_ERR_ARG, "%s is a null pointer", name);
}

Error not_committed(const char *name, const thrum::Datatype &datatype) {
    char text[128];
    return fail(MPI_ERR_TYPE, "%s is %s, for which MPI_Type_commit has not been called", name,
                describe(datatype, text, sizeof text));
}

} // namespace thrum::arg
