// Trace: how the messages of one run of --explore were matched, and how they could have been
// matched instead.
//
// An open choice is a wildcard receive or probe. The choices of a rank are numbered in the order of
// posting, so a choice is the same in all runs in which its rank does the same before.
#pragma once
#include "record/outcome.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mpiexec {

// What is known of one rank: how many of its choices are complete, and the first words of its
// record.
struct Reached {
    uint32_t choices = 0, words = 0;
};

using Knowledge = std::vector<Reached>; // of all ranks

// A message that a choice takes.
struct Match {
    int source = 0;
    Knowledge known; // to its sender
    // The choices of the receiver (their indices) that must have been matched before.
    std::vector<uint32_t> matched_before;
};

struct Choice {
    static constexpr int no_source = -1;

    uint32_t word = 0;   // its position in the record of its rank
    uint32_t number = 0; // among the complete choices of the rank, from 1; 0: not complete
    Knowledge posted;    // what its rank knew
    Match taken{no_source, {}, {}}; // no_source: it got no message
    std::vector<Match> others;      // that it could have taken
};

// Names a choice of any trace.
struct ChoiceId {
    int rank = 0;
    uint32_t index = 0;

    auto operator<=>(const ChoiceId &) const = default;
};

struct Trace {
    std::vector<std::vector<Choice>> choices;         // by rank and index
    std::vector<std::vector<thrum::Outcome>> records; // by rank

    // Returns the source that a choice took; no_source: none, or there is no such choice.
    int source_of(const ChoiceId &id) const {
        const auto &own = choices[static_cast<std::size_t>(id.rank)];
        return id.index < own.size() ? own[id.index].taken.source : Choice::no_source;
    }
};

} // namespace mpiexec
