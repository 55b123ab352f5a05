// The search finds the traces of random small programs: the same that all schedules and all delays
// of messages have, and each once. A model takes the place of jobs.
#include "explore/search.h"

#include <cstdlib>
#include <deque>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <string>

namespace mpiexec {
namespace {

using thrum::Outcome;
using thrum::OutcomeKind;

constexpr int any = -1;

// One step of a rank. It is left out unless the source of the last message that the rank has
// completed is `only_after` (any: never left out).
struct Step {
    enum Kind { Send, Receive, Post, Wait, Probe };

    Kind kind;
    int peer = any;       // of a send, a receive or a probe
    int tag = 0;          // may be any, in receives
    int request = 0;      // of a post or a wait
    int only_after = any; // a source
};

using Program = std::vector<std::vector<Step>>; // by rank

// What a run has matched: the sources by rank, in the order of posting.
using Matching = std::vector<std::vector<int>>;

struct Message {
    int source, tag;
    Knowledge known;
    size_t number = 0; // among those to the receiver
    bool is_taken = false;
    size_t taken_by = 0; // number of the receive
};

struct Posted {
    int source, tag; // as the program says
    int bound;       // the source that the prefix prescribes, or any
    bool is_probe = false;
    bool is_open = false;
    uint32_t index = 0; // of the choice
    int message = -1;   // number
    bool is_complete = false;

    bool accepts(const Message &message) const {
        return (source == any || source == message.source) && (tag == any || tag == message.tag);
    }
};

// The state of all ranks. A receive that is posted takes any message that the standard lets it take
// (MPI 5.0 section 3.5), however late.
class Model {
public:
    Model(const Program &program, Prefix prefix)
        : program_(program), prefix_(std::move(prefix)), ranks_(program.size()) {
        for (Rank &rank : ranks_) {
            rank.known.resize(program.size());
        }
        prefix_.resize(program.size());
        trace_.choices.resize(program.size());
        trace_.records.resize(program.size());
    }

    // What can happen next: a step of a rank, or a match.
    struct Action {
        int rank;
        int receive = -1; // number; -1: a step
        size_t message = 0;
    };

    std::vector<Action> actions() const {
        std::vector<Action> list;
        for (int rank = 0; rank < static_cast<int>(ranks_.size()); ++rank) {
            if (can_step(rank))
                list.push_back({rank});
            for (const Message &message : at(rank).sent)
                if (!message.is_taken)
                    add_matches(rank, message, list);
        }
        return list;
    }

    void act(const Action &action) {
        if (action.receive < 0)
            step(action.rank);
        else
            match(action.rank, static_cast<size_t>(action.receive),
                  at(action.rank).sent[action.message]);
    }

    bool has_ended() const {
        for (int rank = 0; rank < static_cast<int>(ranks_.size()); ++rank)
            if (at(rank).next < steps(rank).size())
                return false;
        return true;
    }

    Matching matching() const {
        Matching sources(ranks_.size());
        for (size_t rank = 0; rank < ranks_.size(); ++rank)
            for (const Choice &choice : trace_.choices[rank])
                sources[rank].push_back(choice.taken.source);
        return sources;
    }

    // Returns what decides about the rest of the run.
    std::string state() const {
        std::string text;
        for (const Rank &rank : ranks_) {
            text += "|" + std::to_string(rank.next) + "," + std::to_string(rank.last) + ";";
            for (const Posted &posted : rank.posted)
                text += std::to_string(posted.message) + (posted.is_complete ? "c" : "p");
            for (const Message &message : rank.sent)
                text += "," + std::to_string(message.source) + (message.is_taken ? "t" : "q") +
                        std::to_string(message.tag);
        }
        return text;
    }

    Trace trace();

private:
    struct Rank {
        size_t next = 0; // step
        int last = any;  // source of the last message
        Knowledge known;
        std::deque<Message> sent;       // to the rank
        std::vector<Posted> posted;     // all receives, in their order
        std::map<int, size_t> requests; // numbers of posted
        bool is_waiting = false;        // in a blocking receive, the last posted
    };

