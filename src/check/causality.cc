// The clocks and logs of all ranks, under one lock: they are used only to examine a program, and
// most calls change the clocks of two ranks.
#include "check/causality.h"

#include "base/spinlock.h"
#include "comm/process.h"
#include "record/outcomes.h"
#include "trace/recorder.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace thrum {

constinit std::atomic<bool> follows_causality{false};

namespace {

// A queued message, or one that MPI_Mprobe has taken.
struct Queued {
    uint64_t number = 0; // in the log; 0: a message of the library
    KnowledgeSnapshot known;
    int sender_rank = 0;
    bool synchronous = false;
    bool is_taken = false;
};

// What the rank learns when its receive is complete.
struct Accepted {
    uint64_t number = 0;   // of the message; 0: a message of the library
    uint64_t wildcard = 0; // 0: the receive names its source
    Envelope envelope{};   // of the receive
    KnowledgeSnapshot known;
};

// A wildcard receive, as WildcardReceive keeps it.
struct Posting {
    uint32_t word = 0;
    KnowledgeSnapshot known;
};

struct RankState {
    RankState(size_t rank, size_t ranks, Remember remember)
        : index(rank), now(remember == Remember::Everything ? 2 * ranks : ranks), log(rank) {}

    // Returns what the rank knows.
    const KnowledgeSnapshot &known() {
        if (!snapshot)
            snapshot = std::make_shared<const Knowledge>(now);
        return snapshot;
    }

    void learn(const Knowledge &other) {
        for (size_t i = 0; i < now.size(); ++i) {
            if (other[i] > now[i]) {
                now[i] = other[i];
                snapshot.reset();
            }
        }
    }

    // Counts an event of the rank. Returns its number.
    uint32_t count_event() {
        snapshot.reset();
        return ++now[index];
    }

    // Notes up to which word of its record the rank has come.
    void reach(uint32_t words) {
        uint32_t &reached = now[now.size() / 2 + index];
        if (reached != words)
            snapshot.reset();
        reached = words;
    }

    size_t index;
    Knowledge now;
    KnowledgeSnapshot snapshot; // of `now`; nullptr: it has changed
    ArrivalLog log;
    uint64_t receives_not_posted = 0;
    std::unordered_map<const UnexpectedMessage *, Queued> queued;
    std::unordered_map<const void *, Accepted> accepted; // by the request of the receive
    // Wildcard receives without a message; only if everything is remembered.
    std::unordered_map<const void *, Posting> posted; // by request
    // What synchronous sends of the rank will learn, by their message.
    std::unordered_map<const UnexpectedMessage *, KnowledgeSnapshot> matched;
};

// What the members of an operation that have come know together.
struct Gathering {
    int members = 0, entered = 0;
    Knowledge sum;
    std::vector<KnowledgeSnapshot> of_member; // Spread::FromLower only
};

struct Attendant {
    std::shared_ptr<Gathering> gathering;
    Participation part{};
};

struct GatheringKey {
    const void *object;
    uint64_t number;
    bool operator==(const GatheringKey &) const = default;
};

struct HashOfKey {
    size_t operator()(const GatheringKey &key) const {
        return reinterpret_cast<uintptr_t>(key.object) / 64 + key.number * 0x9e3779b97f4a7c15u;
    }
};

// Takes an entry out of a map; an empty one if there is none.
template <class Map, class Key>
typename Map::mapped_type take(Map &map, const Key &key) {
    auto node = map.extract(key);
    return node.empty() ? typename Map::mapped_type{} : std::move(node.mapped());
}

// An odd context id is that of the library's own messages.
bool is_of_program(const Envelope &envelope) {
    return (envelope.context & 1) == 0;
}

const Datatype *basic_of(const Datatype *type) {
    return type && type->predefined ? type : nullptr;
}

class Tracker {
public:
    Tracker(size_t ranks, Remember remember)
        : remembers_all_(remember == Remember::Everything),
          recent_max_(std::max(size_t{256}, 4 * ranks)) {
        for (size_t i = 0; i < ranks; ++i)
            ranks_.emplace_back(i, ranks, remember);
    }

