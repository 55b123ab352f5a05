#include "wireup/layout.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace thrum {
namespace {

constexpr int processes_max = 1 << 24; // more is a mistake

// Reads a number of at least `least` from the front of `text`.
bool take_number(std::string_view &text, int least, int &number) {
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || number < least)
        return false;
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    return true;
}

bool take(std::string_view &text, char expected) {
    if (text.empty() || text[0] != expected)
        return false;
    text.remove_prefix(1);
    return true;
}

} // namespace

int count_nodes(const std::vector<ProcessPlace> &processes) {
    int count = 0;
    for (const ProcessPlace &process : processes)
        count = std::max(count, process.node + 1);
    return count;
}

// Joins neighbours with equal layouts to one item, so that the text stays short for thousands of
// processes.
std::string encode_layout(const std::vector<ProcessPlace> &processes, int nodes) {
    std::string text;
    for (size_t i = 0; i < processes.size();) {
        size_t end = i + 1;
        while (end < processes.size() && processes[end] == processes[i])
            ++end;
        text += (text.empty() ? "" : ",") + std::to_string(processes[i].ranks) + "@" +
                std::to_string(processes[i].node);
        if (end - i > 1)
            text += "x" + std::to_string(end - i);
        i = end;
    }
    return nodes > count_nodes(processes) ? text + ";" + std::to_string(nodes) : text;
}

// Accepts only what encode_layout() writes, and limits the number of processes: the text comes from
// the environment.
bool parse_layout(std::string_view text, std::vector<ProcessPlace> &processes, int *nodes) {
    processes.clear();
    do {
        ProcessPlace process;
        int count = 1;
        if (!take_number(text, 1, process.ranks) || !take(text, '@') ||
            !take_number(text, 0, process.node) ||
            (take(text, 'x') && !take_number(text, 1, count)))
            return false;
        if (count > processes_max - static_cast<int>(processes.size()))
            return false;
        processes.insert(processes.end(), static_cast<size_t>(count), process);
    } while (take(text, ','));
    int count = count_nodes(processes);
    if (take(text, ';') && !take_number(text, count + 1, count))
        return false;
    if (nodes)
        *nodes = count;
    return text.empty();
}

std::string encode_processes(const std::vector<int> &processes) {
    std::string text;
    for (size_t i = 0; i < processes.size();) {
        const size_t first = i;
        for (++i; i < processes.size() && processes[i] == processes[i - 1] + 1;)
            ++i;
        text += (text.empty() ? "" : ",") + std::to_string(processes[first]);
        if (i - first > 1)
            text += "-" + std::to_string(processes[i - 1]);
    }
    return text;
}

bool parse_processes(std::string_view text, std::vector<int> &processes) {
    processes.clear();
    do {
        int first = 0;
        if (!take_number(text, 0, first))
            return false;
        int last = first;
        if (take(text, '-') && !take_number(text, first, last))
            return false;
        if (last - first >= processes_max - static_cast<int>(processes.size()))
            return false;
        for (int process = first; process <= last; ++process)
            processes.push_back(process);
    } while (take(text, ','));
    return text.empty();
}

std::vector<int> number_nodes(const std::vector<std::string> &hosts) {
    std::map<std::string_view, int> numbers;
    std::vector<int> nodes;
    for (const std::string &host : hosts)
        nodes.push_back(numbers.emplace(host, static_cast<int>(numbers.size())).first->second);
    return nodes;
}

} // namespace thrum
