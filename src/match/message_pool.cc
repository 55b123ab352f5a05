#include "match/message_pool.h"

#include <algorithm>
#include <new>

namespace thrum {

struct MessagePool::Block {
    Block *next;
    size_t count;
    UnexpectedMessage *messages;
};

MessagePool::~MessagePool() {
    while (Block *block = blocks_) {
        blocks_ = block->next;
        delete[] block->messages;
        delete block;
    }
}

void MessagePool::add_block() {
    size_t count = blocks_ ? std::min(blocks_->count * 2, block_messages_max) : first_block_messages;
    blocks_ = new Block{blocks_, count, new UnexpectedMessage[count]};
    for (size_t i = count; i-- > 0;)
        give_back(blocks_->messages[i]);
}

} // namespace thrum
