// What the user did wrong; main.cc prints it.
#pragma once
#include <stdexcept>
#include <string>

namespace mpiexec {

// A sentence for the user, and mpiexec's exit code for it.
struct UsageError : std::runtime_error {
    UsageError(int code, const std::string &text) : std::runtime_error(text), exit_code(code) {}

    int exit_code;
};

} // namespace mpiexec
