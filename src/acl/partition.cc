// Begin and end of the partition. acl_begin() makes one Partition per process in a first meeting,
// then each PE enters itself and a second meeting shows all PEs to all. acl_end() meets, waits for
// messages in transit from other processes, and frees everything.
#include "acl/partition.h"

#include "coll/coll.h"
#include "comm/span.h"
#include "exchange/process_tree.h"
#include "mpi.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace thrum {

constinit thread_local ProcessingElement *element_of_thread = nullptr;

namespace {

// The PEs of this process by their number in the job, for threads other than those that called
// acl_begin(), and for reports. Never destroyed: ranks end while the process does.
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
      blocks(static_cast<unsigned>(partition.size)), async(partition.group, address) {
    if (partition.spans)
        peers = std::make_unique<PieceArray<RemotePeer>>(static_cast<unsigned>(partition.size));
}

ProcessingElement::~ProcessingElement() {
    std::free(scratch_);
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

Partition::Partition(const Communicator &world, int members_here)
    : size(world.size), spans(world.context->span != nullptr), members(members_here),
      group(*world.group),
      elements(std::make_unique<std::unique_ptr<ProcessingElement>[]>(static_cast<size_t>(size))),
      silences(silent, spans ? world.context->span->count() - 1 : 0) {}

namespace {

// Sets `joined` to the partition of this process, made by one of its PEs.
Error join_partition(Communicator &world, Partition *&joined) MAY_SUSPEND {
    if (world.context->span) {
        auto make = [](void *const *arguments, Communicator &comm) {
            const size_t members = comm.context->span->locals.size();
            auto *partition = new Partition(comm, static_cast<int>(members));
            for (size_t member = 0; member < members; ++member)
                *static_cast<Partition **>(arguments[member]) = partition;
            return SharedBytes::of_size(0);
        };
        auto take_nothing = [](void *const *, Communicator &, const std::vector<SharedBytes> &) {
        };
        return exchange_together(world, &joined, {make, take_nothing}, collective_begin);
    }
    Partition *made = world.rank == 0 ? new Partition(world, world.size) : nullptr;
    if (Error error = meet(world, made, collective_begin))
        return error;
    joined = static_cast<Partition *>(const_cast<void *>(argument_of(world, 0)));
    return success;
}

} // namespace

Error begin_partition(Process &process, bool began_mpi) {
    Communicator &world = *process.world;
    if (element_of(process))
        return fail(MPI_ERR_OTHER, "called again before acl_end");
    Partition *partition = nullptr;
    if (Error error = join_partition(world, partition))
        return error;
    // Each writes its own place; the second meeting shows all places to all. Messages from other
    // processes may come after it.
    auto &place = partition->elements[static_cast<size_t>(world.rank)];
    place = std::make_unique<ProcessingElement>(*partition, world.rank, process);
    place->began_mpi = began_mpi;
    set_element(process, place.get());
    if (Error error = meet(world, nullptr, collective_begin))
        return error;
    element_of_thread = place.get();
    return success;
}

namespace {

// Returns when nothing more can come from other processes, after all PEs have called acl_end(). The
// packets of silence follow everything that PEs of this process have sent, on the same channel. One
// PE sends and waits for all of this process.
void await_silence(ProcessingElement &self) MAY_SUSPEND {
    const ProcessMap &span = *self.process.world->context->span;
    if (span.locals.front() != self.address)
        return;
    std::vector<bool> told(span.processes.size());
    told[static_cast<size_t>(span.here)] = true;
    for (int address = 0; address < self.partition.size; ++address) {
        auto index = static_cast<size_t>(span.index_of[static_cast<size_t>(address)]);
        if (told[index])
            continue;
        told[index] = true;
        send_to_element(
            {ElementPacket::Silence, self.partition.world_rank(address), self.address, 0, 0, {}});
    }
    self.partition.silent.wait();
}

} // namespace

// No PE sends after the meeting. Messages that nobody has received are an error: the
// program has probably forgotten a receive.
Error end_partition(ProcessingElement &self) {
    Communicator &world = *self.process.world;
    if (Error error = meet(world, nullptr, collective_end))
        return error;
    Partition &partition = self.partition;
    if (partition.spans) { // but something may still be on its way
        await_silence(self);
        if (Error error = meet(world, nullptr, collective_end))
            return error;
    }
    AsyncMessage oldest;
    const size_t count = self.async.unreceived(oldest);
    set_element(self.process, nullptr);
    element_of_thread = nullptr;
    partition.elements[static_cast<size_t>(self.address)].reset(); // `self` is gone
    // acq_rel [partition-1]: the last one has seen all others leave.
    if (partition.members.fetch_sub(1, std::memory_order_acq_rel) == 1)
        delete &partition;
    if (count == 0)
        return success;
    return fail(MPI_ERR_PENDING,
                "%zu asynchronous %s sent to this rank that it has not received; the oldest is "
                "from rank %d, tag %d, %zu bytes",
                count, count == 1 ? "message was" : "messages were", oldest.source, oldest.tag,
                oldest.size_bytes);
}

Error no_such_address(const ProcessingElement &self, const char *name, int address) {
    return fail(MPI_ERR_RANK, "%s is %d, but the partition has addresses 0 to %d", name, address,
                self.partition.size - 1);
}

} // namespace thrum
