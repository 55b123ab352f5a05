// The indexed form of the unexpected queue. Indexes are built by searches, so a queue that only
// grows costs nothing.
#include "match/unexpected_queue.h"

#include <algorithm>

namespace thrum {

// One index per wildcard class that a receive has used.
struct UnexpectedQueue::Indexes {
    EnvelopeIndex<UnexpectedMessage> of_class[wildcard_classes] = {
        EnvelopeIndex<UnexpectedMessage>(0), EnvelopeIndex<UnexpectedMessage>(1),
        EnvelopeIndex<UnexpectedMessage>(2), EnvelopeIndex<UnexpectedMessage>(3)};
    bool in_use[wildcard_classes] = {};
};

UnexpectedQueue::~UnexpectedQueue() {
    delete indexes_;
}

UnexpectedMessage *UnexpectedQueue::find_indexed(const Envelope &receive) {
    if (!indexes_)
        indexes_ = new Indexes;
    const unsigned wildcards = wildcard_class(receive);
    EnvelopeIndex<UnexpectedMessage> &index = indexes_->of_class[wildcards];
    if (!indexes_->in_use[wildcards]) {
        indexes_->in_use[wildcards] = true;
        for (UnexpectedMessage *m = order_.front(); m; m = order_.next(*m))
            index.insert(*m);
    }
    return index.find(receive);
}

// Out of the loop that calls it, whose values then stay in registers.
[[gnu::noinline]] static bool contains_source(UnexpectedMessage *const *messages, size_t count,
                                              int source) {
    return std::any_of(messages, messages + count, [source](const UnexpectedMessage *message) {
        return message->envelope.source == source;
    });
}

size_t UnexpectedQueue::find_first_of_sources(uint32_t context, int tag, UnexpectedMessage **found,
                                              size_t room) const {
    constexpr size_t messages_max = 1024;
    const int tag_bits = tag == MPI_ANY_TAG ? 0 : -1; // that have to agree
    size_t count = 0;
    uint64_t sources = 0; // a bit for each that was found; those 64 apart share one
    UnexpectedMessage *m = order_.front();
    for (size_t left = std::min(size_, messages_max); left > 0; --left, m = order_.next(*m)) {
        if (m->envelope.context != context || ((m->envelope.tag ^ tag) & tag_bits) != 0)
            continue;
        const int source = m->envelope.source;
        const uint64_t bit = uint64_t{1} << (static_cast<unsigned>(source) % 64);
        if ((sources & bit) != 0 && contains_source(found, count, source)) [[unlikely]]
            continue;
        sources |= bit;
        found[count++] = m;
        if (count == room) [[unlikely]]
            break;
    }
    return count;
}

void UnexpectedQueue::add_to_indexes(UnexpectedMessage &message) {
    for (unsigned wildcards = 0; wildcards < wildcard_classes; ++wildcards)
        if (indexes_->in_use[wildcards])
            indexes_->of_class[wildcards].insert(message);
}

void UnexpectedQueue::remove_from_indexes(UnexpectedMessage &message) {
    for (unsigned wildcards = 0; wildcards < wildcard_classes; ++wildcards)
        if (indexes_->in_use[wildcards])
            indexes_->of_class[wildcards].remove(message);
    if (size_ <= unindexed_max) {
        delete indexes_;
        indexes_ = nullptr;
    }
}

} // namespace thrum
