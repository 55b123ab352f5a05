// Posted-receive queue (MPI 5.0 section 3.5): receives that no message has matched yet, oldest
// first. A message goes to the oldest posted receive that accepts it.
//
// A short queue is a list that is walked. Once it is longer than `walk_max` and a message does not
// match the oldest receive, it is indexed by the receives' envelopes, wildcards included: a message
// then looks up the four envelopes that accept it and takes the receive posted first. Not
// thread-safe: the mailbox's lock guards it.
#pragma once
#include "base/list.h"
#include "match/envelope_index.h"

namespace thrum {

// A receive as the queue sees it: the first cache line of the receive's request.
struct alignas(64) PostedReceive {
    Envelope envelope;
    uint8_t oldest = 0;    // see EnvelopeIndex
    bool is_open = false;  // its source is recorded or replayed (pt2pt/recorded_choice.h)
    ListHook order;        // of all posted receives, oldest first; linked while posted
    uint64_t sequence = 0; // position in that order
    IndexHook<PostedReceive> index[1];

    bool posted() const { return order.linked(); }
};

static_assert(sizeof(PostedReceive) == 64);

// The queue itself. The walk and the index give the same order; only their cost differs.
class PostedQueue {
public:
    // The longest queue that is searched by walking it; measured in match_bench.cc.
    static constexpr size_t walk_max = 32;
    // The length at which a long queue drops its index. The gap to walk_max keeps the queue from
    // switching often.
    static constexpr size_t unindexed_max = 8;

    PostedQueue() = default;

    ~PostedQueue() { delete index_; }

    size_t size() const { return size_; }

    bool empty() const { return size_ == 0; }

    // Returns the position of the receive that was posted last; 0: none was.
    uint64_t last_sequence() const { return last_sequence_; }

    // Appends a receive, which stays in the queue until it is matched or removed.
    void post(PostedReceive &receive) {
        receive.sequence = ++last_sequence_;
        order_.push_back(receive);
        ++size_;
        if (index_) [[unlikely]]
            index_->insert(receive);
    }

    // Removes and returns the oldest receive that accepts a message with this envelope, or nullptr.
    PostedReceive *match(const Envelope &message) {
        PostedReceive *receive = find(message);
        if (receive)
            remove(*receive);
        return receive;
    }

    // Returns whether a receive accepts a message with this envelope.
    bool accepts(const Envelope &message) { return find(message) != nullptr; }

    // Removes a posted receive, for example because it is cancelled.
    void remove(PostedReceive &receive) {
        receive.order.unlink();
        --size_;
        if (index_) [[unlikely]]
            remove_from_index(receive);
    }

    // For reports: returns the oldest receive, and the one after `receive`; nullptr at the end.
    PostedReceive *first() const { return order_.front(); }

    PostedReceive *next(PostedReceive &receive) const { return order_.next(receive); }

private:
    // Programs often send in the order of posting, which needs no search.
    PostedReceive *find(const Envelope &message) {
        PostedReceive *oldest = order_.front();
        if (!oldest || oldest->envelope.accepts(message))
            return oldest;
        return size_ > walk_max || index_ ? find_indexed(message) : walk(message);
    }

    PostedReceive *walk(const Envelope &message) const {
        PostedReceive *receive = order_.front();
        while (receive && !receive->envelope.accepts(message))
            receive = order_.next(*receive);
        return receive;
    }

    PostedReceive *find_indexed(const Envelope &message);
    void remove_from_index(PostedReceive &receive);

    List<PostedReceive, &PostedReceive::order> order_;
    size_t size_ = 0;
    uint64_t last_sequence_ = 0;
    EnvelopeIndex<PostedReceive> *index_ = nullptr; // exists while the queue is long and searched
};

} // namespace thrum
