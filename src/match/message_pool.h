// MessagePool: nodes for unexpected messages, allocated in blocks that double in size and are kept for
// reuse (TOMPI's block-allocated queue nodes): no allocation per message. Not thread-safe: the
// mailbox's lock guards it.
#pragma once
#include "match/unexpected_queue.h"

namespace thrum {

class MessagePool {
public:
    MessagePool() = default;
    ~MessagePool();
    MessagePool(const MessagePool &) = delete;
    MessagePool &operator=(const MessagePool &) = delete;

    UnexpectedMessage &take() {
        if (!free_) [[unlikely]]
            add_block();
        UnexpectedMessage *message = free_;
        free_ = static_cast<UnexpectedMessage *>(message->data);
        return *message;
    }

    void give_back(UnexpectedMessage &message) {
        message.data = free_;
        free_ = &message;
    }

private:
    static constexpr size_t first_block_messages = 4;
    static constexpr size_t block_messages_max = 1024;
    struct Block;
    void add_block();

    UnexpectedMessage *free_ = nullptr; // linked by `data`
    Block *blocks_ = nullptr;
};

} // namespace thrum
