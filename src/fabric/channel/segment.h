// Segment: the memory of one process that the other processes of its node map in order to send to
// it. It is a memfd: it has no name or file, and disappears with the last process that has mapped
// it, however that process ends. Other processes open it as /proc/PID/fd/N.
//
//   header | inbox | ring 0 | ring 1 | ... | directory      pages exist once they are used
//
// The directory of the node's first process contains where the segments of all processes of the
// node are: those of the initial ones, and of those that have joined the job since.
#pragma once
#include "fabric/channel/gate.h"
#include "fabric/channel/inbox.h"
#include "fabric/channel/joint_copy.h"
#include "fabric/channel/ring.h"
#include "fabric/waking/attention.h"

#include <string>
#include <sys/types.h>

namespace thrum {

// How busy the machine is with this job. Only the record in the segment of the node's first process
// is used.
struct NodeLoad {
    static constexpr int words = 16;
    alignas(64) std::atomic<int32_t> awake; // number of processes whose listener is awake
    std::atomic<uint32_t> joined;           // number of processes that have published their cores
    std::atomic<uint64_t> cores[words];     // cores that some process of the job may use
};

// What a process can report to the owner of a segment, a bit each.
enum Told : uint32_t {
    told_of_room = 1,         // for the notified process's packets
    told_of_joint_copies = 2, // a process wants help with a joint copy
    told_of_help = 4,         // the help that it waited for is done
};

// The beginning of a segment. Its layout has a version, because processes may run different
// libraries.
struct SegmentHeader {
    static constexpr int gates_max = 32;
    static constexpr uint64_t expected_magic = 0x7468'7275'6d20'7368; // "thrum sh"
    static constexpr uint32_t expected_version = 5;
    uint64_t magic;
    uint32_t version;
    NodeProcess process;
    RingGeometry geometry;
    uint32_t rings_max;
    int32_t urge_fd; // in the owner: the writing end of its helper thread's pipe
    // The owner's Doorbell, to be rung after its attention; -1: it sleeps on the attention itself.
    int32_t doorbell_fd;
    uint32_t directory_entries;
    std::atomic<uint32_t> added; // number of processes added since the job was started
    // The descriptor of the owner's SharedHeap.
    int32_t heap_fd;
    uint64_t heap_address;
    std::atomic<uint64_t> heap_bytes; // 0: there is none; published after the other two
    alignas(64) Attention attention;
    std::atomic<uint32_t> told; // what others have reported to the owner: bits of Told
    alignas(64) std::atomic<uint32_t> rings_made; // written by senders
    alignas(64) NodeLoad load;
    JointCopy joint_copies[4]; // from the owner's memory
    Gate gates[gates_max];
    alignas(64) Inbox inbox;
};

// A mapped segment: this process's own, or another's.
class Segment {
public:
    Segment() = default;
    ~Segment();
    Segment(const Segment &) = delete;
    Segment &operator=(const Segment &) = delete;

    // Makes the segment of this process. On failure stores a sentence with cause and remedy in
    // `why`.
    bool create(NodeProcess process, const RingGeometry &geometry, uint32_t rings_max,
                size_t directory_entries, std::string &why);
    // Maps the segment of another process, or of whichever process is found there.
    static constexpr NodeProcess of_any_process{};
    // Gone: the process has ended. Failed: `why` has cause and remedy.
    enum class OpenResult : uint8_t { Opened, Gone, Failed };
    OpenResult open(NodeProcess process, pid_t pid, int fd, std::string &why);

    SegmentHeader &header() const { return *header_; }

    int fd() const { return fd_; }

    // Allocates memory for ring `number` on behalf of its sender; nullptr if there is none, or no
    // such ring.
    void *make_ring(uint32_t number);
    // Returns ring `number` without allocating it.
    void *ring(uint32_t number) const;

    // Returns an entry of the directory: process << 32 | descriptor; 0: not set.
    std::atomic<uint64_t> &address_of(NodeProcess process) const;

private:
    size_t ring_stride() const;
    size_t directory_offset() const;
    bool map(size_t bytes, std::string &why);
    int fd_ = -1;
    SegmentHeader *header_ = nullptr;
    size_t bytes_ = 0;
};

} // namespace thrum
