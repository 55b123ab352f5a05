// Parses --map-by and --bind-to (command_line/mapping.h). Words are compared in lower case.
#include "command_line/mapping.h"

#include "plan/topology.h"
#include "plan/usage_error.h"

#include <algorithm>
#include <cctype>
#include <fmt/core.h>
#include <set>

namespace mpiexec {
namespace {

using Words = std::vector<std::string>;

// Returns the parts between colons, in lower case.
Words split_lower(const std::string &text) {
    Words parts(1);
    for (char c : text) {
        if (c == ':')
            parts.emplace_back();
        else
            parts.back() += static_cast<char>(tolower(static_cast<unsigned char>(c)));
    }
    return parts;
}

// Returns our name of an object that Open MPI calls by several.
std::string canonical(const std::string &name) {
    if (name == "package")
        return "socket";
    if (name == "machine" || name == "board")
        return "node";
    return name == "pu" ? "hwthread" : name;
}

// Takes one modifier of --map-by; `text` is the whole value, for messages. Throws UsageError.
void take_modifier(const std::string &modifier, const std::string &text, Options &options) {
    if (modifier == "oversubscribe")
        options.oversubscribe = true;
    else if (modifier == "display")
        options.report_bindings = true;
    else if (modifier.starts_with("pe="))
        options.notes.push_back(fmt::format("PE of --map-by {} (use --ranks-per-process and "
                                            "--bind-to to assign cores to processes)",
                                            text));
    else if (static const Words harmless{"", "nooversubscribe", "span", "inherit", "noinherit",
                                         "hwtcpus", "corecpus"};
             std::find(harmless.begin(), harmless.end(), modifier) == harmless.end())
        throw UsageError(2, fmt::format("--map-by {}: unknown modifier {}; expected OVERSUBSCRIBE, "
                                        "NOOVERSUBSCRIBE, SPAN, DISPLAY or PE=N",
                                        text, modifier));
}

} // namespace

std::string parse_choice(const char *option, const std::string &text, const Words &choices) {
    if (std::find(choices.begin(), choices.end(), text) != choices.end())
        return text;
    std::string list;
    for (const std::string &choice : choices)
        list += (list.empty() ? "" : ", ") + choice;
    throw UsageError(2, fmt::format("{} {}: expected one of {}", option, text, list));
}

void parse_map_by(const std::string &text, Options &options) {
    Words parts = split_lower(text);
    std::string what = canonical(parts[0]);
    size_t modifiers = 1;
    if (what == "ppr") {
        if (parts.size() < 3)
            throw UsageError(2, fmt::format("--map-by {}: expected ppr:N:OBJECT", text));
        options.ranks_per_object = parts[1] + ":" + canonical(parts[2]);
        (void)parse_choice("--map-by ppr:N:", canonical(parts[2]),
                           {"node", "socket", "numa", "core", "hwthread"});
        modifiers = 3;
    } else if (!what.empty()) {
        options.map_by = parse_choice("--map-by", what == "hwthread" ? "core" : what,
                                      {"slot", "node", "core", "socket", "numa"});
    }
    for (size_t i = modifiers; i < parts.size(); ++i)
        take_modifier(parts[i], text, options);
}

void parse_bind_to(const std::string &text, Options &options) {
    const Words parts = split_lower(text);
    const std::string what = canonical(parts[0]);
    options.bind_to = parse_choice("--bind-to", what == "node" ? "none" : what,
                                   {"none", "core", "socket", "numa", "hwthread"});
    for (size_t i = 1; i < parts.size(); ++i)
        (void)parse_choice("--bind-to ...:", parts[i],
                           {"overload-allowed", "no-overload", "if-supported", "limit", "report"});
}

int count_by_objects(const std::string &ranks_per_object) {
    const size_t colon = ranks_per_object.find(':');
    const std::string number = ranks_per_object.substr(0, colon);
    const std::string object = ranks_per_object.substr(colon + 1);
    if (number.empty() || number.size() > 6 ||
        !std::all_of(number.begin(), number.end(), [](unsigned char c) { return isdigit(c); }) ||
        std::stoi(number) < 1)
        throw UsageError(2, fmt::format("--map-by ppr:{}: expected a whole number of at least 1 "
                                        "before the object",
                                        ranks_per_object));
    if (object == "node")
        return std::stoi(number);
    const Topology topology = read_topology();
    std::set<int> sockets, numas;
    size_t threads = 0;
    for (const Core &core : topology.cores) {
        sockets.insert(core.socket);
        numas.insert(core.numa);
        threads += core.threads.size();
    }
    const size_t count = object == "socket" ? sockets.size()
                         : object == "numa" ? numas.size()
                         : object == "core" ? topology.cores.size()
                                            : threads;
    return std::stoi(number) * static_cast<int>(count);
}

} // namespace mpiexec
