// Members that do not do the same thing (section 6.1: all processes of the group call the same
// collective operations in the same order, with matching arguments): found out at their arrival,
// and put into a sentence that names two of them.
#include "coll/collective_request.h"
#include "coll/round.h"

#include <mpi.h>

#include <cstdio>

namespace thrum {
namespace {

constexpr const char *names[] = {"nothing",
                                 "a communicator's creation",
                                 "MPI_Cart_create",
                                 "MPI_Cart_sub",
                                 "MPI_Graph_create",
                                 "MPI_Dist_graph_create",
                                 "MPI_Dist_graph_create_adjacent",
                                 "MPI_Barrier",
                                 "MPI_Bcast",
                                 "MPI_Gather",
                                 "MPI_Gatherv",
                                 "MPI_Scatter",
                                 "MPI_Scatterv",
                                 "MPI_Allgather",
                                 "MPI_Allgatherv",
                                 "MPI_Alltoall",
                                 "MPI_Alltoallv",
                                 "MPI_Alltoallw",
                                 "MPI_Reduce",
                                 "MPI_Allreduce",
                                 "MPI_Reduce_scatter",
                                 "MPI_Reduce_scatter_block",
                                 "MPI_Scan",
                                 "MPI_Exscan",
                                 "a window's creation",
                                 "MPI_Win_fence",
                                 "MPI_Win_free",
                                 "MPI_File_open",
                                 "MPI_File_close",
                                 "MPI_File_set_view",
                                 "MPI_File_set_size",
                                 "MPI_File_preallocate",
                                 "MPI_File_set_info",
                                 "MPI_File_set_atomicity",
                                 "MPI_File_sync",
                                 "MPI_File_seek_shared",
                                 "MPI_File_read_all or MPI_File_read_at_all",
                                 "MPI_File_read_ordered",
                                 "MPI_File_write_all or MPI_File_write_at_all",
                                 "MPI_File_write_ordered",
                                 "MPI_File_read_all_begin",
                                 "MPI_File_read_at_all_begin",
                                 "MPI_File_read_ordered_begin",
                                 "MPI_File_write_all_begin",
                                 "MPI_File_write_at_all_begin",
                                 "MPI_File_write_ordered_begin",
                                 "acl_begin",
                                 "acl_end",
                                 "MPI_Comm_dup"};

// Of those from MPI_Barrier to MPI_Exscan: non-blocking, persistent.
constexpr const char *other_names[][2] = {
    {"MPI_Ibarrier", "MPI_Barrier_init"},
    {"MPI_Ibcast", "MPI_Bcast_init"},
    {"MPI_Igather", "MPI_Gather_init"},
    {"MPI_Igatherv", "MPI_Gatherv_init"},
    {"MPI_Iscatter", "MPI_Scatter_init"},
    {"MPI_Iscatterv", "MPI_Scatterv_init"},
    {"MPI_Iallgather", "MPI_Allgather_init"},
    {"MPI_Iallgatherv", "MPI_Allgatherv_init"},
    {"MPI_Ialltoall", "MPI_Alltoall_init"},
    {"MPI_Ialltoallv", "MPI_Alltoallv_init"},
    {"MPI_Ialltoallw", "MPI_Alltoallw_init"},
    {"MPI_Ireduce", "MPI_Reduce_init"},
    {"MPI_Iallreduce", "MPI_Allreduce_init"},
    {"MPI_Ireduce_scatter", "MPI_Reduce_scatter_init"},
    {"MPI_Ireduce_scatter_block", "MPI_Reduce_scatter_block_init"},
    {"MPI_Iscan", "MPI_Scan_init"},
    {"MPI_Iexscan", "MPI_Exscan_init"},
};

// Section 14.8: for collective file operations that are called in another order there is a class.
bool of_files(uint64_t word) {
    Collective collective = Announcement::collective(word);
    return collective >= Collective::FileOpen && collective <= Collective::FileWriteOrderedBegin;
}

// How users know a member: "rank 3", or "rank 3 of the remote group".
struct MemberName {
    char text[48];