    // Return the state of a rank, or nullptr if it is not tracked: then the clocks are worthless.
    RankState *find(int rank) {
        if (rank < static_cast<int>(ranks_.size()))
            return &ranks_[static_cast<size_t>(rank)];
        follows_causality.store(false, std::memory_order_relaxed);
        return nullptr;
    }

    RankState *caller() {
        RankState *rank = find(current_rank().world_rank);
        if (rank && remembers_all_)
            rank->reach(recorded_words());
        return rank;
    }

    RankState *owner(Mailbox &mailbox) { return find(process_of(mailbox).world_rank()); }

    Queued depart(RankState &sender, RankState &receiver, const Departure &departure);
    Accepted accept(RankState &receiver, Queued &message, const Acceptance &acceptance,
                    const ReceiveOrder &order);
    void count_matched_before(RankState &receiver, uint64_t message, const Envelope &envelope,
                              const ReceiveOrder &order) const;
    void remember_less(RankState &receiver);

    Attendant enter(RankState &rank, const Participation &part);
    static void leave(RankState &rank, const Attendant &attendant);

    SpinLock lock;                                                // guards everything
    std::unordered_map<const RankThread *, Attendant> attendants; // blocking operations
    std::unordered_map<const void *, Attendant> begun;            // by request
    JudgeOutcome *judge = nullptr;

    std::vector<RankState> &ranks() { return ranks_; }

