// Finds the place at which a rank ends (exit_place.h): walks the stack from exit() outwards.
#include "inspect/exit_place.h"

#include "inspect/names.h"
#include "inspect/symbols.h"

#include <chrono>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <unwind.h>

namespace thrum {
namespace {

constexpr size_t frames_max = 16;
constexpr size_t walked_max = 1000;

// The program's frames, innermost first, without the outermost frame of the stack: that is the
// code which has called main.
struct ExitWalk {
    const void *call_sites[frames_max];
    size_t count = 0;
    size_t walked = 0;
    bool last_is_programs = false; // whether the last frame is the last one of `call_sites`
};

// Returns whether the code is part of the program, and not of a library or an interpreter that
// calls exit() on its behalf.
bool is_of_program(const void *instruction) {
    const Location location = find_location(instruction);
    if (is_system_location(location))
        return false;
    const char *slash = std::strrchr(location.path, '/');
    const char *name = slash ? slash + 1 : location.path;
    return std::strncmp(name, "python", 6) != 0 && std::strncmp(name, "libpython", 9) != 0;
}

// Called by the unwinder for each frame.
_Unwind_Reason_Code visit(_Unwind_Context *context, void *argument) {
    ExitWalk &walk = *static_cast<ExitWalk *>(argument);
    const auto *pc = reinterpret_cast<const char *>(_Unwind_GetIP(context));
    if (!pc || ++walk.walked > walked_max)
        return _URC_END_OF_STACK;
    walk.last_is_programs = is_of_program(pc - 1);
    if (!walk.last_is_programs)
        return _URC_NO_REASON;
    if (walk.count == frames_max) { // the last one in `call_sites` has a caller
        walk.last_is_programs = false;
        return _URC_END_OF_STACK;
    }
    walk.call_sites[walk.count++] = pc;
    return _URC_NO_REASON;
}

// Writes the place of the first call with a source line: a library without lines may have called
// exit() for the program. Without any line writes the first call's function.
void describe(const ExitWalk &walk, char *buffer, size_t size_bytes) {
    Symbol symbols[frames_max];
    for (size_t i = 0; i < walk.count; ++i)
        symbols[i].address = static_cast<const char *>(walk.call_sites[i]) - 1;
    symbolize(symbols, walk.count);
    size_t chosen = 0;
    while (chosen < walk.count && !symbols[chosen].place[0])
        ++chosen;
    const Symbol &symbol = symbols[chosen == walk.count ? 0 : chosen];
    char place[380];
    place_text(symbol, place, sizeof place);
    const bool has_function_only = symbol.function[0] && !symbol.place[0];
    std::snprintf(buffer, size_bytes, "%s %s", has_function_only ? "in" : "at", place);
}

// The last place that was described. Many ranks often end at the same one. Guarded by `lock`.
struct Known {
    std::timed_mutex lock;
    uint64_t number = 0; // number_of_call_site() of the innermost call; 0: none
    char text[384];
};

Known known;

} // namespace

bool describe_exit(char *buffer, size_t size_bytes) {
    ExitWalk walk;
    _Unwind_Backtrace(visit, &walk);
    walk.count -= walk.last_is_programs;
    if (walk.count == 0)
        return false;
    const uint64_t number = number_of_call_site(walk.call_sites[0]);
    // With a limit: a signal handler of the program may have interrupted the holder, and exit.
    std::unique_lock lock(known.lock, std::chrono::seconds(2));
    if (!lock.owns_lock())
        return false;
    if (number == 0 || number != known.number) {
        describe(walk, known.text, sizeof known.text);
        known.number = number;
    }
    std::snprintf(buffer, size_bytes, "%s", known.text);
    return true;
}

} // namespace thrum
