// The hints of a window (MPI 5.0 sections 12.2.1, 12.2.3 and 12.2.7). Unknown hints are ignored and
// not reported.
#include "comm/info.h"
#include "rma/window.h"

#include <charconv>

namespace thrum {
namespace {

// Sets `hint` if the value is valid. An invalid value is ignored, like an unknown key.
void take_boolean(const std::string &value, bool &hint) {
    if (value == "true" || value == "false")
        hint = value == "true";
}

template <class Number>
void take_number(const std::string &value, Number &hint, bool (*makes_sense)(Number)) {
    Number number = 0;
    auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error == std::errc() && end == value.data() + value.size() && makes_sense(number))
        hint = number;
}

// Accepts "none", or a list of these words separated by commas (section 12.7.2).
bool is_ordering(const std::string &value) {
    if (value == "none")
        return true;
    for (size_t at = 0;; at += 4) {
        std::string one = value.substr(at, 3);
        if (one != "rar" && one != "raw" && one != "war" && one != "waw")
            return false;
        if (at + 3 == value.size())
            return true;
        if (value[at + 3] != ',')
            return false;
    }
}

const char *text_of(bool value) {
    return value ? "true" : "false";
}

} // namespace

// Ignores unknown keys and invalid values. The last three keys matter only while the memory is
// allocated.
void WindowHints::take(const Info &info, bool exists) {
    for (const auto &[key, value] : info.entries) {
        if (key == "no_locks")
            take_boolean(value, no_locks);
        else if (key == "same_size")
            take_boolean(value, same_size);
        else if (key == "same_disp_unit")
            take_boolean(value, same_disp_unit);
        else if (key == "accumulate_ordering" && is_ordering(value))
            accumulate_ordering = value;
        else if (key == "accumulate_ops" && (value == "same_op" || value == "same_op_no_op"))
            accumulate_ops = value;
        else if (key == "mpi_assert_memory_alloc_kinds")
            memory_kinds = value;
        else if (exists)
            continue; // the memory exists already
        else if (key == "alloc_shared_noncontig")
            take_boolean(value, noncontiguous);
        else if (key == "mpi_accumulate_granularity")
            take_number<int64_t>(value, granularity, [](int64_t n) { return n >= 0; });
        else if (key == "mpi_minimum_memory_alignment")
            take_number<size_t>(value, alignment, [](size_t n) { return (n & (n - 1)) == 0; });
    }
}

Info *WindowHints::report(int flavor) const {
    Info *info = new_info();
    info->set("no_locks", text_of(no_locks));
    info->set("accumulate_ordering", accumulate_ordering.c_str());
    info->set("accumulate_ops", accumulate_ops.c_str());
    info->set("mpi_accumulate_granularity", std::to_string(granularity).c_str());
    info->set("same_size", text_of(same_size));
    info->set("same_disp_unit", text_of(same_disp_unit));
    if (flavor == MPI_WIN_FLAVOR_SHARED)
        info->set("alloc_shared_noncontig", text_of(noncontiguous));
    if (alignment > 0 && (flavor == MPI_WIN_FLAVOR_ALLOCATE || flavor == MPI_WIN_FLAVOR_SHARED))
        info->set("mpi_minimum_memory_alignment", std::to_string(alignment).c_str());
    if (!memory_kinds.empty())
        info->set("mpi_assert_memory_alloc_kinds", memory_kinds.c_str());
    return info;
}

} // namespace thrum