    bool remembers_all() const { return remembers_all_; }

private:
    std::vector<RankState> ranks_;
    std::unordered_map<GatheringKey, std::shared_ptr<Gathering>, HashOfKey> gatherings_;
    bool remembers_all_;
    size_t recent_max_;
};

constinit Tracker *tracker = nullptr; // made before ranks run, never destroyed

WildcardOutcome outcome_of(const RankState &rank, const WildcardReceive &receive) {
    WildcardOutcome outcome{.rank = static_cast<int>(rank.index),
                            .receive = receive,
                            .message = {},
                            .alternatives = {}};
    if (const LoggedMessage *message = rank.log.message(receive.message))
        outcome.message = *message;
    for (const LoggedMessage *other : rank.log.alternatives(receive))
        outcome.alternatives.push_back(*other);
    return outcome;
}

// Makes the record of a message that leaves its sender.
Queued Tracker::depart(RankState &sender, RankState &receiver, const Departure &departure) {
    Queued message{.number = 0,
                   .known = sender.known(),
                   .sender_rank = static_cast<int>(sender.index),
                   .synchronous = departure.synchronous || (remembers_all_ && departure.waits)};
    if (is_of_program(departure.envelope))
        message.number = receiver.log.add({.envelope = departure.envelope,
                                           .sender_rank = message.sender_rank,
                                           .size_bytes = departure.size_bytes,
                                           .basic = basic_of(departure.type),
                                           .sender = current_call(),
                                           .known = message.known});
    return message;
}

// Matches a message with a receive. The sender of a synchronous one may know of the match from now
// on, so the receive counts as complete already.
Accepted Tracker::accept(RankState &receiver, Queued &message, const Acceptance &acceptance,
                         const ReceiveOrder &order) {
    Accepted accepted{
        .number = message.number, .envelope = acceptance.envelope, .known = message.known};
    if (message.synchronous)
        count_matched_before(receiver, message.number, acceptance.envelope, order);
    if (LoggedMessage *logged = receiver.log.message(message.number)) {
        logged->is_taken = true;
        logged->order = order;
        if (!logged->is_shown)
            logged->selection = acceptance.envelope;
        if (acceptance.envelope.source == MPI_ANY_SOURCE) {
            const Posting posting = take(receiver.posted, acceptance.request);
            accepted.wildcard = receiver.log.add(
                WildcardReceive{.envelope = acceptance.envelope,
                                .order = order,
                                .room_bytes = acceptance.room_bytes,
                                .basic = basic_of(acceptance.type),
                                .message = message.number,
                                .word = posting.word,
                                .posted = posting.known,
                                .number = message.synchronous ? receiver.count_event() : 0});
        }
        remember_less(receiver);
    }
    message.is_taken = true;
    return accepted;
}

// Counts wildcard receives that must have been matched before a receive or probe could get its
// message, though they are not complete yet: what the rank does then depends on them.
void Tracker::count_matched_before(RankState &receiver, uint64_t message, const Envelope &envelope,
                                   const ReceiveOrder &order) const {
    if (remembers_all_ && receiver.log.message(message))
        for (WildcardReceive *other : receiver.log.matched_before(envelope, order, message))
            if (other->number == 0)
                other->number = receiver.count_event();
}

// Forgets what no outcome needs any more or, if that is not enough, judges the oldest outcomes.
void Tracker::remember_less(RankState &receiver) {
    if (remembers_all_)
        return;
    receiver.log.drop_taken();
    if (receiver.log.size() < recent_max_)
        return;
    const size_t dropped = recent_max_ / 2;
    for (const WildcardReceive &receive : receiver.log.wildcards()) {
        if (receiver.log.is_among_oldest(receive.message, dropped) && judge)
            judge(outcome_of(receiver, receive));
    }
    receiver.log.drop_oldest(dropped);
}

Attendant Tracker::enter(RankState &rank, const Participation &part) {
    const GatheringKey key{part.object, part.number};
    std::shared_ptr<Gathering> &found = gatherings_[key];
    if (!found) {
        found = std::make_shared<Gathering>();
        found->members = part.members;
        found->sum.resize(rank.now.size());
        if (part.spread == Spread::FromLower)
            found->of_member.resize(static_cast<size_t>(part.members));
    }
    Attendant attendant{found, part};
    Gathering &gathering = *found;
    if (part.spread != Spread::FromRoot || part.member == part.root)
        for (size_t i = 0; i < gathering.sum.size(); ++i)
            gathering.sum[i] = std::max(gathering.sum[i], rank.now[i]);
    if (static_cast<size_t>(part.member) < gathering.of_member.size())
        gathering.of_member[static_cast<size_t>(part.member)] = rank.known();
    if (++gathering.entered == gathering.members)
        gatherings_.erase(key);
    return attendant;
}

void Tracker::leave(RankState &rank, const Attendant &attendant) {
    const Gathering &gathering = *attendant.gathering;
    const Participation &part = attendant.part;
    if (part.spread == Spread::FromLower) {
        for (int i = 0; i < part.member; ++i)
            if (const KnowledgeSnapshot &known = gathering.of_member[static_cast<size_t>(i)])
                rank.learn(*known);
    } else if (part.spread != Spread::ToRoot || part.member == part.root) {
        rank.learn(gathering.sum);
    }
}

} // namespace

void track_causality(int count, Remember remember) {
    if (count > causality_ranks_max || tracker)
        return;
    tracker = new Tracker(static_cast<size_t>(count), remember);
    follows_causality.store(true, std::memory_order_relaxed);
    listeners.fetch_add(1, std::memory_order_relaxed);
    follow_ups.fetch_add(1, std::memory_order_relaxed);
}

void lose_causality() {
    if (!tracker)
        return;
    LockGuard guard(tracker->lock);
    follows_causality.store(false, std::memory_order_relaxed);
}

void note_posted(const void *request) {
    LockGuard guard(tracker->lock);
    if (RankState *me = tracker->caller(); me && tracker->remembers_all())
        me->posted[request] = {recorded_words() - 1, me->known()};
}

