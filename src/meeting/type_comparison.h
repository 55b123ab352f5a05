// Comparison of the types of the data that members of a collective operation exchange (MPI 5.0
// section 6.1: what one member sends must have the type that the other one receives).
#pragma once
#include "comm/communicator.h"
#include "comm/type_mismatch.h"
#include "meeting/blocks.h"

namespace thrum {

// What one member sends to, or receives from, another.
struct MemberData {
    TypedBytes data;
    int member;
    CallPlace call; // its call; {}: unknown
};

// Compares in detail, and warns or returns MPI_ERR_TYPE.
[[gnu::cold, gnu::noinline]] Error compare_types(const Communicator &comm, const MemberData &from,
                                                 const MemberData &to);
// Does the same in a blocking operation, in which both members take part at this moment.
[[gnu::cold, gnu::noinline]] Error compare_blocks(const Communicator &comm, const Block &from,
                                                  int from_member, const Block &to, int to_member);

// Returns success if the types match, which usually costs one comparison.
inline Error check_blocks(const Communicator &comm, const Block &from, int from_member,
                          const Block &to, int to_member) {
    if (types_surely_match(*from.type, *to.type)) [[likely]]
        return success;
    return compare_blocks(comm, from, from_member, to, to_member);
}

// The type of data in a scratch buffer. Their sender may have left the operation and freed its
// datatype. Zero-initialised memory is a valid object.
class ScratchType {
public:
    // Called by the member that fills the scratch buffer. `call`: whose data they are; {}: unknown.
    void set(const Datatype *type, const CallPlace &call = current_call()) {
        drop_type(type_);
        type_ = keep_type(type);
        call_ = call;
    }

    void clear() {
        drop_type(type_);
        type_ = nullptr;
    }

    // Returns whether a receiver's type surely matches. Otherwise compare() decides.
    bool surely_matches(const Datatype &to) const {
        return !type_ || types_surely_match(*type_, to);
    }

    // Compares it with what member `to_member` receives, and warns or returns MPI_ERR_TYPE;
    // `sent_bytes`: bytes for that member.
    [[gnu::cold, gnu::noinline]] Error compare(const Communicator &comm, size_t sent_bytes,
                                               int from_member, const Block &to,
                                               int to_member) const;

private:
    const Datatype *type_ = nullptr;
    CallPlace call_;
};

} // namespace thrum
