#include "acl/partition.h"

#include "mpi.h"
#include "wireup/wireup.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace thrum {

constinit thread_local ProcessingElement *element_of_thread = nullptr;

namespace {

// The PEs of all processes by their number in the job, for other threads than those that have
// begun, and for reports. Never destroyed: ranks end while the process does.
SpinLock elements_lock;
std::vector<ProcessingElement *> *elements = nullptr; // guarded by the lock

void set_element(const Process &process, ProcessingElement *element) {
    LockGuard guard(elements_lock);
    if (!elements)
        elements = new std::vector<ProcessingElement *>;
    auto number = static_cast<size_t>(process.number);
    if (elements->size() <= number)
        elements->resize(std::max(number + 1, 2 * elements->size()));
    (*elements)[number] = element;
}

} // namespace

ProcessingElement::ProcessingElement(Partition &its_partition, int its_address,
                                     Process &its_process)
    : partition(its_partition), process(its_process), address(its_address),
      pieces(std::make_unique<std::atomic<RequestBlock *>[]>(piece_count())) {}

ProcessingElement::~ProcessingElement() {
    for (unsigned piece = 0; piece < piece_count(); ++piece)
        delete[] pieces[piece].load(std::memory_order_relaxed);
    std::free(scratch_);
}

unsigned ProcessingElement::piece_count() const {
    return (static_cast<unsigned>(partition.size) + blocks_per_piece - 1) / blocks_per_piece;
}

RequestBlock *ProcessingElement::make_blocks(unsigned piece) {
    auto *fresh = new RequestBlock[blocks_per_piece];
    RequestBlock *known = nullptr;
    // release [block-1]; acquire, in case another rank has been faster.
    if (pieces[piece].compare_exchange_strong(known, fresh, std::memory_order_acq_rel,
                                              std::memory_order_acquire))
        return fresh;
    delete[] fresh;
    return known;
}

char *ProcessingElement::scratch(size_t size_bytes) {
    if (size_bytes > scratch_bytes_) {
        std::free(scratch_);
        scratch_ = static_cast<char *>(std::malloc(size_bytes));
        CHECK(scratch_, "out of memory for %zu bytes of working space", size_bytes);
        scratch_bytes_ = size_bytes;
    }
    return scratch_;
}

ProcessingElement *element_of(const Process &process) {
    LockGuard guard(elements_lock);
    auto number = static_cast<size_t>(process.number);
    return elements && number < elements->size() ? (*elements)[number] : nullptr;
}

Error begin_partition(Process &process, bool began_mpi) {
    Communicator &world = *process.world;
    if (element_of(process))
        return fail(MPI_ERR_OTHER, "called again without acl_end");
    if (has_other_processes())
        return fail(MPI_ERR_UNSUPPORTED_OPERATION,
                    "the ranks of the job are in %d processes of the operating system, but ACLMPL "
                    "works within one process only, so far",
                    node_process_count());
    Partition *made = nullptr;
    if (world.rank == 0) {
        made = new Partition;
        made->size = world.size;
        made->members.store(world.size, std::memory_order_relaxed);
        made->elements =
            std::make_unique<std::unique_ptr<ProcessingElement>[]>(static_cast<size_t>(world.size));
    }
    if (Error error = meet(world, made, collective_begin))
        return error;
    // Each writes its own place; the second meeting shows all places to all.
    auto &partition = *static_cast<Partition *>(const_cast<void *>(argument_of(world, 0)));
    auto &place = partition.elements[static_cast<size_t>(world.rank)];
    place = std::make_unique<ProcessingElement>(partition, world.rank, process);
    place->began_mpi = began_mpi;
    if (Error error = meet(world, nullptr, collective_begin))
        return error;
    set_element(process, place.get());
    element_of_thread = place.get();
    return success;
}

// After the meeting nobody sends any more.
Error end_partition(ProcessingElement &self) {
    if (Error error = meet(*self.process.world, nullptr, collective_end))
        return error;
    AsyncMessage oldest;
    const size_t count = self.async.unreceived(oldest);
    Partition &partition = self.partition;
    set_element(self.process, nullptr);
    element_of_thread = nullptr;
    partition.elements[static_cast<size_t>(self.address)].reset(); // `self` is gone
    // acq_rel: the last one has seen all others leave.
    if (partition.members.fetch_sub(1, std::memory_order_acq_rel) == 1)
        delete &partition;
    if (count == 0)
        return success;
    return fail(MPI_ERR_PENDING,
                "%zu asynchronous %s been sent to this rank that it has not received; the oldest "
                "is from rank %d, tag %d, %zu bytes",
                count, count == 1 ? "message has" : "messages have", oldest.source, oldest.tag,
                oldest.size_bytes);
}

Error no_such_address(const ProcessingElement &self, const char *name, int address) {
    return fail(MPI_ERR_RANK, "%s is %d, but the partition has addresses 0 to %d", name, address,
                self.partition.size - 1);
}

} // namespace thrum
