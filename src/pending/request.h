// CollectiveRequest: one member's part in a non-blocking or persistent collective operation, with a
// copy of its arguments, which the others read. The shared part is a CollectiveOperation.
//
// A member's request completes as soon as its buffers are no longer needed and its own result is
// available: in its receive buffer, or in the operation's scratch buffer. In the latter case the
// member's completion call copies it, so each core copies for its own ranks.
#pragma once
#include "comm/communicator.h"
#include "pending/operation.h"
#include "pt2pt/packet_queue.h"
#include "pt2pt/request_pool.h"
#include "trace/recorder.h"

#include <memory>
#include <string>
#include <vector>

namespace thrum {

// What went wrong in an operation between node processes.
struct SpanningFault {
    int code;
    std::string sentence;
    // As in Participant. A difference of class MPI_ERR_OTHER is one of the order of calls: those of
    // a member that comes early and of one that comes late, which calls `before` before.
    bool is_mild = false;
    MemberCalls calls{};
    const char *before = nullptr;
};

struct CollectiveRequest final : OperationRequest {
    // Makes the request of a call whose arguments the caller writes directly to `call`.
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

    // Accepts the arguments, which must be complete: keeps the objects that they name alive, and
    // makes the announcement.
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

    bool is_pooled() const override { return true; }

    const char *name() const override { return collective_name(call.collective, form); }

    // Data that few requests need.
    struct Rare {
        ~Rare();

        // References, and copies of arrays.
        Op *op = nullptr;
        std::vector<Datatype *> types;
        std::vector<MPI_Datatype> send, receive; // for MPI_Alltoallw
        std::vector<MPI_Count> send_counts, receive_counts;

        std::unique_ptr<PackedCopy> copy; // of the data that it sends in place
        std::unique_ptr<char[]> beside; // a result that must not be in its place before completion
        Block result_beside;            // the block within it

        // Persistent: the start function, the operation's forms, and the sequence of its starts.
        Error (*start)(CollectiveRequest &request) = nullptr;
        const CollectiveForms *forms = nullptr;
        OperationSequence *series = nullptr;
        uint64_t starts = 0;
        // Number of its initialisation, if the communicator spans processes.
        uint32_t spanning_number = 0;
        // Where that was, and what its member had called before (exchange/process_part.h).
        CallPlace initialized_at;
        uint32_t blocking_before = 0;
        Collective last_blocking = Collective::None;
        std::unique_ptr<SpanningFault> spanning_fault;
    };

    // Returns the rare data, which are allocated at the first call.
    Rare &rare();

    // Returns the blocks to send: those of a copy for MPI_IN_PLACE in MPI_Alltoall(v,w).
    Blocks sent() const {
        return rare_ && rare_->copy ? rare_->copy->blocks() : call.movement.send;
    }

    bool has_spanning_fault() const { return rare_ && rare_->spanning_fault; }

    // One cache line, up to the fault's kind: what every operation needs.
    uint64_t announcement = 0; // signed by `member`
    int member;
    CallForm form;
    bool misfit = false; // does something else than the first arrival
    bool takes = false;  // its result is in the operation's scratch buffer
    bool alone = false;  // no other member still has to leave the operation
    // While pending: the operation that it is part of. Once complete: nullptr if the completion
    // call has nothing left to do, as decided by the thread that completes the request.
    CollectiveOperation *operation = nullptr;
    CollectiveRequest *next = nullptr; // in a list of requests that wait for a root
    // The operation that it is asked to help, with a hold on it.
    std::atomic<CollectiveOperation *> invitation{nullptr};

private:
    std::unique_ptr<Rare> rare_; // allocated when first needed

public:
    Fault fault;
    CollectiveCall call;

private:
    void hold_arguments();
    void hold_type(const Datatype *type);
    void hold_arrays(Blocks &blocks, std::vector<MPI_Datatype> Rare::*types_copy,
                     std::vector<MPI_Count> Rare::*counts_copy);
    [[gnu::cold]] Error rare_result();
    [[gnu::cold]] Error report_fault(const SpanningFault &found) const;
    void wait_and_help() MAY_SUSPEND;
    [[gnu::cold]] Error sentence() const;
};

// Notes for the observer that the calling rank completes the request of another one.
[[gnu::cold]] void record_completion(const CollectiveRequest &request);

// Takes back an unaccepted invitation to help (pending/work.h).
void uninvite(CollectiveRequest &request);

// Completes the request; a task that waits for it is added to `awake`. The caller has set what is
// left to do (operation, takes), and must not touch the request afterwards.
inline void complete(CollectiveRequest &request, TaskList &awake) {
    if (request.invitation.load(std::memory_order_relaxed)) [[unlikely]]
        uninvite(request);
    if (somebody_listens()) [[unlikely]]
        record_completion(request);
    request.completion.complete(awake);
}

// Completes the caller's own request, which it has just begun: no task can be waiting for it.
inline void complete_own(CollectiveRequest &request) {
    if (request.invitation.load(std::memory_order_relaxed)) [[unlikely]]
        uninvite(request);
    request.completion.set_done();
}

// Wakes the tasks whose requests are complete. A single one runs next on this worker: the caller
// will usually wait soon.
inline void wake(TaskList &awake) {
    if (awake.count == 1)
        hand_over(*awake.pop());
    else
        make_all_runnable(awake);
}

// Counts the request in at an operation that needs all members. Returns true for the last of all.
inline bool join(CollectiveOperation &operation, CollectiveRequest &request) {
    operation.requests[request.member] = &request;
    return operation.arrive_at_leaf(request.member) && operation.finish_leaf(request.member);
}

// Called when all members have arrived. Returns false if members disagree, and sets the fault of
// all of them.
bool all_agree(CollectiveOperation &operation);
// CollectiveForms::abstain for operations that need all members.
void abstain(CollectiveOperation &operation, int member);

// Makes a difference of types the result of a request.
void note_type_error(CollectiveRequest &request, Error error);
// Compares the types of two blocks, on behalf of a request that is not complete.
void check_pending(CollectiveRequest &request, const Block &from, int from_member, const Block &to,
                   int to_member);
// Copies what rank `rank` sends to the block `room` of `to`; sets a fault if it does not fit.
void copy_to(CollectiveRequest &to, int rank, const Block &from, const Block &room);

// Accepts an invitation of `request`, which is the caller's. Returns false if there is none.
bool accept_invitation(CollectiveRequest &request) MAY_SUSPEND;

// What to do with the results when all members have arrived.

enum class Result { InPlace, InScratch };

// Completes all requests. One that `takes` its result from the scratch buffer leaves in its own
// completion call. `own` is the request that the caller has just begun, if any: it takes its result
// here.
void complete_all(CollectiveOperation &operation, Result result, CollectiveRequest *own);
// Completes all requests with this fault.
void fail_all(CollectiveOperation &operation, const Fault &fault);
void fail_disputed(CollectiveOperation &operation, const Dispute &dispute);
// Finishes a request after work in pieces.
void finish_in_place(CollectiveOperation &operation, CollectiveRequest &runner);

} // namespace thrum
