// What mpiexec says on standard error. Unlike fmt::print it does not throw when nobody reads there.
#pragma once
#include <cstdio>
#include <fmt/core.h>
#include <string>

namespace mpiexec {

// Writes one line "mpiexec: ...".
template <class... Arguments>
void say(fmt::format_string<Arguments...> format, Arguments &&...arguments) {
    std::string line =
        "mpiexec: " + fmt::format(format, std::forward<Arguments>(arguments)...) + "\n";
    std::fwrite(line.data(), 1, line.size(), stderr);
}

} // namespace mpiexec
