// Handles as integers (MPI 5.0 sections 19.3.4 and 20.4): Fortran's INTEGER handles, and the
// integer form of the ABI. A predefined constant is its own integer. A user's handle, which is an
// address, gets a number from one table for all kinds and ranks.
//
// Invariants
// 1. The table never forgets. An address that is reused for another object keeps its number. That
// is
//    correct, because the number stands for the address, and the address is the handle.
// 2. A number is turned into a handle without a lock: every Fortran call does that for each of its
//    handles. A handle that may be new is looked up under the lock of one of many parts.
#include "base/spinlock.h"
#include "datatype/predefined.h"
#include "entry/calls.h"
#include "entry/entry.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <unordered_map>

namespace thrum::mpi {
namespace {

constexpr int constants_end = 4096; // section 20.3.3: smaller values are the constants

// An array that grows and is read without a lock. Block k holds first_block_size << k elements; a
// block never moves, so growing disturbs no reader.
class HandleArray {
public:
    // Returns the element, or nullptr if `index` was never set.
    void *get(unsigned index) const {
        Place place = place_of(index);
        // acquire [handle-1]
        const std::atomic<void *> *block = blocks_[place.block].load(std::memory_order_acquire);
        return block ? block[place.offset].load(std::memory_order_relaxed) : nullptr;
    }

    // Sets an index, once. The caller provides the ordering: it passes the number on only
    // afterwards.
    void set(unsigned index, void *handle) {
        Place place = place_of(index);
        // acquire [handle-1]
        std::atomic<void *> *block = blocks_[place.block].load(std::memory_order_acquire);
        if (!block)
            block = grow(place.block);
        block[place.offset].store(handle, std::memory_order_relaxed);
    }

private:
    struct Place {
        unsigned block, offset;
    };

    static constexpr unsigned first_block_size_ = 1024;
    static constexpr unsigned blocks_max_ = 22; // together 2^32 elements

    // Returns where an index is: the bit width of index + first_block_size determines the block.
    static Place place_of(unsigned index) {
        unsigned long n = index + static_cast<unsigned long>(first_block_size_);
        auto block = static_cast<unsigned>(std::bit_width(n) - std::bit_width(first_block_size_));
        return {block, static_cast<unsigned>(n - (first_block_size_ * 1UL << block))};
    }

    // Allocates a block, unless another thread has done so meanwhile.
    std::atomic<void *> *grow(unsigned block) {
        LockGuard guard(growing_);
        std::atomic<void *> *there = blocks_[block].load(std::memory_order_relaxed);
        if (there)
            return there;
        auto *made = new std::atomic<void *>[first_block_size_ * 1UL << block]();
        // release [handle-1]: publishes the null pointers in the new block.
        blocks_[block].store(made, std::memory_order_release);
        return made;
    }

    SpinLock growing_;
    std::atomic<std::atomic<void *> *> blocks_[blocks_max_]{};
};

// A part of the table that translates handles to numbers. Handles are divided among several parts,
// each with its own lock.
struct alignas(64) NumbersPart {
    SpinLock lock; // guards `numbers`
    std::unordered_map<const void *, int> numbers;
};

// The translation of both directions.
struct HandleTable {
    static constexpr size_t parts_count = 64;
    NumbersPart parts[parts_count];
    std::atomic<unsigned> count{0}; // numbers assigned so far
    HandleArray handles;            // by number - constants_end

