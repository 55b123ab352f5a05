#include "comm/context.h"

namespace thrum {
namespace {

// Constant-initialised, because coll's constructor may run first, and never destroyed.
constinit MeetingFunctions the_meeting_functions;

} // namespace

void set_meeting_functions(const MeetingFunctions &functions) {
    the_meeting_functions = functions;
}

const MeetingFunctions &meeting_functions() {
    return the_meeting_functions;
}

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
    // a single member makes it when first needed: meeting/meeting.cc
    if (the_meeting_functions.make && members > 1)
        context->meeting = the_meeting_functions.make(members);
    return context;
}

} // namespace thrum