    Rank &at(int rank) { return ranks_[static_cast<size_t>(rank)]; }

    const Rank &at(int rank) const { return ranks_[static_cast<size_t>(rank)]; }

    const std::vector<Step> &steps(int rank) const { return program_[static_cast<size_t>(rank)]; }

    bool can_step(int rank) const;
    bool is_left_out(const Rank &self, const Step &step) const;
    void add_matches(int rank, const Message &message, std::vector<Action> &list) const;
    void step(int rank);
    void post(int rank, const Step &step);
    void match(int rank, size_t receive, Message &message);
    void complete(int rank, size_t receive);
    int next_prescribed(int rank);
    Knowledge known_now(int rank);
    bool must_precede(int rank, const Posted &other, const Posted &receive,
                      const Message &message) const;
    Match match_of(int rank, const Posted &receive, const Message &message) const;

    const Program &program_;
    Prefix prefix_;
    std::vector<Rank> ranks_;
    Trace trace_;
};

bool Model::is_left_out(const Rank &self, const Step &step) const {
    return step.only_after != any && step.only_after != self.last;
}

bool Model::can_step(int rank) const {
    const Rank &self = at(rank);
    if (self.next == steps(rank).size())
        return false;
    const Step &step = steps(rank)[self.next];
    if (self.is_waiting)
        return self.posted.back().message >= 0;
    if (is_left_out(self, step) || step.kind != Step::Wait)
        return true;
    const auto found = self.requests.find(step.request);
    return found == self.requests.end() || self.posted[found->second].message >= 0;
}

// Adds the receive or the probes that can take the message: the first receive that accepts it, if
// no message of the same source that it accepts was sent before.
void Model::add_matches(int rank, const Message &message, std::vector<Action> &list) const {
    const Rank &self = at(rank);
    for (size_t i = 0; i < self.posted.size(); ++i) {
        const Posted &receive = self.posted[i];
        if (receive.message >= 0 || !receive.accepts(message))
            continue;
        bool is_first = true;
        for (const Message &other : self.sent)
            if (other.number < message.number && other.source == message.source &&
                !other.is_taken && receive.accepts(other))
                is_first = false;
        if (is_first && (receive.bound == any || receive.bound == message.source))
            list.push_back({rank, static_cast<int>(i), message.number});
        if (!receive.is_probe && (receive.bound == any || receive.bound == message.source))
            return;
    }
}

Knowledge Model::known_now(int rank) {
    Rank &self = at(rank);
    self.known[static_cast<size_t>(rank)].words =
        static_cast<uint32_t>(trace_.records[static_cast<size_t>(rank)].size());
    return self.known;
}

// A blocking receive takes two steps: it is posted, and it completes.
void Model::step(int rank) {
    Rank &self = at(rank);
    const Step &step = steps(rank)[self.next];
    if (self.is_waiting) {
        self.is_waiting = false;
        complete(rank, self.posted.size() - 1);
        ++self.next;
        return;
    }
    if (!is_left_out(self, step)) {
        if (step.kind == Step::Send) {
            auto &sent = at(step.peer).sent;
            sent.push_back({rank, step.tag, known_now(rank), sent.size()});
        } else if (step.kind == Step::Wait) {
            const auto found = self.requests.find(step.request);
            if (found != self.requests.end())
                complete(rank, found->second);
            self.requests.erase(step.request);
        } else {
            post(rank, step);
            if (step.kind != Step::Post) {
                self.is_waiting = true;
                return;
            }
            self.requests[step.request] = self.posted.size() - 1;
        }
    }
    ++self.next;
}

int Model::next_prescribed(int rank) {
    const auto &record = prefix_[static_cast<size_t>(rank)];
    const size_t word = trace_.records[static_cast<size_t>(rank)].size();
    if (word >= record.size() || record[word].value == thrum::unmatched_receive)
        return any;
    return static_cast<int>(record[word].value);
}

void Model::post(int rank, const Step &step) {
    Rank &self = at(rank);
    Posted posted{step.peer, step.tag, step.peer};
    posted.is_probe = step.kind == Step::Probe;
    posted.is_open = step.peer == any;
    if (posted.is_open) {
        posted.bound = next_prescribed(rank);
        auto &record = trace_.records[static_cast<size_t>(rank)];
        auto &choices = trace_.choices[static_cast<size_t>(rank)];
        posted.index = static_cast<uint32_t>(choices.size());
        Choice choice;
        choice.word = static_cast<uint32_t>(record.size());
        choice.posted = known_now(rank);
        record.push_back({posted.is_probe ? OutcomeKind::Probe : OutcomeKind::Receive,
                          thrum::unmatched_receive});
        choices.push_back(choice);
    }
    self.posted.push_back(posted);
}

void Model::match(int rank, size_t receive, Message &message) {
    Posted &posted = at(rank).posted[receive];
    posted.message = static_cast<int>(message.number);
    if (!posted.is_probe) {
        message.is_taken = true;
        message.taken_by = receive;
    }
    if (!posted.is_open)
        return;
    Choice &choice = trace_.choices[static_cast<size_t>(rank)][posted.index];
    choice.taken.source = message.source;
    trace_.records[static_cast<size_t>(rank)][choice.word].value =
        static_cast<uint32_t>(message.source);
}

void Model::complete(int rank, size_t receive) {
    Rank &self = at(rank);
    Posted &posted = self.posted[receive];
    const Message &message = self.sent[static_cast<size_t>(posted.message)];
    self.last = message.source;
    posted.is_complete = true;
    for (size_t i = 0; i < self.known.size(); ++i) {
        self.known[i].choices = std::max(self.known[i].choices, message.known[i].choices);
        self.known[i].words = std::max(self.known[i].words, message.known[i].words);
    }
    const auto count = [&](const Posted &open) {
        uint32_t &number = trace_.choices[static_cast<size_t>(rank)][open.index].number;
        if (number == 0)
            number = ++self.known[static_cast<size_t>(rank)].choices;
    };
    // Receives that must have been matched before are known, though not complete.
    for (size_t i = 0; i < receive; ++i)
        if (must_precede(rank, self.posted[i], posted, message))
            count(self.posted[i]);
    if (posted.is_open)
        count(posted);
}

// Returns whether `other`, posted earlier, must have been matched before `receive` gets the
// message.
bool Model::must_precede(int rank, const Posted &other, const Posted &receive,
                         const Message &message) const {
    if (!other.is_open || other.is_probe || other.message < 0)
        return false;
    const Message &taken = at(rank).sent[static_cast<size_t>(other.message)];
    return other.accepts(message) || (taken.source == message.source &&
                                      taken.number < message.number && receive.accepts(taken));
}

Match Model::match_of(int rank, const Posted &receive, const Message &message) const {
    Match match{message.source, message.known, {}};
    const auto &choices = trace_.choices[static_cast<size_t>(rank)];
    const uint32_t known = choices[receive.index].posted[static_cast<size_t>(rank)].choices;
    for (const Posted &other : at(rank).posted) {
        if (&other == &receive)
            break;
        const uint32_t number = other.is_open ? choices[other.index].number : 0;
        if ((number == 0 || number > known) && must_precede(rank, other, receive, message))
            match.matched_before.push_back(other.index);
    }
    return match;
}

// Finds the alternatives as check/arrival_log.cc does.
Trace Model::trace() {
    for (int rank = 0; rank < static_cast<int>(ranks_.size()); ++rank) {
        const Rank &self = at(rank);
        for (size_t i = 0; i < self.posted.size(); ++i) {
            const Posted &receive = self.posted[i];
            if (!receive.is_open || receive.message < 0)
                continue;
            Choice &choice = trace_.choices[static_cast<size_t>(rank)][receive.index];
            choice.taken = match_of(rank, receive, self.sent[static_cast<size_t>(receive.message)]);
            std::set<int> decided{choice.taken.source};
            for (const Message &message : self.sent) {
                if (!receive.accepts(message) || decided.contains(message.source) ||
                    (message.is_taken && message.taken_by < i))
                    continue;
                decided.insert(message.source);
                if (choice.number == 0 ||
                    message.known[static_cast<size_t>(rank)].choices < choice.number)
                    choice.others.push_back(match_of(rank, receive, message));
            }
        }
    }
    return trace_;
}

// Follows all schedules and delays from a model on.
struct AllRuns {
    static constexpr size_t states_max = 10'000;

