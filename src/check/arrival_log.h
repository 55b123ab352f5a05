// ArrivalLog: the messages of one rank and its wildcard receives and probes, to find out which
// other message a wildcard receive could have taken. A pure data structure; causality.h fills it.
//
// A wildcard receive could have taken another message if that one
//   - matches its envelope, and is from another source,
//   - is the first such message of its source that no receive posted earlier has taken: messages of
//     one source do not overtake each other (MPI 5.0 section 3.5),
//   - was sent by a rank that did not know yet that the receive was complete.
#pragma once
#include "datatype/datatype.h"
#include "match/envelope.h"
#include "rank/rank.h"

#include <compare>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace thrum {

// What one rank knows about all: how many wildcard receives of each rank it knows to be complete.
// If everything is remembered, there is a second half: up to which word of its record (record/) it
// knows each rank to have come.
using Knowledge = std::vector<uint32_t>;
// A snapshot, shared by all messages that are sent between two changes.
using KnowledgeSnapshot = std::shared_ptr<const Knowledge>;

// The position of a receive among those of its rank. A receive that finds its message at once is
// never posted: it comes after the last one that was.
struct ReceiveOrder {
    uint64_t last_posted = 0; // PostedReceive::sequence of the receive, or of the last posted one
    uint64_t not_posted = 0;  // number of the receive among those that were not posted; 0: posted
    auto operator<=>(const ReceiveOrder &) const = default;
};

// A message to the rank.
struct LoggedMessage {
    Envelope envelope;
    int sender_rank = 0; // in the job
    size_t size_bytes = 0;
    const Datatype *basic = nullptr; // its predefined datatype; nullptr: unknown or derived
    CallPlace sender;
    KnowledgeSnapshot known; // to the sender
    // The receive that has taken it.
    bool is_taken = false;
    ReceiveOrder order{};
    CallPlace receiver{}; // {}: not complete yet
    // What that receive asked for. If a wildcard probe has shown the message before, what the probe
    // asked for: MPI_Probe and MPI_Recv of what it has found are one wildcard receive.
    Envelope selection{};
    bool is_shown = false;
};

// A wildcard receive or probe that has got a message.
struct WildcardReceive {
    Envelope envelope;
    ReceiveOrder order{};
    bool is_probe = false;
    size_t room_bytes = 0;           // of a receive
    const Datatype *basic = nullptr; // its predefined datatype; nullptr: unknown or derived
    uint64_t message = 0;            // number of the message that it got
    // Only if everything is remembered: the position of the outcome in the rank's record, and what
    // the rank knew when it posted the receive.
    uint32_t word = 0;
    KnowledgeSnapshot posted = nullptr;
    // Set when it is complete.
    CallPlace place{};
    uint32_t number = 0; // among the complete wildcard receives of the rank, from 1; 0: pending
    KnowledgeSnapshot known = nullptr;
};

class ArrivalLog {
public:
    // `receiver`: the rank's index in a Knowledge.
    explicit ArrivalLog(size_t receiver) : receiver_(receiver) {}

    // Adds a message and returns its number. Messages of one source are added in their order.
    uint64_t add(LoggedMessage message);
    // Adds a wildcard receive and returns its number.
    uint64_t add(WildcardReceive receive);

    // Return what has this number, or nullptr if it has been dropped.
    LoggedMessage *message(uint64_t number);
    const LoggedMessage *message(uint64_t number) const;
    WildcardReceive *wildcard(uint64_t number);

    const std::deque<WildcardReceive> &wildcards() const { return wildcards_; }

    size_t size() const { return messages_.size(); }

    // Returns the messages that the wildcard receive could have taken instead.
    std::vector<const LoggedMessage *> alternatives(const WildcardReceive &receive) const;

    // Returns their numbers.
    std::vector<uint64_t> alternative_numbers(const WildcardReceive &receive) const;

    // Returns the wildcard receives that must have been matched before one with this envelope and
    // order can get the message: they were posted earlier, and would otherwise take the message, or
    // leave an earlier one of its source. Only if everything is remembered.
    std::vector<WildcardReceive *> matched_before(const Envelope &envelope,
                                                  const ReceiveOrder &order, uint64_t message);

    // Returns whether this is one of the oldest `count` messages, or has been dropped.
    bool is_among_oldest(uint64_t number, size_t count) const {
        return number < first_message_ + count;
    }

    // Drops messages that are not needed: without wildcard receives those that are taken.
    void drop_taken();
    // Drops the oldest `count` messages, and the wildcard receives that have got one of them.
    void drop_oldest(size_t count);

private:
    size_t receiver_;
    uint64_t first_message_ = 1;  // number of the front of messages_
    uint64_t first_wildcard_ = 1; // and of wildcards_
    std::deque<LoggedMessage> messages_;
    std::deque<WildcardReceive> wildcards_;
};

} // namespace thrum
