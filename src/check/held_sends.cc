#include "check/held_sends.h"

#include "base/clock.h"
#include "base/spinlock.h"
#include "check/queued_findings.h"
#include "comm/call_names.h"
#include "trace/recorder.h"

#include <algorithm>
#include <ranges>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace thrum {

constinit std::atomic<bool> sends_are_held{false};

namespace {

struct HeldSend {
    const void *key;        // the message, or the round of a root
    Completion *completion; // nullptr: released
    bool is_root;           // of a collective operation: the next two are not used
    int receiver_rank;
    int tag;
    int sender_rank;
    CallPlace place;
    int64_t since_ns;
    std::string finding; // of a released one; "": none
};

struct HeldSends {
    SpinLock lock; // guards the other members
    std::unordered_map<const void *, HeldSend> by_key;
    std::unordered_set<const void *> released_calls; // call sites
    std::unordered_set<uint64_t> released_lines;     // number_of_call()
};

HeldSends &held() {
    static auto *sends = new HeldSends; // never destroyed: used to the end of the job
    return *sends;
}

template <class IsChosen>
std::vector<HeldSend> held_sends(IsChosen is_chosen) {
    std::vector<HeldSend> chosen;
    HeldSends &sends = held();
    LockGuard guard(sends.lock);
    for (const auto &[key, send] : sends.by_key)
        if (send.completion && is_chosen(send))
            chosen.push_back(send);
    return chosen;
}

// Releases those that are still held. Each line is reported once.
bool release(const std::vector<HeldSend> &chosen, const std::string &finding) {
    HeldSends &sends = held();
    for (const HeldSend &send : chosen) {
        const uint64_t line = number_of_call(send.place);
        LockGuard guard(sends.lock);
        const bool is_new = sends.released_lines.insert(line).second;
        sends.released_calls.insert(send.place.call_site);
        const auto now = sends.by_key.find(send.key);
        if (now == sends.by_key.end() || now->second.completion != send.completion)
            continue;
        if (is_new)
            now->second.finding = finding;
        // Wakes a task at most: nothing that needs this lock.
        std::exchange(now->second.completion, nullptr)->complete();
    }
    return !chosen.empty();
}

// Returns the first line of a finding about these sends.
std::string headline_of(const std::vector<HeldSend> &sends) {
    const auto roots = static_cast<size_t>(std::ranges::count_if(sends, &HeldSend::is_root));
    if (roots == 0)
        return "ranks wait for each other if messages are not buffered:";
    if (roots == sends.size())
        return "ranks wait for each other if collective operations synchronize:";
    return "ranks wait for each other if messages are not buffered and collective operations "
           "synchronize:";
}

// Describes sends like lines of a deadlock report.
std::string lines_about(std::vector<HeldSend> sends) {
    constexpr size_t lines_max = 10;
    std::ranges::sort(sends, {}, &HeldSend::sender_rank);
    std::string text = headline_of(sends);
    for (const HeldSend &send : sends | std::views::take(lines_max)) {
        text += "\n  rank " + std::to_string(send.sender_rank) + ": " + name_of_call(send.place);
        if (!send.is_root)
            text += " to rank " + std::to_string(send.receiver_rank) + ", tag " +
                    std::to_string(send.tag);
        text += ", at " + site_of_call(send.place);
    }
    if (sends.size() > lines_max)
        text += "\n  and " + std::to_string(sends.size() - lines_max) + " more calls";
    return text;
}

void add(const HeldSend &send) {
    HeldSends &sends = held();
    LockGuard guard(sends.lock);
    sends.by_key[send.key] = send;
}

} // namespace

// Receives call end_hold() while somebody listens.
void start_holding_sends() {
    sends_are_held.store(true, std::memory_order_relaxed);
    listeners.fetch_add(1, std::memory_order_relaxed);
    follow_ups.fetch_add(1, std::memory_order_relaxed);
}

// An odd context id is that of the library's own messages.
bool is_to_be_held(const Envelope &envelope) {
    return !(envelope.context & 1) && is_call_to_be_held();
}

bool is_call_to_be_held() {
    HeldSends &sends = held();
    LockGuard guard(sends.lock);
    return !sends.released_calls.contains(current_call().call_site);
}

void hold_send(const UnexpectedMessage &message, int receiver_rank, Completion &completion) {
    add({.key = &message,
         .completion = &completion,
         .is_root = false,
         .receiver_rank = receiver_rank,
         .tag = message.envelope.tag,
         .sender_rank = current_rank().world_rank,
         .place = current_call(),
         .since_ns = now_ns(),
         .finding = ""});
}

void hold_root(const void *round, Completion &completion) {
    add({.key = round,
         .completion = &completion,
         .is_root = true,
         .receiver_rank = -1,
         .tag = -1,
         .sender_rank = current_rank().world_rank,
         .place = current_call(),
         .since_ns = now_ns(),
         .finding = ""});
}

void end_hold(const void *key) {
    HeldSends &sends = held();
    LockGuard guard(sends.lock);
    auto node = sends.by_key.extract(key);
    if (node.empty())
        return;
    if (node.mapped().completion)
        node.mapped().completion->complete();
    else if (!node.mapped().finding.empty())
        queue_finding(node.mapped().finding);
}

bool some_sends_are_held() {
    return !held_sends([](const HeldSend &) { return true; }).empty();
}

bool release_held_sends(const std::string &lines) {
    const std::vector<HeldSend> chosen = held_sends([](const HeldSend &) { return true; });
    return release(chosen, headline_of(chosen) + lines);
}

bool release_held_sends_of(const std::vector<int> &world_ranks) {
    const std::vector<HeldSend> chosen = held_sends([&world_ranks](const HeldSend &send) {
        return std::ranges::count(world_ranks, send.sender_rank) != 0;
    });
    return release(chosen, lines_about(chosen));
}

bool release_sends_held_since(int64_t time_ns) {
    return release(held_sends([time_ns](const HeldSend &send) { return send.since_ns <= time_ns; }),
                   "");
}

} // namespace thrum
