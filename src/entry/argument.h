// Checks the arguments of MPI calls before the implementation gets them: one small type per kind of
// mpi.api. Each holds the argument's name and value. is_valid() checks the value; types without it
// accept every value. If it returns false, complain() returns the standard's error class with a
// sentence, or success if a closer look finds nothing wrong. value() is what the implementation
// gets.
//
// Some types also have bind(), which puts their object into the scope. The other arguments are
// checked against it, wherever it is among them (detail::check in entry.h). All checks are
// inlined; a valid argument costs a compare and a branch.
#pragma once
#include "base/error.h"
#include "check/active_buffers.h"
#include "comm/communicator.h"
#include "comm/group.h"
#include "comm/process.h"
#include "entry/object.h"
#include "pt2pt/request_places.h"

namespace thrum {

// The objects against which ranks and tags are checked, and whose error handler reports the call.
struct Scope {
    Communicator *comm = nullptr; // ranks and tags are checked against it
    Window *win = nullptr;        // or against this
    File *file = nullptr;
    Session *session = nullptr;
    Errhandler *of_new_object = nullptr; // passed by the call for the object that it makes

    Scope() = default;

    // Copies each member by itself: a copy of the whole would force the scope into memory at the
    // beginning of every call, although only error paths copy it.
    Scope(const Scope &other) // NOLINT(modernize-use-equals-default)
        : comm(other.comm), win(other.win), file(other.file), session(other.session),
          of_new_object(other.of_new_object) {}

    Scope &operator=(const Scope &) = delete;
};

namespace arg {

// Error paths, out of line, so that a check costs a compare and a branch. They take the scope by
// value: a pointer to it would force it into memory before.
[[gnu::cold]] Error bad_handle(int error_class, const char *name, const void *handle,
                               const char *what);
[[gnu::cold]] Error bad_count(const char *name, MPI_Count value);
[[gnu::cold]] Error bad_rank(const char *name, int value, Scope scope);
[[gnu::cold]] Error bad_root(const char *name, int value, Scope scope);
[[gnu::cold]] Error bad_tag(const char *name, int value, bool wildcard);
[[gnu::cold]] Error null_pointer(const char *name);
// For an invalid datatype: success if it is MPI_DATATYPE_NULL and there are no elements.
[[gnu::cold]] Error no_datatype(const char *name, MPI_Datatype handle, MPI_Count count);
// For a null buffer with elements: success if their datatype, or their displacement in bytes, makes
// the addresses absolute.
[[gnu::cold]] Error check_bottom(const char *name, MPI_Count count, MPI_Datatype datatype,
                                 MPI_Aint displacement = 0);
[[gnu::cold]] Error check_bottom(const char *name, MPI_Count count, const thrum::Datatype &datatype,
                                 MPI_Aint displacement = 0);
[[gnu::cold]] Error not_committed(const char *name, const thrum::Datatype &datatype);

// An argument without checks.
template <class T>
struct Plain {
    const char *name;
    T v;

    T value() const { return v; }
};
template <class T>
Plain(const char *, T) -> Plain<T>;

// A place where a result is stored: it must not be null.
template <class T>
struct Pointer {
    const char *name;
    T *v;

    [[gnu::always_inline]] bool is_valid(const Scope &) const { return v; }

    Error complain(const Scope &) const { return null_pointer(name); }

    T *value() const { return v; }
};
template <class T>
Pointer(const char *, T *) -> Pointer<T>;

// The kind of the objects of a class of handles (comm/made_objects.h).
template <class Handle>
inline constexpr MadeKind kind_of_handle = MadeKind::Request;
#define KIND_OF_HANDLE(Handle, kind)                                                               \
    template <>                                                                                    \
    inline constexpr MadeKind kind_of_handle<Handle> = MadeKind::kind
KIND_OF_HANDLE(MPI_Comm, Communicator);
KIND_OF_HANDLE(MPI_Group, Group);
KIND_OF_HANDLE(MPI_Datatype, Datatype);
KIND_OF_HANDLE(MPI_Win, Window);
KIND_OF_HANDLE(MPI_File, File);
KIND_OF_HANDLE(MPI_Info, Info);
KIND_OF_HANDLE(MPI_Errhandler, Errhandler);
KIND_OF_HANDLE(MPI_Op, Op);
KIND_OF_HANDLE(MPI_Session, Session);
KIND_OF_HANDLE(MPI_Message, MatchedMessage);
#undef KIND_OF_HANDLE

// Records that the calling thread's call has returned `handle`, unless nobody need free it.
void note_made(MadeKind kind, void *handle);

// A place where the handle of a new object is stored.
template <class Handle>
struct NewHandle {
    const char *name;
    Handle *v;

    [[gnu::always_inline]] bool is_valid(const Scope &) const { return v; }

