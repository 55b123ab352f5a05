// Search: which runs --explore makes, so that each way to match the messages of a job is run once.
// This is a dynamic partial-order reduction (Flanagan and Godefroid, POPL 2005; for message passing
// and without repetitions: Enea, Giannakopoulou, Kokologiannakis, Majumdar, OOPSLA 2024) that needs
// to control only the sources of wildcard receives.
//
// A prefix is a set of choices with their sources, which contains all that they depend on. A run
// follows a prefix if it takes these sources; what else it does is left to the schedule. For a
// trace S, a choice e in it and another source b that e could have taken, let
//
//   part(e, b) = all that the posting of e and the message of b depend on, as in S, and e -> b
//
// A node of the search is a prefix P and a list N of prefixes; it stands for the traces that
// contain P and none of N. It takes any trace S that contains P; only if none has been run, it runs
// P. Its children are, for the pairs (e, b) of S with e not in P, in any order,
//
//   P and part(e, b); N and all part(e', b') of pairs before
//
// Why nothing is missed: let T be another trace of the node, and e the first choice, by the time of
// its match in T, that has another source b in T. Everything that e and its message depend on was
// matched before, as in S; so S has part(e, b), and T contains it. Why nothing is run twice: P is
// run only if no trace with P is known. Why it ends: the prefixes of children are greater.
#pragma once
#include "explore/trace.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace mpiexec {

// The records that a run follows, by rank: its tests find what is recorded, its wildcard receives
// take the recorded sources or, if none is recorded, any.
using Prefix = std::vector<std::vector<thrum::Outcome>>;

class Search {
public:
    explicit Search(int ranks) : ranks_(static_cast<size_t>(ranks)) {
        nodes_.push_back({{}, Prefix(ranks_), nullptr});
    }

    // Returns what the next run follows; nullopt: all traces have been run.
    std::optional<Prefix> next();
    // Takes the trace of that run, which has ended well. Returns false if it does not follow its
    // prefix: the job does not depend on its messages alone.
    bool add(Trace trace);

    size_t explored() const { return traces_.size(); }

private:
    // A choice with a source.
    struct Decision {
        ChoiceId choice;
        int source;

        auto operator<=>(const Decision &) const = default;
    };

    using Decisions = std::vector<Decision>; // sorted

    // A list that shares its end with others.
    struct Excluded {
        Decisions decisions;
        std::shared_ptr<Excluded> rest;

        Excluded(Decisions first, std::shared_ptr<Excluded> others)
            : decisions(std::move(first)), rest(std::move(others)) {}

        Excluded(const Excluded &) = delete;
        Excluded &operator=(const Excluded &) = delete;

        // Without recursion: lists are long.
        ~Excluded() {
            while (rest && rest.use_count() == 1)
                rest = std::exchange(rest->rest, nullptr);
        }
    };

    struct Node {
        Decisions decisions;
        Prefix prefix;
        std::shared_ptr<Excluded> excluded;
    };

    class Expansion;

    static bool contains(const Trace &trace, const Decisions &decisions);
    const Trace *find(const Decisions &decisions) const;
    void expand(const Trace &trace, const Node &node);

    size_t ranks_;
    std::vector<Node> nodes_; // that have to be visited; the last one first
    Node current_;            // whose run is awaited
    std::vector<Trace> traces_;
};

} // namespace mpiexec
