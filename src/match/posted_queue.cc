// The indexed form of the posted-receive queue. Receives that a message could match are in up to
// four keys; the sequence number tells which one was posted first.
#include "match/posted_queue.h"

namespace thrum {

PostedReceive *PostedQueue::find_indexed(const Envelope &message) {
    if (!index_) {
        index_ = new EnvelopeIndex<PostedReceive>(0);
        for (PostedReceive *r = order_.front(); r; r = order_.next(*r))
            index_->insert(*r);
    }
    PostedReceive *oldest = nullptr;
    for (unsigned wildcards = 0; wildcards < wildcard_classes; ++wildcards) {
        PostedReceive *candidate = index_->find(generalized(message, wildcards));
        if (candidate && (!oldest || candidate->sequence < oldest->sequence))
            oldest = candidate;
    }
    return oldest;
}

void PostedQueue::remove_from_index(PostedReceive &receive) {
    index_->remove(receive);
    if (size_ <= unindexed_max) {
        delete index_;
        index_ = nullptr;
    }
}

} // namespace thrum
