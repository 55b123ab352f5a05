// Snapshots as texts, and back (merged_snapshot.h). What is read is checked: a report must not
// crash on a damaged packet.
#include "inspect/merged_snapshot.h"

#include "comm/span.h"
#include "inspect/coded_fields.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace thrum {

template <>
constexpr auto fields_of<PendingOperation> =
    std::tuple(&PendingOperation::kind, &PendingOperation::own_rank, &PendingOperation::inter,
               &PendingOperation::peer, &PendingOperation::peer_world_rank, &PendingOperation::tag,
               &PendingOperation::communicator, &PendingOperation::size_bytes,
               &PendingOperation::text, &PendingOperation::name, &PendingOperation::missing,
               &PendingOperation::call_number);
template <>
constexpr auto fields_of<CommunicatorState> =
    std::tuple(&CommunicatorState::name, &CommunicatorState::members, &CommunicatorState::context,
               &CommunicatorState::size);
template <>
constexpr auto fields_of<UnmatchedMessage> =
    std::tuple(&UnmatchedMessage::receiver, &UnmatchedMessage::source, &UnmatchedMessage::tag,
               &UnmatchedMessage::communicator);

namespace {

// A rank as it travels: its texts are its own.
struct SentRank {
    int world_rank = 0;
    bool ended = false;
    std::string function; // "": outside MPI
    std::string place;
    int polls = 0;
    PendingOperation operation;
    int request_count = 0;
    std::vector<PendingOperation> requests;
};

struct SentSnapshot {
    std::vector<CommunicatorState> communicators;
    std::vector<SentRank> ranks;
    std::vector<UnmatchedMessage> unmatched;
};

} // namespace

template <>
constexpr auto fields_of<SentRank> =
    std::tuple(&SentRank::world_rank, &SentRank::ended, &SentRank::function, &SentRank::place,
               &SentRank::polls, &SentRank::operation, &SentRank::request_count,
               &SentRank::requests);
template <>
constexpr auto fields_of<SentSnapshot> =
    std::tuple(&SentSnapshot::communicators, &SentSnapshot::ranks, &SentSnapshot::unmatched);

namespace {

SentRank sent(const RankState &rank) {
    return {.world_rank = rank.world_rank,
            .ended = rank.ended,
            .function = rank.function ? rank.function : "",
            .place = rank.place,
            .polls = rank.polls,
            .operation = rank.operation,
            .request_count = rank.request_count,
            .requests = rank.requests};
}

// Adds what has arrived to `all`, where communicators have other numbers.
class Adder {
public:
    explicit Adder(Snapshot &all) : all_(all) {}

    void add(SentSnapshot snapshot);

private:
    void add(CommunicatorState state);
    void add(SentRank rank);

    // Replaces the number of a communicator by that in `all`; -1 if it is unknown.
    void translate(int &communicator) const {
        const auto place = static_cast<size_t>(communicator);
        communicator = communicator >= 0 && place < numbers_.size() ? numbers_[place] : -1;
    }

    // Stores a text in `all`; a deque does not move it.
    const char *kept(std::string text) { return all_.places.emplace_back(std::move(text)).c_str(); }

    Snapshot &all_;
    std::vector<int> numbers_; // number in `all` of each communicator
};

// One that spans processes is the same in all of them, and is added once: only the ids of spanning
// communicators mean the same in all processes.
void Adder::add(CommunicatorState state) {
    const auto same = spans(state.context) ? std::ranges::find(all_.communicators, state.context,
                                                               &CommunicatorState::context)
                                           : all_.communicators.end();
    numbers_.push_back(static_cast<int>(same - all_.communicators.begin()));
    if (same == all_.communicators.end())
        all_.communicators.push_back(std::move(state));
}

// Texts are copied to `all`: the packet is gone before the report is written.
void Adder::add(SentRank rank) {
    RankState &state = all_.ranks.emplace_back();
    state.world_rank = rank.world_rank;
    state.ended = rank.ended;
    state.function = rank.function.empty() ? nullptr : kept(std::move(rank.function));
    state.place = kept(std::move(rank.place));
    state.polls = rank.polls;
    state.operation = std::move(rank.operation);
    state.request_count = rank.request_count;
    state.requests = std::move(rank.requests);
    translate(state.operation.communicator);
    for (PendingOperation &request : state.requests)
        translate(request.communicator);
}

void Adder::add(SentSnapshot snapshot) {
    for (CommunicatorState &state : snapshot.communicators)
        add(std::move(state));
    for (SentRank &rank : snapshot.ranks)
        add(std::move(rank));
    for (UnmatchedMessage &message : snapshot.unmatched) {
        translate(message.communicator);
        all_.unmatched.push_back(message);
    }
}

} // namespace

std::string snapshot_to_text(const Snapshot &snapshot) {
    SentSnapshot all{snapshot.communicators, {}, snapshot.unmatched};
    std::ranges::transform(snapshot.ranks, std::back_inserter(all.ranks), sent);
    Encoder encoder;
    encode(encoder, all);
    return encoder.text();
}

bool add_snapshot(Snapshot &all, std::string_view text) {
    Decoder decoder(text);
    auto snapshot = decode<SentSnapshot>(decoder);
    if (!decoder.finish())
        return false;
    Adder(all).add(std::move(snapshot));
    return true;
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
