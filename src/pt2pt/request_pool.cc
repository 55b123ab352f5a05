// Requests are made and freed on the path of every non-blocking call: their memory is the rank's
// own and kept. A freed request's magic word stays 0 until its memory is used again, so that a
// stale handle is found out.
#include "pt2pt/request_pool.h"

#include "base/block_pool.h"
#include "comm/process.h"
#include "pt2pt/buffered.h"
#include "pt2pt/cancel.h"
#include "pt2pt/generalized.h"
#include "pt2pt/wait.h"

#include <cstdlib>
#include <new>

namespace thrum {

struct alignas(64) OperationMemory {
    char bytes[operation_bytes_max];
};

struct RequestPool {
    SpinLock lock; // guards all that follows; contended with MPI_THREAD_MULTIPLE only
    BlockPool<ReceiveRequest> receives;
    BlockPool<SendRequest> sends;
    BlockPool<OperationMemory> operations;
    size_t taken = 0; // of all, and not given back

    // MPI_Request_free was called while they were pending.
    struct Orphan {
        Request *request;
        Orphan *next;
    } *orphans = nullptr;
};

namespace {

[[gnu::noinline]] RequestPool &make_pool(Process &process) {
    static SpinLock first_use; // two threads of a rank may both be the first
    LockGuard guard(first_use);
    RequestPool *pool = process.requests.load(std::memory_order_relaxed);
    if (!pool) {
        pool = new RequestPool;
        process.requests.store(pool, std::memory_order_release); // [request-pool-1]
    }
    return *pool;
}

inline RequestPool &pool_of(Process &process) {
    // acquire [request-pool-1]: the pool is constructed.
    RequestPool *pool = process.requests.load(std::memory_order_acquire);
    return pool ? *pool : make_pool(process);
}

void free_complete_orphans(RequestPool &pool) {
    pool.lock.lock();
    RequestPool::Orphan *pending = nullptr, *complete = nullptr;
    while (RequestPool::Orphan *orphan = pool.orphans) {
        pool.orphans = orphan->next;
        RequestPool::Orphan *&list = orphan->request->completion.done() ? complete : pending;
        orphan->next = list;
        list = orphan;
    }
    pool.orphans = pending;
    pool.lock.unlock();
    while (RequestPool::Orphan *orphan = complete) {
        complete = orphan->next;
        (void)free_request(*orphan->request); // sends and receives free without an error
        delete orphan;
    }
}

} // namespace

void hold(Communicator &comm, Datatype *datatype) {
    if (&comm != comm.process->world && &comm != comm.process->self)
        retain(comm);
    if (datatype && !datatype->predefined)
        retain(*datatype);
}

void let_go(Communicator &comm, Datatype *datatype) {
    if (datatype && !datatype->predefined)
        release(*datatype);
    if (&comm != comm.process->world && &comm != comm.process->self)
        release(comm);
}

void *take_operation_memory() {
    Process &process = current_process();
    RequestPool &pool = pool_of(process);
    const bool shared = process.thread_level == MPI_THREAD_MULTIPLE;
    if (shared)
        pool.lock.lock();
    ++pool.taken;
    void *memory = pool.operations.take();
    if (shared)
        pool.lock.unlock();
    return memory;
}

void give_back_operation_memory(void *memory) {
    Process &process = current_process();
    RequestPool &pool = pool_of(process);
    const bool shared = process.thread_level == MPI_THREAD_MULTIPLE;
    if (shared)
        pool.lock.lock();
    --pool.taken;
    pool.operations.give_back(memory);
    if (shared)
        pool.lock.unlock();
}

ReceiveRequest *new_receive_request(const Envelope &envelope, void *buffer, Count count,
                                    Datatype &datatype, Communicator &comm) {
    RequestPool &pool = pool_of(*comm.process);
    pool.lock.lock();
    void *memory = pool.receives.take();
    ++pool.taken;
    pool.lock.unlock();
    auto *request = new (memory) ReceiveRequest(envelope, buffer, count, datatype);
    request->comm = &comm;
    hold(comm, &datatype);
    return request;
}

SendRequest *new_send_request(Communicator &comm, Datatype *datatype) {
    RequestPool &pool = pool_of(*comm.process);
    pool.lock.lock();
    void *memory = pool.sends.take();
    ++pool.taken;
    pool.lock.unlock();
    auto *request = new (memory) SendRequest;
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

GeneralizedRequest *new_generalized_request() {
    auto *request = new GeneralizedRequest;
    request->kind = RequestKind::Generalized;
    return request;
}

void delete_generalized_request(GeneralizedRequest &request) {
    request.magic = 0;
    delete &request;
}

Error free_request(Request &request) {
    switch (request.kind) {
    case RequestKind::Constant:
        return success;
    case RequestKind::Generalized:
        return release_generalized(static_cast<GeneralizedRequest &>(request));
    case RequestKind::Flush:
        request.magic = 0;
        delete &static_cast<FlushRequest &>(request);
        return success;
    case RequestKind::Operation:
        *static_cast<volatile uint32_t *>(&request.magic) =
            0; // is looked at after the object's end
        delete &static_cast<OperationRequest &>(request);
        return success;
    default:
        break;
    }
    RequestPool &pool = pool_of(*request.comm->process);
    let_go(*request.comm, const_cast<Datatype *>(request.datatype));
    request.magic = 0;
    if (request.kind == RequestKind::Pair) {
        auto &pair = static_cast<PairRequest &>(request);
        (void)free_request(*pair.send);
        (void)free_request(*pair.receive);
        std::free(pair.copy);
        delete &pair;
        return success;
    }
    LockGuard guard(pool.lock);
    --pool.taken;
    if (request.kind == RequestKind::Receive)
        pool.receives.give_back(&static_cast<ReceiveRequest &>(request));
    else
        pool.sends.give_back(&static_cast<SendRequest &>(request));
    return success;
}

Error abandon_request(Request &request) {
    const bool pending = request.active && !request.completion.done();
    if (!pending || request.kind == RequestKind::Generalized)
        return free_request(request);
    RequestPool &pool = pool_of(current_process());
    free_complete_orphans(pool);
    LockGuard guard(pool.lock);
    pool.orphans = new RequestPool::Orphan{&request, pool.orphans};
    return success;
}

size_t requests_in_use(Process &process) {
    RequestPool *pool = process.requests.load(std::memory_order_acquire); // [request-pool-1]
    if (!pool)
        return 0;
    LockGuard guard(pool->lock);
    return pool->taken;
}

namespace {

RequestPool::Orphan *take_orphan(RequestPool &pool, const Communicator *comm) {
    LockGuard guard(pool.lock);
    RequestPool::Orphan **link = &pool.orphans;
    while (*link && comm && (*link)->request->comm != comm)
        link = &(*link)->next;
    RequestPool::Orphan *orphan = *link;
    if (orphan)
        *link = orphan->next;
    return orphan;
}

} // namespace

void finish_freed_requests(Process &process, const Communicator *comm) {
    RequestPool *pool = process.requests.load(std::memory_order_acquire); // [request-pool-1]
    while (RequestPool::Orphan *orphan = pool ? take_orphan(*pool, comm) : nullptr) {
        // A receive that nobody will ever send to must not keep the rank from its end.
        if (orphan->request->kind == RequestKind::Receive)
            (void)cancel(*orphan->request); // fails for generalized requests only
        if (!orphan->request->completion.done())
            wait_blocked(orphan->request->completion,
                         {.kind = Blockage::Kind::Requests, .request_count = 1});
        (void)free_request(*orphan->request);
        delete orphan;
    }
}

void finish_pt2pt(Process &process) {
    finish_attached_buffers(process);
    finish_freed_requests(process);
    RequestPool *pool = process.requests.load(std::memory_order_acquire); // [request-pool-1]
    if (!pool)
        return;
    if (pool->taken > 0) // the program has forgotten requests; peers may still complete them
        return;
    process.requests.store(nullptr, std::memory_order_relaxed);
    delete pool;
}

} // namespace thrum