    std::set<std::pair<std::string, Matching>> seen;
    std::set<Matching> matchings; // of runs that end
    bool has_deadlock = false;

    bool gives_up() const { return seen.size() > states_max; }

    void visit(const Model &model) {
        if (gives_up() || !seen.insert({model.state(), model.matching()}).second)
            return;
        const auto actions = model.actions();
        if (actions.empty()) {
            if (model.has_ended())
                matchings.insert(model.matching());
            else
                has_deadlock = true;
        }
        for (const Model::Action &action : actions) {
            Model next = model;
            next.act(action);
            visit(next);
        }
    }
};

// Runs a program with a random schedule after a prefix.
std::optional<Trace> run(const Program &program, const Prefix &prefix, std::mt19937 &random) {
    Model model(program, prefix);
    for (auto actions = model.actions(); !actions.empty(); actions = model.actions())
        model.act(actions[random() % actions.size()]);
    if (!model.has_ended())
        return std::nullopt;
    return model.trace();
}

Matching matching_of(const Trace &trace) {
    Matching sources;
    for (const auto &own : trace.choices) {
        sources.emplace_back();
        for (const Choice &choice : own)
            sources.back().push_back(choice.taken.source);
    }
    return sources;
}

// What a search has found.
struct Found {
    std::set<Matching> matchings;
    size_t runs = 0;
    bool has_deadlock = false, is_followed = true;
};

Found explore(const Program &program, std::mt19937 &random) {
    Search search(static_cast<int>(program.size()));
    Found found;
    while (const auto prefix = search.next()) {
        auto trace = run(program, *prefix, random);
        if (!trace) {
            found.has_deadlock = true;
            return found;
        }
        ++found.runs;
        found.matchings.insert(matching_of(*trace));
        if (!search.add(std::move(*trace))) {
            found.is_followed = false;
            return found;
        }
    }
    return found;
}

// Each of ranks 1 to N - 1 sends a message to rank 0, which receives them from any source.
Program senders(int ranks) {
    Program program(static_cast<size_t>(ranks));
    for (int rank = 1; rank < ranks; ++rank) {
        program[0].push_back({Step::Receive});
        program[static_cast<size_t>(rank)].push_back({Step::Send, 0});
    }
    return program;
}

TEST(Search, NSendersHaveNFactorialOrders) {
    std::mt19937 random(1);
    size_t factorial = 1;
    for (int ranks = 2; ranks <= 6; ++ranks) {
        factorial *= static_cast<size_t>(ranks - 1);
        const Found found = explore(senders(ranks), random);
        EXPECT_EQ(found.runs, factorial);
        EXPECT_EQ(found.matchings.size(), factorial);
    }
}

TEST(Search, IndependentReceiversHaveTheProductOfTheirOrders) {
    Program program(4);
    for (const size_t receiver : {0u, 1u}) {
        program[receiver] = {{Step::Receive}, {Step::Receive}};
        for (const size_t sender : {2u, 3u})
            program[sender].push_back({Step::Send, static_cast<int>(receiver)});
    }
    std::mt19937 random(1);
    for (int i = 0; i < 20; ++i) {
        const Found found = explore(program, random);
        EXPECT_EQ(found.runs, 4u);
        EXPECT_EQ(found.matchings.size(), 4u);
    }
}

TEST(Search, AMessageThatDependsOnTheOutcomeIsFound) {
    // Only if rank 0 takes the message of rank 2 first, rank 1 gets two messages.
    const Program program{{{Step::Receive}, {Step::Send, 1, 0, 0, 2}, {Step::Receive}},
                          {{Step::Send, 0}, {Step::Receive}},
                          {{Step::Send, 0}, {Step::Send, 1}}};
    std::mt19937 random(1);
    const Found found = explore(program, random);
    AllRuns all;
    all.visit(Model(program, {}));
    EXPECT_EQ(found.matchings, all.matchings);
    EXPECT_EQ(found.runs, all.matchings.size());
}

TEST(Search, AMessageIsExpectedOnlyWithWhatItDependsOn) {
    // Rank 1 sends to rank 0 only if it takes the message of rank 2 last.
    const Program program{{{Step::Receive}, {Step::Receive, 4, 0, 0, 1}},
                          {{Step::Receive}, {Step::Receive}, {Step::Send, 0, 0, 0, 2}},
                          {{Step::Send, 1}},
                          {{Step::Send, 1}},
                          {{Step::Send, 0}}};
    std::mt19937 random(1);
    for (int i = 0; i < 20; ++i) {
        const Found found = explore(program, random);
        EXPECT_FALSE(found.has_deadlock);
        EXPECT_EQ(found.runs, 3u);
        EXPECT_EQ(found.matchings.size(), 3u);
    }
}

TEST(Search, AProgramWithoutChoicesHasOneOrder) {
    const Program program{{{Step::Receive, 1}}, {{Step::Send, 0}}};
    std::mt19937 random(1);
    EXPECT_EQ(explore(program, random).runs, 1u);
}

Program random_program(std::mt19937 &random) {
    const auto below = [&](size_t limit) {
        return static_cast<int>(random() % limit);
    };
    const size_t ranks = 2 + random() % 3, receivers = 1 + random() % 2;
    Program program(ranks);
    int requests = 0;
    const auto guard = [&] {
        return below(8) == 0 ? below(ranks) : any;
    };
    for (int left = 3 + below(5); left > 0; --left) {
        const int source = below(ranks), tag = below(4) == 0;
        const int dest = below(4) == 0 ? below(ranks) : below(receivers);
        auto &own = program[static_cast<size_t>(source)];
        auto &other = program[static_cast<size_t>(dest)];
        own.push_back({Step::Send, dest, tag, 0, guard()});
        const int from = below(4) == 0 ? source : any, with = below(3) == 0 ? any : tag;
        const int form = below(4);
        const int only_after = guard();
        if (form == 0)
            other.push_back({Step::Probe, from, with, 0, only_after});
        if (form <= 1) {
            other.push_back({Step::Post, from, with, ++requests, only_after});
            if (below(4) > 0)
                program[static_cast<size_t>(dest)].push_back({Step::Wait, any, 0, requests});
        } else {
            other.push_back({Step::Receive, from, with, 0, only_after});
        }
    }
    // Waits in any order; in half of the programs many sends first, so that they depend on less.
    const bool sends_first = below(2) > 0;
    for (auto &own : program)
        for (size_t i = 0; i + 1 < own.size(); ++i)
            if (own[i].kind == Step::Wait ? below(2) > 0
                                          : sends_first && own[i + 1].kind == Step::Send &&
                                                own[i].kind != Step::Send && below(3) > 0)
                std::swap(own[i], own[i + 1]);
    return program;
}

TEST(Search, FindsTheTracesOfRandomProgramsEachOnce) {
    const char *text = std::getenv("THRUM_TEST_SEED");
    const unsigned first = text ? static_cast<unsigned>(std::atoi(text)) : std::random_device{}();
    size_t well = 0, orders = 0;
    for (unsigned seed = first; seed < first + 200; ++seed) {
        SCOPED_TRACE("THRUM_TEST_SEED=" + std::to_string(seed));
        std::mt19937 random(seed);
        const Program program = random_program(random);
        AllRuns all;
        all.visit(Model(program, {}));
        if (all.gives_up())
            continue;
        const Found found = explore(program, random);
        ASSERT_TRUE(found.is_followed);
        ASSERT_EQ(found.has_deadlock, all.has_deadlock);
        if (all.has_deadlock)
            continue;
        ASSERT_EQ(found.matchings, all.matchings);
        ASSERT_EQ(found.runs, all.matchings.size());
        ++well;
        orders += found.runs;
    }
    EXPECT_GT(well, 10u);
    EXPECT_GT(orders, 2 * well);
}

} // namespace
} // namespace mpiexec
