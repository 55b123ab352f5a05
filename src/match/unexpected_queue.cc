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

size_t UnexpectedQueue::find_first_of_sources(const Envelope &receive, UnexpectedMessage **found,
                                              size_t room) const {
    constexpr size_t messages_max = 1024;
    const Envelope wanted = receive; // in registers
    size_t count = 0;
    uint64_t sources = 0; // a bit for each that was found; those 64 apart share one
    UnexpectedMessage *m = order_.front();
    for (size_t left = std::min(size_, messages_max); left > 0; --left, m = order_.next(*m)) {
        if (!wanted.accepts(m->envelope))
            continue;
        const auto is_of_source = [m](const UnexpectedMessage *other) {
            return other->envelope.source == m->envelope.source;
        };
        const uint64_t bit = uint64_t{1} << (static_cast<unsigned>(m->envelope.source) % 64);
        if ((sources & bit) != 0 && std::any_of(found, found + count, is_of_source))
            continue;
        sources |= bit;
        found[count++] = m;
        if (count == room)
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
