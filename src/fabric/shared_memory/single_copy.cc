// SharedMemory's reads of another process's memory, in one copy: by memcpy from memory of
// MPI_Alloc_mem, which is mapped; otherwise by a system call, alone or together with the owner.
#include "fabric/shared_memory/shared_memory.h"
#include "fiber/sanitizer.h"
#include "trace/variables.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/uio.h>

namespace thrum {
namespace {

std::atomic<uint64_t> mapped_bytes{0};
std::atomic<uint64_t> joint_bytes{0};

PERFORMANCE_VARIABLE(
    mapped_copy_bytes, .category = "messages",
    .description = "bytes of large messages that this process has copied from memory of "
                   "MPI_Alloc_mem of another process on its node",
    .read = [](uint32_t) { return mapped_bytes.load(std::memory_order_relaxed); });
PERFORMANCE_VARIABLE(
    joint_copy_bytes, .category = "messages",
    .description = "bytes of large messages that this process has copied, while it waited, for "
                   "their receivers in other processes of its node",
    .read = [](uint32_t) { return joint_bytes.load(std::memory_order_relaxed); });

} // namespace

// Makes the heap at the first request. It is published for other processes before its first memory
// is handed out.
void *SharedMemory::allocate(size_t bytes, size_t alignment) {
    if (!options_.single_copy)
        return nullptr;
    if (!heap_is_tried_.load(std::memory_order_acquire)) { // acquire [heap-1]: it has been made
        LockGuard guard(contact_lock_);
        if (!heap_is_tried_.load(std::memory_order_relaxed) && heap_.create()) {
            SegmentHeader &header = own_.header();
            header.heap_fd = heap_.fd();
            header.heap_address = reinterpret_cast<uint64_t>(heap_.address());
            header.heap_bytes.store(heap_.bytes(), std::memory_order_release); // release [heap-2]
        }
        heap_is_tried_.store(true, std::memory_order_release); // release [heap-1]
    }
    return heap_.allocate(bytes, alignment);
}

// Returns where `bytes` bytes at `address` of a peer are mapped here; nullptr: they are not in its
// heap.
char *SharedMemory::mapped_heap(Peer &p, const SegmentHeader &header, uint64_t address,
                                size_t bytes) {
    const uint64_t all = header.heap_bytes.load(std::memory_order_acquire); // acquire [heap-2]
    if (all == 0 || address < header.heap_address || address - header.heap_address >= all ||
        bytes > all - (address - header.heap_address))
        return nullptr;
    char *heap = p.heap.load(std::memory_order_acquire); // acquire [heap-3]: the mapping
    if (!heap) {
        LockGuard guard(contact_lock_);
        heap = p.heap.load(std::memory_order_relaxed);
        if (!heap && !p.has_no_heap) {
            heap = map_heap_of(p.pid, header.heap_fd, all);
            p.has_no_heap = !heap;
            p.heap.store(heap, std::memory_order_release); // release [heap-3]
        }
    }
    return heap ? heap + (address - header.heap_address) : nullptr;
}

// Large reads are made together with the owner, if it has a core to spare; others by this process
// alone.
ReadResult SharedMemory::read(NodeProcess process, const RemoteMemory &from, size_t offset,
                              void *into, size_t bytes, ReadDoneFunction done, void *argument) {
    if (!options_.single_copy)
        return ReadResult::Impossible;
    Segment *segment = contact(process);
    if (!segment)
        return ReadResult::Lost;
    const uint64_t source = from.address + offset;
    const bool mapped = mapped_heap(peer(process), segment->header(), source, bytes);
    if (!mapped && !single_copy_works())
        return ReadResult::Impossible;
    // The first copy shows whether the system permits it.
    if (bytes >= JointCopy::least_bytes && has_core_for(segment->header()) &&
        (mapped || single_copy_has_worked_.load(std::memory_order_relaxed)))
        for (JointCopy &copy : segment->header().joint_copies)
            if (copy.open(this_process_, source, reinterpret_cast<uint64_t>(into), bytes)) {
                if (!mapped)
                    huge_pages_.about_to_be_copied(copy.into, bytes);
                return read_jointly(process, copy, done, argument);
            }
    return copy_from(process, source, into, bytes);
}

// Returns whether a process that would help this one has a core.
bool SharedMemory::has_core_for(const SegmentHeader &other) {
    const bool sleeps =
        other.attention.state.load(std::memory_order_relaxed) == AttentionState::Listening;
    return worth_spinning() && load_->awake.load(std::memory_order_relaxed) + sleeps <=
                                   cores_.load(std::memory_order_relaxed);
}

// Exposed memory probably belongs to a message to a process of the node, which will read it soon.
void SharedMemory::expose(RemoteMemory &memory) {
    const bool is_mapped = heap_is_tried_.load(std::memory_order_acquire) && // acquire [heap-1]
                           heap_.contains(memory.address);
    if (!is_mapped && single_copy_works())
        huge_pages_.about_to_be_copied(memory.address, memory.bytes);
}

// Copies with memcpy where the memory is mapped, otherwise with process_vm_readv. If the system
// forbids that, it is not tried again.
ReadResult SharedMemory::copy_from(NodeProcess process, uint64_t from, void *into, size_t bytes) {
    Peer &p = peer(process);
    const Segment &segment = *p.segment.load(std::memory_order_acquire); // [contact-1]
    if (const char *memory = mapped_heap(p, segment.header(), from, bytes)) {
        std::memcpy(into, memory, bytes);
        mapped_bytes.fetch_add(bytes, std::memory_order_relaxed);
        return ReadResult::Done;
    }
    auto *to = static_cast<char *>(into);
    while (bytes > 0) {
        iovec local{to, bytes}, remote{reinterpret_cast<void *>(from), bytes};
        ssize_t n = ::process_vm_readv(p.pid, &local, 1, &remote, 1, 0);
        if (n <= 0) {
            if (n == 0 || (errno != EPERM && errno != ENOSYS))
                return ReadResult::Lost;
            single_copy_.store(false, std::memory_order_relaxed);
            return ReadResult::Impossible;
        }
        to += n;
        from += static_cast<uint64_t>(n);
        bytes -= static_cast<size_t>(n);
    }
    if (!single_copy_has_worked_.load(std::memory_order_relaxed))
        single_copy_has_worked_.store(true, std::memory_order_relaxed);
    return ReadResult::Done;
}

// Copies to the memory of a reader. Called by the owner of the data.
bool SharedMemory::copy_to(NodeProcess process, const void *from, uint64_t into, size_t bytes) {
    Peer &p = peer(process);
    const Segment &segment = *p.segment.load(std::memory_order_acquire); // [contact-1]
    if (char *memory = mapped_heap(p, segment.header(), into, bytes)) {
        std::memcpy(memory, from, bytes);
    } else {
        iovec local{const_cast<void *>(from), bytes}, remote{reinterpret_cast<void *>(into), bytes};
        if (::process_vm_writev(p.pid, &local, 1, &remote, 1, 0) != static_cast<ssize_t>(bytes)) {
            if (errno == EPERM || errno == ENOSYS)
                single_copy_.store(false, std::memory_order_relaxed);
            return false;
        }
    }
    joint_bytes.fetch_add(bytes, std::memory_order_relaxed);
    return true;
}

// Copies pieces together with the owner. If the owner is still busy with its last pieces when all
// are claimed, the read ends when it reports.
ReadResult SharedMemory::read_jointly(NodeProcess process, JointCopy &copy, ReadDoneFunction done,
                                      void *argument) {
    tell(process, told_of_joint_copies);
    ReadResult result = ReadResult::Done;
    if (!copy.copy_pieces([&](uint64_t at, size_t bytes) {
            result =
                copy_from(process, copy.from + at, reinterpret_cast<void *>(copy.into + at), bytes);
            return result == ReadResult::Done;
        }))
        copy.next.store(copy.bytes, std::memory_order_relaxed); // the owner must stop, too
    {
        LockGuard guard(awaited_lock_);
        if (!copy.close()) {
            awaited_.push_back({process, &copy, result, done, argument});
            return ReadResult::Started;
        }
    }
    return end_joint_copy(process, copy, result);
}

// Ends a copy when the owner has stopped helping. Copies again what the owner has failed to copy,
// and everything else that is missing.
ReadResult SharedMemory::end_joint_copy(NodeProcess process, JointCopy &copy, ReadResult result) {
    const uint64_t from = copy.from;
    auto *into = reinterpret_cast<void *>(copy.into);
    const size_t bytes = copy.bytes;
    return copy.leave() || result != ReadResult::Done ? result
                                                      : copy_from(process, from, into, bytes);
}

// Ends the copies that wait for their owners and for which ended() holds.
void SharedMemory::end_awaited(bool (*ended)(SharedMemory &memory, const AwaitedCopy &copy)) {
    std::vector<AwaitedCopy> over;
    {
        LockGuard guard(awaited_lock_);
        auto at = std::partition(awaited_.begin(), awaited_.end(),
                                 [&](const AwaitedCopy &copy) { return !ended(*this, copy); });
        over.assign(at, awaited_.end());
        awaited_.erase(at, awaited_.end());
    }
    for (const AwaitedCopy &one : over) {
        const ReadResult result = peer(one.process).gone.load(std::memory_order_relaxed)
                                      ? ReadResult::Lost
                                      : end_joint_copy(one.process, *one.copy, one.result);
        one.done(one.argument, result == ReadResult::Done);
    }
}

// Helps others that are copying from this process's memory.
void SharedMemory::help_readers() {
    if (!single_copy_works())
        return; // readers continue without help
    for (JointCopy &copy : own_.header().joint_copies) {
        if (!copy.begin_to_help())
            continue;
        const NodeProcess reader = copy.reader;
        sanitizer::message_has_come(); // the reader has learned of the memory by a message
        const bool ok = contact(reader) && copy.copy_pieces([&](uint64_t at, size_t bytes) {
            return copy_to(reader, reinterpret_cast<const void *>(copy.from + at), copy.into + at,
                           bytes);
        });
        if (!ok)
            copy.owner_failed.store(1, std::memory_order_relaxed);
        if (copy.end_help())
            tell(reader, told_of_help);
    }
}

} // namespace thrum
