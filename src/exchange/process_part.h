// ProcessPart: the part of one node process in a collective operation of a communicator that spans
// several (docs/between_processes.md). The members of this process meet. The last one to arrive
// runs the operation's flow (exchange/exchange.h), which communicates for all of them with the
// other processes.
//
// Invariants
// 1. All processes do the same for the n-th call of a communicator, whatever the order in which
//    packets arrive.
// 2. Members' buffers are accessed only from the last member's arrival to the flow's end.
#pragma once
#include "exchange/exchange.h"
#include "meeting/collective_call.h"
#include "meeting/round.h"

#include <string>
#include <vector>

namespace thrum {

// A member of this process in an operation. It lives until the flow has ended.
struct Participant {
    const CollectiveCall *call = nullptr;
    Communicator *comm = nullptr; // the member's own
    // The error of this member: a class and a text; 0: none.
    int code = 0;
    bool is_mild = false; // a warning unless the job has `--check` (comm/amount_mismatch.h)
    std::string sentence;

    bool has_failed() const { return code && !is_mild; }

    [[gnu::format(printf, 3, 4)]] void blame(int code, const char *format, ...);
    // Notes that data differ in type or amount: MPI_ERR_TYPE or MPI_ERR_COUNT.
    [[gnu::cold]] void note_difference(int code, std::string sentence);
    Error error() const; // must be called in the member's own thread
};

// The operation as this process sees it.
struct ProcessPart {
    ProcessPart(Communicator &comm, int number, bool blocking,
                std::vector<Participant *> participants);

    Exchange exchange;
    std::vector<Participant *> locals; // by local member (comm/span.h)
    const ProcessMap &span;
    bool inter;
    int side_size[2];
    size_t runner; // the local member whose call runs the flow, or began it

    const CollectiveCall &call(size_t local) const { return *locals[local]->call; }

    Collective collective() const { return call(0).collective; }

    int side_of(size_t local) const { return span.local_side[local]; }

    int rank_of(size_t local) const { return locals[local]->comm->rank; }

    // Returns the index of the process with rank `rank` of side `side`.
    int index_of(int side, int rank) const {
        return span.index_of[static_cast<size_t>(side ? side_size[0] + rank : rank)];
    }

    Participant &local_root(int local) const { return *locals[static_cast<size_t>(local)]; }

    // Returns the ranks of side `side` in the process with this index, ascending.
    std::vector<int> ranks_at(int index, int side) const;

    // Gives all local members this error, unless they have one.
    void blame_all(int code, const char *sentence);
};

// Returns the number of the calling member's next blocking operation. Other operations have a bit
// above the mask (pending/between_processes.cc).
inline constexpr int spanning_number_mask = (1 << 29) - 1;
int next_spanning_number(Communicator &comm);

// Runs the flow of a blocking operation to its end. Returns false if it failed; then all members of
// this process have the fault.
bool run_blocking(ProcessPart &part, Flow flow) MAY_SUSPEND;
// Reports to the other processes, which wait, that the members of this process take part in
// different operations. Returns `error`.
[[gnu::cold]] Error tell_other_processes(const Communicator &comm, int number,
                                         Error error) MAY_SUSPEND;

// Publishes `mine` to the members of this process and calls work(participants) in the last one.
template <class Work>
Error meet_here(Communicator &comm, int number, uint64_t what, Participant &mine,
                Work work) MAY_SUSPEND {
    const ProcessMap &span = *comm.context->span;
    if (span.locals.size() == 1) {
        work(std::vector<Participant *>{&mine});
        return mine.error();
    }
    Attendance attendance(comm, what, &mine);
    attendance.pass_with([&]() MAY_SUSPEND {
        std::vector<Participant *> participants;
        for (size_t i = 0; i < span.locals.size(); ++i)
            participants.push_back(
                const_cast<Participant *>(&attendance.argument<Participant>(static_cast<int>(i))));
        work(std::move(participants));
    });
    if (Error error = attendance.verdict())
        return tell_other_processes(comm, number, error);
    return mine.error();
}

// Runs the blocking form of an operation by `flow`.
Error run_between_processes(Communicator &comm, const CollectiveCall &call,
                            Flow (*flow)(ProcessPart &)) MAY_SUSPEND;

} // namespace thrum
