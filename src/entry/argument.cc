// Errors in arguments: their sentences name the argument and its value. All of this is out of line
// and cold; the checks that lead here are in argument.h.
#include "entry/argument.h"

#include "comm/call_names.h"
#include "datatype/describe.h"
#include "entry/tolerance.h"

#include <cstring>
#include <string>

namespace thrum::arg {
namespace {

// Returns "a window", "an info object".
std::string with_article(const char *noun) {
    return std::string(std::strchr("aeiou", *noun) ? "an " : "a ") + noun;
}

// Returns the kind of object that the handle refers to; nullptr if it is not a live object. The
// caller has found the handle to be aligned, and readable as an object of another class. Each class
// begins with its magic word, so looking at that is safe.
const char *kind_of_object(const void *handle) {
    const char *kind = nullptr;
    const auto look = [&]<class Object>(const Object *object) {
        if (is_live(object))
            kind = object_name<Object>;
    };
    look(static_cast<const Communicator *>(handle));
    look(static_cast<const thrum::Group *>(handle));
    look(static_cast<const thrum::Datatype *>(handle));
    look(static_cast<const thrum::Op *>(handle));
    look(static_cast<const Window *>(handle));
    look(static_cast<const thrum::File *>(handle));
    look(static_cast<const thrum::Session *>(handle));
    look(static_cast<const thrum::Errhandler *>(handle));
    return kind;
}

} // namespace

namespace {

// Handles below this value are constants.
constexpr uintptr_t constants_end = 4096;

} // namespace

// Unnamed predefined datatypes have addresses, too. Section 11.10.1: the communicator with the
// parent is there from the start.
void note_made(MadeKind kind, void *handle) {
    if (reinterpret_cast<uintptr_t>(handle) < constants_end ||
        (kind == MadeKind::Datatype && static_cast<MPI_Datatype>(handle)->predefined) ||
        (kind == MadeKind::Communicator && handle == current_process().parent))
        return;
    record_made(kind, handle);
}

// Finds the most helpful description: the name of a null handle, a constant that is not valid now,
// a small number, an object of another kind, and otherwise the pointer.
Error bad_handle(int error_class, const char *name, const void *handle, const char *what) {
    struct Null {
        const void *handle;
        const char *name;
    };

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
    // Section 11.1: valid while the World Model is active.
    const Null of_world[] = {{MPI_COMM_WORLD, "MPI_COMM_WORLD"},
                             {MPI_COMM_SELF, "MPI_COMM_SELF"},
                             {MPI_INFO_ENV, "MPI_INFO_ENV"}};
    for (const Null &constant : of_world)
        if (handle == constant.handle)
            return std::strcmp(what, handle == MPI_INFO_ENV ? "info object" : "communicator") == 0
                       ? fail(error_class,
                              "%s is %s, which is valid after MPI_Init and before MPI_Finalize",
                              name, constant.name)
                       : fail(error_class, "%s is %s, which is not %s", name, constant.name,
                              with_article(what).c_str());
    auto value = reinterpret_cast<uintptr_t>(handle);
    if (value < constants_end)
        return fail(error_class, "%s is %lu, which is not the handle of any %s", name, value, what);
    if (const char *other = kind_of_object(handle); other && std::strcmp(other, what) != 0)
        return fail(error_class, "%s is %p, which is %s, not %s", name, handle,
                    with_article(other).c_str(), with_article(what).c_str());
    if (const auto object = freed_object(handle))
        return fail(error_class, "%s is %p, which %s has freed at %s; made by %s at %s", name,
                    handle, name_of_call(object->freed).c_str(),
                    site_of_call(object->freed).c_str(), name_of_call(object->made).c_str(),
                    site_of_call(object->made).c_str());
    if (settings().finds_leaks())
        return fail(error_class,
                    "%s is %p, which no call of this rank has returned: has it a value?", name,
                    handle);
    return fail(error_class, "%s is %p, which is not %s, or one that has been freed", name, handle,
                with_article(what).c_str());
}

Error bad_count(const char *name, MPI_Count value) {
    return fail(MPI_ERR_COUNT, "%s is %lld, but must not be negative", name,
                static_cast<long long>(value));
}

namespace {

// Describes a rank that is not valid in the scope's window or communicator. Names constants,
// because their values (such as -2) tell the user nothing.
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
        return fail(error_class, "%s is MPI_ANY_SOURCE, which is only valid for receives", name);
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

// `wildcard`: the call would accept MPI_ANY_TAG.
Error bad_tag(const char *name, int value, bool wildcard) {
    if (value == MPI_ANY_TAG)
        return fail(MPI_ERR_TAG, "%s is MPI_ANY_TAG, which is only valid for receives", name);
    return fail(MPI_ERR_TAG, "%s is %d, but must not be negative%s", name, value,
                wildcard ? " (unless MPI_ANY_TAG)" : "");
}

Error null_pointer(const char *name) {
    return fail(MPI_ERR_ARG, "%s is a null pointer", name);
}

// Without elements the datatype does not matter: other MPIs accept MPI_DATATYPE_NULL then.
Error no_datatype(const char *name, MPI_Datatype handle, MPI_Count count) {
    Error error = bad_handle(MPI_ERR_TYPE, name, handle, object_name<thrum::Datatype>);
    if (handle != MPI_DATATYPE_NULL || count != 0)
        return error;
    return tolerate(Tolerance::NullDatatype, error);
}

Error check_bottom(const char *name, MPI_Count count, MPI_Datatype datatype,
                   MPI_Aint displacement) {
    const thrum::Datatype *type = find_datatype(datatype);
    return type ? check_bottom(name, count, *type, displacement) : success;
}

// Data that begin beyond the first page, or before address 0, have absolute addresses: then a null
// pointer is the right buffer.
Error check_bottom(const char *name, MPI_Count count, const thrum::Datatype &datatype,
                   MPI_Aint displacement) {
    constexpr MPI_Count page_bytes = 4096; // the first page, which is never mapped
    const MPI_Count begin = displacement + datatype.true_lower_bound;
    if (count <= 0 || datatype.size_bytes == 0 || begin >= page_bytes || begin < 0)
        return success;
    char text[128];
    return fail(
        MPI_ERR_BUFFER,
        "%s is a null pointer (or MPI_BOTTOM), but there %s %lld element%s of %s, which has "
        "no absolute addresses",
        name, count == 1 ? "is" : "are", static_cast<long long>(count), count == 1 ? "" : "s",
        describe(datatype, text, sizeof text));
}

Error not_committed(const char *name, const thrum::Datatype &datatype) {
    char text[128];
    return fail(MPI_ERR_TYPE, "%s is %s, for which MPI_Type_commit has not been called", name,
                describe(datatype, text, sizeof text));
}

} // namespace thrum::arg