    MemberName(const Communicator &comm, int member) {
        int second_side = comm.inter ? (comm.side == 0 ? comm.size : comm.remote_size) : member + 1;
        int side = member < second_side ? 0 : 1;
        std::snprintf(text, sizeof text, "rank %d%s", side ? member - second_side : member,
                      !comm.inter         ? ""
                      : side == comm.side ? " of the local group"
                                          : " of the remote group");
    }
};

Error sizes_differ(const char *operation, const MemberName &first, const MemberName &second,
                   const size_t (&size_bytes)[2]) {
    return fail(MPI_ERR_COUNT,
                "ranks disagree on the size of the data of %s: %s has %zu bytes, %s has %zu",
                operation, first.text, size_bytes[0], second.text, size_bytes[1]);
}

} // namespace

const char *collective_name(Collective collective, CallForm form) {
    const bool has_other_forms =
        collective >= Collective::Barrier && collective <= Collective::Exscan;
    if (form == BlockingForm || !has_other_forms)
        return names[static_cast<size_t>(collective)];
    return other_names[static_cast<size_t>(collective) - static_cast<size_t>(Collective::Barrier)]
                      [form == NonblockingForm ? 0 : 1];
}

Error disagreement(const Communicator &comm, const Dispute &dispute) {
    uint64_t a = dispute.calls[0], b = dispute.calls[1];
    MemberName first(comm, Announcement::member(a)), second(comm, Announcement::member(b));
    auto name_of = [](uint64_t word) {
        return collective_name(Announcement::collective(word),
                               static_cast<CallForm>(Announcement::phase(word)));
    };
    if (dispute.kind == Dispute::Kind::Roots)
        return fail(MPI_ERR_ROOT, "%s and %s both pass MPI_ROOT to %s", first.text, second.text,
                    name_of(a));
    if (dispute.kind == Dispute::Kind::Sizes)
        return sizes_differ(name_of(a), first, second, dispute.size_bytes);
    if (Announcement::collective(a) != Announcement::collective(b) ||
        Announcement::phase(a) != Announcement::phase(b))
        return fail(MPI_ERR_OTHER, "ranks disagree on the operation: %s calls %s, %s calls %s",
                    first.text, name_of(a), second.text, name_of(b));
    if (Announcement::root(a) != Announcement::root(b))
        return fail(MPI_ERR_ROOT, "ranks disagree on root of %s: %s says %d, %s says %d",
                    name_of(a), first.text, Announcement::root(a), second.text,
                    Announcement::root(b));
    return fail(MPI_ERR_OP, "ranks disagree on op of %s: %s and %s pass different operations",
                name_of(a), first.text, second.text);
}

void Visit::dispute(uint64_t theirs) {
    record_dispute(theirs, 0, 0);
}

void Visit::dispute_size(size_t size_bytes, int member, size_t their_bytes) {
    record_dispute(Announcement::signed_by(what_, member), size_bytes, their_bytes);
}

void Visit::record_dispute(uint64_t theirs, size_t size_bytes, size_t their_bytes) {
    Round &r = round();
    int none = 0;
    if (!r.disputed.compare_exchange_strong(none, 1, std::memory_order_relaxed)) {
        while (!disputed()) // another member is writing its record
            cpu_pause();
        return;
    }
    bool ordered = Announcement::member(theirs) < member_;
    r.disputants[0] = ordered ? theirs : what_;
    r.disputants[1] = ordered ? what_ : theirs;
    r.disputed_bytes[0] = ordered ? their_bytes : size_bytes;
    r.disputed_bytes[1] = ordered ? size_bytes : their_bytes;
    r.disputed.store(2, std::memory_order_release); // release [dispute-2]: pairs with [dispute-1]
}

Error Visit::disagreement() const {
    uint64_t a = round().disputants[0], b = round().disputants[1];
    MemberName first(comm_, Announcement::member(a)), second(comm_, Announcement::member(b));
    const char *first_name = collective_name(Announcement::collective(a), BlockingForm);
    const char *second_name = collective_name(Announcement::collective(b), BlockingForm);
    if (Announcement::collective(a) != Announcement::collective(b))
        return fail(of_files(a) || of_files(b) ? MPI_ERR_NOT_SAME : MPI_ERR_OTHER,
                    "ranks disagree on the operation: %s calls %s, %s calls %s", first.text,
                    first_name, second.text, second_name);
    if (Announcement::root(a) != Announcement::root(b))
        return fail(MPI_ERR_ROOT, "ranks disagree on root: %s says %d, %s says %d", first.text,
                    Announcement::root(a), second.text, Announcement::root(b));
    if (Announcement::operation(a) != Announcement::operation(b))
        return fail(MPI_ERR_OP, "ranks disagree on op: %s and %s pass different operations",
                    first.text, second.text);
    if (round().disputed_bytes[0] != round().disputed_bytes[1])
        return sizes_differ(first_name, first, second, round().disputed_bytes);
    return fail(MPI_ERR_OTHER,
                "ranks disagree on the size of the data: %s and %s are in different "
                "phases of %s",
                first.text, second.text, first_name);
}

} // namespace thrum
