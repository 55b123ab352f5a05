// Unexpected queue (MPI 5.0 section 3.5): messages that no receive has matched yet, in order of
// arrival. A receive takes the oldest message that it accepts.
//
// A short queue is a list that is walked. Once it is longer than `walk_max`, messages are indexed
// once for each wildcard class in use, and a receive looks up its envelope in its class. The index
// of a class is built for the first receive of that class and kept until the queue is short again.
// Each message thus enters each class at most once: O(1) per message in any order of receiving. The
// oldest message of all is found without an index. Not thread-safe: the mailbox's lock guards it.
#pragma once
#include "base/list.h"
#include "match/envelope_index.h"

#include <cstring>

namespace thrum {

// A message in the queue, with its payload if that is tiny: match and payload then share their
// cache lines and need no further memory.
struct alignas(64) UnexpectedMessage {
    static constexpr size_t inline_bytes = 96;

    Envelope envelope;
    // Where the data are: in `payload`, at `data`, still in the send buffer of request `data`, or
    // described by the RemoteArrival `data`.
    enum class Form : uint8_t { Inline, Buffered, Rendezvous, Remote } form = Form::Inline;
    uint8_t oldest = 0;           // see EnvelopeIndex; and probed_bit
    uint16_t sender_function = 0; // the call that has sent, for reports; 0: unknown
    ListHook order;               // order of arrival; linked while queued
    size_t size_bytes = 0;
    void *data = nullptr; // a buffer, or the sender's request
    // Inline and Buffered: the datatype of the data; nullptr: unknown.
    const MPI_ABI_Datatype *type = nullptr;
    const void *call_site = nullptr; // of the call that has sent, for reports; nullptr: unknown
    char payload[inline_bytes];
    IndexHook<UnexpectedMessage> index[wildcard_classes];

    bool queued() const { return order.linked(); }

    // With a seed: whether a probe has shown it to the program.
    static constexpr uint8_t probed_bit = 1 << wildcard_classes;

    bool was_probed() const { return (oldest & probed_bit) != 0; }

    void mark_probed() { oldest |= probed_bit; }
};

static_assert(sizeof(UnexpectedMessage) == 256);

// The queue itself, with the same two forms.
class UnexpectedQueue {
public:
    static constexpr size_t walk_max = 32; // as in PostedQueue
    static constexpr size_t unindexed_max = 8;

    UnexpectedQueue() = default;
    ~UnexpectedQueue();

    size_t size() const { return size_; }

    bool empty() const { return size_ == 0; }

    // Appends a message. Its node belongs to the mailbox's pool, or to the send request.
    void insert(UnexpectedMessage &message) {
        order_.push_back(message);
        ++size_;
        if (indexes_) [[unlikely]]
            add_to_indexes(message);
    }

    // Returns the oldest message that a receive with this envelope accepts, or nullptr; it stays
    // queued (probe).
    UnexpectedMessage *find(const Envelope &receive) {
        // Programs often receive in the order of arrival, which needs no search.
        UnexpectedMessage *oldest = order_.front();
        if (!oldest || receive.accepts(oldest->envelope))
            return oldest;
        return size_ > walk_max || indexes_ ? find_indexed(receive) : walk(receive);
    }

    // Removes and returns the oldest message that a receive with this envelope accepts, or nullptr.
    UnexpectedMessage *match(const Envelope &receive) {
        UnexpectedMessage *message = find(receive);
        if (message)
            remove(*message);
        return message;
    }

    // Fills in the messages that a receive from MPI_ANY_SOURCE may take: of each source the oldest
    // that it accepts (section 3.5 orders only these), in the order of arrival. `tag` may be
    // MPI_ANY_TAG. Stops when `room` sources (1 or more) are found, or after many messages. Returns
    // their number.
    size_t find_first_of_sources(uint32_t context, int tag, UnexpectedMessage **found,
                                 size_t room) const;

    void remove(UnexpectedMessage &message) {
        message.order.unlink();
        --size_;
        if (indexes_) [[unlikely]]
            remove_from_indexes(message);
    }

    // For reports: returns the oldest message, and the one after `message`; nullptr at the end.
    UnexpectedMessage *first() const { return order_.front(); }

    UnexpectedMessage *next(UnexpectedMessage &message) const { return order_.next(message); }

private:
    struct Indexes; // one for each wildcard class in use

    UnexpectedMessage *walk(const Envelope &receive) const {
        UnexpectedMessage *message = order_.front();
        while (message && !receive.accepts(message->envelope))
            message = order_.next(*message);
        return message;
    }

    UnexpectedMessage *find_indexed(const Envelope &receive);
    void add_to_indexes(UnexpectedMessage &message);
    void remove_from_indexes(UnexpectedMessage &message);

    List<UnexpectedMessage, &UnexpectedMessage::order> order_;
    size_t size_ = 0;
    Indexes *indexes_ = nullptr; // exists while the queue is long and has been searched
};

} // namespace thrum
