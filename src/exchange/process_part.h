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
    CallPlace place{};            // where it calls
    CallForm form = BlockingForm;
    // Non-blocking: how many blocking operations it had called before, and which the last was.
    uint32_t blocking_before = 0;
    Collective last_blocking = Collective::None;
    // The error of this member: a class and a text; 0: none.
    int code = 0;
    bool is_mild = false; // a warning unless the job has `--check` (comm/amount_mismatch.h)
    std::string sentence;
    MemberCalls calls{}; // that the sentence is about; of a difference: the sender's is the first

    Participant() = default;

    // A member whose thread is calling.
    Participant(Communicator &own, const CollectiveCall &arguments)
        : call(&arguments), comm(&own), place(current_call()) {}

    bool has_failed() const { return code && !is_mild; }

    [[gnu::format(printf, 3, 4)]] void blame(int code, const char *format, ...);
    void blame(const PacketFault &fault);
    // Notes that data differ in type or amount: MPI_ERR_TYPE or MPI_ERR_COUNT. `sender`: whose data
    // they are.
    [[gnu::cold]] void note_difference(int code, std::string sentence, const MemberCall &sender);
    Error error() const; // must be called in the member's own thread

    PacketOrigin origin() const;
};

// Adds the calls to the record of this thread's last error, except the one that it is in.
[[gnu::cold]] void add_member_calls(const Communicator &comm, const MemberCalls &calls);

// Returns the error about a packet that has come after the end of its operation, if there is one
// that no later operation of the communicator has reported.
Error error_of_stray(const Communicator &comm);

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
    void blame_all(const PacketFault &fault);
};

// Returns the number of the calling member's next blocking operation. Other operations have a bit
// above the mask (pending/between_processes.cc).
inline constexpr int spanning_number_mask = (1 << 29) - 1;
int next_spanning_number(Communicator &comm, Collective collective);

// Runs the flow of a blocking operation to its end. Returns false if it failed; then all members of
// this process have the fault.
bool run_blocking(ProcessPart &part, Flow flow) MAY_SUSPEND;
// Reports to the other processes that operation `number` has failed here.
[[gnu::cold]] void tell_fault(const Communicator &comm, int number,
                              const PacketFault &fault) MAY_SUSPEND;
// Reports to the other processes, which wait, that the members of this process take part in
// different operations. Returns `error`.
[[gnu::cold]] Error tell_other_processes(const Communicator &comm, int number, Error error,
                                         const MemberCalls &calls) MAY_SUSPEND;
// Returns the calls of the two members that disagree in this round.
[[gnu::cold]] MemberCalls disputed_calls(const Attendance &attendance);

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
        return tell_other_processes(comm, number, error, disputed_calls(attendance));
    return mine.error();
}

// Runs the blocking form of an operation by `flow`.
Error run_between_processes(Communicator &comm, const CollectiveCall &call,
                            Flow (*flow)(ProcessPart &)) MAY_SUSPEND;

} // namespace thrum
