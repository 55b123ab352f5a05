#include "rank_hold.h"

#include "base/clock.h"
#include "observe/hold.h"
#include "start/ending.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/core.h>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace live {

namespace observe = observation::observe;
using mpiexec::now_s;
using observation::value;

namespace {

constexpr double answer_s = 3;  // in which a process writes its queues
constexpr double step_s = 0.5;  // after which a step that does not end is not awaited
constexpr double steps_s = 5;   // until a message is sent or received
constexpr int steps_max = 5000; // likewise

void pause_ms(int ms) {
    ::usleep(static_cast<useconds_t>(ms) * 1000);
}

} // namespace

RankHold::~RankHold() {
    if (is_held_)
        go_on();
}

std::string RankHold::request_file() const {
    return job_.directory() + "/" + observe::hold_request_name;
}

// The file is for processes that begin later.
void RankHold::hold() {
    const std::string path = request_file();
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0)
        throw std::runtime_error(
            fmt::format("cannot hold the ranks: {}: {}", path, std::strerror(errno)));
    ::close(file);
    is_held_ = true;
    renew();
}

// Another program that shows the job may have let the ranks go on: it has removed the file.
void RankHold::renew() {
    if (!is_held_)
        return;
    if (::utimensat(AT_FDCWD, request_file().c_str(), nullptr, 0) != 0) {
        is_held_ = false;
        return;
    }
    job_.find_processes();
    for (const ObservedProcess *process : job_.processes()) {
        process->observation().hold_until_ns.store(
            static_cast<uint64_t>(thrum::now_ns() + observe::hold_ns), std::memory_order_relaxed);
        process->tell();
    }
}

void RankHold::go_on() {
    is_held_ = false;
    ::unlink(request_file().c_str());
    for (const ObservedProcess *process : job_.processes()) {
        for (const ObservedProcess::RankPlace &place : process->ranks())
            process->record(place).steps.store(0, std::memory_order_relaxed);
        process->observation().hold_until_ns.store(0, std::memory_order_relaxed);
        process->tell();
    }
}

int RankHold::next_held(const View &view) const {
    const int count = static_cast<int>(view.ranks.size());
    for (int i = 1; i <= count; ++i) {
        const int rank = (last_step_ + i) % count;
        if (view.ranks[static_cast<size_t>(rank)].activity == Activity::Held)
            return rank;
    }
    return no_peer;
}

// A rank that computes may be about to come to its next call.
View RankHold::await_held() {
    const double until_s = now_s() + step_s;
    for (;;) {
        View view = job_.look();
        if (next_held(view) != no_peer || now_s() > until_s)
            return view;
        pause_ms(2);
    }
}

uint64_t RankHold::count_messages() const {
    uint64_t messages = 0;
    for (const ObservedProcess *process : job_.processes())
        for (const ObservedProcess::RankPlace &place : process->ranks())
            messages +=
                value(process->record(place).messages) + value(process->record(place).received);
    return messages;
}

namespace {

// Waits until the rank is held again at its next call, waits, ends, or has computed for long.
void await_end_of_step(const ObservedProcess &process, const observe::RankRecord &record,
                       uint64_t held_ticks) {
    const auto is_over = [&] {
        const uint64_t now_held = value(record.held_ticks);
        return (now_held && now_held != held_ticks) || value(record.ended) ||
               (now_held == 0 && value(record.wait_kind) != 0);
    };
    for (const double until_s = now_s() + step_s;
         now_s() < until_s && !is_over() && process.is_alive();)
        pause_ms(1);
}

// Returns a sentence about a step of a rank that was at the call.
std::string text_of_step(const View &view, int rank, const std::string &call) {
    const RankView &after = view.ranks[static_cast<size_t>(rank)];
    const std::string text = fmt::format("rank {}: {}", rank, call.empty() ? "one call" : call);
    if (after.activity == Activity::Waiting)
        return text + (after.peer >= 0 ? fmt::format(", which waits for rank {}", after.peer)
                                       : ", which waits");
    if (after.activity == Activity::Held)
        return text + ", then held at " + place_of(view, after.site);
    if (after.activity == Activity::Ended)
        return text + ", then it has ended";
    return text + fmt::format(", then {}", name_of(after.activity));
}

} // namespace

