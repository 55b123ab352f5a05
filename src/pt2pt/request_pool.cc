// Requests are made and freed on the path of every non-blocking call. So their memory belongs to
// the rank and is kept. A freed request's magic word stays 0 until its memory is used again, so
// that a stale handle is detected.
#include "pt2pt/request_pool.h"

#include "base/block_pool.h"
#include "comm/process.h"
#include "pt2pt/generalized.h"
#include "pt2pt/type_check.h"

#include <cstdlib>
#include <new>

namespace thrum {

// The memory of an OperationRequest of any class.
struct alignas(64) OperationMemory {
    char bytes[operation_bytes_max];
};

// Freed memory that one thread keeps for itself and uses without a lock.
class Reserve {
public:
    void *take() { // nullptr: empty
        Slot *slot = first_;
        if (slot) {
            first_ = slot->next;
            count_.store(count() - 1, std::memory_order_relaxed);
        }
        return slot;
    }

    bool give_back(void *memory) { // false: full
        if (count() == slots_max)
            return false;
        first_ = new (memory) Slot{first_};
        count_.store(count() + 1, std::memory_order_relaxed);
        return true;
    }

    size_t count() const { return count_.load(std::memory_order_relaxed); }

private:
    static constexpr size_t slots_max = 64;

    struct Slot {
        Slot *next;
    };

    Slot *first_ = nullptr;
    std::atomic<size_t> count_{0}; // written by that thread, read by all
};

// A rank's memory for requests.
struct RequestPool {
    template <class T>
    struct Memory {
        BlockPool<T> shared; // under the lock
        Reserve reserve;     // the owner's
    };

    // The thread that has made the pool, usually the only one of its rank, rarely takes the lock.
    const Task *const owner = &current_task();
    Memory<ReceiveRequest> receives;
    Memory<SendRequest> sends;
    Memory<OperationMemory> operations;
    SpinLock lock;    // guards all but the reserves
    size_t taken = 0; // slots taken from `shared`, including those in reserves

    // Takes a slot; `self` is the calling thread.
    template <class T>
    void *take(Memory<T> &memory, const Task &self = current_task()) {
        if (&self == owner)
            if (void *slot = memory.reserve.take()) [[likely]]
                return slot;
        return take_shared(memory.shared);
    }

    template <class T>
    void give_back(Memory<T> &memory, void *slot, const Task &self = current_task()) {
        if (&self == owner && memory.reserve.give_back(slot)) [[likely]]
            return;
        give_back_shared(memory.shared, slot);
    }

    template <class T>
    [[gnu::noinline]] void *take_shared(BlockPool<T> &shared) {
        LockGuard guard(lock);
        ++taken;
        return shared.take();
    }

    template <class T>
    [[gnu::noinline]] void give_back_shared(BlockPool<T> &shared, void *slot) {
        LockGuard guard(lock);
        --taken;
        shared.give_back(slot);
    }

    // The reserves may change meanwhile: exact only if the owner calls it.
    size_t in_use() {
        LockGuard guard(lock);
        return taken - receives.reserve.count() - sends.reserve.count() -
               operations.reserve.count();
    }