    Error complain(const Scope &) const { return null_pointer(name); }

    Handle *value() const { return v; }

    // Called after the implementation.
    [[gnu::always_inline]] void note(const RankThread &self, bool failed) const {
        if (failed) [[unlikely]]
            return;
        if constexpr (std::is_same_v<Handle, MPI_Request>)
            note_request(self, *v);
        else
            note_made(kind_of_handle<Handle>, *v);
    }
};
template <class Handle>
NewHandle(const char *, Handle *) -> NewHandle<Handle>;

// A handle that the call may free: then it changes it.
template <class Handle>
struct ChangedHandle {
    const char *name;
    Handle *v;
    Handle before;

    ChangedHandle(const char *argument_name, Handle *handle)
        : name(argument_name), v(handle), before(handle ? *handle : Handle{}) {}

    [[gnu::always_inline]] bool is_valid(const Scope &) const { return v; }

    Error complain(const Scope &) const { return null_pointer(name); }

    Handle *value() const { return v; }

    // Called after the implementation, whether it has failed or not.
    [[gnu::always_inline]] void note(const RankThread &, bool) const {
        if (v && *v != before)
            record_freed(kind_of_handle<Handle>, before);
    }
};

// A choice buffer of `count` elements. MPI_BOTTOM is a null pointer, so a null buffer is valid only
// with datatypes that have absolute addresses. In an inter-communicator, and with MPI_PROC_NULL as
// peer, the buffer may not be significant and is not checked.
template <class T>
struct Buffer {
    const char *name;
    T *v;
    MPI_Count count;
    MPI_Datatype datatype;
    int peer;      // 0: the call names none
    bool has_peer; // a message, or a one-sided operation

    Buffer(const char *argument_name, T *buffer, MPI_Count elements, MPI_Datatype type)
        : name(argument_name), v(buffer), count(elements), datatype(type), peer(0),
          has_peer(false) {}

    Buffer(const char *argument_name, T *buffer, MPI_Count elements, MPI_Datatype type,
           int other_rank)
        : name(argument_name), v(buffer), count(elements), datatype(type), peer(other_rank),
          has_peer(true) {}

    [[gnu::always_inline]] bool is_valid(const Scope &scope) const {
        return v || count <= 0 || peer == MPI_PROC_NULL || (scope.comm && scope.comm->inter);
    }

    Error complain(const Scope &) const { return check_bottom(name, count, datatype); }

    T *value() const { return v; }

    // Compares the buffer of a blocking message with those of active operations, after the call:
    // they are the same, and the path of a message does not pay for it. Then looks whether another
    // thread uses it. Called only if has_buffer_checks().
    void examine() const MAY_SUSPEND {
        if (!has_peer || peer == MPI_PROC_NULL)
            return;
        const BufferUse use{v, count, find_datatype(datatype),
                            std::is_const_v<T> ? BufferAccess::Read : BufferAccess::Write};
        check_use(use);
        watch_for_a_moment(use);
    }
};

// A handle whose object must be live. find() looks it up once, in the constructor.
template <class Object, class Handle, Object *find(Handle), int error_class>
struct Referred {
    const char *name;
    Handle handle;
    Object *object;

    Referred(const char *argument_name, Handle argument)
        : name(argument_name), handle(argument), object(find(argument)) {}

    [[gnu::always_inline]] bool is_valid(const Scope &) const { return object; }

    Error complain(const Scope &) const {
        return bad_handle(error_class, name, handle, object_name<Object>);
    }

    Object &value() const { return *object; }
};

// The communicator of a call. If there are two, the first is the scope.
struct Comm : Referred<Communicator, MPI_Comm, find_communicator, MPI_ERR_COMM> {
    using Referred::Referred;

    void bind(Scope &scope) const {
        if (!scope.comm)
            scope.comm = object;
    }
};

// MPI_COMM_NULL becomes a null pointer. Next to another communicator (MPI_Intercomm_create) the
// argument is significant only at some ranks, and is not checked.
struct NullableComm {
    const char *name;
    MPI_Comm handle;

    [[gnu::always_inline]] bool is_valid(const Scope &scope) const {
        return scope.comm || handle == MPI_COMM_NULL || find_communicator(handle);
    }

    Error complain(const Scope &) const {
        return bad_handle(MPI_ERR_COMM, name, handle, "communicator");
    }

    Communicator *value() const { return find_communicator(handle); }
};

// A window: targets are checked against it, and its error handler reports the call.
struct Win : Referred<Window, MPI_Win, find_window, MPI_ERR_WIN> {
    using Referred::Referred;

    void bind(Scope &scope) const { scope.win = object; }
};

// For MPI_Win_get_name: MPI_WIN_NULL becomes a null pointer.
struct NullableWin {
    const char *name;
    MPI_Win handle;

