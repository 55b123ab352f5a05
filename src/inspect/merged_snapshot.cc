// Snapshots as bytes, and back (merged_snapshot.h). All processes run the same library, so numbers
// need no conversion. The reader checks sizes all the same: a report must not crash on a damaged
// packet.
#include "inspect/merged_snapshot.h"

#include "comm/span.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace thrum {
namespace {

// Writes values as bytes: numbers as they are, texts and lists behind their length.
class Writer {
public:
    template <class Number>
        requires std::is_trivially_copyable_v<Number>
    void put(Number number) {
        bytes.append(reinterpret_cast<const char *>(&number), sizeof number);
    }

    void put(std::string_view text) {
        put(static_cast<uint32_t>(text.size()));
        bytes.append(text);
    }

    void put(const std::vector<int> &numbers) {
        put(static_cast<uint32_t>(numbers.size()));
        for (int number : numbers)
            put(number);
    }

    void put(const PendingOperation &o) {
        put(o.kind);
        put(o.own_rank);
        put(o.inter);
        put(o.peer);
        put(o.peer_world_rank);
        put(o.tag);
        put(o.communicator);
        put(o.size_bytes);
        put(std::string_view(o.text));
        put(std::string_view(o.name));
        put(o.missing);
        put(o.call_number);
    }

    void put(const RankState &rank) {
        put(rank.world_rank);
        put(rank.ended);
        put(std::string_view(rank.function ? rank.function : ""));
        put(std::string_view(rank.place));
        put(rank.operation);
        put(rank.request_count);
        put(static_cast<uint32_t>(rank.requests.size()));
        for (const PendingOperation &request : rank.requests)
            put(request);
    }

    std::string bytes;
};

// Reads what Writer has written and adds it to `all`. Communicators get new numbers there. A field
// that does not fit makes ok_ false, and all further fields empty.
class Reader {
public:
    Reader(Snapshot &all, std::string_view bytes) : all_(all), rest_(bytes) {}

    bool read_all();

private:
    // Reads a number; 0 if the bytes are used up.
    template <class Number>
    Number number() {
        Number value{};
        if (rest_.size() < sizeof value) {
            ok_ = false;
            return value;
        }
        std::memcpy(&value, rest_.data(), sizeof value);
        rest_.remove_prefix(sizeof value);
        return value;
    }

    // Reads a count of things that take at least one byte each.
    uint32_t count() {
        auto value = number<uint32_t>();
        ok_ = ok_ && value <= rest_.size();
        return ok_ ? value : 0;
    }

    // Reads a text behind its length, which has been checked against the rest.
    std::string text() {
        uint32_t size = count();
        std::string value(rest_.substr(0, size));
        rest_.remove_prefix(size);
        return value;
    }

    std::vector<int> numbers() {
        std::vector<int> values;
        for (uint32_t n = count(); n > 0; --n)
            values.push_back(number<int>());
        return values;
    }

    // Stores a text in `all`; a deque does not move it.
    const char *kept(std::string text) { return all_.places.emplace_back(std::move(text)).c_str(); }

    void communicator();
    PendingOperation operation();
    void rank();
    int translated(int communicator) const;

    Snapshot &all_;
    std::string_view rest_;
    std::vector<int> numbers_; // number in `all` of each communicator
    bool ok_ = true;
};

// Returns the number in `all` of a communicator; -1 if it is unknown.
int Reader::translated(int communicator) const {
    return communicator >= 0 && static_cast<size_t>(communicator) < numbers_.size()
               ? numbers_[static_cast<size_t>(communicator)]
               : -1;
}

// Reads a communicator. One that spans processes is the same in all of them, and is added once.
void Reader::communicator() {
    CommunicatorState state;
    state.name = text();
    state.members = numbers();
    state.context = number<uint32_t>();
    state.size = number<int>();
    // Only ids of spanning communicators mean the same in all processes.
    for (size_t i = 0; i < all_.communicators.size() && spans(state.context); ++i)
        if (all_.communicators[i].context == state.context) {
            numbers_.push_back(static_cast<int>(i));
            return;
        }
    numbers_.push_back(static_cast<int>(all_.communicators.size()));
    all_.communicators.push_back(std::move(state));
}

// The order of the fields is Writer's.
PendingOperation Reader::operation() {
    PendingOperation o;
    o.kind = number<PendingOperation::Kind>();
    o.own_rank = number<int>();
    o.inter = number<bool>();
    o.peer = number<int>();
    o.peer_world_rank = number<int>();
    o.tag = number<int>();
    o.communicator = translated(number<int>());
    o.size_bytes = number<int64_t>();
    o.text = text();
    o.name = text();
    o.missing = numbers();
    o.call_number = number<int>();
    return o;
}

// Texts are copied to `all`: the packet is gone before the report is written.
void Reader::rank() {
    RankState state;
    state.world_rank = number<int>();
    state.ended = number<bool>();
    std::string function = text();
    state.function = function.empty() ? nullptr : kept(std::move(function));
    state.place = kept(text());
    state.operation = operation();
    state.request_count = number<int>();
    for (uint32_t n = count(); n > 0 && ok_; --n)
        state.requests.push_back(operation());
    all_.ranks.push_back(std::move(state));
}

// Stops at the first field that does not fit, and accepts no bytes beyond the last one.
bool Reader::read_all() {
    for (uint32_t n = count(); n > 0 && ok_; --n)
        communicator();
    for (uint32_t n = count(); n > 0 && ok_; --n)
        rank();
    for (uint32_t n = count(); n > 0 && ok_; --n) {
        UnmatchedMessage message;
        message.receiver = number<int>();
        message.source = number<int>();
        message.tag = number<int>();
        message.communicator = translated(number<int>());
        all_.unmatched.push_back(message);
    }
    return ok_ && rest_.empty();
}

} // namespace

// Communicators come first: ranks refer to them by number.
std::string snapshot_to_bytes(const Snapshot &snapshot) {
    Writer writer;
    writer.put(static_cast<uint32_t>(snapshot.communicators.size()));
    for (const CommunicatorState &comm : snapshot.communicators) {
        writer.put(std::string_view(comm.name));
        writer.put(comm.members);
        writer.put(comm.context);
        writer.put(comm.size);
    }
    writer.put(static_cast<uint32_t>(snapshot.ranks.size()));
    for (const RankState &rank : snapshot.ranks)
        writer.put(rank);
    writer.put(static_cast<uint32_t>(snapshot.unmatched.size()));
    for (const UnmatchedMessage &message : snapshot.unmatched) {
        writer.put(message.receiver);
        writer.put(message.source);
        writer.put(message.tag);
        writer.put(message.communicator);
    }
    return std::move(writer.bytes);
}

bool add_snapshot(Snapshot &all, std::string_view bytes) {
    return Reader(all, bytes).read_all();
}

// A rank of which nothing is known belongs to a process that is lost.
void complete_snapshot(Snapshot &all, int world_size) {
    std::vector<RankState> ranks(static_cast<size_t>(world_size));
    for (int i = 0; i < world_size; ++i) {
        ranks[static_cast<size_t>(i)].world_rank = i;
        ranks[static_cast<size_t>(i)].ended = true;
    }
    for (RankState &rank : all.ranks)
        if (rank.world_rank >= 0 && rank.world_rank < world_size)
            ranks[static_cast<size_t>(rank.world_rank)] = std::move(rank);
    all.ranks = std::move(ranks);
}

} // namespace thrum
