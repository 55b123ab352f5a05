// What mpiexec and thrum sweep print on standard error. Unlike fmt::print this does not throw when
// writing fails.
#pragma once
#include <cstdio>
#include <fmt/core.h>
#include <string>

namespace mpiexec {

// The command whose name begins the lines. Set before anything is printed.
inline std::string speaker = "mpiexec";

// Writes one line "mpiexec: ...", in one call, so that lines of other processes do not mix with it.
template <class... Arguments>
void say(fmt::format_string<Arguments...> format, Arguments &&...arguments) {
    const std::string line =
        speaker + ": " + fmt::format(format, std::forward<Arguments>(arguments)...) + "\n";
    std::fwrite(line.data(), 1, line.size(), stderr);
}

} // namespace mpiexec