    [[gnu::always_inline]] bool is_valid(const Scope &) const {
        return handle == MPI_WIN_NULL || find_window(handle);
    }

    Error complain(const Scope &) const { return bad_handle(MPI_ERR_WIN, name, handle, "window"); }

    Window *value() const { return find_window(handle); }
};

// A file. It has no ranks to check against, but an error handler.
struct File : Referred<thrum::File, MPI_File, find_file, MPI_ERR_FILE> {
    using Referred::Referred;

    void bind(Scope &scope) const { scope.file = object; }
};

// For MPI_File_set_errhandler and similar functions: MPI_FILE_NULL becomes a null pointer.
struct NullableFile {
    const char *name;
    MPI_File handle;

    void bind(Scope &scope) const { scope.file = find_file(handle); }

    [[gnu::always_inline]] bool is_valid(const Scope &) const {
        return handle == MPI_FILE_NULL || find_file(handle);
    }

    Error complain(const Scope &) const { return bad_handle(MPI_ERR_FILE, name, handle, "file"); }

    thrum::File *value() const { return find_file(handle); }
};

// A session: its error handler reports the call.
struct Session : Referred<thrum::Session, MPI_Session, find_session, MPI_ERR_SESSION> {
    using Referred::Referred;

    void bind(Scope &scope) const { scope.session = object; }
};

// Section 9.3: errors of procedures on groups belong to the session from which the group is
// derived. If that session is finalized, they have no object.
struct Group : Referred<thrum::Group, MPI_Group, find_group, MPI_ERR_GROUP> {
    using Referred::Referred;

    void bind(Scope &scope) const {
        if (object && !scope.session)
            scope.session = live_session(object->session);
    }
};

// For MPI_Intercomm_create_from_groups: significant only at the leader, and checked there.
struct NullableGroup {
    const char *name;
    MPI_Group handle;

    thrum::Group *value() const { return find_group(handle); }
};

using Op = Referred<thrum::Op, MPI_Op, find_op, MPI_ERR_OP>;
using Errhandler = Referred<thrum::Errhandler, MPI_Errhandler, find_errhandler, MPI_ERR_ERRHANDLER>;

// The error handler for an object that the call makes: it handles the call's errors, too (section
// 7.4.2). It is bound before everything else, so also for errors in the arguments.
struct CreationErrhandler : Errhandler {
    using Errhandler::Errhandler;

    void bind_early(Scope &scope) const { scope.of_new_object = object; }
};

using Type = Referred<thrum::Datatype, MPI_Datatype, find_datatype, MPI_ERR_TYPE>;

// The datatype of a buffer of `count` elements: it must be committed (section 5.1.9). Without
// elements, MPI_DATATYPE_NULL is tolerated and becomes MPI_BYTE, so that the implementation always
// gets a datatype.
struct Datatype {
    const char *name;
    MPI_Datatype handle;
    MPI_Count count;
    mutable thrum::Datatype *object;

    Datatype(const char *argument_name, MPI_Datatype argument, MPI_Count elements = 1)
        : name(argument_name), handle(argument), count(elements), object(find_datatype(argument)) {}

    [[gnu::always_inline]] bool is_valid(const Scope &) const {
        return object && object->committed;
    }

    Error complain(const Scope &) const {
        if (object)
            return not_committed(name, *object);
        object = find_datatype(MPI_BYTE);
        return no_datatype(name, handle, count);
    }

    thrum::Datatype &value() const { return *object; }
};

// In a collective operation: significant only at some ranks, and checked by mpi/coll.cc.
struct NullableDatatype {
    const char *name;
    MPI_Datatype handle;

    thrum::Datatype *value() const { return find_datatype(handle); }
};

// For MPI_Type_get_name: MPI_DATATYPE_NULL becomes a null pointer.
struct NullableType {
    const char *name;
    MPI_Datatype handle;

    [[gnu::always_inline]] bool is_valid(const Scope &) const {
        return handle == MPI_DATATYPE_NULL || find_datatype(handle);
    }

    Error complain(const Scope &) const {
        return bad_handle(MPI_ERR_TYPE, name, handle, "datatype");
    }

    thrum::Datatype *value() const { return find_datatype(handle); }
};

// MPI_INFO_NULL becomes a null pointer.
struct Info {
    const char *name;
    MPI_Info handle;

    [[gnu::always_inline]] bool is_valid(const Scope &) const {
        return handle == MPI_INFO_NULL || find_info(handle);
    }

    Error complain(const Scope &) const {
        return bad_handle(MPI_ERR_INFO, name, handle, "info object");
    }

    thrum::Info *value() const { return find_info(handle); }
};

// Significant only at some ranks, and checked by the implementation: named_info() of
// mpi/creation.h.
struct NullableInfo {
    const char *name;
    MPI_Info handle;

