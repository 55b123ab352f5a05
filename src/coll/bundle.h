// Bundle: everything that members of one process send to members of another, in one packet: where
// they call, the sizes and the types of the blocks, then the packed blocks.
#pragma once
#include "comm/remote_types.h"
#include "exchange/process_tree.h"

#include <cstring>
#include <vector>

namespace thrum {

// What a packet says of a block.
struct BlockHead {
    size_t size_bytes = 0;
    RemoteTypes types;
};

// What is known of a block that a member has sent.
struct SentBlock : BlockHead {
    uint64_t call = 0; // code of its call site
};

// The blocks in a packet: the sender makes it from blocks, the receiver takes them in the same
// order.
class Bundle {
public:
    // Packs the blocks. A block without a datatype is empty. `call`: code of the call of all their
    // senders; 0: unknown.
    Bundle(const std::vector<Block> &blocks, uint64_t call) {
        const size_t head_bytes = head_bytes_of(blocks.size());
        size_t total_bytes = head_bytes;
        for (const Block &block : blocks)
            total_bytes += size_of(block);
        packet_ = SharedBytes::of_size(total_bytes);
        char *to = packet_.data() + head_bytes;
        std::memcpy(packet_.data(), &call, sizeof call);
        for (size_t i = 0; i < blocks.size(); ++i) {
            const BlockHead head = head_of(blocks[i]);
            std::memcpy(packet_.data() + head_bytes_of(i), &head, sizeof head);
            if (head.size_bytes > 0)
                to += pack_block(blocks[i], to);
        }
    }

    // Reads a packet of `count` blocks.
    Bundle(SharedBytes packet, size_t count)
        : packet_(std::move(packet)), next_(packet_.data() + head_bytes_of(count)) {}

    const SharedBytes &packet() const { return packet_; }

    // Copies the next block to `to`, as far as it fits.
    SentBlock take(const Block &to) {
        SentBlock sent;
        std::memcpy(&sent.call, packet_.data(), sizeof sent.call);
        std::memcpy(static_cast<BlockHead *>(&sent), packet_.data() + head_bytes_of(taken_++),
                    sizeof(BlockHead));
        unpack_block(next_, sent.size_bytes, to);
        next_ += sent.size_bytes;
        return sent;
    }

private:
    static size_t size_of(const Block &block) { return block.type ? block.size_bytes() : 0; }

    static size_t head_bytes_of(size_t blocks) {
        return sizeof(uint64_t) + blocks * sizeof(BlockHead);
    }

    static BlockHead head_of(const Block &block) {
        return {size_of(block), remote_types({block.type, size_of(block)})};
    }

    SharedBytes packet_;
    const char *next_ = nullptr;
    size_t taken_ = 0;
};

// Compares what rank `source` has sent with `room`. If it does not fit, `receiver` gets an error;
// if types or amounts differ, a warning (comm/amount_mismatch.h).
void compare(Participant &receiver, int source, const SentBlock &sent, const Block &room);
// Copies between members of this process, with the same checks.
void move_here(const Block &from, const Block &to, const Participant &source,
               Participant &receiver);

// Returns the code of the call of all members of this process; 0 if they call at several places.
uint64_t common_call(const ProcessPart &part);

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