    // Drops the lower bits, in which the addresses of objects hardly differ.
    NumbersPart &part_of(const void *handle) {
        return parts[reinterpret_cast<uintptr_t>(handle) / 64 % parts_count];
    }
};

HandleTable &table() {
    static auto *the_table = new HandleTable; // never destroyed: ranks may outlive static objects
    return *the_table;
}

// Returns the handle's number; a new handle gets one. Only the part of the table that holds this
// handle is locked.
int to_number(void *handle) {
    auto value = reinterpret_cast<uintptr_t>(handle);
    if (value < constants_end)
        return static_cast<int>(value);
    HandleTable &t = table();
    NumbersPart &part = t.part_of(handle);
    LockGuard guard(part.lock);
    auto [place, is_new] = part.numbers.try_emplace(handle, 0);
    if (is_new) {
        unsigned index = t.count.fetch_add(1, std::memory_order_relaxed);
        t.handles.set(index, handle);
        place->second = constants_end + static_cast<int>(index);
    }
    return place->second;
}

// Converts a number to a handle. An unknown number becomes the null handle of its kind.
void *to_handle(int number, void *null) {
    if (number >= 0 && number < constants_end)
        return reinterpret_cast<void *>(static_cast<uintptr_t>(number));
    void *handle =
        number < 0 ? nullptr : table().handles.get(static_cast<unsigned>(number - constants_end));
    return handle ? handle : null;
}

static_assert(sizeof(MPI_Fint) == sizeof(int));
static_assert(sizeof(MPI_Status) == sizeof(MPI_F08_status));
static_assert(sizeof(MPI_Status) == MPI_F_STATUS_SIZE * sizeof(MPI_Fint));

Error check_statuses(const void *from, const void *to) {
    return from && to ? success
                      : fail(MPI_ERR_ARG, "the status is MPI_STATUS_IGNORE or a null pointer");
}

// Converts the members one by one. The addresses need not be aligned for them.
template <class From, class To>
void convert_members(const void *from, void *to) {
    From members[MPI_F_STATUS_SIZE];
    std::memcpy(members, from, sizeof members);
    To converted[MPI_F_STATUS_SIZE];
    std::ranges::transform(members, converted, [](From member) { return static_cast<To>(member); });
    std::memcpy(to, converted, sizeof converted);
}

bool are_integers_large() {
    return fortran_integer_bytes() == sizeof(int64_t);
}

Error status_to_fortran(const MPI_Status *from, void *to) {
    if (Error error = check_statuses(from, to))
        return error;
    if (are_integers_large())
        convert_members<int, int64_t>(from, to);
    else
        std::memcpy(to, from, sizeof(MPI_Status));
    return success;
}

Error status_to_c(const void *from, MPI_Status *to) {
    if (Error error = check_statuses(from, to))
        return error;
    if (are_integers_large())
        convert_members<int64_t, int>(from, to);
    else
        std::memcpy(to, from, sizeof(MPI_Status));
    return success;
}

// Copies between the two Fortran forms, which are the same.
Error copy_status(const void *from, void *to) {
    if (Error error = check_statuses(from, to))
        return error;
    std::memcpy(to, from, MPI_F_STATUS_SIZE * static_cast<size_t>(fortran_integer_bytes()));
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

// The ABI's conversions and Fortran's are the same.
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

// Statuses (section 19.3.5): the three forms have the same members. Those of Fortran are INTEGERs
// of the programs of this process, whatever MPI_Fint is where the caller was compiled: its address
// is usually that of a Fortran variable.

Error status_c2f(const MPI_Status *c_status, MPI_Fint *f_status) {
    return status_to_fortran(c_status, f_status);
}

Error status_f2c(const MPI_Fint *f_status, MPI_Status *c_status) {
    return status_to_c(f_status, c_status);
}

Error status_c2f08(const MPI_Status *c_status, MPI_F08_status *f08_status) {
    return status_to_fortran(c_status, f08_status);
}

Error status_f082c(const MPI_F08_status *f08_status, MPI_Status *c_status) {
    return status_to_c(f08_status, c_status);
}

Error status_f2f08(const MPI_Fint *f_status, MPI_F08_status *f08_status) {
    return copy_status(f_status, f08_status);
}

Error status_f082f(const MPI_F08_status *f08_status, MPI_Fint *f_status) {
    return copy_status(f08_status, f_status);
}

} // namespace thrum::mpi
