// Writes the text of a deadlock report (deadlock_report.h). Ordered from parts to the whole: how
// peers relate to ranks, one line for each group, the report.
//
// Ranks in the same call at the same place form a group. A group whose peers follow no common rule
// is split, by tag and by peer, until each part can be described in a few words.
#include "inspect/deadlock_report.h"

#include "mpi.h"
#include "rank/rank_list.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <tuple>

namespace thrum {
namespace {

using Kind = PendingOperation::Kind;
using Members = std::vector<const RankState *>; // the members of a group; not empty

constexpr size_t groups_max = 20;       // lines of groups in a report
constexpr size_t unmatched_max = 10;    // lines of unmatched messages
constexpr size_t distinct_tags_max = 4; // more tags in a group are shown as a range
constexpr size_t cycle_shown_max = 12;  // ranks of a cycle that are written out
constexpr int unrelated_distance = 5;   // distance_of() a rank that does not receive

std::string number(int64_t value) {
    return std::to_string(value);
}

const PendingOperation &operation_of(const RankState *rank) {
    return rank->operation;
}

// Returns whether f(operation) is the same for all.
template <class F>
bool uniform(const Members &members, F f) {
    auto first = f(operation_of(members[0]));
    return std::all_of(members.begin(), members.end(),
                       [&](const RankState *rank) { return f(operation_of(rank)) == first; });
}

// Splits `members` into groups with equal f(operation), each in rank order.
template <class F>
std::vector<Members> split_by(const Members &members, F f) {
    std::map<decltype(f(operation_of(members[0]))), Members> parts;
    for (const RankState *rank : members)
        parts[f(operation_of(rank))].push_back(rank);
    std::vector<Members> result;
    for (auto &[key, part] : parts)
        result.push_back(std::move(part));
    return result;
}

// The rules by which a group's peers may be described: the same rank, a distance, an exclusive or.
int own_peer(const PendingOperation &o) {
    return o.peer;
}

int distance(const PendingOperation &o) {
    return o.peer - o.own_rank;
}

int exclusive_or(const PendingOperation &o) {
    return o.peer ^ o.own_rank;
}

// Writes the lines of the report about one snapshot, which it only reads.
class Writer {
public:
    explicit Writer(const Snapshot &snapshot) : snapshot_(snapshot) {}

    std::string headline() const;
    std::vector<std::string> details() const;
    std::string line_without(bool (*is_left_out)(const RankState &)) const;

private:
    // Returns the distance() around a ring.
    int ring_distance(const PendingOperation &o) const {
        int size = size_of(o.communicator);
        return size > 0 ? ((o.peer - o.own_rank) % size + size) % size : o.peer - o.own_rank;
    }

    int size_of(int communicator) const {
        return communicator >= 0 ? snapshot_.communicators[communicator].size : 0;
    }

    bool has_ended(int world_rank) const {
        return static_cast<size_t>(world_rank) < snapshot_.ranks.size() &&
               snapshot_.ranks[static_cast<size_t>(world_rank)].ended;
    }

    // Returns whether the rank is in no collective operation on the communicator.
    bool is_absent(int world_rank, int communicator) const {
        const auto place = static_cast<size_t>(world_rank);
        if (place >= snapshot_.ranks.size() || snapshot_.ranks[place].ended)
            return true;
        const PendingOperation &o = snapshot_.ranks[place].operation;
        return o.kind != Kind::Collective || o.communicator != communicator;
    }

    std::string ended_line() const;
    std::string communicator(int index) const;
    std::string one_peer(const PendingOperation &o) const;
    std::string peers(const Members &members) const;
    std::string tags(const Members &members) const;
    std::vector<int> absent_of(int communicator) const;
    std::string absent(const Members &members) const;
    std::vector<int> first_absent() const;
    std::vector<int> missing(const Members &members) const;
    std::string disagreement() const;
    std::string pending(const RankState &rank) const;
    std::string action(const Members &members) const;
    std::string line(const Members &members) const;
    std::vector<Members> groups() const;
    void split_by_tag(const Members &members, std::vector<Members> &groups) const;
    void split_by_peer(const Members &members, std::vector<Members> &groups) const;
    std::string cycle() const;
    std::vector<UnmatchedMessage> nearest_unmatched() const;
    std::string unmatched(const UnmatchedMessage &message) const;