    thrum::Info *value() const { return handle; }
};

// A request. MPI_REQUEST_NULL becomes a null pointer; whether it is live is checked by the call.
struct Request {
    const char *name;
    MPI_Request handle;

    [[gnu::always_inline]] bool is_valid(const Scope &) const { return handle; }

    Error complain(const Scope &) const {
        return bad_handle(MPI_ERR_REQUEST, name, handle, "request");
    }

    thrum::Request *value() const { return handle == MPI_REQUEST_NULL ? nullptr : handle; }
};

using Message = Plain<MPI_Message>;

// A count of elements, passed as int or MPI_Count.
struct Count {
    const char *name;
    MPI_Count v;

    [[gnu::always_inline]] bool is_valid(const Scope &) const { return v >= 0; }

    Error complain(const Scope &) const { return bad_count(name, v); }

    MPI_Count value() const { return v; }
};

using WideCount = Count;

// The length of an array, which is always an int.
struct Length {
    const char *name;
    int v;

    [[gnu::always_inline]] bool is_valid(const Scope &) const { return v >= 0; }

    Error complain(const Scope &) const { return bad_count(name, v); }

    int value() const { return v; }
};

// A rank of the scope's communicator (of its remote group, if it is an inter-communicator),
// MPI_PROC_NULL, or the wildcard `also`.
template <int also>
struct PeerRank {
    const char *name;
    int v;

    [[gnu::always_inline]] bool is_valid(const Scope &scope) const {
        return (v >= 0 && (!scope.comm || v < scope.comm->remote_size)) || v == MPI_PROC_NULL ||
               v == also;
    }

    Error complain(const Scope &scope) const { return bad_rank(name, v, scope); }

    int value() const { return v; }
};

using Dest = PeerRank<MPI_PROC_NULL>;

// A rank of the scope's window, or MPI_PROC_NULL.
struct Target {
    const char *name;
    int v;

    [[gnu::always_inline]] bool is_valid(const Scope &scope) const {
        return scope.win->has_rank(v) || v == MPI_PROC_NULL;
    }

    Error complain(const Scope &scope) const { return bad_rank(name, v, scope); }

    int value() const { return v; }
};

using Source = PeerRank<MPI_ANY_SOURCE>;

// Section 6.2.2: a rank, or in an inter-communicator MPI_ROOT or MPI_PROC_NULL.
struct Root {
    const char *name;
    int v;

    [[gnu::always_inline]] bool is_valid(const Scope &scope) const {
        const Communicator &comm = *scope.comm;
        return (v >= 0 && v < comm.remote_size) ||
               (comm.inter && (v == MPI_ROOT || v == MPI_PROC_NULL));
    }

    Error complain(const Scope &scope) const { return bad_root(name, v, scope); }

    int value() const { return v; }
};

// A tag to send with. All non-negative ints are valid: MPI_TAG_UB is INT_MAX.
struct SendTag {
    const char *name;
    int v;

    [[gnu::always_inline]] bool is_valid(const Scope &) const { return v >= 0; }

    Error complain(const Scope &) const { return bad_tag(name, v, false); }

    int value() const { return v; }
};

// A tag to receive with, or MPI_ANY_TAG.
struct RecvTag {
    const char *name;
    int v;

    [[gnu::always_inline]] bool is_valid(const Scope &) const { return v >= 0 || v == MPI_ANY_TAG; }

    Error complain(const Scope &) const { return bad_tag(name, v, true); }

    int value() const { return v; }
};

// An array of counts or displacements, int or MPI_Count. Its length is not known here, so
// collective_arguments.h checks it.
struct Counts {
    const char *name;
    CountArray v;

    template <class T>
    Counts(const char *argument_name, T *array) : name(argument_name), v(array) {}

    CountArray value() const { return v; }
};

// Where a count is stored, as int or MPI_Count.
struct CountOut {
    const char *name;
    CountRef v;

    template <class T>
    CountOut(const char *argument_name, T *count) : name(argument_name), v(count) {}

    [[gnu::always_inline]] bool is_valid(const Scope &) const { return static_cast<bool>(v); }

    Error complain(const Scope &) const { return null_pointer(name); }

    CountRef value() const { return v; }
};

// A callback, or its large-count form. The two have different types but arrive as one AnyFunction.
struct Function {
    const char *name;
    AnyFunction v;

    template <class F>
    Function(const char *argument_name, F *function)
        : name(argument_name), v{reinterpret_cast<void (*)()>(function), is_large<F>} {}
    template <class F>
    static constexpr bool is_large = std::is_same_v<F, MPI_User_function_c> ||
                                     std::is_same_v<F, MPI_Datarep_conversion_function_c>;

    AnyFunction value() const { return v; }
};

} // namespace arg
} // namespace thrum
