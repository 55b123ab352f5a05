// CollectiveRequest: one member's part in a non-blocking or persistent collective operation, with a
// copy of its arguments, which the others read. What the members share is a CollectiveOperation.
//
// A member's request completes as soon as nobody needs its buffers any more and its own result is
// there: in its receive buffer, or in the operation's room, from where the member's own completion
// call takes it (so that each core copies for its own ranks).
#pragma once
#include "coll/collective_operation.h"
#include "coll/packed.h"
#include "comm/communicator.h"
#include "pt2pt/request.h"

#include <memory>
#include <string>
#include <vector>

namespace thrum {

// What went wrong in an operation between node processes.
struct SpanningFault {
    int code;
    std::string sentence;
};

struct CollectiveRequest final : OperationRequest {
    // Of a call whose arguments are still to be written, where they stay: to `call`.
    CollectiveRequest(Communicator &communicator, Collective collective, int root, CallForm form);
    ~CollectiveRequest() override;

    // The arguments are there: holds what they name, and makes the announcement.
    void accept_arguments();

    Error result(MPI_Status *status) override;
    Error start() override;
    Error cancel() override;
    Error check_free() const override;
    Blockage blockage() const override;
    void wait(const Blockage &blockage) override MAY_SUSPEND;
    bool helps() const override;
    bool help() override MAY_SUSPEND;
    void add_missing(std::vector<int> &world_ranks) const override;

    static void *operator new(size_t size_bytes);
    static void operator delete(void *memory);

    const char *name() const { return collective_name(call.collective, form); }

    CollectiveCall call;
    uint64_t announcement = 0; // signed by `member`
    int member;
    CallForm form;
    bool misfit = false; // does something else than the first who came
    bool takes = false;  // its result is in the operation's room
    bool alone = false;  // no other member still has to leave the operation
    // While pending: what it is a part of. Once complete: nullptr if nothing is left to be done
    // with it, which whoever completes the request decides.
    CollectiveOperation *operation = nullptr;
    CollectiveRequest *next = nullptr; // in a list of those who wait for a root
    std::atomic<CollectiveOperation *> invitation{nullptr}; // to help with it, and a hold on it
    Fault fault;
    OperationSequence *series = nullptr; // persistent: its own starts
    uint64_t starts = 0;
    uint32_t spanning_number = 0; // of its initialisation, if the communicator spans processes
    std::unique_ptr<SpanningFault> spanning_fault; // seldom any
    std::unique_ptr<PackedCopy> copy;              // of what it sends in place
    std::unique_ptr<char[]> beside; // a result that may not be in its place before completion

    // What is sent: with MPI_IN_PLACE in MPI_Alltoall(v,w) a copy.
    Blocks sent() const { return copy ? copy->blocks() : call.movement.send; }

private:
    // What the request has references to, and copies of arrays.
    struct Held {
        Op *op = nullptr;
        std::vector<Datatype *> types;
        std::vector<MPI_Datatype> send, receive; // of MPI_Alltoallw
        std::vector<MPI_Count> send_counts, receive_counts;
    };

    Held &held();
    void hold_type(const Datatype *type);
    void hold_arrays(Blocks &blocks, std::vector<MPI_Datatype> Held::*types_copy,
                     std::vector<MPI_Count> Held::*counts_copy);
    void take_result();
    Error sentence() const;

    std::unique_ptr<Held> held_; // seldom any
};

// Begins the request's part in its operation: does all the work that can be done now.
void begin(CollectiveRequest &request, CollectiveOperation &operation) MAY_SUSPEND;
// The part of a member whose call does not fit and has no request: it has come, and gone.
void join_in_dispute(CollectiveOperation &operation, Communicator &comm, const Dispute &dispute);

// The non-blocking form of an operation, and the initialisation of the persistent one
// (sections 6.12 and 6.13). The caller has made the request, and checked the arguments and written
// them to its `call`: a copy made at once of what was written a moment ago stalls.
using NewCollective = std::unique_ptr<CollectiveRequest>;
Error begin_collective(NewCollective made, MPI_Request *request) MAY_SUSPEND;
Error initialize_collective(NewCollective made, MPI_Request *request);

// The request of a call that is at hand.
NewCollective collective_of(Communicator &comm, const CollectiveCall &call, CallForm form);

// Sets the request complete; a task that waits for it goes to `awake`. The caller has written what
// is left to be done (operation, takes), and touches the request no more.
void complete(CollectiveRequest &request, TaskList &awake);
// The same of the caller's own, which it has just begun: nobody waits for it.
void complete_own(CollectiveRequest &request);

// Bcast, gather(v), scatter(v): rooted_operations.cc. All the others: joint_operations.h.
bool is_rooted(const CollectiveOperation &operation);
void begin_rooted(CollectiveOperation &operation, CollectiveRequest &request) MAY_SUSPEND;
void abstain_from_rooted(CollectiveOperation &operation, int member);
void take_from_root(CollectiveRequest &request); // from the operation's room
void begin_together(CollectiveOperation &operation, CollectiveRequest &request) MAY_SUSPEND;
void abstain_from_together(CollectiveOperation &operation, int member);

// What the member announces.
uint64_t announcement_of(const Communicator &comm, const CollectiveCall &call, CallForm form);

// The sentence about two members that do different things (disagreement.cc).
Error disagreement(const Communicator &comm, const Dispute &dispute);

} // namespace thrum