    const Snapshot &snapshot_;
};

// Says how many ranks are blocked: all of the job, or all that have not ended.
std::string Writer::headline() const {
    std::vector<int> blocked;
    for (const RankState &rank : snapshot_.ranks)
        if (!rank.ended)
            blocked.push_back(rank.world_rank);
    std::string who = blocked.size() == 1 ? rank_list(blocked) + " is"
                      : blocked.size() == snapshot_.ranks.size()
                          ? "all " + number(static_cast<int64_t>(blocked.size())) + " ranks are"
                          : "all " + number(static_cast<int64_t>(blocked.size())) +
                                " ranks that have not ended are";
    return "DEADLOCK: " + who + " blocked and no message can arrive";
}

// Lists the ranks that have ended, or returns "".
std::string Writer::ended_line() const {
    std::vector<int> ended;
    for (const RankState &rank : snapshot_.ranks)
        if (rank.ended)
            ended.push_back(rank.world_rank);
    if (ended.empty())
        return "";
    return "  " + rank_list(ended) + (ended.size() == 1 ? " has ended" : " have ended");
}

// Names a communicator: predefined ones by name, the others with their size, too.
std::string Writer::communicator(int index) const {
    if (index < 0)
        return "an unknown communicator";
    const CommunicatorState &comm = snapshot_.communicators[index];
    if (comm.name.rfind("MPI_COMM_", 0) == 0)
        return comm.name;
    std::string size = number(static_cast<int64_t>(comm.members.size())) +
                       (comm.members.size() == 1 ? " rank" : " ranks");
    return comm.name.empty() ? "a communicator of " + size : "\"" + comm.name + "\" (" + size + ")";
}

// Names a peer, with its world rank if that differs.
std::string Writer::one_peer(const PendingOperation &o) const {
    if (o.peer == MPI_ANY_SOURCE)
        return "any source";
    std::string text = "rank " + number(o.peer);
    if (o.peer_world_rank >= 0 && o.peer_world_rank != o.peer)
        text += " (world rank " + number(o.peer_world_rank) + ")";
    return text;
}

// Describes the peers of a group by the first rule that fits all of its members: the same rank,
// each other, a distance, a distance around a ring, or an exclusive or.
std::string Writer::peers(const Members &members) const {
    const PendingOperation &first = operation_of(members[0]);
    if (uniform(members, own_peer))
        return one_peer(first);
    if (members.size() == 2 && !first.inter && first.peer == operation_of(members[1]).own_rank &&
        operation_of(members[1]).peer == first.own_rank)
        return "each other";
    // A distance that is the same without the ring's wrap-around is easier to read.
    if (uniform(members, distance))
        return distance(first) == 0  ? first.inter ? "the same rank of the other group" : "itself"
               : distance(first) > 0 ? "rank+" + number(distance(first))
                                     : "rank" + number(distance(first));
    auto ring = [this](const PendingOperation &o) {
        return ring_distance(o);
    };
    if (uniform(members, ring)) {
        int forward = ring_distance(first);
        int backward = size_of(first.communicator) - forward;
        return (forward <= backward ? "rank+" + number(forward) : "rank-" + number(backward)) +
               " (mod size)";
    }
    return "rank xor " + number(exclusive_or(first)); // groups() leaves nothing else
}

// Writes the tags of a group: one, or their range.
std::string Writer::tags(const Members &members) const {
    int low = operation_of(members[0]).tag, high = low;
    for (const RankState *rank : members) {
        low = std::min(low, operation_of(rank).tag);
        high = std::max(high, operation_of(rank).tag);
    }
    if (low == MPI_ANY_TAG)
        return "any tag";
    return low == high ? "tag " + number(low) : "tags " + number(low) + " to " + number(high);
}

// Lists the ranks that keep a collective operation waiting: members of the communicator that are in
// no operation on it. A member in another operation on it has left this one, which not all members
// have to wait for; coll/ would have reported a mismatch.
std::vector<int> Writer::absent_of(int communicator) const {
    std::vector<int> missing;
    for (int world_rank : snapshot_.communicators[static_cast<size_t>(communicator)].members)
        if (is_absent(world_rank, communicator))
            missing.push_back(world_rank);
    return missing;
}

// Writes that list, or "".
std::string Writer::absent(const Members &members) const {
    const int index = operation_of(members[0]).communicator;
    const std::vector<int> missing =
        index < 0 || snapshot_.is_partial ? std::vector<int>() : absent_of(index);
    if (missing.empty())
        return "";
    const bool ended = std::all_of(missing.begin(), missing.end(),
                                   [this](int world_rank) { return has_ended(world_rank); });
    return "; missing: " + rank_list(missing) + (ended ? " (ended)" : "");
}

// Returns the ranks that the members' operations are missing. A neighbour that is itself a member
// waits for another rank, and is listed only if no other rank is missing.
std::vector<int> Writer::missing(const Members &members) const {
    if (snapshot_.is_partial)
        return {};
    std::set<int> all, waiting;
    for (const RankState *rank : members) {
        all.insert(operation_of(rank).missing.begin(), operation_of(rank).missing.end());
        waiting.insert(rank->world_rank);
    }
    std::vector<int> others;
    std::set_difference(all.begin(), all.end(), waiting.begin(), waiting.end(),
                        std::back_inserter(others));
    return others.empty() ? std::vector<int>(all.begin(), all.end()) : others;
}

// Lists the requests for which a rank waits, as far as the snapshot contains them.
std::string Writer::pending(const RankState &rank) const {
    std::string text =
        " for " + number(rank.request_count) + (rank.request_count == 1 ? " request" : " requests");
    for (size_t i = 0; i < rank.requests.size(); ++i) {
        const PendingOperation &o = rank.requests[i];
        text += i == 0 ? ": " : "; ";
        if (o.kind != Kind::Send && o.kind != Kind::Receive) {
            text += o.name.empty()        ? "another operation"
                    : o.communicator >= 0 ? o.name + ", " + communicator(o.communicator)
                                          : o.name;
            continue;
        }
        text += o.kind == Kind::Send ? "send to " : "receive from ";
        text += one_peer(o) + ", " + (o.tag == MPI_ANY_TAG ? "any tag" : "tag " + number(o.tag)) +
                ", " + communicator(o.communicator);
    }
    if (static_cast<size_t>(rank.request_count) > rank.requests.size() && !rank.requests.empty())
        text += "; ...";
    return text;
}

// Describes what all members of a group do: "MPI_Recv from rank 3, tag 5, MPI_COMM_WORLD". Says "to
// receive" where the function's name does not: MPI_Wait, MPI_Sendrecv.
std::string Writer::action(const Members &members) const {
    const RankState &first = *members[0];
    if (!first.function)
        return "outside MPI";
    std::string name = first.function;
    bool both = std::strstr(first.function, "endrecv") != nullptr;
    const PendingOperation &o = first.operation;
    switch (o.kind) {
    case Kind::Receive:
    case Kind::Probe: {
        // The name of the function says the direction already.
        bool plain =
            !both && (std::strstr(first.function, "ecv") || std::strstr(first.function, "robe"));
        name += plain ? " from " : ", to receive from ";
        break;
    }
    case Kind::Send: {
        bool plain = !both && std::strstr(first.function, "end");
        bool sized =
            o.size_bytes >= 0 && uniform(members, [](const auto &p) { return p.size_bytes; });
        name += plain ? "" : ", to send";
        if (sized)
            name += (plain ? " of " : " ") + number(o.size_bytes) + " bytes";
        name += " to ";
        break;
    }
    case Kind::Collective:
        return name + " on " + communicator(o.communicator);
    case Kind::Requests:
        if (!o.name.empty())
            return name + (o.name == name ? "" : " for " + o.name) + " on " +
                   communicator(o.communicator);
        return name + (members.size() > 1 ? " (rank " + number(first.world_rank) + ":" : "") +
               pending(first) + (members.size() > 1 ? ")" : "");
    case Kind::Described:
        return name + o.text;
    case Kind::Unknown:
        return name;
    }
    return name + peers(members) + ", " + tags(members) + ", " + communicator(o.communicator);
}

// Writes the line of a group: its ranks, what they do, where, and whom they wait for.
std::string Writer::line(const Members &members) const {
    std::vector<int> ranks;
    for (const RankState *rank : members)
        ranks.push_back(rank->world_rank);
    std::string text = "  " + rank_list(ranks) + ": " + action(members);
    if (members[0]->place && *members[0]->place)
        text += std::string(", at ") + members[0]->place;
    if (members[0]->polls > 0)
        text += ", again and again";
    if (members[0]->polls > 1)
        text += ", with " + number(members[0]->polls - 1) +
                (members[0]->polls == 2 ? " other poll" : " other polls");
    if (operation_of(members[0]).kind == Kind::Collective)
        text += absent(members);
    else if (std::vector<int> others = missing(members); !others.empty())
        text += "; missing: " + rank_list(others);
    return text;
}

// Splits by tag if there are few different ones; many are shown as a range.
void Writer::split_by_tag(const Members &members, std::vector<Members> &groups) const {
    auto wildcard = [](const PendingOperation &o) {
        return std::tuple(o.tag == MPI_ANY_TAG, o.peer == MPI_ANY_SOURCE);
    };
    auto tag = [](const PendingOperation &o) {
        return o.tag;
    };
    for (const Members &part : split_by(members, wildcard)) {
        std::vector<Members> by_tag = split_by(part, tag);
        if (by_tag.size() > distinct_tags_max)
            by_tag = {part};
        for (const Members &one : by_tag)
            split_by_peer(one, groups);
    }
}

// Splits into groups whose peers can be described in a few words.
void Writer::split_by_peer(const Members &members, std::vector<Members> &groups) const {
    auto ring = [this](const PendingOperation &o) {
        return ring_distance(o);
    };
    if (uniform(members, own_peer) || uniform(members, ring) || uniform(members, exclusive_or)) {
        groups.push_back(members);
        return;
    }
    // Whichever gives fewer lines.
    std::vector<Members> by_peer = split_by(members, own_peer);
    std::vector<Members> by_distance = split_by(members, ring);
    for (Members &part : by_peer.size() <= by_distance.size() ? by_peer : by_distance)
        groups.push_back(std::move(part));
}

// Puts ranks together that are in the same call at the same place, and splits groups whose peers
// have no common description. Groups are ordered by their first rank.
std::vector<Members> Writer::groups() const {
    using Key =
        std::tuple<std::string, std::string, Kind, std::string, std::string, int, std::string, int>;
    std::map<Key, Members> alike;
    for (const RankState &rank : snapshot_.ranks) {
        if (rank.ended)
            continue;
        const PendingOperation &o = rank.operation;
        // Collectives are grouped by communicator, other operations only by its name: sends on a
        // hundred communicators of one name are one group.
        int same = o.kind == Kind::Collective ? o.communicator : -1;
        alike[Key{rank.function ? rank.function : "", rank.place, o.kind, o.name,
                  communicator(o.communicator), same, o.text, rank.polls}]
            .push_back(&rank);
    }
    std::vector<Members> result;
    for (const auto &[key, members] : alike) {
        Kind kind = std::get<Kind>(key);
        if (kind == Kind::Receive || kind == Kind::Send || kind == Kind::Probe)
            split_by_tag(members, result);
        else
            result.push_back(members);
    }
    std::sort(result.begin(), result.end(), [](const Members &a, const Members &b) {
        return a[0]->world_rank < b[0]->world_rank;
    });
    return result;
}

// Returns for each communicator the first member that keeps its collective operation waiting, of
// those that have not ended; -1: none.
std::vector<int> Writer::first_absent() const {
    std::vector<int> result;
    for (size_t i = 0; i < snapshot_.communicators.size(); ++i) {
        const std::vector<int> &members = snapshot_.communicators[i].members;
        auto first = std::find_if(members.begin(), members.end(), [&](int rank) {
            return !has_ended(rank) && is_absent(rank, static_cast<int>(i));
        });
        result.push_back(first == members.end() ? -1 : *first);
    }
    return result;
}

// Finds a cycle of ranks that each wait for the next, if there is one: "0 -> 1 -> 0". Follows each
// rank's only peer, or one of the ranks that its collective operation is missing; every rank is
// visited once, so the walk is linear.
std::string Writer::cycle() const {
    if (snapshot_.is_partial)
        return "";
    size_t count = snapshot_.ranks.size();
    const std::vector<int> absent = first_absent();
    std::vector<bool> may_move(count, !snapshot_.stuck.empty());
    for (int rank : snapshot_.stuck)
        may_move[static_cast<size_t>(rank)] = false;
    // Returns a rank that `rank` must wait for, or `count`.
    auto next = [&](size_t rank) {
        const RankState &state = snapshot_.ranks[rank];
        if (may_move[rank])
            return count;
        const PendingOperation &o =
            state.operation.kind == Kind::Requests && state.requests.size() == 1 ? state.requests[0]
                                                                                 : state.operation;
        bool waits = !state.ended && (o.kind == Kind::Receive || o.kind == Kind::Send ||
                                      o.kind == Kind::Probe || o.kind == Kind::Described);
        int peer = waits ? o.peer_world_rank : -1;
        if (!state.ended && o.kind == Kind::Collective && o.communicator >= 0) {
            const int root = o.peer_world_rank; // of a broadcast, all may wait for it only
            const bool waits_for_root =
                root >= 0 && !has_ended(root) && is_absent(root, o.communicator);
            peer = waits_for_root ? root : absent[static_cast<size_t>(o.communicator)];
        }
        return peer >= 0 ? static_cast<size_t>(peer) : count;
    };
    std::vector<size_t> visit(count, 0); // number of the walk that visited it; 0: none yet
    for (size_t start = 0; start < count; ++start) {
        size_t rank = start;
        while (rank < count && visit[rank] == 0) {
            visit[rank] = start + 1;
            rank = next(rank);
        }
        // The walk ended at a rank that waits for no single rank, or that an earlier walk has
        // visited.
        if (rank >= count || visit[rank] != start + 1)
            continue;
        size_t length = 0;
        std::string text;
        size_t r = rank;
        do {
            if (length < cycle_shown_max)
                text += number(static_cast<int64_t>(r)) + " -> ";
            ++length;
            r = next(r);
        } while (r != rank);
        if (length == 1)
            return "  rank " + number(static_cast<int64_t>(rank)) + " waits for itself";
        return "  " + number(static_cast<int64_t>(length)) +
               " ranks wait for each other in a cycle: " + text +
               (length > cycle_shown_max ? "... -> " : "") + number(static_cast<int64_t>(rank));
    }
    return "";
}

// Writes the line about two ranks that wait for each other in different operations, as the same
// blocking call of a communicator. Within a process coll/ reports them as soon as they meet.
std::string Writer::disagreement() const {
    std::map<std::pair<int, int>, const RankState *> first_ones;
    for (const RankState &rank : snapshot_.ranks) {
        const PendingOperation &o = rank.operation;
        if (o.kind != Kind::Collective || o.call_number == 0 || !rank.function)
            continue;
        const RankState &first =
            *first_ones.try_emplace({o.communicator, o.call_number}, &rank).first->second;
        if (std::strcmp(first.function, rank.function) != 0)
            return "  ranks disagree on the operation: rank " + number(first.world_rank) +
                   " calls " + first.function + ", rank " + number(rank.world_rank) + " calls " +
                   rank.function;
    }
    return "";
}

// Returns the unmatched messages, the nearest to what their receivers wait for first.
std::vector<UnmatchedMessage> Writer::nearest_unmatched() const {
    auto distance = [this](const UnmatchedMessage &message) {
        const auto receiver = static_cast<size_t>(message.receiver);
        return receiver < snapshot_.ranks.size() ? distance_of(message, snapshot_.ranks[receiver])
                                                 : unrelated_distance;
    };
    std::vector<UnmatchedMessage> all = snapshot_.unmatched;
    std::stable_sort(all.begin(), all.end(),
                     [&](const auto &a, const auto &b) { return distance(a) < distance(b); });
    return all;
}

// Writes the line of a message that nobody receives.
std::string Writer::unmatched(const UnmatchedMessage &message) const {
    return "  rank " + number(message.receiver) + " has an unmatched message from rank " +
           number(message.source) + " with tag " + number(message.tag) + " on " +
           communicator(message.communicator);
}

// Writes all but the headline. Groups and unmatched messages are limited, so that a report of a
// million ranks stays readable.
std::vector<std::string> Writer::details() const {
    std::vector<std::string> result;
    std::vector<Members> all = groups();
    for (size_t i = 0; i < all.size() && i < groups_max; ++i)
        result.push_back(line(all[i]));
    if (all.size() > groups_max)
        result.push_back("  ... and " + number(static_cast<int64_t>(all.size() - groups_max)) +
                         " more groups");
    for (std::string text : {disagreement(), ended_line(), cycle()})
        if (!text.empty())
            result.push_back(std::move(text));
    const std::vector<UnmatchedMessage> nearest = nearest_unmatched();
    for (size_t i = 0; i < nearest.size() && i < unmatched_max; ++i)
        result.push_back(unmatched(nearest[i]));
    if (snapshot_.unmatched.size() > unmatched_max)
        result.push_back("  ... and " +
                         number(static_cast<int64_t>(snapshot_.unmatched.size() - unmatched_max)) +
                         " more unmatched messages");
    return result;
}

// Writes the groups of the other ranks in one line.
std::string Writer::line_without(bool (*is_left_out)(const RankState &)) const {
    constexpr size_t groups_in_line_max = 4;
    std::string text;
    size_t count = 0;
    for (const Members &members : groups()) {
        if (is_left_out(*members[0]))
            continue;
        if (count < groups_in_line_max)
            text += (count ? "; " : "") + line(members).substr(2);
        ++count;
    }
    if (count > groups_in_line_max)
        text +=
            "; and " + number(static_cast<int64_t>(count - groups_in_line_max)) + " more groups";
    return text;
}

} // namespace

int distance_of(const UnmatchedMessage &message, const RankState &rank) {
    int nearest = unrelated_distance;
    auto compare = [&](const PendingOperation &o) {
        if (o.kind != Kind::Receive && o.kind != Kind::Probe)
            return;
        const bool source = o.peer == MPI_ANY_SOURCE || o.peer_world_rank == message.source;
        const bool tag = o.tag == MPI_ANY_TAG || o.tag == message.tag;
        const bool communicator = o.communicator == message.communicator;
        const int distance = source && communicator ? 1
                             : source && tag        ? 2
                             : tag && communicator  ? 3
                                                    : 4;
        nearest = std::min(nearest, distance);
    };
    compare(rank.operation);
    for (const PendingOperation &o : rank.requests)
        compare(o);
    return nearest;
}

// Ranks of which some poll are called a livelock, since they look busy.
std::string partial_headline(const StuckRanks &stuck, int rank_count) {
    const auto &[ranks, polling, some_have_ended] = stuck;
    const bool one = ranks.size() == 1;
    std::string who =
        one ? rank_list(ranks)
            : number(static_cast<int64_t>(ranks.size())) + " of " + number(rank_count) + " ranks";
    const char *what = some_have_ended && one ? " waits for ranks that have ended"
                       : some_have_ended ? " wait for ranks that have ended, or for each other,"
                       : one             ? " waits for itself"
                                         : " wait for each other";
    const std::string polls = polling.empty() ? ""
                              : polling.size() == ranks.size()
                                  ? ", by polls,"
                                  : ", " + rank_list(polling) + " by polls,";
    return (polling.empty() ? "DEADLOCK: " : "LIVELOCK: ") + who + what + polls +
           " and can never go on" + (one ? "" : ": " + rank_list(ranks));
}

std::vector<std::string> deadlock_lines(const Snapshot &snapshot) {
    const Writer writer(snapshot);
    std::vector<std::string> lines = writer.details();
    lines.insert(lines.begin(), writer.headline());
    return lines;
}

std::string where_others_wait(const Snapshot &snapshot,
                              bool (*is_left_out)(const RankState &rank)) {
    return Writer(snapshot).line_without(is_left_out);
}

std::vector<std::string> call_lines(const Snapshot &snapshot) {
    const bool some_call =
        std::any_of(snapshot.ranks.begin(), snapshot.ranks.end(),
                    [](const RankState &rank) { return !rank.ended && rank.function; });
    return some_call || snapshot.is_partial ? Writer(snapshot).details()
                                            : std::vector<std::string>();
}

} // namespace thrum