    // Requests that were freed by MPI_Request_free while pending.
    struct Orphan {
        AbandonedRequest abandoned;
        Orphan *next;
    } *orphans = nullptr;
};

namespace {

// Not destroyed with the process: delete_request_pool() does it, as peers may access requests.
const Extension<Process, RequestPool> request_pools;

inline RequestPool &pool_of(Process &process) {
    return request_pools.of(process).get_or_make();
}

// Frees those that are complete by now. It runs with each new one, so the list stays short.
void free_complete_orphans(RequestPool &pool) {
    pool.lock.lock();
    RequestPool::Orphan *pending = nullptr, *complete = nullptr;
    while (RequestPool::Orphan *orphan = pool.orphans) {
        pool.orphans = orphan->next;
        RequestPool::Orphan *&list =
            orphan->abandoned.request->completion.done() ? complete : pending;
        orphan->next = list;
        list = orphan;
    }
    pool.orphans = pending;
    pool.lock.unlock();
    while (RequestPool::Orphan *orphan = complete) {
        complete = orphan->next;
        free_abandoned(orphan->abandoned);
        delete orphan;
    }
}

} // namespace

// Sends and receives free without an error.
void free_abandoned(const AbandonedRequest &abandoned) {
    judge_freed(*abandoned.request, request_place(current_process(), abandoned.place));
    (void)free_request(*abandoned.request);
}

void *take_operation_memory() {
    RankThread &self = current_rank_thread();
    RequestPool &pool = pool_of(*self.rank->process);
    return pool.take(pool.operations, self);
}

void give_back_operation_memory(void *memory) {
    RankThread &self = current_rank_thread();
    RequestPool &pool = *request_pools.of(*self.rank->process).get(); // it has made the memory
    pool.give_back(pool.operations, memory, self);
}

ReceiveRequest *new_receive_request(const Envelope &envelope, void *buffer, Count count,
                                    Datatype &datatype, Communicator &comm) {
    RequestPool &pool = pool_of(*comm.process);
    auto *request =
        new (pool.take(pool.receives)) ReceiveRequest(envelope, buffer, count, datatype);
    request->comm = &comm;
    hold(comm, &datatype);
    return request;
}

SendRequest *new_send_request(Communicator &comm, Datatype *datatype) {
    RequestPool &pool = pool_of(*comm.process);
    auto *request = new (pool.take(pool.sends)) SendRequest;
    request->kind = RequestKind::Send;
    request->datatype = datatype;
    request->comm = &comm;
    hold(comm, datatype);
    return request;
}

PairRequest *new_pair_request(Communicator &comm) {
    auto *request = new PairRequest;
    request->kind = RequestKind::Pair;
    request->comm = &comm;
    hold(comm, nullptr);
    return request;
}

FlushRequest *new_flush_request() {
    auto *request = new FlushRequest;
    request->kind = RequestKind::Flush;
    return request;
}

Error free_message_request(Request &request) {
    switch (request.kind) {
    case RequestKind::Constant:
        count_completed(request);
        return success;
    case RequestKind::Generalized:
        forget_place(request);
        return release_generalized(static_cast<GeneralizedRequest &>(request));
    case RequestKind::Flush:
        forget_place(request);
        request.magic = 0;
        delete &static_cast<FlushRequest &>(request);
        return success;
    default:
        break;
    }
    RequestPool &pool = pool_of(*request.comm->process);
    forget_watch(request);
    let_go(*request.comm, const_cast<Datatype *>(request.datatype));
    request.magic = 0;
    if (request.kind == RequestKind::Pair) {
        auto &pair = static_cast<PairRequest &>(request);
        forget_place(request);
        (void)free_request(*pair.send);
        (void)free_request(*pair.receive);
        std::free(pair.copy);
        delete &pair;
        return success;
    }
    if (request.kind == RequestKind::Receive)
        pool.give_back(pool.receives, &static_cast<ReceiveRequest &>(request));
    else
        pool.give_back(pool.sends, &static_cast<SendRequest &>(request));
    return success;
}

Error abandon_request(Request &request) {
    const bool pending = request.active && !request.completion.done();
    if (!pending && request.active)
        judge_freed(request, request_place(current_process(), request.place));
    if (!pending || request.kind == RequestKind::Generalized)
        return free_request(request);
    const AbandonedRequest abandoned{&request, request.place};
    RequestPool &pool = pool_of(current_process());
    free_complete_orphans(pool);
    forget_place(request);
    forget_watch(request);
    LockGuard guard(pool.lock);
    pool.orphans = new RequestPool::Orphan{abandoned, pool.orphans};
    return success;
}

void for_each_request(Process &process, const std::function<void(const Request &)> &visit) {
    RequestPool *pool = request_pools.of(process).get();
    if (!pool)
        return;
    LockGuard guard(pool->lock);
    const auto look = [&]<class T>(void *memory) {
        const Request &request = *static_cast<T *>(memory);
        if (request.magic == Request::magic_live)
            visit(request);
    };
    pool->receives.shared.for_each(
        [&](void *memory) { look.template operator()<ReceiveRequest>(memory); });
    pool->sends.shared.for_each(
        [&](void *memory) { look.template operator()<SendRequest>(memory); });
    pool->operations.shared.for_each(
        [&](void *memory) { look.template operator()<OperationRequest>(memory); });
}

size_t requests_in_use(Process &process) {
    RequestPool *pool = request_pools.of(process).get();
    return pool ? pool->in_use() : 0;
}

AbandonedRequest take_abandoned(Process &process,
                                const std::function<bool(const Request &)> &wanted) {
    RequestPool *pool = request_pools.of(process).get();
    if (!pool)
        return {};
    LockGuard guard(pool->lock);
    RequestPool::Orphan **link = &pool->orphans;
    while (*link && !wanted(*(*link)->abandoned.request))
        link = &(*link)->next;
    RequestPool::Orphan *orphan = *link;
    if (!orphan)
        return {};
    *link = orphan->next;
    const AbandonedRequest abandoned = orphan->abandoned;
    delete orphan;
    return abandoned;
}

void delete_request_pool(Process &process) {
    RequestPool *pool = request_pools.of(process).get();
    if (!pool || pool->in_use() > 0)
        return;
    delete request_pools.of(process).take();
}

} // namespace thrum
