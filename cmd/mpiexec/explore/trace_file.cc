#include "explore/trace_file.h"

#include "record/record_file.h"

#include <fmt/core.h>
#include <fstream>
#include <map>
#include <sstream>
#include <utility>

namespace mpiexec {
namespace {

using thrum::Outcome;
using thrum::OutcomeKind;

// A choice as the file has it: other choices of its rank are given by their words.
struct ChoiceLines {
    int rank = 0;
    Choice choice;
};

// Reads ": RANK NUMBER WORDS" to the end of the line.
Knowledge read_knowledge(std::istringstream &line, size_t ranks) {
    Knowledge known(ranks);
    std::string colon;
    for (size_t rank; line >> colon >> rank;)
        if (rank < ranks)
            line >> known[rank].choices >> known[rank].words;
    return known;
}

// Reads what stands behind "taken" and "other".
Match read_match(std::istringstream &line, size_t ranks) {
    Match match;
    line >> match.source;
    while (line >> std::ws && line.peek() != ':') {
        uint32_t word;
        if (!(line >> word))
            break;
        match.matched_before.push_back(word);
    }
    line.clear();
    match.known = read_knowledge(line, ranks);
    return match;
}

// Reads the file of choices. Returns why it is useless, or "".
std::string read_choices(const std::string &path, size_t ranks, std::vector<ChoiceLines> &choices) {
    std::ifstream file(path);
    bool has_end = false;
    for (std::string text; std::getline(file, text);) {
        std::istringstream line(text);
        std::string verb;
        line >> verb;
        if (verb == "lost")
            return "uses what it cannot follow: one-sided or partitioned communication, "
                   "supersteps, "
                   "ACLMPL, ports or added ranks";
        if (verb == "choice") {
            ChoiceLines &last = choices.emplace_back();
            line >> last.rank >> last.choice.word >> last.choice.number;
            last.choice.posted = read_knowledge(line, ranks);
        } else if (verb == "taken") {
            choices.back().choice.taken = read_match(line, ranks);
        } else if (verb == "other") {
            choices.back().choice.others.push_back(read_match(line, ranks));
        }
        has_end |= verb == "end";
    }
    return has_end ? "" : "does not end as one whose ranks are threads of one process";
}

using IndexOfWord = std::map<uint32_t, uint32_t>;

// Gives each wildcard receive and probe of a rank an index, in their order. MPI_Iprobe is one only
// if there is a choice for it.
IndexOfWord indices_of(const std::vector<Outcome> &record, const std::vector<uint32_t> &words) {
    IndexOfWord indices;
    for (const uint32_t word : words)
        indices[word] = 0;
    for (uint32_t word = 0; word < record.size(); ++word)
        if (record[word].kind == OutcomeKind::Receive || record[word].kind == OutcomeKind::Probe)
            indices[word] = 0;
    uint32_t next = 0;
    for (auto &[word, index] : indices)
        index = next++;
    return indices;
}

void use_indices(Match &match, const IndexOfWord &indices) {
    for (uint32_t &word : match.matched_before)
        word = indices.at(word);
}

} // namespace

std::variant<Trace, NotExplored> read_trace(const std::string &directory, int ranks) {
    const auto count = static_cast<size_t>(ranks);
    Trace trace;
    trace.records.resize(count);
    trace.choices.resize(count);
    for (auto &[thread, record] :
         thrum::read_record((directory + thrum::explored_record).c_str(), 0, ranks)) {
        if (thread.thread != 0)
            return NotExplored{fmt::format("receives from MPI_ANY_SOURCE, probes or tests in "
                                           "several threads of rank {}",
                                           thread.world_rank)};
        trace.records[static_cast<size_t>(thread.world_rank)] = std::move(record);
    }
    std::vector<ChoiceLines> lines;
    if (std::string reason = read_choices(directory + thrum::explored_choices, count, lines);
        !reason.empty())
        return NotExplored{std::move(reason)};
    std::vector<std::vector<uint32_t>> words(count);
    for (const ChoiceLines &line : lines)
        words[static_cast<size_t>(line.rank)].push_back(line.choice.word);
    std::vector<IndexOfWord> indices;
    for (size_t rank = 0; rank < count; ++rank) {
        indices.push_back(indices_of(trace.records[rank], words[rank]));
        trace.choices[rank].resize(indices.back().size());
        for (const auto &[word, index] : indices.back()) {
            trace.choices[rank][index].word = word;
            trace.choices[rank][index].posted.resize(count);
            trace.choices[rank][index].taken.known.resize(count);
        }
    }
    for (ChoiceLines &line : lines) {
        const auto rank = static_cast<size_t>(line.rank);
        use_indices(line.choice.taken, indices[rank]);
        for (Match &other : line.choice.others)
            use_indices(other, indices[rank]);
        const uint32_t index = indices[rank].at(line.choice.word);
        trace.choices[rank][index] = std::move(line.choice);
    }
    return trace;
}

} // namespace mpiexec
