// One-sided communication (MPI 5.0 chapter 12): communication and synchronization calls. The
// implementation of each is in rma/; windows themselves are in rma_window.cc. The origin does the
// operation itself if the target is in the same process.
#include "comm/type_mismatch.h"
#include "entry/argument.h"
#include "entry/calls.h"
#include "rma/accumulate.h"
#include "rma/epoch.h"
#include "rma/put_get.h"
#include "rma/remote_access.h"

namespace thrum::mpi {
namespace {

OriginBuffer origin_buffer(const void *address, Count count, const Datatype &type) {
    return {const_cast<void *>(address), count, type};
}

// Does an operation with a request. Section 12.3.5: "Request-based RMA operations are only valid
// within a passive target epoch". At targets of the same process it is complete when the call
// returns; otherwise operation(request) adds each part for which the request has to wait.
template <class Operation>
Error with_request(Window &win, int target_rank, MPI_Request *request,
                   Operation operation) MAY_SUSPEND {
    if (target_rank != MPI_PROC_NULL)
        if (Error error = check_passive(win, target_rank))
            return error;
    // Only a remote target leaves anything to wait for. A request that owns its buffer is no
    // constant.
    const bool is_watched = has_buffer_checks() && target_rank != MPI_PROC_NULL;
    OneSidedRequest *pending =
        is_watched || is_remote_target(win, target_rank) ? new OneSidedRequest : nullptr;
    if (Error error = operation(pending)) {
        delete pending;
        return error;
    }
    if (pending)
        pending->end_part(); // the part that was counted from the start: all others are added
    *request = pending ? pending : &sent_request;
    give_way(win);
    return success;
}

// Checks the origin's arguments. Section 12.3.4: with MPI_NO_OP they are ignored.
Error check_origin(const Op &op, Count origin_count, const Datatype *origin_datatype,
                   bool &ignored) {
    ignored = !reads_origin(op);
    if (ignored)
        return success;
    if (origin_count < 0)
        return arg::bad_count("origin_count", origin_count);
    if (!origin_datatype)
        return fail(MPI_ERR_TYPE, "origin_datatype is not a datatype");
    if (!origin_datatype->committed)
        return arg::not_committed("origin_datatype", *origin_datatype);
    return success;
}

[[gnu::cold, gnu::noinline]] Error compare_types(TypedBytes origin, TypedBytes target) {
    if (types_are_accepted(origin, target))
        return success;
    return judge_mismatch({.text = mismatch_text("the origin buffer", origin, "the target", target),
                           .sender = {},
                           .receiver = {},
                           .has_one_call = true});
}

// Sections 12.3.1 and 12.3.2: the types of origin and target must match. Accumulates have a check
// of their own (rma/accumulate.h).
inline Error check_types(Count origin_count, const Datatype &origin, Count target_count,
                         const Datatype &target) {
    if (types_surely_match(origin, target)) [[likely]]
        return success;
    return compare_types({&origin, data_bytes(origin_count, origin)},
                         {&target, data_bytes(target_count, target)});
}

// Puts or gets what does not take the short path; `operation` is thrum::detail::put or get. It has
// the same parameters as its callers, which jump to it and so save no registers.
template <auto operation, class Address>
[[gnu::noinline]] Error transfer_generally(Address origin_addr, Count origin_count,
                                           Datatype &origin_datatype, int target_rank,
                                           MPI_Aint target_disp, Count target_count,
                                           Datatype &target_datatype, Window &win) MAY_SUSPEND {
    if (Error error = check_types(origin_count, origin_datatype, target_count, target_datatype))
        return error;
    return operation(origin_buffer(origin_addr, origin_count, origin_datatype),
                     {target_rank, target_disp, target_count, target_datatype}, win, nullptr);
}

// Checks a buffer of the operations on a single element.
Error check_element(const char *name, const void *address, const Datatype &datatype,
                    int target_rank) {
    return address || target_rank == MPI_PROC_NULL ? success : arg::check_bottom(name, 1, datatype);
}

// MPI_NO_OP reads no origin, so a null address is valid then.
[[gnu::noinline]] Error fetch_and_op_generally(const void *origin_addr, void *result_addr,
                                               Datatype &datatype, int target_rank,
                                               MPI_Aint target_disp, Op &op,
                                               Window &win) MAY_SUSPEND {
    if (reads_origin(op))
        if (Error error = check_element("origin_addr", origin_addr, datatype, target_rank))
            return error;
    if (Error error = check_element("result_addr", result_addr, datatype, target_rank))
        return error;
    return thrum::fetch_and_op(origin_addr, result_addr, {target_rank, target_disp, 1, datatype},
                               op, win);
}

// Implements the two forms of MPI_Get_accumulate.
Error fetch_and_combine(const void *origin_addr, Count origin_count, Datatype *origin_datatype,
                        const OriginBuffer &result, const TargetBuffer &target, Op &op, Window &win,
                        OneSidedRequest *pending) MAY_SUSPEND {
    bool ignored;
    if (Error error = check_origin(op, origin_count, origin_datatype, ignored))
        return error;
    if (ignored)
        return thrum::get_accumulate(nullptr, result, target, op, win, pending);
    OriginBuffer origin = origin_buffer(origin_addr, origin_count, *origin_datatype);
    return thrum::get_accumulate(&origin, result, target, op, win, pending);
}

} // namespace

// Put and get (sections 12.3.1 and 12.3.2)

// Outside an epoch for the target these functions fail (rma/epoch.h).
Error put(const void *origin_addr, Count origin_count, Datatype &origin_datatype, int target_rank,
          MPI_Aint target_disp, Count target_count, Datatype &target_datatype, Window &win) {
    if (put_element(origin_buffer(origin_addr, origin_count, origin_datatype),
                    {target_rank, target_disp, target_count, target_datatype}, win)) [[likely]]
        return success;
    return transfer_generally<thrum::detail::put>(origin_addr, origin_count, origin_datatype,
                                                  target_rank, target_disp, target_count,
                                                  target_datatype, win);
}

Error get(void *origin_addr, Count origin_count, Datatype &origin_datatype, int target_rank,
          MPI_Aint target_disp, Count target_count, Datatype &target_datatype, Window &win) {
    if (get_element(origin_buffer(origin_addr, origin_count, origin_datatype),
                    {target_rank, target_disp, target_count, target_datatype}, win)) [[likely]]
        return success;
    return transfer_generally<thrum::detail::get>(origin_addr, origin_count, origin_datatype,
                                                  target_rank, target_disp, target_count,
                                                  target_datatype, win);
}

Error rput(const void *origin_addr, Count origin_count, Datatype &origin_datatype, int target_rank,
           MPI_Aint target_disp, Count target_count, Datatype &target_datatype, Window &win,
           MPI_Request *request) {
    if (Error error = check_types(origin_count, origin_datatype, target_count, target_datatype))
        return error;
    return with_request(win, target_rank, request, [&](OneSidedRequest *pending) MAY_SUSPEND {
        return thrum::put(origin_buffer(origin_addr, origin_count, origin_datatype),
                          {target_rank, target_disp, target_count, target_datatype}, win, pending);
    });
}

Error rget(void *origin_addr, Count origin_count, Datatype &origin_datatype, int target_rank,
           MPI_Aint target_disp, Count target_count, Datatype &target_datatype, Window &win,
           MPI_Request *request) {
    if (Error error = check_types(origin_count, origin_datatype, target_count, target_datatype))
        return error;
    return with_request(win, target_rank, request, [&](OneSidedRequest *pending) MAY_SUSPEND {
        return thrum::get(origin_buffer(origin_addr, origin_count, origin_datatype),
                          {target_rank, target_disp, target_count, target_datatype}, win, pending);
    });
}

// Accumulates (section 12.3.4)

Error accumulate(const void *origin_addr, Count origin_count, Datatype &origin_datatype,
                 int target_rank, MPI_Aint target_disp, Count target_count,
                 Datatype &target_datatype, Op &op, Window &win) {
    return thrum::accumulate(origin_buffer(origin_addr, origin_count, origin_datatype),
                             {target_rank, target_disp, target_count, target_datatype}, op, win);
}

// The origin's datatype may be null: with MPI_NO_OP it is ignored.
Error get_accumulate(const void *origin_addr, Count origin_count, Datatype *origin_datatype,
                     void *result_addr, Count result_count, Datatype &result_datatype,
                     int target_rank, MPI_Aint target_disp, Count target_count,
                     Datatype &target_datatype, Op &op, Window &win) {
    return fetch_and_combine(
        origin_addr, origin_count, origin_datatype, {result_addr, result_count, result_datatype},
        {target_rank, target_disp, target_count, target_datatype}, op, win, nullptr);
}

Error fetch_and_op(const void *origin_addr, void *result_addr, Datatype &datatype, int target_rank,
                   MPI_Aint target_disp, Op &op, Window &win) {
    const TargetBuffer target{target_rank, target_disp, 1, datatype};
    if (origin_addr && result_addr && adds_words(op, datatype)) [[likely]]
        if (char *word = element_at(target, win); word && are_aligned_words(word, origin_addr)) {
            add_word_at(word, origin_addr, result_addr, target, win);
            return success;
        }
    return fetch_and_op_generally(origin_addr, result_addr, datatype, target_rank, target_disp, op,
                                  win);
}

Error compare_and_swap(const void *origin_addr, const void *compare_addr, void *result_addr,
                       Datatype &datatype, int target_rank, MPI_Aint target_disp, Window &win) {
    Error error = check_element("origin_addr", origin_addr, datatype, target_rank);
    if (!error)
        error = check_element("compare_addr", compare_addr, datatype, target_rank);
    if (!error)
        error = check_element("result_addr", result_addr, datatype, target_rank);
    if (error)
        return error;
    return thrum::compare_and_swap(origin_addr, compare_addr, result_addr,
                                   {target_rank, target_disp, 1, datatype}, win);
}

Error raccumulate(const void *origin_addr, Count origin_count, Datatype &origin_datatype,
                  int target_rank, MPI_Aint target_disp, Count target_count,
                  Datatype &target_datatype, Op &op, Window &win, MPI_Request *request) {
    return with_request(win, target_rank, request, [&](OneSidedRequest *pending) MAY_SUSPEND {
        return thrum::accumulate(origin_buffer(origin_addr, origin_count, origin_datatype),
                                 {target_rank, target_disp, target_count, target_datatype}, op, win,
                                 pending);
    });
}

Error rget_accumulate(const void *origin_addr, Count origin_count, Datatype *origin_datatype,
                      void *result_addr, Count result_count, Datatype &result_datatype,
                      int target_rank, MPI_Aint target_disp, Count target_count,
                      Datatype &target_datatype, Op &op, Window &win, MPI_Request *request) {
    return with_request(win, target_rank, request, [&](OneSidedRequest *pending) MAY_SUSPEND {
        return fetch_and_combine(origin_addr, origin_count, origin_datatype,
                                 {result_addr, result_count, result_datatype},
                                 {target_rank, target_disp, target_count, target_datatype}, op, win,
                                 pending);
    });
}

// Active target synchronization (sections 12.5.1 and 12.5.2)

Error win_fence(int assertion, Window &win) {
    return fence(win, assertion);
}

Error win_post(Group &group, int assertion, Window &win) {
    return post(win, group, assertion);
}

Error win_start(Group &group, int assertion, Window &win) {
    return thrum::start(win, group, assertion);
}

Error win_complete(Window &win) {
    return complete(win);
}

Error win_wait(Window &win) {
    return wait_exposed(win);
}

// The flag is an int in C.
Error win_test(Window &win, int *flag) {
    bool done = false;
    Error error = test_exposed(win, done);
    *flag = done;
    return error;
}

// Passive target synchronization (sections 12.5.3 and 12.5.4)

Error win_lock(int lock_type, int rank, int assertion, Window &win) {
    return lock(win, lock_type, rank, assertion);
}

Error win_unlock(int rank, Window &win) {
    return unlock(win, rank);
}

Error win_lock_all(int assertion, Window &win) {
    return lock_all(win, assertion);
}

Error win_unlock_all(Window &win) {
    return unlock_all(win);
}

Error win_flush(int rank, Window &win) {
    return flush(win, rank);
}

Error win_flush_all(Window &win) {
    return flush_all(win);
}

Error win_flush_local(int rank, Window &win) {
    return flush_local(win, rank);
}

Error win_flush_local_all(Window &win) {
    return flush_local_all(win);
}

Error win_sync(Window &win) {
    return sync(win);
}

} // namespace thrum::mpi
