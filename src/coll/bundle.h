// Bundle: everything that members of one process send to members of another, in one packet: the
// sizes of the blocks, then the packed blocks.
#pragma once
#include "exchange/process_tree.h"

#include <cstring>
#include <vector>

namespace thrum {

// The blocks in a packet: the sender makes it from blocks, the receiver takes them in the same
// order.
class Bundle {
public:
    // Packs the blocks. A block without a datatype is empty.
    explicit Bundle(const std::vector<Block> &blocks) {
        const size_t head_bytes = blocks.size() * sizeof(uint64_t);
        size_t total_bytes = head_bytes;
        for (const Block &block : blocks)
            total_bytes += size_of(block);
        packet_ = SharedBytes::of_size(total_bytes);
        char *to = packet_.data() + head_bytes;
        for (size_t i = 0; i < blocks.size(); ++i) {
            const uint64_t size_bytes = size_of(blocks[i]);
            std::memcpy(packet_.data() + i * sizeof size_bytes, &size_bytes, sizeof size_bytes);
            if (size_bytes > 0)
                to += pack_block(blocks[i], to);
        }
    }

    // Reads a packet of `count` blocks.
    Bundle(SharedBytes packet, size_t count)
        : packet_(std::move(packet)), next_(packet_.data() + count * sizeof(uint64_t)) {}

    const SharedBytes &packet() const { return packet_; }

    // Copies the next block to `to`, as far as it fits. Returns how many bytes were sent.
    size_t take(const Block &to) {
        uint64_t size_bytes;
        std::memcpy(&size_bytes, packet_.data() + taken_++ * sizeof size_bytes, sizeof size_bytes);
        unpack_block(next_, size_bytes, to);
        next_ += size_bytes;
        return size_bytes;
    }

private:
    static size_t size_of(const Block &block) { return block.type ? block.size_bytes() : 0; }

    SharedBytes packet_;
    const char *next_ = nullptr;
    size_t taken_ = 0;
};

// Gives `receiver` a truncation error if it has no room for a block.
void blame_truncation(Participant &receiver, int source, size_t sent_bytes, const Block &room);
// Copies between members of this process, with the same check.
void move_here(const Block &from, const Block &to, int source, Participant &receiver);

// The root of a rooted operation: where it is, and which side is not the root's (or is all).
struct Root {
    // Index of its process; -1: no local member knows a root, so this process does nothing.
    int index = -1;
    int rank = 0;   // rank in its side
    int side = 0;   // the side whose ranks send to the root or receive from it
    int local = -1; // the local member that is the root
};

Root find_root(const ProcessPart &part);

} // namespace thrum
