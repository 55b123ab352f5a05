// The C interface of ACLMPL, <thrum/acl.h>: checks arguments and calls the implementation in acl/.
// These functions return no errors: an error is reported in one line and ends the job.
#include "thrum/acl.h"

#include "acl/asynchronous.h"
#include "acl/global.h"
#include "acl/synchronous.h"
#include "entry/calls.h"
#include "entry/entry.h"
#include "lifecycle/bound_ranks.h"

using namespace thrum;

namespace {

// Records for reports, during its life, which function the thread is in. Restores the outer
// function, since a callback (a reduction's operator) may call others.
class RecordedCall {
public:
    RecordedCall(Call &call, CallId id)
        : call_(call), outer_(call.function.load(std::memory_order_relaxed)),
          outer_site_(call.call_site.load(std::memory_order_relaxed)) {
        call.function.store(static_cast<uint16_t>(id.function), std::memory_order_relaxed);
        call.call_site.store(id.call_site, std::memory_order_relaxed);
    }

    ~RecordedCall() {
        call_.function.store(outer_, std::memory_order_relaxed);
        call_.call_site.store(outer_site_, std::memory_order_relaxed);
    }

    RecordedCall(const RecordedCall &) = delete;
    RecordedCall &operator=(const RecordedCall &) = delete;

private:
    Call &call_;
    uint16_t outer_;
    const void *outer_site_;
    WatchedCall watched_;
};

[[noreturn, gnu::cold]] void not_begun(CallId call) {
    end_with_error(call, fail(MPI_ERR_OTHER, "called before acl_begin or after acl_end"));
}

// Runs body(element) with the caller's processing element. Ends the job if it returns an error, or
// if the call is outside acl_begin() ... acl_end().
template <class Body>
[[gnu::always_inline]] inline void enter_acl(CallId call, Body body) MAY_SUSPEND {
    RankThread &self = current_rank_thread();
    RecordedCall recorded(self.call, call);
    ProcessingElement *element = current_element();
    if (!element) [[unlikely]]
        not_begun(call);
    if (Error error = body(*element)) [[unlikely]]
        end_with_error(call, error);
}

// A buffer may be null if it has no bytes.
Error check_buffer(const void *buffer, size_t size_bytes, const char *name = "buffer") {
    return buffer || size_bytes == 0
               ? success
               : fail(MPI_ERR_BUFFER, "%s is a null pointer, but bytes is %zu", name, size_bytes);
}

// Checks the address of the other end of a synchronous message. A message to oneself would wait for
// a receive that the caller can no longer reach.
Error check_peer(const ProcessingElement &self, const char *name, int peer) {
    if (peer == self.address) [[unlikely]]
        return fail(MPI_ERR_RANK,
                    "%s is %d, the caller itself: this would deadlock (use acl_send_and_receive or "
                    "asynchronous messages to send to oneself)",
                    name, peer);
    return check_address(self, name, peer);
}

// Checks what an asynchronous receive selects; both may be ACL_ANY.
Error check_selector(const ProcessingElement &self, int source, int tag) {
    if (tag < 0 && tag != ACL_ANY)
        return fail(MPI_ERR_TAG, "tag is %d, but must be 0 or more, or ACL_ANY", tag);
    return source == ACL_ANY ? success : check_address(self, "source", source);
}

// Checks the arguments that all three reductions have in common.
Error check_reduce(const ProcessingElement &self, int root, const ReduceArray &array) {
    if (!array.function)
        return fail(MPI_ERR_OP, "op is a null pointer");
    if (array.element_bytes == 0)
        return fail(MPI_ERR_ARG, "element_bytes is 0");
    size_t size_bytes;
    if (__builtin_mul_overflow(array.count, array.element_bytes, &size_bytes))
        return fail(MPI_ERR_COUNT, "count is %zu and element_bytes %zu: more than memory can hold",
                    array.count, array.element_bytes);
    if (Error error = check_buffer(array.data, size_bytes, "array"))
        return error;
    return check_address(self, "root", root);
}

using ReduceAlgorithm = Error(ProcessingElement &, int, const ReduceArray &);

// Runs one of the three reductions, after the checks that they have in common.
Error checked_reduce(ReduceAlgorithm *algorithm, ProcessingElement &self, int root, void *array,
                     size_t count, size_t element_bytes, acl_operator *op) MAY_SUSPEND {
    ReduceArray described{static_cast<char *>(array), count, element_bytes, op};
    if (Error error = check_reduce(self, root, described))
        return error;
    return algorithm(self, root, described);
}

// Turns what an asynchronous receive has found into the result. A message that is longer than the
// buffer is an error, since its end is lost.
Error deliver(const AsyncMessage &received, size_t room_bytes, acl_message *message) {
    if (received.size_bytes > room_bytes)
        return fail(MPI_ERR_TRUNCATE,
                    "the message from rank %d, tag %d, has %zu bytes, but the receive buffer only "
                    "%zu",
                    received.source, received.tag, received.size_bytes, room_bytes);
    if (message)
        *message = {received.source, received.tag, received.size_bytes};
    return success;
}

// Begins MPI first if the program has not done so; then acl_end() finalizes it. In a job of several
// processes the rank is bound to the others: losing one ends the job.
Error begin(Process &process) MAY_SUSPEND {
    const bool begins_mpi = !process.valid_world;
    if (begins_mpi)
        if (Error error = mpi::init(nullptr, nullptr))
            return error;
    if (has_other_processes())
        bind_to_others(*process.rank);
    return begin_partition(process, begins_mpi);
}

// Ends the partition before MPI, because its last messages need MPI.
Error end(ProcessingElement &self) MAY_SUSPEND {
    const bool began_mpi = self.began_mpi;
    if (Error error = end_partition(self))
        return error;
    if (has_other_processes())
        unbind_from_others(current_rank());
    return began_mpi ? mpi::finalize() : success;
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

// Collective over MPI_COMM_WORLD. It cannot use enter_acl(), since the PE does not exist yet.
void acl_begin(void) MAY_SUSPEND {
    const CallId call = CALL(acl_begin);
    RankThread &self = current_rank_thread();
    RecordedCall recorded(self.call, call);
    if (Error error = begin(*self.rank->process))
        end_with_error(call, error);
}

void acl_end(void) MAY_SUSPEND {
    enter_acl(CALL(acl_end), end);
}

// These two only read the PE, so they are not recorded for reports.
int acl_self_address(void) {
    const ProcessingElement *element = current_element();
    if (!element) [[unlikely]]
        not_begun(CALL(acl_self_address));
    return element->address;
}

int acl_partition_size(void) {
    const ProcessingElement *element = current_element();
    if (!element) [[unlikely]]
        not_begun(CALL(acl_partition_size));
    return element->partition.size;
}

// Returns when the receiver has the data.
void acl_send(int dest, const void *buffer, size_t bytes) MAY_SUSPEND {
    enter_acl(CALL(acl_send), [&](ProcessingElement &self) MAY_SUSPEND {
        Error error = check_peer(self, "dest", dest);
        if (!error)
            error = check_buffer(buffer, bytes);
        return error ? error : synchronous_send(self, {dest, buffer, bytes});
    });
}

// Returns the length of the message.
size_t acl_receive(int source, void *buffer, size_t bytes) MAY_SUSPEND {
    size_t message_bytes = 0;
    enter_acl(CALL(acl_receive), [&](ProcessingElement &self) MAY_SUSPEND {
        Error error = check_peer(self, "source", source);
        if (!error)
            error = check_buffer(buffer, bytes);
        return error ? error : synchronous_receive(self, {source, buffer, bytes}, message_bytes);
    });
    return message_bytes;
}

// The caller may be both peers: then the message is copied. Only one of them would deadlock, so
// check_peer() refuses that.
size_t acl_send_and_receive(int dest, const void *send_buffer, size_t send_bytes, int source,
                            void *receive_buffer, size_t receive_bytes) MAY_SUSPEND {
    size_t message_bytes = 0;
    enter_acl(CALL(acl_send_and_receive), [&](ProcessingElement &self) MAY_SUSPEND {
        const bool itself = dest == self.address && source == self.address;
        Error error = itself ? success : check_peer(self, "dest", dest);
        if (!error && !itself)
            error = check_peer(self, "source", source);
        if (!error)
            error = check_buffer(send_buffer, send_bytes, "send_buffer");
        if (!error)
            error = check_buffer(receive_buffer, receive_bytes, "receive_buffer");
        return error ? error
                     : send_and_receive(self, {dest, send_buffer, send_bytes},
                                        {source, receive_buffer, receive_bytes}, message_bytes);
    });
    return message_bytes;
}

// Copies the data, so the buffer may be changed at once. May wait for a receiver that has too many
// messages.
void acl_async_send(int dest, int tag, const void *buffer, size_t bytes) MAY_SUSPEND {
    enter_acl(CALL(acl_async_send), [&](ProcessingElement &self) MAY_SUSPEND {
        Error error = check_address(self, "dest", dest);
        if (!error && tag < 0)
            error = fail(MPI_ERR_TAG, "tag is %d, but must be 0 or more", tag);
        if (!error)
            error = check_buffer(buffer, bytes);
        if (error)
            return error;
        asynchronous_send(self, dest, tag, buffer, bytes);
        return success;
    });
}

// Does not wait: returns 0 if there is no such message.
int acl_async_receive(int source, int tag, void *buffer, size_t bytes,
                      acl_message *message) MAY_SUSPEND {
    bool found = false;
    enter_acl(CALL(acl_async_receive), [&](ProcessingElement &self) MAY_SUSPEND {
        Error error = check_selector(self, source, tag);
        if (!error)
            error = check_buffer(buffer, bytes);
        if (error)
            return error;
        AsyncMessage received;
        found = self.async.receive({source, tag}, buffer, bytes, received);
        if (found)
            return deliver(received, bytes, message);
        yield(); // a rank that asks in a loop lets the others run
        return success;
    });
    return found;
}

// Does the same, but waits for a message; returns its length.
size_t acl_async_receive_block(int source, int tag, void *buffer, size_t bytes,
                               acl_message *message) MAY_SUSPEND {
    AsyncMessage received;
    enter_acl(CALL(acl_async_receive_block), [&](ProcessingElement &self) MAY_SUSPEND {
        Error error = check_selector(self, source, tag);
        if (!error)
            error = check_buffer(buffer, bytes);
        if (error)
            return error;
        self.async.wait_receive({source, tag}, buffer, bytes, received);
        return deliver(received, bytes, message);
    });
    return received.size_bytes;
}

// Global operations: all PEs call them, with the same root and sizes.
void acl_broadcast(int root, void *buffer, size_t bytes) MAY_SUSPEND {
    enter_acl(CALL(acl_broadcast), [&](ProcessingElement &self) MAY_SUSPEND {
        Error error = check_address(self, "root", root);
        if (!error)
            error = check_buffer(buffer, bytes);
        return error ? error : broadcast_by_tree(self, root, buffer, bytes);
    });
}

void acl_reduce(int root, void *array, size_t count, size_t element_bytes,
                acl_operator *op) MAY_SUSPEND {
    enter_acl(CALL(acl_reduce), [&](ProcessingElement &self) MAY_SUSPEND {
        return checked_reduce(reduce, self, root, array, count, element_bytes, op);
    });
}

void acl_reduce_by_tree(int root, void *array, size_t count, size_t element_bytes,
                        acl_operator *op) MAY_SUSPEND {
    enter_acl(CALL(acl_reduce_by_tree), [&](ProcessingElement &self) MAY_SUSPEND {
        return checked_reduce(reduce_by_tree, self, root, array, count, element_bytes, op);
    });
}

void acl_reduce_by_binary_swap(int root, void *array, size_t count, size_t element_bytes,
                               acl_operator *op) MAY_SUSPEND {
    enter_acl(CALL(acl_reduce_by_binary_swap), [&](ProcessingElement &self) MAY_SUSPEND {
        return checked_reduce(reduce_by_binary_swap, self, root, array, count, element_bytes, op);
    });
}

} // extern "C"
#pragma GCC visibility pop
