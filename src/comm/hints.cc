// The info keys of communicators: which values are accepted, and their defaults. No key changes
// what the library does; they are kept for MPI_Comm_get_info.
#include "comm/hints.h"

#include <cstring>

namespace thrum {

// Accepts the kinds of section 11.4.3: "system" without restrictors, and "mpi" with any of its own.
bool is_known_memory_kind(std::string_view kind) {
    auto next = [&] {
        size_t end = kind.find(':');
        std::string_view word = kind.substr(0, end);
        kind = end == kind.npos ? std::string_view() : kind.substr(end + 1);
        return word;
    };
    std::string_view name = next();
    if (name == "system")
        return kind.empty();
    if (name != "mpi")
        return false;
    while (!kind.empty()) {
        std::string_view restrictor = next();
        if (restrictor != "alloc_mem" && restrictor != "win_allocate" &&
            restrictor != "win_allocate_shared")
            return false;
    }
    return true;
}

namespace {

// Boolean hints, false by default.
constexpr const char *assertions[] = {
    "mpi_assert_no_any_tag",
    "mpi_assert_no_any_source",
    "mpi_assert_exact_length",
    "mpi_assert_allow_overtaking",
    "mpi_assert_strict_persistent_collective_ordering",
};

// Accepts "kind,kind:restrictor,...". An empty list is valid, too.
bool are_known_kinds(std::string_view list) {
    while (!list.empty()) {
        size_t end = list.find(',');
        if (!is_known_memory_kind(list.substr(0, end)))
            return false;
        list = end == list.npos ? std::string_view() : list.substr(end + 1);
    }
    return true;
}

bool is_accepted(const std::string &key, const std::string &value) {
    for (const char *assertion : assertions)
        if (key == assertion)
            return value == "true" || value == "false";
    return key == "mpi_assert_memory_alloc_kinds" && are_known_kinds(value);
}

} // namespace

void take_hints(Info *&hints, const Info *given) {
    if (!given)
        return;
    for (const auto &[key, value] : given->entries) {
        if (!is_accepted(key, value))
            continue;
        if (!hints)
            hints = new_info();
        hints->set(key.c_str(), value.c_str());
    }
}

Info *all_hints(const Info *hints) {
    Info *all = new_info();
    for (const char *assertion : assertions)
        all->set(assertion, "false");
    all->set("mpi_memory_alloc_kinds", memory_alloc_kinds);
    if (hints)
        for (const auto &[key, value] : hints->entries)
            all->set(key.c_str(), value.c_str());
    return all;
}

} // namespace thrum
