// Names of datatypes (MPI 5.0 section 7.8). A derived datatype has its name; a predefined one is
// shared by all ranks, so names that ranks give it are in a list of their own.
#include "base/spinlock.h"
#include "datatype/predefined.h"
#include "entry/calls.h"
#include "rank/rank.h"

#include <cstdlib>
#include <cstring>

namespace thrum::mpi {
namespace {

// A name that one rank has given to a predefined datatype.
struct Renamed {
    const Rank *rank;
    const Datatype *type;
    char *name;
    Renamed *next;
};

SpinLock renamed_lock;
Renamed *renamed = nullptr; // under renamed_lock; entries are never removed

// Returns the calling rank's entry. Nobody else uses its name, so it may be read without the lock.
Renamed *find_renamed(const Datatype &type) {
    const Rank *rank = &current_rank();
    LockGuard guard(renamed_lock);
    for (Renamed *r = renamed; r; r = r->next)
        if (r->rank == rank && r->type == &type)
            return r;
    return nullptr;
}

char *duplicate_name(const char *name) {
    return ::strndup(name, MPI_MAX_OBJECT_NAME - 1); // section 7.8: longer names are truncated
}

// Sets the calling rank's name of a predefined datatype.
void rename_predefined(const Datatype &type, const char *name) {
    Renamed *r = find_renamed(type);
    if (r) { // only this rank reads or writes its entry's name
        std::free(r->name);
        r->name = duplicate_name(name);
        return;
    }
    // Made outside the lock; only this rank can add an entry with this rank and datatype.
    r = new Renamed{&current_rank(), &type, duplicate_name(name), nullptr};
    LockGuard guard(renamed_lock);
    r->next = renamed;
    renamed = r;
}

// Returns the name for a handle; "" if it has none.
const char *name_of(const Datatype *handle) {
    if (!handle)
        return "MPI_DATATYPE_NULL";
    const Datatype &type = *handle;
    if (!type.predefined)
        return type.name ? type.name : "";
    if (const Renamed *r = find_renamed(type))
        return r->name;
    const char *name = predefined_name(type);
    return name ? name : ""; // those made by MPI_Type_create_f90_*
}

} // namespace

Error type_set_name(Datatype &datatype, const char *type_name) {
    if (!type_name)
        return fail(MPI_ERR_ARG, "type_name is a null pointer");
    if (datatype.predefined) {
        rename_predefined(datatype, type_name);
        return success;
    }
    std::free(datatype.name);
    datatype.name = duplicate_name(type_name);
    return success;
}

// The program's buffer has MPI_MAX_OBJECT_NAME bytes.
Error type_get_name(Datatype *datatype, char *type_name, int *resultlen) {
    if (!type_name)
        return fail(MPI_ERR_ARG, "type_name is a null pointer");
    const char *name = name_of(datatype);
    size_t length = std::strlen(name);
    std::memcpy(type_name, name, length + 1);
    *resultlen = static_cast<int>(length);
    return success;
}

} // namespace thrum::mpi
