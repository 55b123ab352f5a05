// Segment: the memory of one process that the others of its node map to send to it. It is a memfd:
// no name, no file, gone with the last process that has it mapped, however that ends. Others open
// it as /proc/PID/fd/N.
//
//   header | inbox | ring 0 | ring 1 | ... | directory      pages are there once they are used
//
// The directory, of which that of the node's first process counts, says where the segments of all
// processes of the node are: the first ones', and of those that have joined the job since.
#pragma once
#include "fabric/attention.h"
#include "fabric/gate.h"
#include "fabric/inbox.h"
#include "fabric/joint_copy.h"
#include "fabric/ring.h"

#include <string>
#include <sys/types.h>

namespace thrum {

// How busy the machine is with this job; the one in the segment of the node's first process counts.
struct NodeLoad {
    static constexpr int words = 16;
    alignas(64) std::atomic<int32_t> awake; // processes whose listener does not sleep
    std::atomic<uint32_t> joined;           // that have told their cores
    std::atomic<uint64_t> cores[words];     // those that some process of the job may use
};

enum Told : uint32_t {
    told_of_room = 1,         // for its packets
    told_of_joint_copies = 2, // somebody wants help
    told_of_help = 4,         // the help that it has waited for is done
};

struct SegmentHeader {
    static constexpr int gates_max = 32;
    static constexpr uint64_t expected_magic = 0x7468'7275'6d20'7368; // "thrum sh"
    static constexpr uint32_t expected_version = 5;
    uint64_t magic;
    uint32_t version;
    int32_t process;
    RingGeometry geometry;
    uint32_t rings_max;
    int32_t urge_fd; // of the owner: the writing end of the pipe of its helper thread
    // The owner's Doorbell, to be rung after its attention; -1: it sleeps on that itself.
    int32_t doorbell_fd;
    uint32_t directory_entries;
    std::atomic<uint32_t> added; // processes that have got numbers since the job was started
    // The owner's SharedHeap.
    int32_t heap_fd;
    uint64_t heap_address;
    std::atomic<uint64_t> heap_bytes; // 0: there is none; published behind the other two
    alignas(64) Attention attention;
    std::atomic<uint32_t> told;                   // what others have told the owner: bits of Told
    alignas(64) std::atomic<uint32_t> rings_made; // by senders
    alignas(64) NodeLoad load;
    JointCopy joint_copies[4]; // of the owner's memory
    Gate gates[gates_max];
    alignas(64) Inbox inbox;
};

class Segment {
public:
    Segment() = default;
    ~Segment();
    Segment(const Segment &) = delete;
    Segment &operator=(const Segment &) = delete;

    // Makes the segment of this process. On failure says why, in a sentence with a remedy.
    bool create(int process, const RingGeometry &geometry, uint32_t rings_max,
                size_t directory_entries, std::string &why);
    // Maps that of another process, or the one that is found there.
    static constexpr int of_any_process = -1;
    enum class OpenResult : uint8_t { Opened, Gone, Failed };
    OpenResult open(int process, pid_t pid, int fd, std::string &why);

    SegmentHeader &header() const { return *header_; }

    int fd() const { return fd_; }

    // Memory for ring `number`, made sure of by its sender; nullptr if there is none.
    void *make_ring(uint32_t number);
    void *ring(uint32_t number) const;

    // In the directory: process << 32 | descriptor; 0: is not there.
    std::atomic<uint64_t> &address_of(int process) const;

private:
    size_t ring_stride() const;
    size_t directory_offset() const;
    bool map(size_t bytes, std::string &why);
    int fd_ = -1;
    SegmentHeader *header_ = nullptr;
    size_t bytes_ = 0;
};

// Moves a descriptor of the library to where programs do not expect one. It is closed on exec.
int move_descriptor_up(int fd);

} // namespace thrum