void note_queued(const UnexpectedMessage &message, const Departure &departure, Mailbox &receiver) {
    LockGuard guard(tracker->lock);
    RankState *from = tracker->caller(), *to = tracker->owner(receiver);
    if (from && to)
        to->queued[&message] = tracker->depart(*from, *to, departure);
}

// As if it had been received before everything else.
void note_withdrawn(const UnexpectedMessage &message, Mailbox &receiver) {
    LockGuard guard(tracker->lock);
    RankState *to = tracker->owner(receiver);
    if (!to)
        return;
    const Queued queued = take(to->queued, &message);
    if (LoggedMessage *logged = to->log.message(queued.number))
        logged->is_taken = true;
}

void note_moved(const UnexpectedMessage &from, const UnexpectedMessage &to, Mailbox &receiver) {
    LockGuard guard(tracker->lock);
    if (RankState *owner = tracker->owner(receiver))
        owner->queued[&to] = take(owner->queued, &from);
}

void note_taken(const UnexpectedMessage &message, const Acceptance &acceptance, Mailbox &mailbox) {
    LockGuard guard(tracker->lock);
    RankState *me = tracker->caller();
    if (!me)
        return;
    Queued queued = take(me->queued, &message);
    if (!queued.known)
        return;
    if (!queued.is_taken)
        me->accepted[acceptance.request] = tracker->accept(
            *me, queued, acceptance, {mailbox.posted.last_sequence(), ++me->receives_not_posted});
    if (queued.synchronous)
        if (RankState *sender = tracker->find(queued.sender_rank))
            sender->matched[&message] = me->known();
}

void note_delivered(const Departure &departure, const Acceptance &acceptance, Mailbox &receiver) {
    LockGuard guard(tracker->lock);
    RankState *me = tracker->caller(), *to = tracker->owner(receiver);
    if (!me || !to)
        return;
    Queued message = tracker->depart(*me, *to, departure);
    to->accepted[acceptance.request] =
        tracker->accept(*to, message, acceptance, {acceptance.posted, 0});
    if (message.synchronous)
        me->learn(to->now);
}

// A probe that finds a message again says nothing new; unless everything is remembered, because it
// might find another one.
void note_probed(const UnexpectedMessage &message, const Envelope &probe, bool takes,
                 Mailbox &mailbox) {
    LockGuard guard(tracker->lock);
    RankState *me = tracker->caller();
    if (!me)
        return;
    const auto found = me->queued.find(&message);
    if (found == me->queued.end())
        return;
    Queued &queued = found->second;
    const bool any_source = probe.source == MPI_ANY_SOURCE;
    const ReceiveOrder order{mailbox.posted.last_sequence(), ++me->receives_not_posted};
    const KnowledgeSnapshot before = tracker->remembers_all() ? me->known() : nullptr;
    me->learn(*queued.known);
    LoggedMessage *logged = me->log.message(queued.number);
    tracker->count_matched_before(*me, queued.number, probe, order);
    if (logged && any_source && (!logged->is_shown || before)) {
        logged->is_shown = true;
        logged->selection = probe;
        const uint32_t number = me->count_event();
        me->log.add(WildcardReceive{.envelope = probe,
                                    .order = order,
                                    .is_probe = true,
                                    .message = queued.number,
                                    .word = before ? recorded_words() : 0,
                                    .posted = before,
                                    .place = current_call(),
                                    .number = number,
                                    .known = me->known()});
    }
    if (!takes)
        return;
    queued.is_taken = true;
    if (logged) {
        logged->is_taken = true;
        logged->order = order;
        logged->receiver = current_call();
        if (!logged->is_shown)
            logged->selection = probe;
        tracker->remember_less(*me);
    }
}