RankHold::Step RankHold::make_step(int rank) {
    using enum Step::Progress;
    const View before = rank == no_peer ? await_held() : job_.look();
    if (rank == no_peer)
        rank = next_held(before);
    if (rank == no_peer)
        return {None, "no rank is held at a call"};
    if (rank < 0 || static_cast<size_t>(rank) >= before.ranks.size())
        return {None, fmt::format("the job has no rank {}", rank)};
    const RankView &stepping = before.ranks[static_cast<size_t>(rank)];
    const std::string call = place_of(before, stepping.site);
    const auto [process, record] = job_.find(rank);
    if (stepping.activity != Activity::Held || !process)
        return {None, fmt::format("rank {} is not held: it is {}{}{}", rank,
                                  name_of(stepping.activity), call.empty() ? "" : " in ", call)};
    const uint64_t held_ticks = value(record->held_ticks), messages = count_messages();
    last_step_ = rank;
    record->steps.fetch_add(1, std::memory_order_relaxed);
    process->tell();
    await_end_of_step(*process, *record, held_ticks);
    const bool has_moved_one = count_messages() != messages;
    return {has_moved_one ? Message : Call, text_of_step(job_.look(), rank, call)};
}

std::string RankHold::step(int rank) {
    return make_step(rank).text;
}

std::string RankHold::step_message() {
    const double until_s = now_s() + steps_s;
    Step step{};
    for (int i = 0; i < steps_max && now_s() < until_s; ++i) {
        step = make_step(no_peer);
        renew();
        if (step.progress != Step::Progress::Call)
            return step.text;
    }
    return "no message was sent or received; " + step.text;
}

namespace {

// Adds a line of inspect/queue_listing.h.
void add_line(const std::string &line, Queues &queues) {
    std::istringstream fields(line);
    std::string what;
    fields >> what;
    if (what == "posted" || what == "queued") {
        QueueEntry entry;
        entry.is_posted = what == "posted";
        fields >> entry.rank >> entry.source >> entry.tag >> entry.bytes >> std::ws;
        if (std::getline(fields, entry.communicator))
            queues.entries.push_back(entry);
    } else if (what == "more") {
        QueueRest rest;
        if (fields >> rest.rank >> rest.posted >> rest.unexpected)
            queues.rests.push_back(rest);
    }
}

// Returns whether the process has answered the question, or one that was asked since; false: it has
// ended.
bool await_answer(const ObservedProcess &process, uint32_t question, double until_s) {
    const std::atomic<uint32_t> &answered = process.observation().queues_answered;
    // acquire [hold-1]: the file is that of the question.
    while (static_cast<int32_t>(answered.load(std::memory_order_acquire) - question) < 0) {
        if (!process.is_alive())
            return false;
        if (now_s() > until_s)
            throw std::runtime_error(
                fmt::format("process {} did not answer within {} s what is in its queues",
                            process.id(), answer_s));
        pause_ms(2);
    }
    return true;
}

} // namespace

// All processes are asked before the first answer is read.
Queues RankHold::queues() {
    struct Question {
        const ObservedProcess *process;
        uint32_t number;
    };

    std::vector<Question> questions;
    for (const ObservedProcess *process : job_.processes()) {
        if (!process->is_alive())
            continue;
        std::atomic<uint32_t> &asked = process->observation().queues_asked;
        questions.push_back({process, asked.fetch_add(1, std::memory_order_relaxed) + 1});
        process->tell();
    }
    Queues queues;
    const double until_s = now_s() + answer_s;
    for (const auto &[process, number] : questions) {
        if (!await_answer(*process, number, until_s))
            continue;
        const int first_rank = process->observation().first_rank;
        std::ifstream file(fmt::format("{}/queues.{}", job_.directory(), first_rank));
        for (std::string line; std::getline(file, line);)
            add_line(line, queues);
    }
    for (QueueEntry &entry : queues.entries) {
        entry.rank = job_.number_in_view(entry.rank);
        entry.source = entry.source < 0 ? entry.source : job_.number_in_view(entry.source);
    }
    for (QueueRest &rest : queues.rests)
        rest.rank = job_.number_in_view(rest.rank);
    return queues;
}

} // namespace live
