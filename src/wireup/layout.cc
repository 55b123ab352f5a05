// The two texts of this folder that mpiexec writes, too: layouts, and lists of processes.
#include "wireup/layout.h"

#include "base/codec.h"

#include <algorithm>
#include <map>

namespace thrum {
namespace {

constexpr int processes_max = 1 << 24; // more is a mistake

// Neighbouring processes with equal places.
struct Run {
    ProcessPlace process;
    int count = 1;
};

// Ascending numbers of processes without a gap.
struct Range {
    int first, last;
};

} // namespace

int count_nodes(const std::vector<ProcessPlace> &processes) {
    int count = 0;
    for (const ProcessPlace &process : processes)
        count = std::max(count, process.node + 1);
    return count;
}

// Joins neighbours with equal layouts, so that the text stays short for thousands of processes.
std::string encode_layout(const std::vector<ProcessPlace> &processes, int nodes) {
    std::vector<Run> runs;
    for (const ProcessPlace &process : processes) {
        if (runs.empty() || runs.back().process != process)
            runs.push_back({process});
        else
            ++runs.back().count;
    }
    Encoder encoder;
    encoder.put_list(runs, [&](const Run &run) {
        encoder.put_number(run.process.ranks);
        encoder.put_number(run.process.node);
        encoder.put_number(run.count);
    });
    encoder.put_number(std::max(nodes, count_nodes(processes)));
    return encoder.text();
}

// Accepts only what encode_layout() writes, and limits the number of processes: the text comes from
// the environment.
bool parse_layout(std::string_view text, std::vector<ProcessPlace> &processes, int *nodes) {
    Decoder decoder(text);
    const std::vector<Run> runs = decoder.take_list([&] {
        Run run;
        run.process.ranks = decoder.take_int(1);
        run.process.node = decoder.take_int(0, processes_max);
        run.count = decoder.take_int(1);
        return run;
    });
    processes.clear();
    for (const Run &run : runs) {
        if (run.count > processes_max - static_cast<int>(processes.size()))
            return false;
        processes.insert(processes.end(), static_cast<size_t>(run.count), run.process);
    }
    const int count = decoder.take_int(count_nodes(processes));
    if (nodes)
        *nodes = count;
    return decoder.finish() && !processes.empty();
}

std::string encode_processes(const std::vector<int> &processes) {
    std::vector<Range> ranges;
    for (int process : processes) {
        if (ranges.empty() || ranges.back().last + 1 != process)
            ranges.push_back({process, process});
        else
            ranges.back().last = process;
    }
    Encoder encoder;
    encoder.put_list(ranges, [&](const Range &range) {
        encoder.put_number(range.first);
        encoder.put_number(range.last);
    });
    return encoder.text();
}

bool parse_processes(std::string_view text, std::vector<int> &processes) {
    Decoder decoder(text);
    const std::vector<Range> ranges = decoder.take_list([&] {
        const int first = decoder.take_int(0);
        return Range{first, decoder.take_int(first)};
    });
    processes.clear();
    for (const Range &range : ranges) {
        if (range.last - range.first >= processes_max - static_cast<int>(processes.size()))
            return false;
        for (int process = range.first; process <= range.last; ++process)
            processes.push_back(process);
    }
    return decoder.finish() && !processes.empty();
}

std::vector<int> number_nodes(const std::vector<std::string> &hosts) {
    std::map<std::string_view, int> numbers;
    std::vector<int> nodes;
    for (const std::string &host : hosts)
        nodes.push_back(numbers.emplace(host, static_cast<int>(numbers.size())).first->second);
    return nodes;
}

} // namespace thrum
