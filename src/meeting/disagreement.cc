#include "meeting/disagreement.h"

#include "comm/call_names.h"
#include "comm/group.h"
#include "comm/process.h"
#include "datatype/op.h"
#include "meeting/announcement.h"

#include <mpi.h>

#include <cstdio>
#include <string>
#include <utility>

namespace thrum {
namespace {

// Returns whether these are file operations: section 14.8 has an error class for collective file
// operations that are called in different order.
bool of_files(uint64_t word) {
    Collective collective = Announcement::collective(word);
    return collective >= Collective::FileOpen && collective <= Collective::FileWriteOrderedBegin;
}

// Returns how users know the op of a reduction.
const char *op_of(uint64_t word) {
    const int operation = Announcement::operation(word);
    return operation == Announcement::programs_operation ? "an op of the program"
           : operation > 0                               ? name_of_predefined_op(operation - 1)
                                                         : "no op";
}

// Returns whether two calls of MPI_Reduce_scatter have different counts.
bool differ_in_counts(uint64_t a, uint64_t b) {
    return Announcement::collective(a) == Collective::ReduceScatter &&
           Announcement::root_or_hash(a) != Announcement::root_or_hash(b);
}

Error sizes_differ(const char *operation, const MemberName &first, const MemberName &second,
                   const size_t (&size_bytes)[2]) {
    return fail(MPI_ERR_COUNT,
                "ranks disagree on the size of the data of %s: %s has %zu bytes, %s has %zu",
                operation, first.text, size_bytes[0], second.text, size_bytes[1]);
}

} // namespace

MemberName::MemberName(const Communicator &comm, int member) {
    int second_side = comm.inter ? (comm.side == 0 ? comm.size : comm.remote_size) : member + 1;
    side = member < second_side ? 0 : 1;
    rank = side ? member - second_side : member;
    std::snprintf(text, sizeof text, "rank %d%s", rank,
                  !comm.inter         ? ""
                  : side == comm.side ? " of the local group"
                                      : " of the remote group");
}

// Keeps the first dispute that is found. Later ones are dropped, but their finders wait until the
// record is readable, because they report it next. The two members are sorted, so that all
// members report the same text.
void DisputeRecord::record(const Dispute &found) {
    int none = 0;
    if (!state_.compare_exchange_strong(none, 1, std::memory_order_relaxed)) {
        while (!get()) // another member is writing its record
            cpu_pause();
        return;
    }
    dispute_ = found;
    if (Announcement::member(found.calls[0]) > Announcement::member(found.calls[1])) {
        std::swap(dispute_.calls[0], dispute_.calls[1]);
        std::swap(dispute_.size_bytes[0], dispute_.size_bytes[1]);
    }
    state_.store(2, std::memory_order_release); // release [dispute-1]
}

namespace {

// Checks in the order of what matters most to a user: a second root, sizes, then the operation
// itself, its root and its op. The class of the error follows from what differs. `of_operation`
// follows the names of arguments: " of MPI_Reduce", or "".
Error error_about(const Communicator &comm, const Dispute &dispute,
                  const std::string &of_operation) {
    uint64_t a = dispute.calls[0], b = dispute.calls[1];
    MemberName first(comm, Announcement::member(a)), second(comm, Announcement::member(b));
    auto name_of = [](uint64_t word) {
        return collective_name(Announcement::collective(word),
                               static_cast<CallForm>(Announcement::phase(word)));
    };
    if (dispute.kind == Dispute::Kind::Roots)
        return fail(MPI_ERR_ROOT, "%s and %s both pass MPI_ROOT to %s", first.text, second.text,
                    name_of(a));
    if (dispute.kind == Dispute::Kind::Types)
        return fail(MPI_ERR_TYPE, "%s", dispute.sentence.c_str());
    if (dispute.kind == Dispute::Kind::Order)
        return fail(MPI_ERR_OTHER, "%s", dispute.sentence.c_str());
    if (dispute.kind == Dispute::Kind::Sizes)
        return sizes_differ(name_of(a), first, second, dispute.size_bytes);
    if (Announcement::collective(a) != Announcement::collective(b) ||
        Announcement::phase(a) != Announcement::phase(b))
        return fail(MPI_ERR_OTHER, "ranks disagree on the operation: %s calls %s, %s calls %s",
                    first.text, name_of(a), second.text, name_of(b));
    const char *of = of_operation.c_str();
    if (differ_in_counts(a, b))
        return fail(MPI_ERR_COUNT, "ranks disagree on recvcounts%s: %s and %s pass different ones",
                    of, first.text, second.text);
    if (Announcement::root(a) != Announcement::root(b))
        return fail(MPI_ERR_ROOT, "ranks disagree on root%s: %s says %d, %s says %d", of,
                    first.text, Announcement::root(a), second.text, Announcement::root(b));
    return fail(MPI_ERR_OP, "ranks disagree on op%s: %s passes %s, %s passes %s", of, first.text,
                op_of(a), second.text, op_of(b));
}

} // namespace

Error disagreement(const Communicator &comm, const Dispute &dispute) {
    const uint64_t call = dispute.calls[0];
    return error_about(comm, dispute,
                       std::string(" of ") +
                           collective_name(Announcement::collective(call),
                                           static_cast<CallForm>(Announcement::phase(call))));
}

Error disagreement_within(const Communicator &comm, const Dispute &dispute) {
    return error_about(comm, dispute, "");
}

namespace {

// Returns the name of what a member calls in a round. Many functions make a communicator or a
// window: then its present call tells, if the member is in this process and has not returned.
std::string name_in_round(const Communicator &comm, uint64_t said) {
    const Collective collective = Announcement::collective(said);
    std::string name = collective_name(collective, BlockingForm);
    const int member = Announcement::member(said);
    if ((collective != Collective::Communicator && collective != Collective::WindowCreation) ||
        comm.inter || is_remote(comm.peer(member)))
        return name;
    const std::string call = name_of_call(place_of(comm.peer(member).rank->call));
    const bool is_maker = call.starts_with("MPI_Comm_") || call.starts_with("MPI_Intercomm_") ||
                          call.starts_with("MPI_Win_");
    return is_maker ? call : name;
}

} // namespace

// A round has no form: blocking operations only announce their phase, so two phases of one
// operation mean that the sizes led the members to different algorithms.
Error round_disagreement(const Communicator &comm, const Dispute &dispute) {
    uint64_t a = dispute.calls[0], b = dispute.calls[1];
    MemberName first(comm, Announcement::member(a)), second(comm, Announcement::member(b));
    if (dispute.kind == Dispute::Kind::Types)
        return fail(MPI_ERR_TYPE, "%s", dispute.sentence.c_str());
    if (dispute.kind == Dispute::Kind::Sizes && !dispute.sentence.empty())
        return fail(MPI_ERR_COUNT, "%s", dispute.sentence.c_str());
    const std::string first_name = name_in_round(comm, a), second_name = name_in_round(comm, b);
    if (Announcement::collective(a) != Announcement::collective(b))
        return fail(of_files(a) || of_files(b) ? MPI_ERR_NOT_SAME : MPI_ERR_OTHER,
                    "ranks disagree on the operation: %s calls %s, %s calls %s", first.text,
                    first_name.c_str(), second.text, second_name.c_str());
    if (differ_in_counts(a, b))
        return fail(MPI_ERR_COUNT, "ranks disagree on recvcounts: %s and %s pass different ones",
                    first.text, second.text);
    if (Announcement::root(a) != Announcement::root(b))
        return fail(MPI_ERR_ROOT, "ranks disagree on root: %s says %d, %s says %d", first.text,
                    Announcement::root(a), second.text, Announcement::root(b));
    if (Announcement::operation(a) != Announcement::operation(b))
        return fail(MPI_ERR_OP, "ranks disagree on op: %s passes %s, %s passes %s", first.text,
                    op_of(a), second.text, op_of(b));
    if (dispute.size_bytes[0] != dispute.size_bytes[1])
        return sizes_differ(first_name.c_str(), first, second, dispute.size_bytes);
    return fail(MPI_ERR_OTHER,
                "ranks disagree on the size of the data of %s: %s and %s pass different ones",
                first_name.c_str(), first.text, second.text);
}

} // namespace thrum
