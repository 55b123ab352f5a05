// CollectiveRequest: one member's part in a non-blocking or persistent collective operation, with a
// copy of its arguments, which the others read. What the members share is a CollectiveOperation.
//
// A member's request completes as soon as nobody needs its buffers any more and its own result is
// there: in its receive buffer, or in the operation's scratch buffer, from where the member's own
// completion call takes it (so that each core copies for its own ranks).
#pragma once
#include "comm/communicator.h"
#include "pending/operation.h"
#include "pt2pt/request_pool.h"

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
    CollectiveRequest(Communicator &communicator, Collective collective, int root,
                      CallForm call_form)
        : member(communicator.meeting_member), form(call_form), call(collective, root) {
        comm = &communicator;
        persistent = form == PersistentForm;
        active = !persistent;
        hold(communicator, nullptr);
    }

    ~CollectiveRequest() override {
        if (rare_) [[unlikely]]
            rare_.reset(); // a series belongs to the communicator's context
        let_go(*comm, nullptr);
    }

    // The arguments are there: holds what they name, and makes the announcement.
    void accept_arguments() {
        announcement = announcement_of(*comm, call, form);
        if (!names_nothing_to_hold(call)) [[unlikely]]
            hold_arguments();
    }

    // Takes a small result from the operation's scratch buffer, and leaves the operation.
    void take_and_leave();

    Error result(MPI_Status *status) override;
    Error start() override;
    Error cancel() override;
    Error check_free() const override;
    Blockage blockage() const override;
    void wait(const Blockage *of_several) override MAY_SUSPEND;
    bool helps() const override;
    bool help() override MAY_SUSPEND;
    void add_missing(std::vector<int> &world_ranks) const override;

    static void *operator new(size_t size_bytes) {
        static_assert(sizeof(CollectiveRequest) <= operation_bytes_max);
        (void)size_bytes;
        return take_operation_memory();
    }

    static void operator delete(void *memory) { give_back_operation_memory(memory); }

    const char *name() const override { return collective_name(call.collective, form); }

    // What seldom any request has.
    struct Rare {
        ~Rare();

        // References, and copies of arrays.
        Op *op = nullptr;
        std::vector<Datatype *> types;
        std::vector<MPI_Datatype> send, receive; // of MPI_Alltoallw
        std::vector<MPI_Count> send_counts, receive_counts;

        std::unique_ptr<PackedCopy> copy; // of what it sends in place
        std::unique_ptr<char[]> beside;   // a result that may not be in its place before completion
        Block result_beside;              // in it

        // Persistent: how it is started, what is done then, and the sequence of its starts.
        Error (*start)(CollectiveRequest &request) = nullptr;
        const CollectiveForms *forms = nullptr;
        OperationSequence *series = nullptr;
        uint64_t starts = 0;
        uint32_t spanning_number = 0; // of its initialisation, if the communicator spans processes
        std::unique_ptr<SpanningFault> spanning_fault;
    };

    Rare &rare();

    // What is sent: with MPI_IN_PLACE in MPI_Alltoall(v,w) a copy.
    Blocks sent() const {
        return rare_ && rare_->copy ? rare_->copy->blocks() : call.movement.send;
    }

    bool has_spanning_fault() const { return rare_ && rare_->spanning_fault; }

    // One cache line, up to the fault's kind: what every operation needs.
    uint64_t announcement = 0; // signed by `member`
    int member;
    CallForm form;
    bool misfit = false; // does something else than the first who came
    bool takes = false;  // its result is in the operation's scratch buffer
    bool alone = false;  // no other member still has to leave the operation
    // While pending: what it is a part of. Once complete: nullptr if nothing is left to be done
    // with it, which whoever completes the request decides.
    CollectiveOperation *operation = nullptr;
    CollectiveRequest *next = nullptr; // in a list of those who wait for a root
    std::atomic<CollectiveOperation *> invitation{nullptr}; // to help with it, and a hold on it

private:
    std::unique_ptr<Rare> rare_; // made when first needed

public:
    Fault fault;
    CollectiveCall call;

private:
    void hold_arguments();
    void hold_type(const Datatype *type);
    void hold_arrays(Blocks &blocks, std::vector<MPI_Datatype> Rare::*types_copy,
                     std::vector<MPI_Count> Rare::*counts_copy);
    [[gnu::cold]] Error rare_result();
    void wait_and_help() MAY_SUSPEND;
    [[gnu::cold]] Error sentence() const;
};

// Takes back an invitation to help that has not been accepted (pending/work.h).
void uninvite(CollectiveRequest &request);

// Sets the request complete; a task that waits for it goes to `awake`. The caller has written what
// is left to be done (operation, takes), and touches the request no more.
inline void complete(CollectiveRequest &request, TaskList &awake) {
    if (request.invitation.load(std::memory_order_relaxed)) [[unlikely]]
        uninvite(request);
    request.completion.complete(awake);
}

// The same of the caller's own, which it has just begun: nobody waits for it.
inline void complete_own(CollectiveRequest &request) {
    if (request.invitation.load(std::memory_order_relaxed)) [[unlikely]]
        uninvite(request);
    request.completion.set_done();
}

// Makes those run again whose requests have been completed. One alone is the next to run here: the
// caller will soon wait itself, as a rule.
inline void wake(TaskList &awake) {
    if (awake.count == 1)
        hand_over(*awake.pop());
    else
        make_all_runnable(awake);
}

// Counts the request in at an operation that needs everybody. True for the last of all.
inline bool join(CollectiveOperation &operation, CollectiveRequest &request) {
    operation.requests[request.member] = &request;
    return operation.arrive_at_leaf(request.member) && operation.finish_leaf();
}

// After all have come: false if members do not do the same thing; all have been told then.
bool all_agree(CollectiveOperation &operation);
// CollectiveForms::abstain of operations that need everybody.
void abstain(CollectiveOperation &operation, int member);

// Copies what rank `rank` sends to the block `room` of `to`; it is a fault if it does not fit.
void copy_to(CollectiveRequest &to, int rank, const Block &from, const Block &room);

// Accepts an invitation of `request`, the caller's. False if there is none.
bool accept_invitation(CollectiveRequest &request) MAY_SUSPEND;

// When all have come

enum class Result { InPlace, InScratch };

// Everybody is done; who `takes` its result from the scratch buffer leaves in its own completion
// call. `own` is the request that the caller has just begun, if it has one: it takes its result
// here.
void complete_all(CollectiveOperation &operation, Result result, CollectiveRequest *own);
void fail_all(CollectiveOperation &operation, const Fault &fault);
void fail_disputed(CollectiveOperation &operation, const Dispute &dispute);
// What is left to be done after work in pieces.
void finish_in_place(CollectiveOperation &operation, CollectiveRequest &runner);

} // namespace thrum
