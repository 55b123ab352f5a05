// Reports about members whose data have different types (type_comparison.h).
#include "meeting/type_comparison.h"

#include "comm/amount_mismatch.h"
#include "comm/group.h"
#include "comm/process.h"
#include "meeting/disagreement.h"

namespace thrum {
namespace {

// Returns the call of a member, if it is in the operation in which the calling thread is. In an
// inter-communicator the members of the own group have no short way to their processes.
CallPlace call_of_member(const Communicator &comm, int member) {
    const CallPlace own = current_call();
    if (comm.inter || is_remote(comm.peer(member)) || !comm.peer(member).rank)
        return {};
    const CallPlace theirs = place_of(comm.peer(member).rank->call);
    return theirs.function == own.function ? theirs : CallPlace{};
}

} // namespace

Error compare_types(const Communicator &comm, const MemberData &from, const MemberData &to) {
    const MemberName sender(comm, from.member), receiver(comm, to.member);
    if (!types_are_accepted(from.data, to.data))
        return judge_mismatch(
            {mismatch_text(sender.text, from.data, receiver.text, to.data), from.call, to.call});
    if (from.data.bytes >= to.data.bytes || type_check() == TypeCheck::Off)
        return success;
    return judge_amount(
        {amount_text(sender.text, from.data, receiver.text, to.data), from.call, to.call});
}

Error compare_blocks(const Communicator &comm, const Block &from, int from_member, const Block &to,
                     int to_member) {
    return compare_types(
        comm, {{from.type, from.size_bytes()}, from_member, call_of_member(comm, from_member)},
        {{to.type, to.size_bytes()}, to_member, call_of_member(comm, to_member)});
}

Error ScratchType::compare(const Communicator &comm, size_t sent_bytes, int from_member,
                           const Block &to, int to_member) const {
    return compare_types(comm, {{type_, sent_bytes}, from_member, call_},
                         {{to.type, to.size_bytes()}, to_member, {}});
}

} // namespace thrum
