// Handles as integers (MPI 5.0 sections 19.3.4 and 20.4): Fortran's INTEGER handles, and the
// integer form of the ABI. A predefined constant is its own integer; a user's handle, which is an
// address, gets a number from one table for all kinds and all ranks.
//
// The table never forgets. An address that is used again for another object keeps its number, and
// that is right: the number stands for the address, and the address is the handle.
#include "base/spinlock.h"
#include "mpi/calls.h"
#include "mpi/entry.h"

#include <cstring>
#include <unordered_map>
#include <vector>

namespace thrum::mpi {
namespace {

constexpr int constants_end = 4096; // section 20.3.3: smaller values are the constants

struct HandleTable {
    SpinLock lock; // guards both
    std::unordered_map<const void *, int> numbers;
    std::vector<void *> handles; // by number - constants_end
};

HandleTable &table() {
    static auto *the_table = new HandleTable; // never destroyed: ranks may outlive static objects
    return *the_table;
}

int to_number(void *handle) {
    auto value = reinterpret_cast<uintptr_t>(handle);
    if (value < constants_end)
        return static_cast<int>(value);
    HandleTable &t = table();
    LockGuard guard(t.lock);
    auto [place, is_new] =
        t.numbers.try_emplace(handle, constants_end + static_cast<int>(t.handles.size()));
    if (is_new)
        t.handles.push_back(handle);
    return place->second;
}

// A number that no handle has becomes the null handle of its kind.
void *to_handle(int number, void *null) {
    if (number >= 0 && number < constants_end)
        return reinterpret_cast<void *>(static_cast<uintptr_t>(number));
    HandleTable &t = table();
    LockGuard guard(t.lock);
    auto index = static_cast<size_t>(number) - constants_end;
    return number < 0 || index >= t.handles.size() ? null : t.handles[index];
}

static_assert(sizeof(MPI_Fint) == sizeof(int));
static_assert(sizeof(MPI_Status) == sizeof(MPI_F08_status));
static_assert(sizeof(MPI_Status) == MPI_F_STATUS_SIZE * sizeof(MPI_Fint));

Error copy_status(const void *from, void *to) {
    if (!from || !to)
        return fail(MPI_ERR_ARG, "the status is MPI_STATUS_IGNORE or a null pointer");
    std::memcpy(to, from, sizeof(MPI_Status));
    return success;
}

} // namespace

int comm_toint(MPI_Comm comm) {
    return to_number(comm);
}

int errhandler_toint(MPI_Errhandler errhandler) {
    return to_number(errhandler);
}

int file_toint(MPI_File file) {
    return to_number(file);
}

int group_toint(MPI_Group group) {
    return to_number(group);
}

int info_toint(MPI_Info info) {
    return to_number(info);
}

int message_toint(MPI_Message message) {
    return to_number(message);
}

int op_toint(MPI_Op op) {
    return to_number(op);
}

int request_toint(MPI_Request request) {
    return to_number(request);
}

int session_toint(MPI_Session session) {
    return to_number(session);
}

int type_toint(MPI_Datatype datatype) {
    return to_number(datatype);
}

int win_toint(MPI_Win win) {
    return to_number(win);
}

#define FROM_INT(kind, Handle, null)                                                               \
    Handle kind##_fromint(int number) {                                                            \
        return static_cast<Handle>(to_handle(number, null));                                       \
    }                                                                                              \
    Handle kind##_f2c(MPI_Fint number) {                                                           \
        return kind##_fromint(number);                                                             \
    }                                                                                              \
    MPI_Fint kind##_c2f(Handle handle) {                                                           \
        return kind##_toint(handle);                                                               \
    }

FROM_INT(comm, MPI_Comm, MPI_COMM_NULL)
FROM_INT(errhandler, MPI_Errhandler, MPI_ERRHANDLER_NULL)
FROM_INT(file, MPI_File, MPI_FILE_NULL)
FROM_INT(group, MPI_Group, MPI_GROUP_NULL)
FROM_INT(info, MPI_Info, MPI_INFO_NULL)
FROM_INT(message, MPI_Message, MPI_MESSAGE_NULL)
FROM_INT(op, MPI_Op, MPI_OP_NULL)
FROM_INT(request, MPI_Request, MPI_REQUEST_NULL)
FROM_INT(session, MPI_Session, MPI_SESSION_NULL)
FROM_INT(type, MPI_Datatype, MPI_DATATYPE_NULL)
FROM_INT(win, MPI_Win, MPI_WIN_NULL)
#undef FROM_INT

// Statuses (section 19.3.5): the three forms have the same members in the same places.

Error status_c2f(const MPI_Status *c_status, MPI_Fint *f_status) {
    return copy_status(c_status, f_status);
}

Error status_f2c(const MPI_Fint *f_status, MPI_Status *c_status) {
    return copy_status(f_status, c_status);
}

Error status_c2f08(const MPI_Status *c_status, MPI_F08_status *f08_status) {
    return copy_status(c_status, f08_status);
}

Error status_f082c(const MPI_F08_status *f08_status, MPI_Status *c_status) {
    return copy_status(f08_status, c_status);
}

} // namespace thrum::mpi
