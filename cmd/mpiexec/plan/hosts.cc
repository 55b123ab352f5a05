// Parses lists and files of hosts (plan/hosts.h).
#include "plan/hosts.h"

#include "plan/usage_error.h"

#include <arpa/inet.h>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fmt/core.h>
#include <fstream>
#include <functional>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <sstream>
#include <unistd.h>

namespace mpiexec {
namespace {

constexpr int slots_max = 1 << 24; // keeps sums of slots far from overflow

// Makes an error of a sentence, by adding where it was found.
using Wrong = std::function<UsageError(const std::string &)>;

// Returns the number of slots that `text` says, or throws.
int parse_slots(const std::string &text, const Wrong &wrong) {
    int slots = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), slots);
    if (error != std::errc() || end != text.data() + text.size() || slots < 1 || slots > slots_max)
        throw wrong(
            fmt::format("\"{}\" is not a number of slots: expected a whole number from 1 to {}",
                        text, slots_max));
    return slots;
}

// Throws unless `name` can be a host. It becomes a word of the launcher's command line: it must not
// be an option there.
void check_name(const std::string &name, const Wrong &wrong) {
    constexpr const char *allowed =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_@:%";
    if (name.empty())
        throw wrong("a host name is missing");
    if (name.find_first_not_of(allowed) != std::string::npos || name[0] == '-')
        throw wrong(fmt::format("\"{}\" is not a valid host name", name));
}

// Parses "a", "a:4" or "[::1]:4". Brackets keep the colons of an IPv6 address apart from that of
// the slots.
Host parse_host(std::string text, const Wrong &wrong) {
    Host host;
    size_t colon = text.rfind(':');
    if (text.starts_with('[')) {
        size_t bracket = text.find(']');
        if (bracket == std::string::npos)
            throw wrong(fmt::format("\"{}\": the closing bracket is missing", text));
        host.name = text.substr(1, bracket - 1);
        colon =
            bracket + 1 < text.size() && text[bracket + 1] == ':' ? bracket + 1 : std::string::npos;
        if (colon == std::string::npos && bracket + 1 < text.size())
            throw wrong(fmt::format("\"{}\": expected HOST or HOST:SLOTS", text));
    } else {
        if (text.find(':') != colon)
            throw wrong(fmt::format("\"{}\": write IPv6 addresses in brackets, as [::1]:4", text));
        host.name = text.substr(0, colon);
    }
    check_name(host.name, wrong);
    host.slots_given = colon != std::string::npos;
    if (host.slots_given)
        host.slots = parse_slots(text.substr(colon + 1), wrong);
    return host;
}

// Adds a host, or its slots to those of the same name.
void add_host(std::vector<Host> &hosts, Host host, const Wrong &wrong) {
    for (Host &known : hosts)
        if (known.name == host.name) {
            if (known.slots > slots_max - host.slots)
                throw wrong(fmt::format("{} has more slots than MPI can number ranks", host.name));
            known.slots += host.slots;
            known.slots_given |= host.slots_given;
            return;
        }
    hosts.push_back(std::move(host));
}

// Parses "HOST[:N] [slots=N] [max_slots=N]", also with max-slots. As in Open MPI, max_slots alone
// is also the number of slots.
Host parse_line(const std::string &line, const Wrong &wrong) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    Host host = parse_host(word, wrong);
    while (words >> word) {
        const size_t equals = word.find('=');
        const std::string name = word.substr(0, equals);
        if (equals == std::string::npos ||
            (name != "slots" && name != "max_slots" && name != "max-slots"))
            throw wrong(fmt::format("\"{}\" is not a valid entry: expected \"HOST slots=N\" (and "
                                    "max_slots=M) or \"HOST:N\"",
                                    word));
        const int number = parse_slots(word.substr(equals + 1), wrong);
        if (name != "slots") {
            host.slots_max = number;
            continue;
        }
        if (host.slots_given)
            throw wrong("the number of slots is given twice");
        host.slots = number;
        host.slots_given = true;
    }
    if (host.slots_max > 0 && host.slots > host.slots_max)
        throw wrong(fmt::format("{} slots are more than max_slots={}", host.slots, host.slots_max));
    if (host.slots_max > 0 && !host.slots_given)
        host.slots = host.slots_max;
    host.slots_given |= host.slots_max > 0;
    return host;
}

// Returns the numeric form of an IPv4 or IPv6 address; "" for other kinds.
std::string address_of(const sockaddr *address) {
    char text[INET6_ADDRSTRLEN] = "";
    if (address && address->sa_family == AF_INET)
        inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in *>(address)->sin_addr, text,
                  sizeof text);
    if (address && address->sa_family == AF_INET6)
        inet_ntop(AF_INET6, &reinterpret_cast<const sockaddr_in6 *>(address)->sin6_addr, text,
                  sizeof text);
    return text;
}

} // namespace

std::vector<Host> parse_hosts(const std::string &text) {
    Wrong wrong = [&](const std::string &what) {
        return UsageError(2, fmt::format("--hosts {}: {}", text, what));
    };
    std::vector<Host> hosts;
    for (size_t at = 0; at <= text.size();) {
        size_t end = std::min(text.find(',', at), text.size());
        add_host(hosts, parse_host(text.substr(at, end - at), wrong), wrong);
        at = end + 1;
    }
    return hosts;
}

std::vector<Host> read_host_file(const std::string &path) {
    errno = 0;
    std::ifstream file(path);
    const int error = errno;
    int number = 0;
    Wrong wrong = [&](const std::string &what) {
        return UsageError(2, fmt::format("--hostfile {}, line {}: {}", path, number, what));
    };
    std::vector<Host> hosts;
    for (std::string line; std::getline(file, line);) {
        ++number;
        line = line.substr(0, line.find('#'));
        if (line.find_first_not_of(" \t\r") != std::string::npos)
            add_host(hosts, parse_line(line, wrong), wrong);
    }
    if (!file.is_open() || file.bad())
        throw UsageError(2, fmt::format("--hostfile {}: {}", path, strerror(error ? error : EIO)));
    if (hosts.empty())
        throw UsageError(2, fmt::format("--hostfile {}: contains no host", path));
    return hosts;
}

std::string list_of(const std::vector<Host> &hosts) {
    constexpr size_t shown_max = 8;
    std::string text;
    for (size_t i = 0; i < hosts.size() && i < shown_max; ++i)
        text += fmt::format("{}{}:{}", i ? "," : "", hosts[i].name, hosts[i].slots);
    return hosts.size() > shown_max ? text + ",..." : text;
}

std::string name_of_this_machine() {
    char name[256] = "localhost";
    gethostname(name, sizeof name - 1);
    return name;
}

bool is_this_machine(const std::string &name) {
    std::string own = name_of_this_machine();
    if (name == "localhost" || name == own || name == own.substr(0, own.find('.')))
        return true;
    ifaddrs *addresses = nullptr;
    if (getifaddrs(&addresses))
        return false;
    bool found = false;
    for (const ifaddrs *a = addresses; a; a = a->ifa_next)
        found |= name == address_of(a->ifa_addr);
    freeifaddrs(addresses);
    return found;
}

} // namespace mpiexec