void note_received(const void *request, const CallPlace &place) {
    LockGuard guard(tracker->lock);
    RankState *me = tracker->caller();
    if (!me)
        return;
    const Accepted accepted = take(me->accepted, request);
    if (!accepted.known)
        return;
    me->learn(*accepted.known);
    if (LoggedMessage *message = me->log.message(accepted.number)) {
        message->receiver = place;
        tracker->count_matched_before(*me, accepted.number, accepted.envelope, message->order);
    }
    if (WildcardReceive *receive = me->log.wildcard(accepted.wildcard)) {
        receive->place = place;
        if (receive->number == 0)
            receive->number = me->count_event();
        receive->known = me->known();
    }
}

void note_matched(const UnexpectedMessage &message) {
    LockGuard guard(tracker->lock);
    RankState *me = tracker->caller();
    if (!me)
        return;
    if (const KnowledgeSnapshot known = take(me->matched, &message))
        me->learn(*known);
}

void note_round(const Participation &participation) {
    LockGuard guard(tracker->lock);
    RankState *me = tracker->caller();
    if (!me)
        return;
    Attendant &attendant = tracker->attendants[&current_rank_thread()];
    if (attendant.gathering)
        Tracker::leave(*me, attendant);
    attendant = tracker->enter(*me, participation);
}

void note_call_end(const RankThread &thread) {
    LockGuard guard(tracker->lock);
    const Attendant attendant = take(tracker->attendants, &thread);
    if (RankState *me = tracker->caller(); me && attendant.gathering)
        Tracker::leave(*me, attendant);
}

void note_begun(const Participation &participation, const void *request) {
    LockGuard guard(tracker->lock);
    if (RankState *me = tracker->caller())
        tracker->begun[request] = tracker->enter(*me, participation);
}

void note_completed(const void *request) {
    LockGuard guard(tracker->lock);
    const Attendant attendant = take(tracker->begun, request);
    if (RankState *me = tracker->caller(); me && attendant.gathering)
        Tracker::leave(*me, attendant);
}

std::vector<WildcardOutcome> wildcard_outcomes() {
    std::vector<WildcardOutcome> outcomes;
    if (!tracker)
        return outcomes;
    LockGuard guard(tracker->lock);
    for (const RankState &rank : tracker->ranks())
        for (const WildcardReceive &receive : rank.log.wildcards())
            if (tracks_causality())
                outcomes.push_back(outcome_of(rank, receive));
    return outcomes;
}

// Describes a message that a receive of the rank has taken or could have taken.
static OpenChoice::Match match_of(RankState &rank, const WildcardReceive &receive,
                                  uint64_t number) {
    const LoggedMessage &message = *rank.log.message(number);
    OpenChoice::Match match{message.envelope.source, message.known, {}};
    const uint32_t known = (*receive.posted)[rank.index];
    for (const WildcardReceive *other :
         rank.log.matched_before(receive.envelope, receive.order, number))
        if (other->number == 0 || other->number > known)
            match.matched_before.push_back(other->word);
    return match;
}

std::vector<OpenChoice> open_choices() {
    std::vector<OpenChoice> choices;
    LockGuard guard(tracker->lock);
    for (RankState &rank : tracker->ranks())
        for (const WildcardReceive &receive : rank.log.wildcards()) {
            OpenChoice choice{.rank = static_cast<int>(rank.index),
                              .word = receive.word,
                              .number = receive.number,
                              .posted = receive.posted,
                              .taken = match_of(rank, receive, receive.message),
                              .others = {}};
            for (const uint64_t other : rank.log.alternative_numbers(receive))
                choice.others.push_back(match_of(rank, receive, other));
            choices.push_back(std::move(choice));
        }
    return choices;
}

bool happens_before(const WildcardOutcome &earlier, const WildcardOutcome &later) {
    return earlier.receive.number != 0 && later.receive.known &&
           (*later.receive.known)[static_cast<size_t>(earlier.rank)] >= earlier.receive.number &&
           (earlier.rank != later.rank || earlier.receive.number < later.receive.number);
}

void set_judge_of_outcomes(JudgeOutcome *judge) {
    if (tracker)
        tracker->judge = judge;
}

} // namespace thrum
