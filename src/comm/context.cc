// Contexts and their ids inside a process. Ids of communicators that span processes are made in
// span.cc.
#include "comm/context.h"

namespace thrum {

uint32_t new_context_id() {
    // 0 means no context. The ids repeat after 2^30 communicators, more than a node process lives
    // to make.
    static std::atomic<uint32_t> next{2};
    return next.fetch_add(2, std::memory_order_relaxed) & ~spanning_bit;
}

Context *new_context(int members) {
    return new_context_with(new_context_id(), members);
}

Context *new_context_with(uint32_t id, int members) {
    auto *context = new Context;
    context->id = id;
    context->members.store(members, std::memory_order_relaxed);
    context->extensions.begin(*context);
    return context;
}

} // namespace thrum
